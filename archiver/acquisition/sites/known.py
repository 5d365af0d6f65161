"""What a page says by the knowledge base: its level, where it leads, its fields, and what was contributed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import msgspec

from archiver.acquisition.sites.addresses import is_avoided, without_parameters
from archiver.acquisition.sites.knowledge.dates import read_date
from archiver.acquisition.sites.knowledge.detecting import level_of
from archiver.acquisition.sites.learning.reading import read_to_learn
from archiver.acquisition.sites.model import CANONICAL, Followed, NamedList, VisitReading
from archiver.acquisition.sites.reading import canonical_of, read_blindly, read_listed
from archiver.acquisition.sites.scope import is_within
from archiver.documents.contributions import Contribution, ContributionKind, distinct_keys, stable_key
from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.expressions.selecting import select
from archiver.documents.feeds.dates import parse_date
from archiver.documents.feeds.discover import discover_feeds
from archiver.documents.feeds.discovered import is_of_comments
from archiver.documents.pages.clean_html import clean_tree, html_of
from archiver.documents.pages.dom import absolute_url
from archiver.documents.pages.links import text_within
from archiver.documents.pages.model import Announcement
from archiver.documents.pages.text import one_line, text_of
from archiver.documents.times.model import Source, What
from archiver.documents.times.statements import stated
from archiver.errors import OverBudget

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from lxml.etree import _Element as Element

    from archiver.acquisition.sites.knowledge.model import (
        ExtractAction,
        FollowAction,
        Level,
        PartRule,
        SiteType,
    )
    from archiver.acquisition.sites.model import VisitRead
    from archiver.acquisition.sites.reading import SitePage
    from archiver.documents.expressions.model import Expression

_NONE: frozenset[Element] = frozenset()


@dataclass(frozen=True, kw_only=True)
class TypedPage:
    """A page of a site whose software is known."""

    page: SitePage
    type: SiteType
    virtual: VirtualDocument
    # The site is crawled again: links that are only followed then are followed.
    is_again: bool = False
    budget: Budget = field(default_factory=Budget)

    def first(
        self, paths: Sequence[Expression], place: Element | None = None, outside: AbstractSet[Element] = _NONE
    ) -> list[Element | str]:
        """What the first of these paths finds that finds anything."""
        for path in paths:
            found = select(path, self.virtual if place is None else place, self.budget, outside=outside)
            if found:
                return found
        return []

    @property
    def level(self) -> Level | None:
        found = level_of(self.type, self.virtual, self.budget)
        return found.level if found else None


def virtual_of(page: SitePage) -> VirtualDocument:
    document = page.document
    status = document.status or 200
    return VirtualDocument(tree=page.tree, url=document.url, status=status, headers=document.headers)


def read_known(known: TypedPage) -> VisitRead:
    """Read a page by what is known of its software; one that asks for too much is read without."""
    plain = read_listed(known.page)
    kind = known.type
    plain = msgspec.structs.replace(plain, type=kind.type, software=kind.title, lists=tuple(_lists(known)))
    try:
        level = known.level
        if level is None:
            return plain
        return _by_level(known, level, plain)
    except OverBudget:
        return msgspec.structs.replace(plain, failed=("budget",))


def read_known_blindly(known: TypedPage) -> VisitRead:
    """Take what is known of a page, and follow all its links but those to avoid."""
    read = read_known(known)
    named = {link.url for link in read.follow}
    others = _not_avoided(read_blindly(known.page), known.type)
    return msgspec.structs.replace(
        read, follow=(*read.follow, *(one for one in others if one.url not in named))
    )


def read_known_to_learn(known: TypedPage) -> VisitRead:
    """Take what is known of a page, and learn which of its links pay, without those to avoid."""
    learned = read_to_learn(known.page)
    read = read_known(known)
    return msgspec.structs.replace(read, follow=_not_avoided(learned, known.type), shown=learned.shown)


def read_first(known: TypedPage) -> VisitRead:
    """Read the first page of a site, which tells the way; from one that leads nowhere, all links are kept."""
    read = read_known(known)
    if any(link.action != CANONICAL for link in read.follow):
        return read
    learned = read_to_learn(known.page)
    otherwise = _not_avoided(learned, known.type)
    return msgspec.structs.replace(read, otherwise=otherwise, shown=learned.shown)


def without_avoided(listed: VisitRead, kind: SiteType) -> VisitRead:
    """What a list of the site names, without the addresses that are avoided."""
    return msgspec.structs.replace(listed, follow=_not_avoided(listed, kind))


def _not_avoided(listed: VisitRead, kind: SiteType) -> tuple[Followed, ...]:
    return tuple(one for one in listed.follow if not is_avoided(one.url, kind.avoid))


def _by_level(known: TypedPage, level: Level, plain: VisitRead) -> VisitRead:
    follow = [link for action in level.follow for link in _followed(known, action)]
    canonical = canonical_of(known.page) if known.type.same.canonical else None
    if canonical is not None:
        follow.append(Followed(url=canonical, action=CANONICAL, to=level.name, is_item=level.is_terminal))
    fields = _Fields(known, level.extract)
    parts = {rule.name: contributions_of(known, rule) for rule in level.parts}
    contributions = [one for found in parts.values() for one in found]
    followed = {link.action for link in follow}
    unfollowed = [one.id for one in level.follow if one.expect != "any" and one.id not in followed]
    return msgspec.structs.replace(
        plain,
        level=level.name,
        is_content=level.is_terminal,
        follow=tuple(follow),
        canonical=canonical,
        said=replace(fields.announcement(), visited=tuple(one.url for one in follow if one.is_repeat)),
        contributions=tuple(distinct_keys(contributions)),
        # Where comments go on on another page, one that is not here may be there.
        has_all=bool(level.parts) and not any(link.is_repeat for link in follow),
        failed=(*unfollowed, *fields.failed()),
        empty=(
            *(one.id for one in level.follow if one.id not in followed),
            *fields.empty(),
            *(name for rule in level.parts for name in _empty_of_part(rule, parts[rule.name])),
        ),
    )


def _empty_of_part(rule: PartRule, found: Sequence[Contribution]) -> Iterator[str]:
    """What was not found of a part: all of it, or one of its fields on every contribution."""
    if not found:
        yield rule.name
    for action in rule.extract if found else ():
        told = {"author": "author", "published": "published", "body": "text"}.get(action.field)
        if told is not None and not any(getattr(one, told) for one in found):
            yield f"{rule.name}/{action.key}"


# ── Where it leads ───────────────────────────────────────────────────────────────────────────────────────


def _followed(known: TypedPage, action: FollowAction) -> Iterator[Followed]:
    if action.when == "stale" and not known.is_again:
        return
    target = known.type.level(action.to)
    seen: set[str] = set()
    for href in map(_href, known.first(action.path)):
        url = absolute_url(known.page.base, href) if href else None
        if url is None:
            continue
        url = without_parameters(url.split("#", 1)[0], known.type.same.drop)
        if url in seen or not is_within(url, known.page.document.scope) or is_avoided(url, known.type.avoid):
            continue
        seen.add(url)
        yield Followed(
            url=url,
            action=action.id,
            to=action.to,
            is_repeat=action.repeat,
            is_item=target is None or target.is_terminal,
        )


def _href(found: Element | str) -> str:
    return found if isinstance(found, str) else found.get("href") or ""


def _lists(known: TypedPage) -> Iterator[NamedList]:
    """Documents that list the site's pages, the cheapest first."""
    for one in known.type.lists:
        if one.sitemap is not None:
            url = _at(known, one.sitemap.at) if one.sitemap.at else ""
            yield NamedList(url=url, reading=VisitReading.SITEMAP, only=one.sitemap.only, to=one.to)
        elif one.page is not None:
            yield NamedList(url=_at(known, one.page), reading=VisitReading.PAGE, to=one.to)
        elif one.feed is not None and (feed := _feed(known)):
            yield NamedList(url=feed, reading=VisitReading.FEED, to=one.to)


def _at(known: TypedPage, path: str) -> str:
    """An address of the application, which need not be at the top of its host."""
    _, _, below = known.page.document.scope.partition("/")
    return urljoin(known.page.document.url, f"/{below}{path.lstrip('/')}")


def _feed(known: TypedPage) -> str | None:
    document = known.page.document
    found = discover_feeds(document.content, url=document.url, content_type=document.content_type)
    return next((one.url for one in found if not is_of_comments(one)), None)


# ── What it says ─────────────────────────────────────────────────────────────────────────────────────────


class _Fields:
    """The values that actions find on a page, or in a part of one."""

    def __init__(
        self,
        known: TypedPage,
        actions: Sequence[ExtractAction],
        place: Element | None = None,
        outside: AbstractSet[Element] = _NONE,
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
        return next(filter(None, map(_href, self._of(name))), "")

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
    days = [_plain(one) for one in known.first(action.day, place, outside)]
    read = (read_date(_plain(one), action.form, days) for one in found)
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
    fields = _Fields(known, rule.extract, element, outside)
    own = [_plain(one) for one in known.first(rule.key, element, outside)]
    answered = [_plain(one) for one in known.first(rule.parent, element, outside)]
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


def _plain(found: Element | str) -> str:
    return one_line(found) if isinstance(found, str) else text_within(found)
