"""Documents that wait to be asked for, each address once, and what tells two documents apart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.digests import name_digest
from archiver.urls import LONGEST_URL, is_web, request_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from archiver.documents.feeds.model import FeedEntry
    from archiver.documents.lists.model import Ask, Plan


def digest_of(entries: Iterable[FeedEntry]) -> str:
    """Equal for documents that show the same entries, whatever their order."""
    return name_digest("\n".join(sorted({f"{one.id} {one.link} {one.title}" for one in entries})))


def queued(plan: Plan, asks: Sequence[Ask], *, first: bool = False) -> Plan:
    """The plan with these asks, each address once and never again."""
    known = {*plan.asked, *(one.url for one in plan.waiting)}
    new: dict[str, Ask] = {}
    for ask in asks:
        url = request_url(ask.url) if is_web(ask.url) else ""
        if url and url not in known and len(url) <= LONGEST_URL:
            new.setdefault(url, replace(ask, url=url))
    added = tuple(new.values())
    return replace(plan, waiting=(*added, *plan.waiting) if first else (*plan.waiting, *added))
