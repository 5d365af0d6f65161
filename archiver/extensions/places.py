"""Where a command finds the archive: light, because Scrapy imports every command to run one."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError
from scrapy.utils.conf import closest_scrapy_cfg, get_config

from archiver.clock import Clock
from archiver.errors import ConfigurationError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

# Scrapy's name for it is SETTINGS_PRIORITIES["cmdline"].
_COMMAND_LINE = 40


def archive_folder(settings: BaseSettings) -> Path:
    """ARCHIVE_DIR; a relative one is beside scrapy.cfg, wherever the command was typed."""
    folder = Path(settings["ARCHIVE_DIR"]).expanduser()
    project = Path(closest_scrapy_cfg() or ".").resolve().parent
    # A path given on the command line means what it means to the shell.
    is_typed = (settings.getpriority("ARCHIVE_DIR") or 0) >= _COMMAND_LINE
    return (folder if is_typed else project / folder).absolute()


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
    speed = settings.getfloat("CLOCK_SPEED")
    if not 0 < speed < float("inf"):
        raise ConfigurationError(
            f"CLOCK_SPEED={settings['CLOCK_SPEED']!r}: say how many times as fast it goes"
        )
    return Clock(timedelta(seconds=settings.getfloat("CLOCK_OFFSET")), speed=speed)


def profile() -> str:
    return os.environ.get("SCRAPY_PROJECT", "default")


def archive_to_read(settings: BaseSettings) -> Path:
    """The archive's folder, if there is one: who only reads must not take a typo for an empty archive."""
    folder = archive_folder(settings)
    if not (folder / "warc").is_dir():
        raise UsageError(f"There is no archive in {folder}: check ARCHIVE_DIR", print_help=False)
    return folder


def check_profile() -> None:
    """An unknown SCRAPY_PROJECT would silently load Scrapy's defaults instead of ours."""
    if not closest_scrapy_cfg():
        raise UsageError("There is no scrapy.cfg here: go to the archiver's folder", print_help=False)
    wanted = os.environ.get("SCRAPY_PROJECT", "default")
    known = [name for name, _ in get_config().items("settings")]
    if wanted not in known:
        raise UsageError(
            f"SCRAPY_PROJECT={wanted} is not in scrapy.cfg, which has: {', '.join(known)}", print_help=False
        )
