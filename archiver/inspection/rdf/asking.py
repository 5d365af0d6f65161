"""A question put to the store of an archive, in a process of its own that is ended when its time is up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, TypeVar

import msgspec

from archiver.display.tables import size_in_words
from archiver.errors import ArchiveError, ConfigurationError
from archiver.inspection.rdf.child import AnswerEnd, AnswerHead, Asked
from archiver.inspection.rdf.feeding import RdfFeeder, behind, orders_digest
from archiver.inspection.rdf.opening import BUILD, FOLDER, STORE, open_to_ask, open_to_feed
from archiver.inspection.rdf.question import check_question, syntax_in_words
from archiver.inspection.rdf.reading import told_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.inspection.rdf.child import Binding

    Row = list[Binding | None]

T = TypeVar("T")
# guess: what a question may take of the machine, so that a crawl beside it goes on.
MOST_MEMORY = 4 << 30
MOST_DISK = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class RdfAnswer:
    """An answer: its head, its rows one after another, and how far the store is behind the objects."""

    head: AnswerHead
    file: BinaryIO
    has_more: bool
    behind: int

    def rows(self) -> Iterator[Row]:
        self.file.seek(0)
        decoder = msgspec.json.Decoder(list[dict[str, str] | None])
        lines = iter(self.file)
        next(lines)
        # The last one is the end.
        return (decoder.decode(line) for line, _ in pairwise(lines))


def feed_store(
    archive: Path, state: Connection, withheld: Withheld, show: Callable[[int, int], object]
) -> RdfFeeder:
    """Bring the store of an archive up to its objects."""
    with open_to_feed(archive) as (store, ledger):
        feeder = RdfFeeder(store, ledger, state, archive / "objects", withheld)
        feeder.feed(show)
        return feeder


@contextmanager
def ask_store(
    archive: Path, state: Connection, withheld: Withheld, question: str, *, most: int, seconds: int
) -> Iterator[RdfAnswer]:
    """The answer. ConfigurationError for what cannot be asked, ArchiveError where none came in time."""
    check_question(question)
    _heed_orders(archive, state, withheld)
    with open_to_ask(archive) as ledger, TemporaryFile() as file:
        if ledger.orders() != orders_digest(withheld):
            raise ArchiveError(f"Withheld addresses changed in the meantime: {BUILD}")
        asked = Asked(
            store=str(archive / FOLDER / STORE),
            question=question,
            most=most,
            seconds=seconds,
            memory=MOST_MEMORY,
            disk=MOST_DISK,
        )
        head, end = _answered(asked, file)
        lag = behind(ledger, told_files(state, archive / "objects"))
        yield RdfAnswer(head=head, file=file, has_more=end.has_more, behind=lag)


def _heed_orders(archive: Path, state: Connection, withheld: Withheld) -> None:
    """Have the store agree with what is withheld by now, before anything is asked of it.

    What was being done about it when a process was killed is done first.
    """
    with open_to_ask(archive) as ledger:
        if ledger.orders() == orders_digest(withheld) and not ledger.owners_unsure():
            return
    if not os.access(archive / FOLDER, os.W_OK):
        told = f"{archive / FOLDER} still has addresses that are withheld now, and cannot be written"
        raise ArchiveError(f"{told}: {BUILD} as the user who owns it")
    with open_to_feed(archive) as (store, ledger):
        feeder = RdfFeeder(store, ledger, state, archive / "objects", withheld)
        feeder.agree()
        feeder.heed()


def _answered(asked: Asked, file: BinaryIO) -> tuple[AnswerHead, AnswerEnd]:
    command = [sys.executable, "-m", "archiver.inspection.rdf.child"]
    try:
        done = subprocess.run(  # noqa: S603 - our own module
            command,
            input=msgspec.json.encode(asked),
            stdout=file,
            stderr=subprocess.PIPE,
            timeout=asked.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        told = f"The query took longer than {asked.seconds} s: narrow it down"
        raise ArchiveError(f"{told}, or allow more time with --timeout") from error
    head, end = _ends_of(file)
    if head is not None and head.kind == "syntax":
        raise ConfigurationError(syntax_in_words(head.error, asked.question))
    if head is not None and head.kind == "broken":
        raise ArchiveError(f"The RDF store {asked.store} cannot be read ({head.error}): {BUILD}")
    if done.returncode or head is None or end is None:
        raise ArchiveError(_failure(done.returncode, done.stderr))
    return head, end


def _ends_of(file: BinaryIO) -> tuple[AnswerHead | None, AnswerEnd | None]:
    """The first line and the last; None for what is missing."""
    file.seek(0)
    first, last = file.readline(), b""
    for last in file:  # noqa: B007 - the last one is meant
        pass
    return _read(first, AnswerHead), _read(last, AnswerEnd)


def _read(line: bytes, model: type[T]) -> T | None:
    try:
        return msgspec.json.decode(line, type=model)
    except msgspec.DecodeError:
        return None


def _failure(code: int, told: bytes) -> str:
    """Why a process has no answer: mostly it was ended by a limit."""
    words = " ".join(told.decode("utf-8", "replace").split())[-300:]
    if "memory allocation" in words or "MemoryError" in words:
        return f"The query needs more than {size_in_words(MOST_MEMORY)} of memory: narrow it down"
    if "File too large" in words or code == -signal.SIGXFSZ:
        return f"The result is larger than {size_in_words(MOST_DISK)}: narrow the query down, or set --limit"
    return f"The query failed (exit code {code}): {words or 'no message'}"
