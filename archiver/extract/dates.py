"""When a page was published and changed: moments that are certain, and the day where only that is known."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from lxml import etree, html

from archiver.extract.dom import is_comments_zone
from archiver.feeds.dates import moment, written_day

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from lxml.etree import _Element as Element

    from archiver.extract.model import ParsedPage
    from archiver.extract.statements import Statements

    Kind = TypeVar("Kind", date, datetime)

# The names of `meta` elements, the most certain first; those that may mean anything come last of all.
PUBLISHED_METAS = ("article:published_time", "og:article:published_time", "datepublished", "parsely-pub-date")
MODIFIED_METAS = ("article:modified_time", "og:article:modified_time", "datemodified", "og:updated_time")
VAGUE_METAS = (
    "dc.date.issued",
    "dcterms.issued",
    "sailthru.date",
    "publish-date",
    "pubdate",
    "date",
    "dc.date",
)
VAGUE_MODIFIED_METAS = ("dc.date.modified", "dcterms.modified", "last-modified")

MOST_TIMES = 1000
# What programs write for "no date".
_UNSET = frozenset({datetime(1970, 1, 1, tzinfo=UTC), date(1970, 1, 1)})

_LATEST = "2199-12-31"
# Searching a longer page for a day takes too long.
LONGEST_SEARCHED = 2_000_000


def published_in(page: ParsedPage, said: Statements) -> tuple[datetime | None, date | None]:
    """The moment of publication, and the day as the publisher writes it."""
    stated = [
        *said.named(*PUBLISHED_METAS),
        *said.texts("datePublished"),
        *said.named(*VAGUE_METAS),
        *_only_time(page.tree),
    ]
    day = _first(stated, written_day) or _found_day(page)
    return _first(stated, moment), day


def modified_in(said: Statements) -> datetime | None:
    stated = [*said.named(*MODIFIED_METAS), *said.texts("dateModified"), *said.named(*VAGUE_MODIFIED_METAS)]
    return _first(stated, moment)


def _first(stated: Iterable[str], read: Callable[[str], Kind | None]) -> Kind | None:
    return next((found for found in map(read, stated) if found and found not in _UNSET), None)


def _only_time(tree: Element) -> list[str]:
    """The one moment that the page names, comments left out: with several, none is certain."""
    times: set[str] = set()
    for number, time in enumerate(tree.iter("time")):
        stated = time.get("datetime")
        if stated and stated not in times and not any(map(is_comments_zone, time.iterancestors())):
            times.add(stated)
        if len(times) > 1 or number > MOST_TIMES:
            return []
    return list(times)


def _found_day(page: ParsedPage) -> date | None:
    """The day that stands on the page or in its address, for readers only, as htmldate finds it."""
    # Costs a tenth of a second and 16 MB, and most pages state their date.
    from htmldate import find_date  # noqa: PLC0415

    markup = etree.tostring(page.cleaned, encoding="unicode", method="html")
    if len(markup) > LONGEST_SEARCHED:
        return None
    # An upper limit of our own: htmldate's is today, and a page read again must give the same.
    try:
        found = find_date(
            html.document_fromstring(markup),
            extensive_search=False,
            original_date=True,
            url=page.url,
            max_date=_LATEST,
        )
    except (ValueError, OverflowError, etree.LxmlError):  # a day that no calendar has, or an empty page
        return None
    return date.fromisoformat(found) if found else None
