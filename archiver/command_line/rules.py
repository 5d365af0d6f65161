"""What a setting may be: the kind of its value, its range, its choices.

docs/settings.md tells the same to people. What is not listed here has the kind of its default value.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import TYPE_CHECKING

from archiver.articles.extract.catalogue import CATALOGUE

if TYPE_CHECKING:
    from collections.abc import Mapping


class Kind(Enum):
    FLAG = auto()
    WHOLE = auto()
    NUMBER = auto()
    TEXT = auto()
    INTERVAL = auto()
    WEB_ADDRESS = auto()
    MASK = auto()
    LIST = auto()
    TABLE = auto()
    ANYTHING = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A value of this kind, within these bounds."""

    kind: Kind
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    choices: tuple[str, ...] = ()
    is_optional: bool = False  # also None, which files and command lines spell "none"


def rule_for(name: str, default: object) -> Rule:
    """The rule of a setting, whose default tells the kind where nothing else is known."""
    return RULES[name] if name in RULES else Rule(kind=_kind_of(default))


def _kind_of(default: object) -> Kind:
    for kind, types in _KINDS.items():
        if isinstance(default, types):
            return kind
    return Kind.TABLE if hasattr(default, "items") else Kind.ANYTHING


# In this order: True is a whole number, too.
_KINDS: Mapping[Kind, type | tuple[type, ...]] = MappingProxyType(
    {
        Kind.FLAG: bool,
        Kind.WHOLE: int,
        Kind.NUMBER: float,
        Kind.TEXT: str,
        Kind.LIST: (list, tuple, set),
    }
)


def _whole(least: float, most: float | None = None) -> Rule:
    return Rule(kind=Kind.WHOLE, least=least, most=most)


def _number(least: float, most: float | None = None) -> Rule:
    return Rule(kind=Kind.NUMBER, least=least, most=most)


_INTERVAL = Rule(kind=Kind.INTERVAL)
_OPTIONAL_INTERVAL = Rule(kind=Kind.INTERVAL, is_optional=True)
_OPTIONAL_TEXT = Rule(kind=Kind.TEXT, is_optional=True)
_SECONDS = _number(0)
_COUNT = _whole(0)
_A_HUNDRED_YEARS = 36525  # in days
_LARGEST_PORT = 65535

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "ARCHIVE_UMASK": Rule(kind=Kind.MASK, is_optional=True),
        "STATE_URL": _OPTIONAL_TEXT,
        "CLOCK_OFFSET": Rule(kind=Kind.NUMBER),
        "CLOCK_SPEED": Rule(kind=Kind.NUMBER, above=0),
        "POLL_BUDGET": Rule(kind=Kind.NUMBER, least=0.01, is_optional=True),
        "POLL_FAIRNESS": _number(0),
        "POLL_INTERVAL": _OPTIONAL_INTERVAL,
        "POLL_LONGEST_INTERVAL": _INTERVAL,
        "POLL_FLOOR": _INTERVAL,
        "POLL_FLOOR_BLIND": _INTERVAL,
        "POLL_FLOOR_URGENT": _INTERVAL,
        "POLL_LONGEST_WISH": _INTERVAL,
        "DISCOVERY_INTERVAL": _INTERVAL,
        "RETIRE_AFTER_DAYS": _number(1, _A_HUNDRED_YEARS),
        "RETIRE_TRIES": _whole(1),
        "RETIRED_INTERVAL": _INTERVAL,
        "MAX_PAGES_PER_CHANNEL": _COUNT,
        "GAP_PAGES": _COUNT,
        "MAX_FEEDS_PER_SITE": _whole(1),
        "FAILING_SHARE": _number(0, 1),
        "SEEDS_DROP_SHARE": _number(0, 1),
        "WEBSUB_URL": Rule(kind=Kind.WEB_ADDRESS),
        "WEBSUB_PORT": _whole(1, _LARGEST_PORT),
        "WEBSUB_LEASE": _INTERVAL,
        "WEBSUB_POLL_INTERVAL": _INTERVAL,
        "PAGE_TRIES": _whole(1),
        "PAGE_FIRST_WAIT": _INTERVAL,
        "PAGE_LONGEST_WAIT": _INTERVAL,
        "HOST_PAGES_PER_DAY": _COUNT,
        "HOST_MB_PER_DAY": _COUNT,
        "CHANNEL_PAGES_PER_DAY": _COUNT,
        "CHANNEL_MB_PER_DAY": _COUNT,
        "REQUISITES": Rule(kind=Kind.TEXT, choices=("none", "article", "page")),
        "MAX_REQUISITES_PER_PAGE": _COUNT,
        "REQUISITES_MAX_AGE": _INTERVAL,
        # Each further page has those before it read again.
        "ARTICLE_PAGES": _whole(1, 100),
        "RECHECK_SHARE": Rule(kind=Kind.NUMBER, least=0, below=1),
        "RECHECK_INTERVAL": _OPTIONAL_INTERVAL,
        "RECHECK_FLOOR": _INTERVAL,
        "RECHECK_SITEMAPS": _whole(0, 100),
        "RECHECK_DAYS": _number(0, _A_HUNDRED_YEARS),
        "EXTRACT_METHOD": Rule(kind=Kind.TEXT, choices=tuple(CATALOGUE)),
        "EXTRACT_WORKERS": _COUNT,
        "EXTRACT_TIMEOUT": Rule(kind=Kind.NUMBER, above=0),
        "EXTRACT_MEMORY_MB": _whole(1),
        "EXTRACT_BACKLOG": _whole(1),
        "EXTRACTION_GROUP_PAGES": _whole(1),
        "EXTRACTION_GROUP_BYTES": _whole(1),
        "EXTRACTION_GROUP_SECONDS": _SECONDS,
        "EXTRACTION_SIBLINGS": _COUNT,
        "BODIES_IN_FLIGHT_MB": _whole(1),
        "WARC_MAX_MB": _whole(1),
        "WARC_MAX_AGE": _INTERVAL,
        "WARC_COMPRESSION": _whole(0, 9),
        "USER_AGENT": _OPTIONAL_TEXT,
        "ROBOTS_LONGEST_DELAY": _SECONDS,
        "RUN_HOST_TIME": Rule(kind=Kind.NUMBER, above=0),
        # Scrapy's, where the default alone does not tell.
        "LOG_LEVEL": Rule(kind=Kind.TEXT, choices=("CRITICAL", "ERROR", "WARNING", "INFO", "DEBUG")),
        "LOG_FILE": _OPTIONAL_TEXT,
        "CONCURRENT_ITEMS": _whole(1),
        "CONCURRENT_REQUESTS": _whole(1),
        "CONCURRENT_REQUESTS_PER_DOMAIN": _whole(1),
        "DOWNLOAD_DELAY": _SECONDS,
        "DOWNLOAD_TIMEOUT": Rule(kind=Kind.NUMBER, above=0),
        "DOWNLOAD_MAXSIZE": _COUNT,
        "DOWNLOAD_WARNSIZE": _COUNT,
        "REDIRECT_MAX_TIMES": _COUNT,
        "AUTOTHROTTLE_START_DELAY": _SECONDS,
        "AUTOTHROTTLE_TARGET_CONCURRENCY": Rule(kind=Kind.NUMBER, above=0),
        "AUTOTHROTTLE_MAX_DELAY": _SECONDS,
        "CLOSESPIDER_TIMEOUT": _SECONDS,
        "DNS_TIMEOUT": _SECONDS,
        "LOGSTATS_INTERVAL": _SECONDS,
    }
)
