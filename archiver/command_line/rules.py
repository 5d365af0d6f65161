"""What a setting may be: the kind of its value, its range, its choices.

docs/settings.md tells the same to people. What is not listed here has the kind of its default value.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class ValueKind(Enum):
    FLAG = auto()
    WHOLE = auto()
    NUMBER = auto()
    TEXT = auto()
    INTERVAL = auto()
    WEB_ADDRESS = auto()
    MASK = auto()
    NAME = auto()
    LIST = auto()
    TABLE = auto()
    METHOD = auto()
    ANYTHING = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A value of this kind, within these bounds."""

    kind: ValueKind
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    choices: tuple[str, ...] = ()
    is_optional: bool = False  # also None, which files and command lines spell "none"


def rule_for(name: str, default: object) -> Rule:
    """The rule of a setting, whose default tells the kind where nothing else is known."""
    return RULES[name] if name in RULES else Rule(kind=_kind_of(default))


def _kind_of(default: object) -> ValueKind:
    for kind, types in _KINDS.items():
        if isinstance(default, types):
            return kind
    return ValueKind.TABLE if hasattr(default, "items") else ValueKind.ANYTHING


# In this order: True is a whole number, too.
_KINDS: Mapping[ValueKind, type | tuple[type, ...]] = MappingProxyType(
    {
        ValueKind.FLAG: bool,
        ValueKind.WHOLE: int,
        ValueKind.NUMBER: float,
        ValueKind.TEXT: str,
        ValueKind.LIST: (list, tuple, set),
    }
)


def _whole(least: float, most: float | None = None) -> Rule:
    return Rule(kind=ValueKind.WHOLE, least=least, most=most)


def _number(least: float, most: float | None = None) -> Rule:
    return Rule(kind=ValueKind.NUMBER, least=least, most=most)


_A_HUNDRED_YEARS = 36525  # in days
_LARGEST_PORT = 65535


def _each(rule: Rule, names: str) -> dict[str, Rule]:
    return dict.fromkeys(names.split(), rule)


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        **_each(
            Rule(kind=ValueKind.INTERVAL),
            "POLL_LONGEST_INTERVAL POLL_FLOOR POLL_FLOOR_BLIND POLL_FLOOR_URGENT POLL_LONGEST_WISH "
            "DISCOVERY_INTERVAL RETIRED_INTERVAL WEBSUB_LEASE WEBSUB_POLL_INTERVAL PAGE_FIRST_WAIT "
            "PAGE_LONGEST_WAIT REQUISITES_MAX_AGE RECHECK_FLOOR WARC_MAX_AGE",
        ),
        **_each(Rule(kind=ValueKind.INTERVAL, is_optional=True), "POLL_INTERVAL RECHECK_INTERVAL"),
        **_each(
            _whole(0),
            "MAX_PAGES_PER_CHANNEL GAP_PAGES HOST_PAGES_PER_DAY HOST_MB_PER_DAY CHANNEL_PAGES_PER_DAY "
            "CHANNEL_MB_PER_DAY MAX_REQUISITES_PER_PAGE EXTRACT_WORKERS EXTRACTION_SIBLINGS "
            "DOWNLOAD_MAXSIZE DOWNLOAD_WARNSIZE REDIRECT_MAX_TIMES",
        ),
        **_each(
            _whole(1),
            "RETIRE_TRIES MAX_FEEDS_PER_SITE PAGE_TRIES EXTRACT_MEMORY_MB EXTRACT_BACKLOG "
            "EXTRACTION_GROUP_PAGES EXTRACTION_GROUP_BYTES BODIES_IN_FLIGHT_MB WARC_MAX_MB "
            "CONCURRENT_ITEMS CONCURRENT_REQUESTS CONCURRENT_REQUESTS_PER_DOMAIN",
        ),
        **_each(
            _number(0),
            "POLL_FAIRNESS EXTRACTION_GROUP_SECONDS ROBOTS_LONGEST_DELAY DOWNLOAD_DELAY "
            "AUTOTHROTTLE_START_DELAY AUTOTHROTTLE_MAX_DELAY CLOSESPIDER_TIMEOUT DNS_TIMEOUT "
            "LOGSTATS_INTERVAL",
        ),
        **_each(
            Rule(kind=ValueKind.NUMBER, above=0),
            "CLOCK_SPEED EXTRACT_TIMEOUT RUN_HOST_TIME DOWNLOAD_TIMEOUT AUTOTHROTTLE_TARGET_CONCURRENCY",
        ),
        **_each(_number(0, 1), "FAILING_SHARE REQUISITES_SHARE SEEDS_DROP_SHARE"),
        **_each(
            Rule(kind=ValueKind.TEXT, is_optional=True),
            "STATE_URL USER_AGENT LOG_FILE BROWSE_PASSWORD REPLAY_PYWB",
        ),
        "ARCHIVE_UMASK": Rule(kind=ValueKind.MASK, is_optional=True),
        # Each further page has those before it read again.
        "ARTICLE_PAGES": _whole(1, 100),
        "CLOCK_OFFSET": Rule(kind=ValueKind.NUMBER),
        "EXTRACT_METHOD": Rule(kind=ValueKind.METHOD),
        "LOG_LEVEL": Rule(kind=ValueKind.TEXT, choices=("CRITICAL", "ERROR", "WARNING", "INFO", "DEBUG")),
        "POLL_BUDGET": Rule(kind=ValueKind.NUMBER, least=0.01, is_optional=True),
        "RECHECK_DAYS": _number(0, _A_HUNDRED_YEARS),
        "RECHECK_SHARE": Rule(kind=ValueKind.NUMBER, least=0, below=1),
        "RECHECK_SITEMAPS": _whole(0, 100),
        "FIELD_REPAIR": Rule(kind=ValueKind.TEXT, choices=("off", "propose", "auto")),
        "METRICS_PORT": _whole(0, _LARGEST_PORT),
        "RENDER": Rule(kind=ValueKind.TEXT, choices=("off", "auto")),
        "RENDER_TIMEOUT": Rule(kind=ValueKind.NUMBER, above=0),
        "RENDER_MEMORY_MB": Rule(kind=ValueKind.WHOLE, least=512),
        "RENDER_SCREENS": Rule(kind=ValueKind.WHOLE, least=0, most=20),
        "RENDER_REQUESTS": Rule(kind=ValueKind.WHOLE, least=1),
        "REQUISITES": Rule(kind=ValueKind.TEXT, choices=("none", "article", "look", "page")),
        "RETIRE_AFTER_DAYS": _number(1, _A_HUNDRED_YEARS),
        "WARC_COMPRESSION": _whole(0, 9),
        "WORKER_TIMEOUT": _number(5),
        "WRITER": Rule(kind=ValueKind.NAME, is_optional=True),
        "WEBSUB_PORT": _whole(1, _LARGEST_PORT),
        "WEBSUB_URL": Rule(kind=ValueKind.WEB_ADDRESS),
    }
)
