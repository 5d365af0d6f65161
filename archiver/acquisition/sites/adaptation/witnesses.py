"""Witnesses: values that a page is believed to show, whatever its template."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC
from typing import TYPE_CHECKING

from archiver.acquisition.sites.adaptation.model import LearnedFrom
from archiver.acquisition.sites.adaptation.series import direction_of, ends_unnumbered, neighbours
from archiver.acquisition.sites.adaptation.slots import SlotValue, slots_of
from archiver.acquisition.sites.adaptation.values import date_value, values_of
from archiver.acquisition.sites.known_fields import contributions_of
from archiver.articles.model import Article
from archiver.digests import folded
from archiver.documents.pages.comments.reading import read_comments
from archiver.documents.pages.dom import is_comments_zone
from archiver.lexicon.class_names import BIT, kinds_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from archiver.acquisition.sites.adaptation.locating import PageIndex
    from archiver.acquisition.sites.adaptation.slots import ActionSlot
    from archiver.acquisition.sites.knowledge.model import Level
    from archiver.acquisition.sites.typed_page import TypedPage
    from archiver.articles.model import NoArticle
    from archiver.documents.contributions import Contribution

# Keys that were made of a contribution, not read off the page.
_MADE_KEY = "~"
# A text of fewer signs may stand anywhere.
_SHORTEST_TEXT = 12
_NAME_WORDS = range(2, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartWitness:
    """A contribution that a page is believed to show."""

    key: str  # empty: not known
    text: str
    author: str
    published: str  # as `values.py` has dates; empty: not known

    def value(self, field: str) -> str:
        known = {"author": self.author, "published": self.published, "body": self.text}
        return known.get(field, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Witnesses:
    """What a page is believed to show: the values of actions, and contributions by their parts."""

    learned_from: LearnedFrom
    values: Mapping[str, Sequence[str]]
    parts: Mapping[str, Sequence[PartWitness]]

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing of an action where no witness is."""
        return self.learned_from is LearnedFrom.EARLIER


def from_earlier(before: TypedPage, level: Level) -> Witnesses:
    """What the actions found on an earlier capture of the page."""
    slots = list(slots_of(level))
    plain = [slot for slot in slots if slot.part is None]
    parts = (slot for slot in slots if slot.part is not None and not slot.is_within)
    return Witnesses(
        learned_from=LearnedFrom.EARLIER,
        values={slot.name: values_of(before, slot, slot.paths) for slot in plain},
        parts={
            slot.name: list(_part_witnesses(slots, slot, contributions_of(before, slot.part)))
            for slot in parts
            if slot.part is not None
        },
    )


def from_pages(
    indexes: Sequence[PageIndex], level: Level, articles: Sequence[Article | NoArticle | None]
) -> list[Witnesses]:
    """What pages themselves say, read as those of any other site are. A further page has no article."""
    is_last = ends_unnumbered((one.known.page.document.url, one.series_links()) for one in indexes)
    found = [
        _from_page(index, level, article, is_last=is_last)
        for index, article in zip(indexes, articles, strict=True)
    ]
    return _without_shared(found, "title")


def _from_page(
    index: PageIndex, level: Level, article: Article | NoArticle | None, *, is_last: bool
) -> Witnesses:
    slots = list(slots_of(level))
    values = {
        slot.name: list(_said(index, slot, article, is_last=is_last)) for slot in slots if slot.part is None
    }
    known, parts = index.known, [slot for slot in slots if slot.part is not None and not slot.is_within]
    comments = read_comments(known.page.tree, known.page.document.url).found if parts else ()
    # Only where it is plain which part is meant.
    found = {parts[0].name: list(_part_witnesses(slots, parts[0], comments))} if len(parts) == 1 else {}
    return Witnesses(learned_from=LearnedFrom.PAGE, values=values, parts=found)


def _part_witnesses(
    slots: Sequence[ActionSlot], part: ActionSlot, found: Sequence[Contribution]
) -> Iterator[PartWitness]:
    dated = next((one for one in slots if one.part is part.part and one.kind is SlotValue.DATE), None)
    for one in found:
        text = folded(one.text)
        if len(text) >= _SHORTEST_TEXT:
            yield PartWitness(
                key="" if one.key.startswith(_MADE_KEY) else one.key,
                text=text,
                author=folded(one.author or ""),
                published=_date(dated, one) if dated is not None else "",
            )


def _date(slot: ActionSlot, one: Contribution) -> str:
    if one.published is None:
        return ""
    if one.published.utc is not None and not (slot.extract and slot.extract.form):
        return one.published.utc.isoformat()
    return date_value(slot, folded(one.published.text))


def _said(
    index: PageIndex, slot: ActionSlot, article: Article | NoArticle | None, *, is_last: bool
) -> Iterator[str]:
    if slot.follow is not None:
        if slot.follow.repeat:
            own = index.known.page.document.url
            direction = direction_of(slot.paths)
            yield from neighbours(own, index.series_links(), direction, is_last=is_last)
        return
    if isinstance(article, Article):
        said = list(_of_article(slot, article))
        yield from said or (_named_authors(index) if slot.field == "author" else ())


def _named_authors(index: PageIndex) -> list[str]:
    """The one name on a page that stands in an element called after authors, apart from comments."""
    found: dict[str, None] = {}
    for element, text in index.small_texts():
        names = f"{element.get('class') or ''} {element.get('id') or ''} {element.get('itemprop') or ''}"
        is_named = bool(kinds_of(names) & BIT["author"]) and _is_name(text)
        if is_named and not any(is_comments_zone(one) for one in (element, *element.iterancestors())):
            found[text] = None
    return list(found) if len(found) == 1 else []


def _is_name(text: str) -> bool:
    words = text.split()
    is_plain = not any(sign.isdigit() or sign in ":@/" for sign in text)
    return is_plain and len(words) in _NAME_WORDS and all(word[0].isupper() for word in words)


def _of_article(slot: ActionSlot, article: Article) -> Iterator[str]:
    if slot.kind is SlotValue.DATE and slot.extract is not None and not slot.extract.form:
        at = article.published if slot.field == "published" else article.modified
        if at is not None:
            yield at.astimezone(UTC).isoformat()
        elif slot.field == "published" and article.published_day is not None:
            yield article.published_day.isoformat()
    texts = {
        "title": (article.title or "",),
        "author": article.authors,
        "tags": article.categories,
        "body": (article.text,),
    }
    yield from filter(None, map(folded, texts.get(slot.field, ())))


def _without_shared(pages: Sequence[Witnesses], name: str) -> list[Witnesses]:
    """Without values of an action that several pages have: a title that two articles have is the site's."""
    counts = Counter(value for page in pages for value in set(page.values.get(name, ())))
    return [
        replace(page, values={**page.values, name: [one for one in page.values[name] if counts[one] == 1]})
        if name in page.values
        else page
        for page in pages
    ]
