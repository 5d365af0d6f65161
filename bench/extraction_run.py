"""Measuring one extractor over one set: its quality, its time and its memory."""

from __future__ import annotations

import json
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from extraction_metric import Quality, quality, score
from extraction_sets import Page, channels

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CHILD = Path(__file__).with_name("extraction_child.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """An extractor, and the Python that has it."""

    name: str
    kind: str
    python: str
    # What the process knows it by, if that is not its name.
    call: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What an extractor made of a set, and at what cost."""

    set: str
    method: str
    # What was found, by the page's id.
    texts: dict[str, str]
    # Each page on which it raised an error: that page counts as one on which it found nothing.
    failures: list[str]
    quality: Quality
    pages_per_cpu_second: float
    peak_mb: float

    def row(self) -> dict[str, str | float]:
        """The figures alone."""
        cost = {"pages_per_cpu_second": self.pages_per_cpu_second, "peak_mb": self.peak_mb}
        figures = {name: round(value, 4) for name, value in {**asdict(self.quality), **cost}.items()}
        return {"set": self.set, "method": self.method, **figures}


class ProgramError(Exception):
    """An extractor's process ended before its work did; the message has its last words."""


class Child:
    """The process of an extractor: a channel goes in, its texts come back."""

    def __init__(self, process: subprocess.Popen[str], said: IO[str]) -> None:
        self._process = process
        self._said = said

    def ask(self, pages: Sequence[dict[str, str]]) -> dict[str, Any]:
        if self._process.stdin is None or self._process.stdout is None:
            raise ProgramError("it was started without pipes")
        try:
            print(json.dumps(pages), file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise ProgramError(self._last_words()) from None
        answer = self._process.stdout.readline()
        if not answer:
            raise ProgramError(self._last_words())
        return dict(json.loads(answer))

    def _last_words(self) -> str:
        code = self._process.wait()
        self._said.seek(0)
        return "\n".join([f"it ended with exit code {code}", *self._said.read().strip().splitlines()[-12:]])


@contextmanager
def running(program: Program) -> Iterator[Child]:
    """Start the process of an extractor; it is ended when it is no longer asked."""
    command = [program.python, str(CHILD), program.kind, program.call or program.name]
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, encoding="utf-8"
        ) as process,
    ):
        try:
            yield Child(process, said)
        finally:
            process.kill()


def measure(program: Program, name: str, pages: Sequence[Page], *, alone: bool, entry: bool) -> Result:
    """Give a set to an extractor, channel by channel; `entry`: with what stands for the feed's entries."""
    found: dict[str, str] = {}
    cpu, answer = 0.0, {}
    with running(program) as child:
        for channel in channels(pages, alone=alone):
            answer = child.ask([sent(page, entry=entry) for page in channel])
            cpu += answer["cpu"]
            found |= zip((page.id for page in channel), answer["texts"], strict=True)
    return Result(
        set=name,
        method=program.name,
        texts={page.id: found[page.id] for page in pages},
        failures=answer["failures"],
        quality=quality([score(page.gold, found[page.id]) for page in pages]),
        pages_per_cpu_second=len(pages) / cpu,
        peak_mb=answer["peak_mb"],
    )


def sent(page: Page, *, entry: bool) -> dict[str, str]:
    """What an extractor may know of a page: never its gold."""
    known = {"id": page.id, "url": page.url, "html": page.html}
    return {**known, "title": page.title, "description": page.description} if entry else known
