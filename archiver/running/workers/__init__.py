"""Reading feeds and pages takes processor time: it happens in processes of its own.

A package adds a task by a class of its own; `WorkerPool.run` has it done, with a deadline, by a worker.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypedDict, TypeVar, get_args

import msgspec

from archiver.archive.warc.reader import StoredResponse, read_response

R = TypeVar("R")


class Task(msgspec.Struct, Generic[R], frozen=True, kw_only=True):
    """What a worker is asked, as JSON: `class Count(Task[Counted], frozen=True)` is answered by a Counted."""

    result: ClassVar[type[Any]]

    def __init_subclass__(cls) -> None:
        for base in getattr(cls, "__orig_bases__", ()):
            for answer in get_args(base):
                if not isinstance(answer, TypeVar):
                    cls.result = answer

    def perform(self) -> R:
        """Do it, in the worker. What it raises is the fault of the document, not of the run."""
        raise NotImplementedError

    def patience(self) -> float:
        """How many times as long as one document it may take."""
        return 1.0

    def extracts_with(self) -> str | None:
        """The extraction method that it uses; None: it uses none."""
        return None


class DocumentPlace(TypedDict):
    """Where a document is in the archive."""

    url: str
    folder: str
    file: str
    offset: int


class DocumentTask(Task[R], frozen=True, kw_only=True):
    """A task that reads one document; its answer has a field `problem`, for one that cannot be read."""

    url: str  # the record may have been made for another one, with the same payload
    folder: str
    file: str
    offset: int

    def stored(self) -> StoredResponse:
        """The document as its WARC record has it."""
        return read_response(Path(self.folder), self.file, self.offset)

    def unread(self, problem: str) -> R:
        """The answer for a document that could not be read."""
        answer: R = self.result(problem=problem)
        return answer


class TaskRunner(Protocol):
    """What has tasks done: worker processes of this machine, or those of a cluster."""

    ahead: int  # how many tasks should be asked for at a time, so that none of its processors waits

    async def run(self, task: Task[R]) -> R:
        """Have a task done; raises what kept it from being done, or WorkersBroken where none can be."""
        ...

    def close(self) -> None: ...
