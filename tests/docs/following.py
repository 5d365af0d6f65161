"""Follows the documents: runs the blocks of each in order, as a new user would."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sample.server import SampleWeb
from tests.docs import checkout, shell
from tests.docs.compare import difference
from tests.docs.markdown import Block, DocumentError, Shown, blocks, check

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tests.docs.checkout import Checkout
    from tests.docs.shell import Printed

# In this order: what the tutorial makes is there for the others.
DOCUMENTS = ("docs/tutorial.md", "README.md", "docs/operations.md", "docs/rdf.md")
# What the documents tell their readers to have.
TOOLS = ("make", "jq", "sqlite3")

# What holds for this shell alone has to be typed again.
_FOR_THE_SHELL = (". ", "cd ", "export ")
_CRONTAB = re.compile(r"(?:\S+ ){4}\S+ +(.+)")
_UNIT_COMMAND = re.compile(r"^ExecStart=(.+)$", re.MULTILINE)
_UNIT_ENVIRONMENT = re.compile(r"^Environment=(.+)$", re.MULTILINE)
_UNIT_FOLDER = re.compile(r"^WorkingDirectory=(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A command of a block, as it is shown and as it was run."""

    block: Block
    shown: Shown
    printed: Printed
    is_last: bool

    @property
    def expected_code(self) -> int:
        """0, unless a comment says otherwise of the last command of the block."""
        return int(self.block.notes.get("exit code", 0)) if self.is_last else 0

    @property
    def difference(self) -> str:
        if self.shown.output is None:
            return ""
        return difference(self.shown.output, self.printed.lines, any_order="any order" in self.block.notes)

    @property
    def problem(self) -> str:
        """What is not as the document says; empty where all is."""
        code = self.printed.exit_code
        if code != self.expected_code:
            printed = "\n".join(self.printed.lines)
            return f"exit code {code}, not {self.expected_code}: {self.shown.command}\n{printed}"
        return f"$ {self.shown.command}\n{found}" if (found := self.difference) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """All steps of all documents, and what git took for changed after each."""

    steps: tuple[Step, ...]
    changes: Mapping[str, str]


def document_blocks(document: str) -> list[Block]:
    return blocks(checkout.PROJECT / document, document)


def follow(folder: Path) -> Followed:
    """Run all documents in one copy of the project, one shell each."""
    steps: list[Step] = []
    changes = {}
    with SampleWeb(day=0) as web:
        copy = checkout.make(folder, web)
        for document in DOCUMENTS:
            steps += _follow(document, copy, steps)
            changes[document] = copy.changes()
    return Followed(steps=tuple(steps), changes=changes)


def _follow(document: str, copy: Checkout, before: list[Step]) -> list[Step]:
    todo = [
        (block, shown, _seen(block, shown, before))
        for block in document_blocks(document)
        for shown in _shown(block)
    ]
    to_run = [copy.as_run(_command(block, shown)) for block, shown, seen in todo if seen is None]
    printed = iter(shell.run(to_run, copy.folder, copy.environment))
    return [
        Step(
            block=block,
            shown=shown,
            printed=seen or _as_shown(next(printed), copy),
            is_last=shown == _shown(block)[-1],
        )
        for block, shown, seen in todo
    ]


def _shown(block: Block) -> list[Shown]:
    check(block)
    return [] if block.is_shown_only else block.shown


def _seen(block: Block, shown: Shown, before: list[Step]) -> Printed | None:
    """What the same command printed in the document in which the block says that it ran."""
    if shown.command.startswith(_FOR_THE_SHELL):
        return None
    elsewhere = [step for step in before if step.block.document == block.notes.get("ran in")]
    same = (step.printed for step in elsewhere if step.shown.command == shown.command)
    return next(same, None)


def _as_shown(printed: Printed, copy: Checkout) -> Printed:
    lines = tuple(copy.as_shown(line) for line in printed.lines)
    return shell.Printed(lines=lines, exit_code=printed.exit_code)


def _command(block: Block, shown: Shown) -> str:
    """The command that is behind a block which does not show it as one."""
    text = "\n".join(block.lines)
    if name := block.notes.get("file"):
        return f"mkdir -p $(dirname {name}) && printf '%s\\n' {shlex.quote(text)} > {name}"
    if "crontab" in block.notes:
        return f"sh -c {shlex.quote(_found(_CRONTAB, block))}"
    if "unit" in block.notes:
        environment = " ".join(_UNIT_ENVIRONMENT.findall(text))
        return f"cd {_found(_UNIT_FOLDER, block)} && {environment} {_found(_UNIT_COMMAND, block)}"
    return shown.command


def _found(pattern: re.Pattern[str], block: Block) -> str:
    found = pattern.search("\n".join(block.lines))
    if found is None:
        raise DocumentError(f"{block.name}: nothing like {pattern.pattern} is in it")
    return found[1]


def failures(followed: Followed) -> Iterator[str]:
    """What is not true, for a person."""
    for step in followed.steps:
        if step.problem:
            yield f"{step.block.name}: {step.problem}"
