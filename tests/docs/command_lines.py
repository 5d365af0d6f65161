"""The command lines that a document shows, in blocks and in running text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCED = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_IN_TEXT = re.compile(r"`([^`\n]+)`")
_CONTINUED = re.compile(r"\\\n(?:> )?\s*|\|\n> \s*")
# Where a shell, cron or systemd takes a word for a program.
_START = r"^(?:\$ |> )?(?:.*(?:&&|;|=|\$\() ?)?(?:[A-Z_]+=\S+ )*(?:\S*bin/)?"
_PROGRAM = re.compile(rf"{_START}(scrapy|archiver|make|python -m) ((?:[\w.-]|(?:[A-Z_]+=\S+ ))+)(.*)$")
_PIPED = re.compile(r" \|(?![^\[]*\]).*| #.*| && .*")
_OPTION = re.compile(r"(?<![\w-])--?[a-zA-Z][\w-]*")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_SETTING = re.compile(r"(?:-s|--set) ([A-Za-z_]+)=")
_ARGUMENT = re.compile(r"-a ([A-Za-z_]+)=")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLine:
    """A program, its command or target, and what follows."""

    program: str
    command: str
    rest: str

    @property
    def options(self) -> list[str]:
        return _OPTION.findall(_QUOTED.sub("", self.rest))

    @property
    def settings(self) -> list[str]:
        return _SETTING.findall(self.rest)

    @property
    def arguments(self) -> list[str]:
        """Those that are meant for the spider."""
        return _ARGUMENT.findall(self.rest)


def command_lines(markdown: str) -> Iterator[CommandLine]:
    fenced = [line for block in _FENCED.findall(markdown) for line in _CONTINUED.sub(" ", block).splitlines()]
    for line in [*fenced, *_IN_TEXT.findall(_FENCED.sub("", markdown))]:
        found = _PROGRAM.match(line)
        if found:
            yield CommandLine(program=found[1], command=found[2].strip(), rest=_PIPED.sub("", found[3]))
