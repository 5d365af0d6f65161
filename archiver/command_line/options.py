"""Options of every command: where its settings come from; and what is said of a wrong one."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn

from scrapy.exceptions import UsageError

from archiver.command_line.checking import checked
from archiver.command_line.layers import apply_layers
from archiver.command_line.rules import RULES
from archiver.command_line.suggestions import did_you_mean, nearest
from archiver.display.tables import folded
from archiver.display.terminal import window_width
from archiver.errors import ConfigurationError
from archiver.extensions.telling import as_typed
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scrapy.settings import Settings

PROFILES: Mapping[str, str] = MappingProxyType(
    {
        "default": "archiver.profiles.default",
        "cron": "archiver.profiles.cron",
        "replay": "archiver.profiles.replay",
    }
)
# How Scrapy's program chooses a profile, and a run knows which it was.
PROFILE_VARIABLE = "SCRAPY_PROJECT"


class PlainHelp(argparse.HelpFormatter):
    """Help as it is written. Scrapy's own takes each line that ends in a colon for a heading."""


def add_options_of_ours(parser: argparse.ArgumentParser, program: str) -> None:
    parser.formatter_class = PlainHelp
    _break_between_words(parser)
    parser.add_argument(
        "--config", metavar="FILE", help="a settings file, stronger than your own and the folder's"
    )
    if program == "archiver":
        # In the place of Scrapy's, which measures the program with cProfile.
        parser.add_argument(
            "--profile",
            metavar="NAME",
            help=f"settings to start from, one of {', '.join(PROFILES)} (as {PROFILE_VARIABLE}=NAME)",
        )


def _break_between_words(parser: argparse.ArgumentParser) -> None:
    """Have usage and errors fit the window: argparse prints both as they are, and Scrapy makes the parser."""

    def error(message: str) -> NoReturn:
        parser.print_usage(sys.stderr)
        told = folded(f"{parser.prog}: error: {message}", window_width(sys.stderr))
        parser.exit(2, f"{told}\n")

    if parser.usage is not None:
        parser.usage = folded(f"usage: {parser.usage}", window_width(sys.stderr)).removeprefix("usage: ")
    parser.error = error  # type: ignore[method-assign] # its class is Scrapy's


@contextmanager
def options_applied(settings: Settings, opts: argparse.Namespace, program: str) -> Iterator[None]:
    """Apply our options before Scrapy's, and turn what cannot work into wrong usage."""
    try:
        if program == "archiver":
            _choose_profile(settings, opts)
        apply_layers(settings, config=opts.config, typed=opts.set, environment=os.environ)
        # They are applied, and brought into their types.
        opts.set = []
        yield
        level = checked("LOG_LEVEL", settings["LOG_LEVEL"], RULES["LOG_LEVEL"])
        settings.set("LOG_LEVEL", level, priority=settings.getpriority("LOG_LEVEL") or 0)
        _check_log_file(settings["LOG_FILE"])
        if program == "archiver":
            _place_archive(settings)
    except ConfigurationError as error:
        raise UsageError(as_typed(str(error), program), print_help=False) from error
    except OSError as error:
        raise UsageError(f"{error.filename}: {error.strerror}", print_help=False) from error


def _choose_profile(settings: Settings, opts: argparse.Namespace) -> None:
    chosen = opts.profile or os.environ.get(PROFILE_VARIABLE) or "default"
    if chosen not in PROFILES:
        advice = did_you_mean(chosen, PROFILES, f"choose from {', '.join(PROFILES)}")
        raise ConfigurationError(f"{chosen} is not a profile: {advice}")
    settings.setmodule(import_module(PROFILES[chosen]), priority="project")
    os.environ[PROFILE_VARIABLE] = chosen
    # Scrapy's measuring, which has the same name, is off.
    opts.profile = None


def _place_archive(settings: Settings) -> None:
    """Without scrapy.cfg, a relative ARCHIVE_DIR is in the working folder."""
    folder = Path(settings["ARCHIVE_DIR"]).expanduser().absolute()
    settings.set("ARCHIVE_DIR", str(folder), priority=settings.getpriority("ARCHIVE_DIR") or 0)


def _check_log_file(name: str | None) -> None:
    if name and not Path(name).absolute().parent.is_dir():
        raise ConfigurationError(f"The log file {name} cannot be written: there is no such folder")
    if name and not os.access(name if Path(name).exists() else Path(name).absolute().parent, os.W_OK):
        raise ConfigurationError(f"The log file {name} cannot be written: Permission denied")


def refuse_unknown(
    args: list[str], parser: argparse.ArgumentParser, also_meant: Callable[[], Mapping[str, str]] = dict
) -> None:
    """What is not known as an option comes as an argument; after `--`, an argument may look like one."""
    if "--" in args:
        args.remove("--")
        return
    for word in args:
        if word.startswith("-") and word != "-":
            advice = _option_advice(word.partition("=")[0], parser, also_meant())
            raise UsageError(f"{redact(word)} is not an option: {advice}", print_help=False)


def _option_advice(word: str, parser: argparse.ArgumentParser, also_meant: Mapping[str, str]) -> str:
    options = parser._option_string_actions  # noqa: SLF001 - argparse tells them nowhere else
    shown = [name for name, action in options.items() if action.help != argparse.SUPPRESS]
    known = {**{name: name for name in shown if name.startswith("--")}, **also_meant}
    meant = nearest(word, known)
    return f"did you mean {known[meant]}?" if meant else "--help lists them"
