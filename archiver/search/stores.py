"""How an index is fed, whatever it is kept in."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from datetime import datetime

    from archiver.search.lines import IndexedText


class IndexedFile(NamedTuple):
    """An objects file as the index knows it."""

    name: str
    length: int  # so far it is in the index
    last: int | None  # where its last line there is
    mark: str  # what the state store said of that line


class NewRow(NamedTuple):
    """A version of an article, and where its object is; of a paper, its number and no file."""

    file: str
    place: int
    article: int
    version: int
    channel: int


class NewPaper(NamedTuple):
    """A document whose text is in no object."""

    url: str
    title: str
    captured: datetime
    warc: str
    place: int
    text: str


class IndexStore(Protocol):
    """An index, to be fed. All but `transaction` and `tidy` is called within one transaction or another."""

    def transaction(self) -> AbstractContextManager[None]:
        """What is done within is committed together, and no other feeder is at it meanwhile."""
        ...

    def empty(self) -> None:
        """Take everything out; readers meanwhile find less."""
        ...

    def files(self) -> list[IndexedFile]: ...

    def note(self, file: IndexedFile) -> None:
        """Note how far a file is in the index."""
        ...

    def forget(self, file: str, length: int) -> None:
        """Forget what stands behind this length; versions before those that go are the newest again."""
        ...

    def add(self, row: NewRow, text: IndexedText, *, is_past: bool = False) -> None:
        """Add a version: in the place of itself elsewhere, and before the newest one that it follows."""
        ...

    def warcs(self) -> set[str]:
        """The WARC files that were looked through for papers."""
        ...

    def looked_through(self, warcs: set[str]) -> None: ...

    def papers(self) -> set[tuple[str, int]]:
        """Where the papers are that it has."""
        ...

    def add_paper(self, paper: NewPaper) -> int:
        """Keep a paper; its number."""
        ...

    def newest_of(self, article: int) -> int:
        """The newest version of an article; 0 where there is none."""
        ...

    def tidy(self) -> None:
        """Make it small and quick, after it was built."""
        ...
