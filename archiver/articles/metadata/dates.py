"""When a page was published and changed: moments that are certain, and the day where only that is known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree
from lxml.html import HtmlElement

from archiver.articles.metadata.edit_dates import hide_edits, is_of_edit
from archiver.articles.metadata.told_edits import told_edits
from archiver.documents.feeds.dates import written_day
from archiver.documents.pages.dom import is_comments_zone
from archiver.documents.times.model import Evidence, Source, What
from archiver.documents.times.statements import from_address, stated

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeVar

    from lxml.etree import _Element as Element

    from archiver.articles.metadata.shown_days import ShownDays
    from archiver.articles.model import ParsedPage
    from archiver.documents.pages.statements import Statements

    Kind = TypeVar("Kind", date, datetime)
    TimeElements = tuple["TimeElement", ...]

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
# Of one kind.
MOST_STATED = 8
MOST_PIECES = 8
LONGEST_PIECE = 100
# What programs write for "no date".
_UNSET = frozenset({datetime(1970, 1, 1, tzinfo=UTC), date(1970, 1, 1)})

_LATEST = "2199-12-31"
# Searching a longer page for a day takes too long.
LONGEST_SEARCHED = 2_000_000


# Classes of microformats: in hAtom, an `abbr` has the moment as its title.
_MARKED_PUBLISHED = frozenset({"published", "dt-published"})


class TimeElement(NamedTuple):
    """The moment that an element is marked with, its words, and whether it says that it is of publication."""

    moment: str
    words: str
    is_published: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """What the page says of its dates: the first that are certain, and everything with its source."""

    published: datetime | None = None
    published_day: date | None = None
    modified: datetime | None = None
    dated: tuple[Evidence, ...] = ()


def dates_of(page: ParsedPage, said: Statements, title: str | None = None, text: str = "") -> Dates:
    """What the page with the article of this title and text says of its dates."""
    times = _times(page.tree)
    published, modified = _published(times, said), [*_modified(said), *told_edits(page, title, text)]
    address = from_address(page.url)
    day = _first(one.day for one in published)
    found = None if day else _found_day(page)
    return Dates(
        published=_first(one.at for one in published),
        published_day=day or found,
        modified=_first(one.at for one in modified),
        dated=(*published, *modified, *address, *_shown(found, times, address)),
    )


def _shown(found: date | None, times: TimeElements, address: Sequence[Evidence]) -> list[Evidence]:
    """The day that readers see: the one that was found, else the only one that `time` elements show."""
    if found is None:
        days = {written_day(one.words) for one in times} - {None}
        found = days.pop() if len(days) == 1 else None
    elif any(one.day == found for one in address):  # htmldate takes the day from there
        found = None
    return [Evidence(what=What.PUBLISHED, source=Source.TEXT, day=found)] if found else []


def _words(time: Element) -> str:
    """Only so many: an element that is not closed holds the whole page."""
    pieces = islice(time.itertext(), MOST_PIECES)
    return " ".join("".join(str(piece)[:LONGEST_PIECE] for piece in pieces).split())


def _published(times: TimeElements, said: Statements) -> list[Evidence]:
    return _stated(
        What.PUBLISHED,
        (Source.META, said.named(*PUBLISHED_METAS)),
        (Source.JSON_LD, said.linked_texts("datePublished")),
        (Source.MICRODATA, said.marked_texts("datePublished")),
        (Source.VAGUE_META, said.named(*VAGUE_METAS)),
        (Source.TIME, _only_time(times)),
    )


def _modified(said: Statements) -> list[Evidence]:
    return _stated(
        What.MODIFIED,
        (Source.META, said.named(*MODIFIED_METAS)),
        (Source.JSON_LD, said.linked_texts("dateModified")),
        (Source.MICRODATA, said.marked_texts("dateModified")),
        (Source.VAGUE_META, said.named(*VAGUE_MODIFIED_METAS)),
    )


def _stated(what: What, *said: tuple[Source, list[str]]) -> list[Evidence]:
    found = (stated(what, source, text) for source, texts in said for text in texts[:MOST_STATED])
    return [one for one in dict.fromkeys(found) if one is not None]


def _first(found: Iterable[Kind | None]) -> Kind | None:
    return next((one for one in found if one and one not in _UNSET), None)


def _only_time(times: TimeElements) -> list[str]:
    """The one moment that the page names, or marks as that of publication: with several, none is certain."""
    for some in (times, [one for one in times if one.is_published]):
        moments = {one.moment for one in some if one.moment}
        if len(moments) == 1:
            return list(moments)
    return []


def _times(tree: Element) -> TimeElements:
    """The times that the page names, without those of comments and edits; none where they are too many."""
    times: dict[TimeElement, None] = {}
    for number, element in enumerate(tree.iter("time", "abbr")):
        is_published = not _MARKED_PUBLISHED.isdisjoint((element.get("class") or "").split())
        if element.tag == "abbr" and not is_published:
            continue
        moment = element.get("datetime" if element.tag == "time" else "title", "")
        one = TimeElement(moment, _words(element), is_published)
        is_other = is_of_edit(element) or any(map(is_comments_zone, element.iterancestors()))
        if one not in times and not is_other:
            times[one] = None
        if len(times) > MOST_STATED or number > MOST_TIMES:
            return ()
    return tuple(times)


def _found_day(page: ParsedPage) -> date | None:
    """The day that stands on the page or in its address, for readers only, as htmldate finds it."""
    days = _shown_days()
    try:
        found = days.in_address(page.url) or days.on_page(page.tree, page.markup)
        if found is None:
            found = _searched_page(page)
    except (ValueError, OverflowError, etree.LxmlError):  # a day that no calendar has, or an empty page
        return None
    return date.fromisoformat(found) if found else None


@lru_cache(maxsize=1)
def _shown_days() -> ShownDays:
    # Costs a tenth of a second and 16 MB, and most pages state their date.
    from archiver.articles.metadata.shown_days import ShownDays  # noqa: PLC0415

    # An upper limit of our own: htmldate's is today, and a page read again must give the same.
    return ShownDays(latest=_LATEST)


def _searched_page(page: ParsedPage) -> str | None:
    """By a search of the whole page, which takes the longest."""
    markup = etree.tostring(page.cleaned, encoding="unicode", method="html")
    if len(markup) > LONGEST_SEARCHED:
        return None
    tree = etree.fromstring(markup, _parser())
    hide_edits(tree)
    from htmldate import find_date  # noqa: PLC0415 - as above

    return find_date(tree, extensive_search=False, original_date=True, url=page.url, max_date=_LATEST)


@lru_cache(maxsize=1)
def _parser() -> etree.HTMLParser:
    """For trees that htmldate takes; lxml.html's own parser runs Python for the class of each element."""
    parser = etree.HTMLParser()
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=HtmlElement))
    return parser
