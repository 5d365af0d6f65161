"""What a page says by the knowledge base: its level, where it leads, its fields, and what was contributed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import msgspec

from archiver.acquisition.sites.addresses import is_avoided, without_parameters
from archiver.acquisition.sites.known_fields import KnownFields, contributions_of
from archiver.acquisition.sites.learning.reading import read_to_learn
from archiver.acquisition.sites.model import CANONICAL, Followed, NamedList, VisitReading
from archiver.acquisition.sites.reading import canonical_of, read_blindly, read_listed
from archiver.acquisition.sites.scope import is_within
from archiver.acquisition.sites.typed_page import href_of
from archiver.documents.contributions import distinct_keys
from archiver.documents.feeds.discover import discover_feeds
from archiver.documents.feeds.discovered import is_of_comments
from archiver.documents.pages.dom import absolute_url
from archiver.errors import OverBudget

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.acquisition.sites.knowledge.model import (
        FollowAction,
        Level,
        PartRule,
        SiteType,
    )
    from archiver.acquisition.sites.model import VisitRead
    from archiver.acquisition.sites.typed_page import TypedPage
    from archiver.documents.contributions import Contribution


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
    fields = KnownFields(known, level.extract)
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
    for href in map(href_of, known.first(action.path)):
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
