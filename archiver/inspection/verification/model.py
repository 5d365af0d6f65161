"""What verification finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.urls import redact

if TYPE_CHECKING:
    from archiver.archive.writers import Writer

# What to do about bytes that are not those that were written.
RESTORE = "bring the file back from a backup"
RESTORE_THAT = "bring that file back from a backup"  # another one than that of the problem
RESTORE_BOTH = "bring both files back from a backup"
RESTORE_OBJECTS = f"run `scrapy recover`, or {RESTORE}"
GATHER_AGAIN = "copy it again from the folder of that writer"
CRAWL_AGAIN = "the next `scrapy crawl feeds` sets them aside as NAME.cut and makes these objects again"
RESTORE_STATE = "bring the state store back from a backup: nothing else has what it knows"
# What to do about an index: it is made from the WARC files.
MADE_ANEW = "the next `scrapy crawl feeds` rebuilds it"
REINDEX = "delete the index file, and the next `scrapy crawl feeds` rebuilds it"


def added_by(writer: Writer, file: str) -> str:
    """What to do about a file that is neither in a manifest nor in an index."""
    is_own = writer.owns(file)
    return "the next `scrapy crawl feeds` adds it" if is_own else "its writer has it, in another folder"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that is wrong at one place."""

    file: str
    offset: int
    text: str  # what is wrong, and what to do

    def __str__(self) -> str:
        return redact(f"{self.file}:{self.offset}: {self.text}")


@dataclass(slots=True, kw_only=True)
class Counts:
    """How much was looked at."""

    warcs: int = 0
    records: int = 0
    warc_bytes: int = 0
    index_lines: int = 0
    objects: int = 0
    versions: int = 0  # that the state store knows
    problems: int = 0

    def add_warc(self, size: int, records: int) -> None:
        self.warcs += 1
        self.warc_bytes += size
        self.records += records
