"""`scrapy settings`: Scrapy's own, with every file, variable and option applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands.settings import Command as ScrapySettings

from archiver.command_line.suggestions import did_you_mean
from archiver.errors import ConfigurationError
from archiver.extensions.command import ArchiveCommand

if TYPE_CHECKING:
    import argparse

_GETTERS = ("get", "getbool", "getint", "getfloat", "getlist")


class Command(ArchiveCommand, ScrapySettings):
    def syntax(self) -> str:
        return "--get NAME"

    def long_desc(self) -> str:
        return (
            "Print what a setting is after the profile, the settings files, the variables and -s were "
            "applied. Exit codes: 0 printed; 2 wrong usage, or no setting of that name."
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        names = [getattr(opts, getter) for getter in _GETTERS if getattr(opts, getter)]
        if args or not names:
            raise ConfigurationError("Name one setting: --get NAME")
        known = [str(name) for name in self.its_settings if str(name).isupper()]
        for name in names:
            if name not in known:
                told = did_you_mean(name, known, "docs/settings.md has them all")
                raise ConfigurationError(f"{name} is not a setting: {told}")
        try:
            ScrapySettings.run(self, args, opts)
        except ValueError as error:
            raise ConfigurationError(f"{names[0]}={self.its_settings[names[0]]!r}: {error}") from error
