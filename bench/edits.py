"""Edits that pages tell their readers of: what is read of them, beside what the pages state for programs.

A set is a file of JSON Lines as bench/extraction.py takes it. A page counts where both speak: a line such as
"Last updated 14 November 2026" beside the headline or at the end of the article, and `dateModified` in
JSON-LD, microdata or a `meta` element. They agree where they are within a day.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from extraction_sets import SetError, channels, read_set, set_files, set_name
from options import whole_number

from archiver.articles.methods.extraction import extract
from archiver.articles.model import Article
from archiver.documents.pages.model import Announcement, RawPage
from archiver.documents.times.model import Source, What

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from extraction_sets import Page

    from archiver.documents.times.model import Evidence

_STATED = frozenset({Source.META, Source.JSON_LD, Source.MICRODATA})
_TOLD = frozenset({Source.TIME, Source.TEXT})
_DAY = timedelta(days=1)
LEGEND = """\
told    pages that tell their readers of an edit
both    those that also state dateModified; within: as many of them are within a day of it"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A page on which an edit is told, and what it states for programs; None where it states nothing."""

    id: str
    told: Evidence
    stated: Evidence | None

    @property
    def is_within(self) -> bool:
        return self.stated is not None and _gap(self.told, self.stated) <= _DAY


def _gap(one: Evidence, other: Evidence) -> timedelta:
    """Between moments where both are written, else between days."""
    if one.at and other.at:
        return abs(one.at - other.at)
    if one.day and other.day:
        return abs(one.day - other.day)
    return abs(_moment(one) - _moment(other))


def _moment(said: Evidence) -> datetime:
    if said.at is not None:
        return said.at
    assert said.day is not None
    return datetime.combine(said.day, time(), tzinfo=UTC)


def compared(pages: Iterable[Page]) -> Iterator[Compared]:
    for channel in channels(pages):
        for page, found in zip(channel, extract([_raw(page) for page in channel]), strict=True):
            if not isinstance(found, Article):
                continue
            changes = [one for one in found.dated if one.what is What.MODIFIED]
            stated = next((one for one in changes if one.source in _STATED), None)
            for told in (one for one in changes if one.source in _TOLD):
                yield Compared(id=page.id, told=told, stated=stated)


def _raw(page: Page) -> RawPage:
    return RawPage(
        url=page.url,
        body=page.html.encode("utf-8", "replace"),
        content_type="text/html; charset=utf-8",
        announcement=Announcement(title=page.title or None, summary=page.description or None),
        id=page.id,
    )


def line(name: str, found: Sequence[Compared]) -> str:
    both = [one for one in found if one.stated]
    within = sum(one.is_within for one in both)
    share = f"{within / len(both):8.1%}" if both else f"{'-':>8}"
    return f"{name:16}{len(found):7}{len(both):7}{within:8}{share}"


def apart(found: Sequence[Compared]) -> Iterator[str]:
    for one in found:
        if one.stated and not one.is_within:
            yield f"  {one.id}: told {one.told.text!r} ({one.told.source}), stated {one.stated.text!r}"


def main() -> None:
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, epilog=LEGEND
    )
    reader.add_argument("--data", type=Path, required=True, metavar="FILE", nargs="+", help="sets or folders")
    reader.add_argument("--limit", type=whole_number, metavar="N", help="only the first N pages of each set")
    reader.add_argument("--apart", action="store_true", help="also name the pages on which the two differ")
    options = reader.parse_args()
    everything: list[Compared] = []
    try:
        print(f"{'':16}{'told':>7}{'both':>7}{'within':>8}")
        for file in set_files(options.data):
            found = list(compared(read_set(file, options.limit)))
            print(line(set_name(file), found), *(apart(found) if options.apart else ()), sep="\n", flush=True)
            everything += found
    except SetError as error:
        reader.error(str(error))
    print(line("all", everything))
    sources = Counter(one.told.source.value for one in everything)
    print(LEGEND, f"by source: {dict(sources)}", sep="\n")


if __name__ == "__main__":
    sys.exit(main())
