"""The program `archiver`: Scrapy's command line with our settings, in any folder."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from archiver import __version__
from archiver.command_line.interrupts import INTERRUPTED, ending_at_once
from archiver.command_line.lazily import leave_unused_modules
from archiver.command_line.listing import COMMANDS, help_lines, module_of, scrapys_commands, unknown_command
from archiver.display.streams import take_every_character
from archiver.display.terminal import show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.commands import ScrapyCommand
    from scrapy.settings import Settings

_PROGRAM = "archiver"
# Options that may stand before the command, and take a value.
_WITH_VALUE = {"--config", "--profile", "-s", "--set", "-L", "--loglevel", "--logfile", "--pidfile"}
# Of our commands: these ask the network.
_WITH_CRAWLER = {"crawl", "fetch"}


def main() -> NoReturn:
    # What is loaded stays: to look for garbage among it takes a tenth of the start.
    gc.disable()
    take_every_character()
    try:
        sys.exit(_run(sys.argv[1:]))
    except KeyboardInterrupt:
        print(f"{_PROGRAM}: interrupted before it had begun", file=sys.stderr)
        sys.exit(INTERRUPTED)


def _run(words: Sequence[str]) -> int:
    name, rest = split_command(words)
    if name == "help":
        name, rest = split_command(rest)
        rest = ["--help"]
    if name is None or (name == "version" and not rest):
        return _without_command(rest if name is None else ["--version"])
    if name not in COMMANDS and name not in scrapys_commands():
        print(_not_a_command(name), file=sys.stderr)
        return 2
    return _execute(name, rest)


def split_command(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """The first word that is neither an option nor the value of one, and the others."""
    is_value = False
    for number, word in enumerate(words):
        if is_value or word.startswith("-"):
            is_value = not is_value and word in _WITH_VALUE
            continue
        return word, [*words[:number], *words[number + 1 :]]
    return None, list(words)


def _without_command(options: list[str]) -> int:
    if options and options[0] in {"--version", "-V"}:
        print(f"{_PROGRAM} {__version__}")
    elif not options or options[0] in {"--help", "-h"}:
        show(help_lines(_PROGRAM))
    elif options[0] in _WITH_VALUE or options[0].startswith(tuple(f"{one}=" for one in _WITH_VALUE)):
        print(f"{_PROGRAM}: name a command: `{_PROGRAM} --help` lists them", file=sys.stderr)
        return 2
    else:
        print(f"{_PROGRAM}: {options[0]} is not an option: `{_PROGRAM} --help` lists them", file=sys.stderr)
        return 2
    return 0


def _not_a_command(name: str) -> str:
    if "://" in name or os.path.exists(name):  # noqa: PTH110 - Path refuses some of what people type
        return f"{_PROGRAM}: {name} is not a command: did you mean `{_PROGRAM} crawl {name}`?"
    return unknown_command(_PROGRAM, name)


def _execute(name: str, words: list[str]) -> int:
    with ending_at_once(_PROGRAM):
        if name in COMMANDS and name not in _WITH_CRAWLER:
            leave_unused_modules()
        from scrapy.exceptions import UsageError  # noqa: PLC0415 - neither help nor version need Scrapy

        command, parser, settings = _prepared(name)
    opts, args = parser.parse_known_args(words)
    try:
        with ending_at_once(_PROGRAM):
            _process_options(command, parser, settings, args, opts)
            if command.requires_crawler_process:
                _give_process(command, settings)
        gc.enable()
        command.run(args, opts)
    except UsageError as error:
        if not str(error):
            parser.print_help(sys.stderr)
            return 2
        parser.print_usage(sys.stderr)
        _tell_wrong_usage(name, str(error))
        return 2
    return command.exitcode


def _tell_wrong_usage(name: str, message: str) -> None:
    from archiver.display.tables import folded  # noqa: PLC0415 - likewise
    from archiver.display.terminal import window_width  # noqa: PLC0415 - likewise
    from archiver.extensions.telling import as_typed  # noqa: PLC0415 - likewise

    told = f"{_PROGRAM} {name}: error: {as_typed(message, _PROGRAM)}"
    print(folded(told, window_width(sys.stderr)), file=sys.stderr)


def _prepared(name: str) -> tuple[ScrapyCommand, argparse.ArgumentParser, Settings]:
    from scrapy.settings import Settings  # noqa: PLC0415 - likewise

    # For what asks whether this is a project, such as Scrapy's own commands.
    os.environ["SCRAPY_SETTINGS_MODULE"] = "archiver.profiles.default"
    settings = Settings()
    settings.setmodule("archiver.profiles.default", priority="project")
    command = _load(name)
    settings.setdict(command.default_settings, priority="command")
    command.settings = settings
    return command, _parser(name, command), settings


def _load(name: str) -> ScrapyCommand:
    module = module_of(name) if name in COMMANDS else f"scrapy.commands.{name}"
    command: ScrapyCommand = import_module(module).Command()
    if name in COMMANDS:
        command.program = _PROGRAM  # type: ignore[attr-defined] # one of ours
    return command


def _parser(name: str, command: ScrapyCommand) -> argparse.ArgumentParser:
    from archiver.command_line.options import PlainHelp, add_options_of_ours  # noqa: PLC0415 - likewise
    from archiver.extensions.telling import as_typed  # noqa: PLC0415 - likewise

    parser = argparse.ArgumentParser(
        prog=f"{_PROGRAM} {name}",
        usage=f"{_PROGRAM} {name} {command.syntax()}",
        description=as_typed(command.long_desc(), _PROGRAM),
        formatter_class=PlainHelp,
        conflict_handler="resolve",
    )
    command.add_options(parser)
    if name not in COMMANDS:
        add_options_of_ours(parser, _PROGRAM)
    return parser


def _process_options(
    command: ScrapyCommand,
    parser: argparse.ArgumentParser,
    settings: Settings,
    args: list[str],
    opts: argparse.Namespace,
) -> None:
    from archiver.command_line.options import options_applied, refuse_unknown  # noqa: PLC0415 - likewise

    if type(command).__module__.startswith("archiver."):
        command.process_options(args, opts)
        return
    refuse_unknown(args, parser)
    with options_applied(settings, opts, _PROGRAM):
        command.process_options(args, opts)


def _give_process(command: ScrapyCommand, settings: Settings) -> None:
    """As Scrapy's own program does it for the asyncio reactor, which is its default and ours."""
    from scrapy.crawler import AsyncCrawlerProcess  # noqa: PLC0415 - likewise

    command.crawler_process = AsyncCrawlerProcess(settings)
