"""The fenced blocks of a document, with what the comments before them say about running them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

# `<!-- shown only: it needs root -->`: one line, directly before the block, and not rendered.
_NOTE = re.compile(r"<!-- ([a-z ]+?)(?:: (.+))? -->")
_FENCE = re.compile(r"```(\w*)")
NOTES = {"shown only", "file", "crontab", "unit", "exit code", "any order", "ran in"}
# What is run as it stands: a session at a terminal, and commands alone.
RUN = {"console", "sh"}


class DocumentError(Exception):
    """A block that cannot be run as it is written; the message says where it is and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A command of a block, and what the document shows that it prints; None where it shows nothing."""

    command: str
    output: tuple[str, ...] | None
    line: int  # of the first line of the output, counted from 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fenced block."""

    document: str
    line: int  # of the opening fence, counted from 1
    language: str
    lines: tuple[str, ...]
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.document}:{self.line}"

    @property
    def is_shown_only(self) -> bool:
        return "shown only" in self.notes

    @property
    def shown(self) -> list[Shown]:
        """The commands, in the order in which they are typed."""
        if self.language == "console":
            return list(_typed(self))
        if self.language == "sh":
            return list(_alone(self))
        # A command that a machine starts prints nothing when all is well: what it prints would be mailed.
        is_silent = set(self.notes) & {"crontab", "unit"}
        return [Shown(command="\n".join(self.lines), output=() if is_silent else None, line=self.line)]


def blocks(path: Path, document: str) -> list[Block]:
    """Every fenced block of a Markdown file, indented ones left out."""
    lines = path.read_text("utf-8").splitlines()
    found, at = [], 0
    while at < len(lines):
        opening = _FENCE.fullmatch(lines[at])
        if opening is None:
            at += 1
            continue
        end = lines.index("```", at + 1)
        found.append(
            Block(
                document=document,
                line=at + 1,
                language=opening[1],
                lines=tuple(lines[at + 1 : end]),
                notes=_notes_before(lines, at),
            )
        )
        at = end + 1
    return found


def _notes_before(lines: Sequence[str], fence: int) -> dict[str, str]:
    notes: dict[str, str] = {}
    while fence > 0 and (found := _NOTE.fullmatch(lines[fence - 1])):
        notes[found[1]] = found[2] or ""
        fence -= 1
    return notes


def check(block: Block) -> None:
    """Refuse what would pass by without being run or explained."""
    unknown = set(block.notes) - NOTES
    if unknown:
        raise DocumentError(f"{block.name}: unknown comment {unknown}: use one of {sorted(NOTES)}")
    if block.is_shown_only:
        if not block.notes["shown only"]:
            raise DocumentError(f"{block.name}: shown only, without a reason: write <!-- shown only: WHY -->")
    elif block.language not in RUN and not set(block.notes) & {"file", "crontab", "unit"}:
        raise DocumentError(
            f"{block.name}: neither run nor explained: make it ```console or ```sh,"
            " or write <!-- shown only: WHY --> or <!-- file: NAME --> before it"
        )


def _typed(block: Block) -> Iterator[Shown]:
    """Split a session into its commands: `$ ` begins one, `> ` goes on with it."""
    if not block.lines[0].startswith("$ "):
        raise DocumentError(f"{block.name}: a console block begins with `$ ` and a command")
    at = 0
    while at < len(block.lines):
        command, at = [block.lines[at].removeprefix("$ ")], at + 1
        while at < len(block.lines) and block.lines[at].startswith("> "):
            command.append(block.lines[at].removeprefix("> "))
            at += 1
        start = at
        while at < len(block.lines) and not block.lines[at].startswith("$ "):
            at += 1
        output = block.lines[start:at]
        yield Shown(command="\n".join(command), output=output, line=block.line + start)


def _alone(block: Block) -> Iterator[Shown]:
    """Split a block into its commands, so that each can fail: one goes on after `|`, `\\` and in quotes."""
    command: list[str] = []
    for number, line in enumerate(block.lines):
        if not command and (not line or line.startswith("#")):
            continue
        command.append(line)
        text = "\n".join(command)
        is_open = line.endswith(("|", "\\")) or text.count("'") % 2
        if is_open:
            continue
        yield Shown(command=text, output=None, line=block.line + number)
        command = []
    if command:
        raise DocumentError(f"{block.name}: the last command is not whole")
