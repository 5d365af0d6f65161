"""From Scrapy's settings to the plain values that the core takes."""

from __future__ import annotations

import json
import os
import platform
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import load_object

import archiver
from archiver.acquisition.apis import ApiRules
from archiver.acquisition.channels.polling.decide import Aim
from archiver.acquisition.channels.polling.politeness import Politeness
from archiver.acquisition.channels.polling.price import USUAL_PRICE
from archiver.acquisition.channels.polling.schedule import Backoff, PollPolicy
from archiver.acquisition.channels.polls import PollRules
from archiver.acquisition.pages import PagePolicy
from archiver.acquisition.rechecks.schedule import RecheckPolicy
from archiver.acquisition.rechecks.watching import RecheckRules
from archiver.acquisition.requisites import RequisiteRules
from archiver.acquisition.seeds import parse_interval
from archiver.archive.objects.kinds import SUFFIX, kind_of
from archiver.archive.warc.writer import WarcOptions
from archiver.clock import machine_now
from archiver.command_line.checking import checked
from archiver.command_line.rules import RULES
from archiver.errors import ConfigurationError
from archiver.extensions.causes import failure_causes
from archiver.extensions.places import (
    archive_folder,
    clock,
    knowledge_sources,
    profile,
    sqlite_url,
    state_url,
    wrappers_folder,
)
from archiver.rendering.model import RenderRules
from archiver.running.archive import ArchiveConfig, Replayed
from archiver.running.reading.grouping import GroupRules
from archiver.store.quotas import Quotas
from archiver.urls import redact

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from archiver.archive.objects.kinds import ObjectKind
    from archiver.archive.warc.records import Fields


def config_from(settings: BaseSettings) -> ArchiveConfig:
    """Read and check every setting of ours."""
    check_settings(settings)
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
            gap_pages=settings.getint("GAP_PAGES"),
            feeds_per_site=settings.getint("MAX_FEEDS_PER_SITE"),
            causes=failure_causes(settings),
        ),
        drop_share=settings.getfloat("SEEDS_DROP_SHARE"),
        requisites=_requisite_rules(settings),
        quotas=_quotas(settings),
        pages=_page_policy(settings),
        rechecks=_recheck_rules(settings),
        clock=clock(settings),
        profile=profile(),
        writer=settings["WRITER"],
        worker_timeout=settings.getfloat("WORKER_TIMEOUT"),
        object_kinds=object_kinds(settings),
        extraction=settings.getbool("EXTRACTION"),
        method=settings["EXTRACT_METHOD"],
        outlinks=settings.getbool("WARC_OUTLINKS"),
        comments=settings.getbool("COMMENTS"),
        search=settings.getbool("SEARCH_INDEX"),
        article_pages=settings.getint("ARTICLE_PAGES"),
        workers=settings.getint("EXTRACT_WORKERS") or os.cpu_count() or 1,
        worker_seconds=settings.getfloat("EXTRACT_TIMEOUT"),
        worker_memory_mb=settings.getint("EXTRACT_MEMORY_MB"),
        warc=_warc_options(settings),
        groups=_group_rules(settings),
        knowledge=knowledge_sources(settings),
        field_wrappers=wrappers_folder(settings),
        field_repair=settings["FIELD_REPAIR"],
        render=render_rules(settings),
        site_adapt=settings.getbool("SITE_ADAPT"),
        storage_url=str(settings["STORAGE_URL"] or ""),
        apis=ApiRules(
            interval=interval(settings, "API_INTERVAL"), nobot=settings.getbool("API_HONOUR_NOBOT")
        ),
        umask=_umask(settings),
    )


def render_rules(settings: BaseSettings) -> RenderRules | None:
    """How pages are rendered; None where they are not."""
    if settings["RENDER"] == "off":
        return None
    return RenderRules(
        browser=settings["RENDER_BROWSER"],
        user=settings["RENDER_USER"],
        sandbox=settings.getbool("RENDER_SANDBOX"),
        seconds=settings.getfloat("RENDER_TIMEOUT"),
        memory_mb=settings.getint("RENDER_MEMORY_MB"),
        screens=settings.getint("RENDER_SCREENS"),
        requests=settings.getint("RENDER_REQUESTS"),
    )


def object_kinds(settings: BaseSettings) -> tuple[ObjectKind[Any], ...]:
    """The kinds of objects that are written and verified, each with files of its own."""
    kinds: dict[str, ObjectKind[Any]] = {}
    for kind in (component() for component in components(settings, "OBJECT_KINDS")):
        if kind_of(f"{kind.name}-2026-01-01{SUFFIX}") != kind.name:
            told = "is not a name of small letters, digits and underscores"
            raise ConfigurationError(f"OBJECT_KINDS: {kind.name!r} {told}")
        if kind.name in kinds:
            raise ConfigurationError(f"OBJECT_KINDS: two kinds write {kind.name}")
        kinds[kind.name] = kind
    return tuple(kinds.values())


def components(settings: BaseSettings, name: str) -> list[Any]:
    """What a setting of import paths names, in its order, like Scrapy's own components."""
    found = []
    for path in build_component_list(settings.getwithbase(name)):
        try:
            found.append(load_object(path))
        except (ImportError, NameError, ValueError) as error:
            raise ConfigurationError(f"{name}: {path} cannot be loaded: {error}") from error
    return found


def check_settings(settings: BaseSettings) -> None:
    """Hold each setting that has a rule against it, and bring it into its type; whatever it was set by."""
    for name, rule in RULES.items():
        if name in settings:
            value = checked(name, settings[name], rule)
            settings.set(name, value, priority=settings.getpriority(name) or 0)


def _quotas(settings: BaseSettings) -> Quotas:
    return Quotas(
        host_pages=settings.getint("HOST_PAGES_PER_DAY"),
        host_mb=settings.getint("HOST_MB_PER_DAY"),
        channel_pages=settings.getint("CHANNEL_PAGES_PER_DAY"),
        channel_mb=settings.getint("CHANNEL_MB_PER_DAY"),
    )


def _umask(settings: BaseSettings) -> int | None:
    """What new files do not grant; None where it is left to the system."""
    digits = settings["ARCHIVE_UMASK"]
    return None if digits is None else int(digits, 8)


def _poll_policy(settings: BaseSettings) -> PollPolicy:
    is_fixed = settings["POLL_INTERVAL"] is not None
    return PollPolicy(
        interval=interval(settings, "POLL_INTERVAL") if is_fixed else timedelta(hours=1),
        aim=None if is_fixed else _aim(settings),
        longest=interval(settings, "POLL_LONGEST_INTERVAL"),
        discovery=interval(settings, "DISCOVERY_INTERVAL"),
        pushed=interval(settings, "WEBSUB_POLL_INTERVAL"),
        politeness=Politeness(
            floor=interval(settings, "POLL_FLOOR"),
            floor_blind=interval(settings, "POLL_FLOOR_BLIND"),
            floor_urgent=interval(settings, "POLL_FLOOR_URGENT"),
            longest_wish=interval(settings, "POLL_LONGEST_WISH"),
        ),
        backoff=Backoff(
            retire_after=timedelta(days=settings.getfloat("RETIRE_AFTER_DAYS")),
            retire_tries=settings.getint("RETIRE_TRIES"),
            retired_interval=interval(settings, "RETIRED_INTERVAL"),
        ),
    )


def _aim(settings: BaseSettings) -> Aim:
    return Aim(
        price=USUAL_PRICE,
        fairness=settings.getfloat("POLL_FAIRNESS"),
        # What is planned is put off to the floor, unless that loses entries.
        shortest=interval(settings, "POLL_FLOOR_URGENT").total_seconds(),
        longest=interval(settings, "POLL_LONGEST_INTERVAL").total_seconds(),
    )


def _budget(settings: BaseSettings) -> float | None:
    return settings.getfloat("POLL_BUDGET") if settings["POLL_BUDGET"] is not None else None


def _page_policy(settings: BaseSettings) -> PagePolicy:
    return PagePolicy(
        tries=settings.getint("PAGE_TRIES"),
        first_wait=interval(settings, "PAGE_FIRST_WAIT"),
        longest_wait=interval(settings, "PAGE_LONGEST_WAIT"),
    )


def _recheck_rules(settings: BaseSettings) -> RecheckRules:
    is_fixed = settings["RECHECK_INTERVAL"] is not None
    return RecheckRules(
        policy=RecheckPolicy(
            floor=interval(settings, "RECHECK_FLOOR"),
            until=timedelta(days=settings.getfloat("RECHECK_DAYS")),
            interval=interval(settings, "RECHECK_INTERVAL") if is_fixed else None,
        ),
        share=settings.getfloat("RECHECK_SHARE"),
        sitemaps=settings.getint("RECHECK_SITEMAPS"),
    )


def interval(settings: BaseSettings, name: str) -> timedelta:
    return parse_interval(str(settings[name]))


def _group_rules(settings: BaseSettings) -> GroupRules:
    return GroupRules(
        pages=settings.getint("EXTRACTION_GROUP_PAGES"),
        size=settings.getint("EXTRACTION_GROUP_BYTES"),
        wait=timedelta(seconds=settings.getfloat("EXTRACTION_GROUP_SECONDS")),
        siblings=settings.getint("EXTRACTION_SIBLINGS"),
        backlog=settings.getint("EXTRACT_BACKLOG"),
    )


def websub_url(settings: BaseSettings) -> str | None:
    """Where hubs can call us; None where they are not subscribed to."""
    url = checked("WEBSUB_URL", settings["WEBSUB_URL"], RULES["WEBSUB_URL"])
    return str(url) or None


def _requisite_rules(settings: BaseSettings) -> RequisiteRules:
    return RequisiteRules(
        scope=settings["REQUISITES"],
        share=settings.getfloat("REQUISITES_SHARE"),
        most_per_page=settings.getint("MAX_REQUISITES_PER_PAGE"),
        max_age=interval(settings, "REQUISITES_MAX_AGE"),
    )


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


# What shaped the crawl, and is of use to readers of the archive.
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
