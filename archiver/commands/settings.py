"""`scrapy settings`: Scrapy's own, with every file, variable and option applied."""

from __future__ import annotations

import inspect
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands.settings import Command as ScrapySettings

from archiver.command_line.suggestions import did_you_mean
from archiver.display.tables import folded
from archiver.display.terminal import show, window_width
from archiver.errors import ConfigurationError
from archiver.extensions.command import ArchiveCommand
from archiver.profiles import default
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from scrapy.settings import Settings

# A setting with its default, and what is said of it.
_LINE = re.compile(r"(?P<name>[A-Z][A-Z0-9_]*) = (?P<value>.*?)(?:  # (?P<told>.*))?")
_GETTERS = ("get", "getbool", "getint", "getfloat", "getlist")


class Command(ArchiveCommand, ScrapySettings):
    usage = "[--get NAME]"
    about = (
        "Print what a setting is after the profile, the settings files, the variables and -s were "
        "applied. Without --get, list the settings, those that are not at their default marked with *. "
        "Exit codes: 0 printed; 2 wrong usage, or no setting of that name."
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        names = [getattr(opts, getter) for getter in _GETTERS if getattr(opts, getter)]
        if args:
            raise ConfigurationError(f"Unknown argument {' '.join(args)}: write --get NAME")
        if not names:
            show(_listed(self.its_settings, window_width(sys.stdout)))
            return
        known = [str(name) for name in self.its_settings if str(name).isupper()]
        for name in names:
            if name not in known:
                told = did_you_mean(name, known, "`scrapy settings` lists them")
                raise ConfigurationError(f"{name} is not a setting: {told}")
        try:
            ScrapySettings.run(self, args, opts)
        except ValueError as error:
            raise ConfigurationError(f"{names[0]}={self.its_settings[names[0]]!r}: {error}") from error


def _listed(settings: Settings, width: int | None) -> Iterator[str]:
    """Every setting of ours with its value and the comment on it, if any, the wiring of components apart."""
    for line in inspect.getsource(default).splitlines():
        found = _LINE.fullmatch(line)
        if found is None or _is_wiring(name := found["name"], getattr(default, found["name"])):
            continue
        mark = " " if _is_at_default(settings, name) else "*"
        told = f"  # {found['told']}" if found["told"] else ""
        yield folded(f"{mark} {name} = {_as_in_toml(settings[name])}{told}", width, indent=" " * 6)


def _is_at_default(settings: Settings, name: str) -> bool:
    value, usual = settings[name], getattr(default, name)
    # The program makes it absolute, by the working folder.
    return value == usual or (name == "ARCHIVE_DIR" and Path(value) == Path(usual).absolute())


def _is_wiring(name: str, value: object) -> bool:
    """Which components there are, by the names of their classes."""
    if isinstance(value, str):
        return name == "BOT_NAME" or value.startswith(("archiver.", "scrapy."))
    return not isinstance(value, int | float | None)


def _as_in_toml(value: object) -> str:
    return '"none"' if value is None else redact(json.dumps(value, ensure_ascii=False))
