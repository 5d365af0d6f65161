"""What Scrapy's own program loads through its entry points: our commands, one by one, and our list of them.

Scrapy loads every command to run one. What it loads here only has a name; the command itself is loaded when
Scrapy asks it for more than the line that the list of all commands shows.
"""

from __future__ import annotations

import os
import sys
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from archiver.command_line.interrupts import ending_at_once
from archiver.command_line.listing import COMMANDS, help_lines, module_of, name_of, unknown_command
from archiver.display.streams import take_every_character
from archiver.display.terminal import show

if TYPE_CHECKING:
    from scrapy.commands import ScrapyCommand
    from scrapy.settings import BaseSettings

# A setting that only our projects have.
_OURS = "ARCHIVE_DIR"


class LazyCommand:
    """Stands for a command until it is the one that is run."""

    name: ClassVar[str]

    def short_desc(self) -> str:
        return COMMANDS[self.name]

    @cached_property
    def _command(self) -> ScrapyCommand:
        if _is_scrapys(self.name):
            module = f"scrapy.commands.{self.name}"
        else:
            module = module_of(self.name)
            take_every_character()
        with ending_at_once("scrapy"):
            command: ScrapyCommand = import_module(module).Command()
        return command

    def __getattr__(self, attribute: str) -> Any:  # noqa: ANN401 - whatever the command has
        return getattr(self._command, attribute)

    def __setattr__(self, attribute: str, value: object) -> None:
        setattr(self._command, attribute, value)


def __getattr__(attribute: str) -> type[LazyCommand]:
    name = name_of(attribute)
    if name not in COMMANDS:
        raise AttributeError(attribute)
    return type("Command", (LazyCommand,), {"name": name})


def _is_scrapys(name: str) -> bool:
    """Entry points are there for every project in the environment: others keep their `scrapy crawl`."""
    project = sys.modules.get(os.environ.get("SCRAPY_SETTINGS_MODULE", ""))
    if name == "crawl" and project is None:
        return False  # ours says what is missing
    return name in _ALSO_SCRAPYS and not hasattr(project, _OURS)


_ALSO_SCRAPYS = ("crawl", "fetch", "settings")


def _take_over_help() -> None:
    """Scrapy has no other way to say which commands come first; its version is pinned."""
    cmdline = sys.modules.get("scrapy.cmdline") or sys.modules["__main__"]
    print_commands = getattr(cmdline, "_print_commands", None)
    print_unknown = getattr(cmdline, "_print_unknown_command", None)
    if print_commands is None or print_unknown is None:
        return  # loaded by another program than Scrapy's

    def list_commands(settings: BaseSettings, inproject: bool) -> None:
        if _OURS in settings:
            take_every_character()
            show(help_lines("scrapy"))
        else:
            print_commands(settings, inproject)

    def name_unknown(settings: BaseSettings, name: str, inproject: bool) -> None:
        if _OURS in settings:
            print(unknown_command("scrapy", name), file=sys.stderr)
        else:
            print_unknown(settings, name, inproject)

    cmdline.__dict__.update(_print_commands=list_commands, _print_unknown_command=name_unknown)


_take_over_help()
