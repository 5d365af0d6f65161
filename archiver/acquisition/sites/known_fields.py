"""The fields of a page by the knowledge base, and what was contributed to it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.acquisition.sites.knowledge.dates import read_date
from archiver.acquisition.sites.typed_page import NO_ELEMENTS, href_of, plain_of
from archiver.documents.contributions import Contribution, ContributionKind, stable_key
from archiver.documents.feeds.dates import parse_date
from archiver.documents.pages.clean_html import clean_tree, html_of
from archiver.documents.pages.dom import absolute_url
from archiver.documents.pages.links import text_within
from archiver.documents.pages.model import Announcement
from archiver.documents.pages.text import one_line, text_of
from archiver.documents.times.model import Source, What
from archiver.documents.times.statements import stated

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from lxml.etree import _Element as Element

    from archiver.acquisition.sites.knowledge.model import ExtractAction, PartRule
    from archiver.acquisition.sites.typed_page import TypedPage


class KnownFields:
    """The values that actions find on a page, or in a part of one."""

    def __init__(
        self,
        known: TypedPage,
        actions: Sequence[ExtractAction],
        place: Element | None = None,
        outside: AbstractSet[Element] = NO_ELEMENTS,
    ) -> None:
        self._actions = actions
        self._found: dict[str, list[Element | str]] = {
            one.field: _values(known, one, place, outside) for one in actions
        }

    def texts(self, name: str) -> tuple[str, ...]:
        found = (one_line(one) if isinstance(one, str) else text_within(one) for one in self._of(name))
        return tuple(dict.fromkeys(filter(None, found)))

    def text(self, name: str) -> str | None:
        return next(iter(self.texts(name)), None)

    def element(self, name: str) -> Element | None:
        return next((one for one in self._of(name) if not isinstance(one, str)), None)

    def href(self, name: str) -> str:
        return next(filter(None, map(href_of, self._of(name))), "")

    def _paths(self, name: str) -> tuple[str, ...]:
        """The expressions of an action that found something."""
        actions = (one for one in self._actions if one.field == name and self._found[name])
        return tuple(str(path) for one in actions for path in one.path)

    def _of(self, name: str) -> list[Element | str]:
        return self._found.get(name, [])

    def failed(self) -> list[str]:
        """The actions that found nothing, or several where one is expected."""
        return [one.key for one in self._actions if one.expect != "any" and not self._found[one.field]]

    def empty(self) -> list[str]:
        """All actions that found nothing."""
        return [one.key for one in self._actions if not self._found[one.field]]

    def announcement(self) -> Announcement:
        dated = (
            stated(what, Source.KNOWLEDGE, text)
            for what, name in ((What.PUBLISHED, "published"), (What.MODIFIED, "modified"))
            for text in self.texts(name)[:1]
        )
        return Announcement(
            title=self.text("title"),
            authors=self.texts("author"),
            categories=self.texts("tags"),
            dated=tuple(one for one in dated if one is not None),
            body=self._paths("body"),
        )


def _values(
    known: TypedPage, action: ExtractAction, place: Element | None, outside: AbstractSet[Element]
) -> list[Element | str]:
    """What an action finds; of a date that is written for readers, what it means."""
    found = known.first(action.path, place, outside)
    if not action.form:
        return found
    days = [plain_of(one) for one in known.first(action.day, place, outside)]
    read = (read_date(plain_of(one), action.form, days) for one in found)
    return [one.text for one in read if one is not None]


def contributions_of(known: TypedPage, rule: PartRule) -> list[Contribution]:
    """Each of the repeated things on a page; one within another answers it."""
    elements = [one for one in known.first(rule.each) if not isinstance(one, str)]
    every = frozenset(elements)
    read = {one: _contribution(known, rule, one, every, place) for place, one in enumerate(elements)}
    keys = {one.key for one in read.values()}
    return [
        replace(one, parent=_answered(one, element, read, keys))
        for element, one in read.items()
        if one.text or one.author is not None
    ]


def _answered(
    one: Contribution, element: Element, read: Mapping[Element, Contribution], keys: AbstractSet[str]
) -> str | None:
    """What a contribution answers: what it names, if that is a contribution, or what it stands in."""
    # Comments that answer each other are on one page; posts and revisions may go back to earlier ones.
    if one.parent and (one.parent in keys or one.kind is not ContributionKind.COMMENT):
        return one.parent
    return next((read[up].key for up in element.iterancestors() if up in read), None)


def _contribution(
    known: TypedPage, rule: PartRule, element: Element, every: frozenset[Element], place: int
) -> Contribution:
    outside = every - {element}
    fields = KnownFields(known, rule.extract, element, outside)
    own = [plain_of(one) for one in known.first(rule.key, element, outside)]
    answered = [plain_of(one) for one in known.first(rule.parent, element, outside)]
    body, published = fields.element("body"), fields.text("published")
    clean = clean_tree(body, known.page.base, skip=every.__contains__) if body is not None else None
    text = text_of(clean) if clean is not None else fields.text("body") or ""
    author = fields.text("author")
    return Contribution(
        kind=ContributionKind(rule.kind),
        key=stable_key(next(iter(own), None), author, published, text),
        text=text,
        html=html_of(clean) if clean is not None else "",
        author=author,
        author_url=absolute_url(known.page.base, fields.href("author")) if fields.href("author") else None,
        published=parse_date(published) if published else None,
        parent=next(iter(answered), None) or None,
        url=absolute_url(known.page.base, fields.href("url")) if fields.href("url") else None,
        position=place,
    )
