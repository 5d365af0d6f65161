"""From Scrapy's settings to the plain values that the core takes."""

from __future__ import annotations

import json
import os
import platform
from datetime import timedelta
from math import isfinite
from typing import TYPE_CHECKING

import scrapy

import archiver
from archiver.archive import ArchiveConfig, Replayed, RequisiteRules
from archiver.clock import machine_now
from archiver.errors import ConfigurationError
from archiver.extensions.places import archive_folder, clock, profile, sqlite_url, state_url
from archiver.extract.catalogue import CATALOGUE
from archiver.pages import PagePolicy
from archiver.polling.decide import Aim
from archiver.polling.failing import Backoff
from archiver.polling.manners import Manners
from archiver.polling.price import USUAL_PRICE
from archiver.polling.schedule import PollPolicy
from archiver.reading.grouping import GroupRules
from archiver.rechecks.schedule import RecheckPolicy
from archiver.seeds import parse_interval
from archiver.store.polls import PollRules
from archiver.store.watching import RecheckRules
from archiver.urls import is_web, redact
from archiver.warc.writer import WarcOptions

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from archiver.warc.records import Fields


def config_from(settings: BaseSettings) -> ArchiveConfig:
    """Read and check every setting of ours."""
    archive = archive_folder(settings)
    replayed = None
    folder, state = archive, state_url(settings)
    if settings.getbool("REPLAY"):
        # Beside the archive's own state and objects, which stay as they are.
        folder = archive / f"replay-{machine_now():%Y%m%dT%H%M%S}"
        state = sqlite_url(folder)
        replayed = Replayed(state_url=state_url(settings), objects_folder=archive / "objects")
    return ArchiveConfig(
        folder=folder,
        warc_folder=archive / "warc",
        index_folder=archive / "index",
        state_url=state,
        replayed=replayed,
        polls=PollRules(
            policy=_poll_policy(settings),
            pages_at_once=settings.getint("MAX_PAGES_PER_CHANNEL"),
            channel_pages=settings.getbool("CHANNEL_PAGES"),
            websub=websub_url(settings) is not None and replayed is None,
            budget=_budget(settings),
            gap_pages=int(_at_least(0, settings, "GAP_PAGES")),
            feeds_per_site=int(_at_least(1, settings, "MAX_FEEDS_PER_SITE")),
        ),
        requisites=_requisite_rules(settings),
        pages=_page_policy(settings),
        rechecks=_recheck_rules(settings),
        clock=clock(settings),
        profile=profile(),
        extraction=settings.getbool("EXTRACTION"),
        method=_method(settings),
        outlinks=settings.getbool("WARC_OUTLINKS"),
        workers=settings.getint("EXTRACT_WORKERS") or os.cpu_count() or 1,
        worker_seconds=settings.getfloat("EXTRACT_TIMEOUT"),
        worker_memory_mb=settings.getint("EXTRACT_MEMORY_MB"),
        warc=_warc_options(settings),
        groups=_group_rules(settings),
    )


def _poll_policy(settings: BaseSettings) -> PollPolicy:
    is_fixed = _is_set(settings, "POLL_INTERVAL")
    return PollPolicy(
        interval=interval(settings, "POLL_INTERVAL") if is_fixed else timedelta(hours=1),
        aim=None if is_fixed else _aim(settings),
        longest=interval(settings, "POLL_LONGEST_INTERVAL"),
        discovery=interval(settings, "DISCOVERY_INTERVAL"),
        pushed=interval(settings, "WEBSUB_POLL_INTERVAL"),
        manners=Manners(
            floor=interval(settings, "POLL_FLOOR"),
            floor_blind=interval(settings, "POLL_FLOOR_BLIND"),
            longest_wish=interval(settings, "POLL_LONGEST_WISH"),
        ),
        backoff=Backoff(
            retire_after=_days(1, settings, "RETIRE_AFTER_DAYS"),
            retire_tries=int(_at_least(1, settings, "RETIRE_TRIES")),
            retired_interval=interval(settings, "RETIRED_INTERVAL"),
        ),
    )


def _aim(settings: BaseSettings) -> Aim:
    return Aim(
        price=USUAL_PRICE,
        fairness=_at_least(0, settings, "POLL_FAIRNESS"),
        shortest=interval(settings, "POLL_FLOOR").total_seconds(),
        longest=interval(settings, "POLL_LONGEST_INTERVAL").total_seconds(),
    )


def _budget(settings: BaseSettings) -> float | None:
    return _at_least(0.01, settings, "POLL_BUDGET") if _is_set(settings, "POLL_BUDGET") else None


def _is_set(settings: BaseSettings, name: str) -> bool:
    """False for None, which a command line can only spell."""
    return str(settings[name]).lower() != "none"


def _page_policy(settings: BaseSettings) -> PagePolicy:
    return PagePolicy(
        tries=settings.getint("PAGE_TRIES"),
        first_wait=interval(settings, "PAGE_FIRST_WAIT"),
        longest_wait=interval(settings, "PAGE_LONGEST_WAIT"),
    )


def _recheck_rules(settings: BaseSettings) -> RecheckRules:
    share = _at_least(0, settings, "RECHECK_SHARE")
    if share >= 1:
        raise ConfigurationError(f"RECHECK_SHARE={settings['RECHECK_SHARE']!r}: less than 1, such as 0.5")
    is_fixed = _is_set(settings, "RECHECK_INTERVAL")
    return RecheckRules(
        policy=RecheckPolicy(
            floor=interval(settings, "RECHECK_FLOOR"),
            until=_days(0, settings, "RECHECK_DAYS"),
            interval=interval(settings, "RECHECK_INTERVAL") if is_fixed else None,
        ),
        share=share,
    )


def interval(settings: BaseSettings, name: str) -> timedelta:
    try:
        return parse_interval(str(settings[name]))
    except ValueError as error:
        raise ConfigurationError(f"{name}={settings[name]!r}: {error}") from error


def _method(settings: BaseSettings) -> str:
    method: str = settings["EXTRACT_METHOD"]
    if method not in CATALOGUE:
        known = ", ".join(CATALOGUE)
        raise ConfigurationError(f"EXTRACT_METHOD={method!r} is not known: choose from {known}")
    return method


def _group_rules(settings: BaseSettings) -> GroupRules:
    return GroupRules(
        pages=int(_at_least(1, settings, "EXTRACTION_GROUP_PAGES")),
        size=int(_at_least(1, settings, "EXTRACTION_GROUP_BYTES")),
        wait=timedelta(seconds=_at_least(0, settings, "EXTRACTION_GROUP_SECONDS")),
        siblings=int(_at_least(0, settings, "EXTRACTION_SIBLINGS")),
        backlog=settings.getint("EXTRACT_BACKLOG"),
    )


def _at_least(least: float, settings: BaseSettings, name: str) -> float:
    try:
        value = settings.getfloat(name)
    except ValueError as error:
        raise ConfigurationError(f"{name}={settings[name]!r} is no number") from error
    if not isfinite(value):
        raise ConfigurationError(f"{name}={settings[name]!r} is no number")
    if value < least:
        raise ConfigurationError(f"{name}={settings[name]!r}: at least {least}")
    return value


def _days(least: float, settings: BaseSettings, name: str) -> timedelta:
    days = _at_least(least, settings, name)
    if days > _MOST_DAYS:
        raise ConfigurationError(f"{name}={settings[name]!r}: at most {_MOST_DAYS}, a hundred years")
    return timedelta(days=days)


_MOST_DAYS = 36525


def websub_url(settings: BaseSettings) -> str | None:
    """Where hubs can call us; None if nobody wants them to."""
    url, port = str(settings["WEBSUB_URL"] or "").rstrip("/"), settings.getint("WEBSUB_PORT")
    if not url:
        return None
    if not is_web(url) or "?" in url or "#" in url:
        raise ConfigurationError(f"WEBSUB_URL={url!r} is no address that a hub could call")
    if not 0 < port <= _LARGEST_PORT:
        raise ConfigurationError(f"WEBSUB_PORT={port} is no port")
    interval(settings, "WEBSUB_LEASE")
    return url


_LARGEST_PORT = 65535


def _requisite_rules(settings: BaseSettings) -> RequisiteRules:
    scope: str = settings["REQUISITES"]
    if scope not in _SCOPES:
        raise ConfigurationError(f"REQUISITES={scope!r} is not known: choose from {', '.join(_SCOPES)}")
    return RequisiteRules(
        scope=scope,
        most_per_page=settings.getint("MAX_REQUISITES_PER_PAGE"),
        max_age=interval(settings, "REQUISITES_MAX_AGE"),
    )


_SCOPES = ("none", "article", "page")


def _warc_options(settings: BaseSettings) -> WarcOptions:
    return WarcOptions(
        prefix=settings["WARC_PREFIX"],
        info=_warc_info(settings),
        max_bytes=settings.getint("WARC_MAX_MB") << 20,
        max_age=interval(settings, "WARC_MAX_AGE"),
        level=settings.getint("WARC_COMPRESSION"),
        fsync=settings.getbool("WARC_FSYNC"),
        exact_wire=settings.getbool("WARC_EXACT_WIRE"),
    )


def _warc_info(settings: BaseSettings) -> Fields:
    robots = "classic" if settings.getbool("ROBOTSTXT_OBEY") else "ignore"
    info = {
        "software": f"archiver/{archiver.__version__} Scrapy/{scrapy.__version__}"
        f" Python/{platform.python_version()}",
        "format": "WARC File Format 1.1",
        "conformsTo": "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
        "robots": robots,
        "http-header-user-agent": settings["USER_AGENT"],
    }
    if settings["OPERATOR"]:
        info["operator"] = settings["OPERATOR"]
    told = {name: settings[name] for name in _TOLD_SETTINGS}
    info["settings"] = redact(json.dumps(told, default=str))
    return tuple(info.items())


# What shaped the crawl, and is of use to whoever reads the archive.
_TOLD_SETTINGS = (
    "CONCURRENT_REQUESTS_PER_DOMAIN",
    "DOWNLOAD_DELAY",
    "DOWNLOAD_MAXSIZE",
    "DOWNLOAD_TIMEOUT",
    "DOWNLOAD_VERIFY_CERTIFICATES",
    "EXTRACT_METHOD",
    "POLL_BUDGET",
    "POLL_INTERVAL",
    "RECHECK_INTERVAL",
    "RECHECK_SHARE",
    "WARC_COMPRESSION",
    "WARC_EXACT_WIRE",
)
