"""Where a command finds the archive: light, because Scrapy imports every command to run one."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError
from scrapy.utils.conf import closest_scrapy_cfg, get_config

from archiver.acquisition.sites.knowledge import BUILTIN
from archiver.clock import Clock
from archiver.errors import ArchiveError, ConfigurationError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

# Scrapy's name for it is SETTINGS_PRIORITIES["cmdline"].
_COMMAND_LINE = 40


def archive_folder(settings: BaseSettings) -> Path:
    """ARCHIVE_DIR; a relative one is beside scrapy.cfg, wherever the command was typed."""
    folder = Path(settings["ARCHIVE_DIR"]).expanduser()
    config = closest_scrapy_cfg()
    project = Path(config).parent if config else Path.cwd()
    # A path given on the command line means what it means to the shell.
    is_typed = (settings.getpriority("ARCHIVE_DIR") or 0) >= _COMMAND_LINE
    return (folder if is_typed else project / folder).absolute()


def knowledge_sources(settings: BaseSettings) -> tuple[str, ...]:
    """SITE_KNOWLEDGE; relative files and folders are beside scrapy.cfg, as ARCHIVE_DIR is."""
    config = closest_scrapy_cfg()
    is_typed = (settings.getpriority("SITE_KNOWLEDGE") or 0) >= _COMMAND_LINE
    project = Path(config).parent if config and not is_typed else Path.cwd()
    return tuple(
        one if one == BUILTIN else str((project / Path(one).expanduser()).absolute())
        for one in settings.getlist("SITE_KNOWLEDGE")
    )


def wrappers_folder(settings: BaseSettings) -> Path | None:
    """FIELD_WRAPPERS, a folder below the archive; None where fields are not read."""
    name = settings["FIELD_WRAPPERS"]
    return archive_folder(settings) / Path(name).expanduser() if name else None


def from_here(path: Path) -> Path:
    """The path as it would be typed here: a short one where it is below."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def state_url(settings: BaseSettings) -> str:
    given: str | None = settings["STATE_URL"]
    return given or sqlite_url(archive_folder(settings))


def sqlite_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'state.sqlite'}"


def clock(settings: BaseSettings) -> Clock:
    offset, speed = settings.getfloat("CLOCK_OFFSET"), settings.getfloat("CLOCK_SPEED")
    return Clock(timedelta(seconds=offset), speed=speed)


def profile() -> str:
    return os.environ.get("SCRAPY_PROJECT", "default")


def archive_to_read(settings: BaseSettings) -> Path:
    """The archive's folder, if there is one: who only reads must not take a typo for an empty archive."""
    folder = archive_folder(settings)
    if not (folder / "warc").is_dir():
        from archiver.store.lost import refuse_lost_captures  # noqa: PLC0415 - it loads SQLAlchemy

        refuse_lost_captures(folder)
        if (folder / "state.sqlite").exists():
            raise ArchiveError(f"Nothing was captured yet in {folder}: run `scrapy crawl feeds` first")
        raise ConfigurationError(f"There is no archive in {folder}: check ARCHIVE_DIR")
    for name in ("warc", "index", "objects"):
        # What may not be read would look empty.
        with suppress(FileNotFoundError):
            os.scandir(folder / name).close()
    return folder


def known_state(settings: BaseSettings) -> None:
    """Refuse to go on without a state store: a typo must not make an empty one."""
    if settings["STATE_URL"]:
        return
    folder = archive_folder(settings)
    if not (folder / "state.sqlite").exists():
        told = f"There is no archive in {folder} yet: check ARCHIVE_DIR, or begin one with"
        told += " `scrapy crawl feeds -a seeds=FILE` or `scrapy crawl site -a url=URL`"
        raise ConfigurationError(told)


def check_profile(settings: BaseSettings, command: str) -> None:
    """In a wrong folder, or with an unknown SCRAPY_PROJECT, Scrapy's settings are loaded instead of ours."""
    is_ours = "ARCHIVE_DIR" in settings
    config, known = closest_scrapy_cfg(), _profiles()
    if config and profile() not in known:
        told = f"SCRAPY_PROJECT={profile()} is not in scrapy.cfg, which has: {', '.join(known)}"
    elif is_ours:
        return
    elif config:
        told = f"{config} is of another project: go to the archiver's folder"
    else:
        told = "There is no scrapy.cfg here: go to the archiver's folder"
    raise UsageError(f"{told}, or type `archiver {command}`, which works anywhere", print_help=False)


def _profiles() -> list[str]:
    config = get_config()
    return config.options("settings") if config.has_section("settings") else []
