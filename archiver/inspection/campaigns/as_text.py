"""Campaigns as lines of a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.campaigns.links import CONTENT, LIST
from archiver.display.tables import TableColumn, folded, many, printable, size_in_words, table_lines
from archiver.store.campaigns.feed_shares import ShareOf
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.inspection.campaigns.model import CampaignStatus, RankedPage, WhyPage
    from archiver.store.campaigns.feeds import FoundFeed

SIGNALS = {
    "keywords": "keywords",
    "entities": "names",
    "examples": "likeness to the examples",
    "time": "time",
    "language": "language",
}
PARTS = {
    "parents": "pages that lead there",
    "several": "several relevant pages lead there",
    "anchor": "words of the links",
    "context": "words around the links",
    "address": "words of the address",
    "posters": "people who posted it",
    "words": "learned: such words led to relevant pages",
    "beside": "learned: links beside it led to relevant pages",
}


# What the state store says of an address, and why; others are told as they are.
STATES = {
    "waiting": "it waits to be fetched",
    "done: read": "fetched",
    "done: api": "read through the API of its site",
    "done: twin": "fetched; it says the same as another page",
    "done: not_page": "fetched; it is not a page",
    "dropped: same": "not fetched: it is another address of a page",
    "dropped: denied": "not fetched: it leads out of the scope",
    "dropped": "not fetched: the campaign does not want it any more",
}


def status_lines(found: CampaignStatus, width: int | None) -> Iterator[str]:
    yield f"{found.name}: {found.state}, revision {found.revision}" + (
        f" ({found.about})" if found.about else ""
    )
    yield from _spent_lines(found)
    share = f", harvest {found.relevant / found.fetched:.0%}" if found.fetched else ""
    yield f"  pages      {found.fetched} fetched, {found.relevant} relevant{share}"
    yield f"  queue      {found.waiting} waiting; {found.failed} failed, {found.twins} the same as others"
    if found.drawn:
        yield folded(
            f"  not fetched: about {found.unfetched:.0f} ({found.unfetched_low:.0f} to "
            f"{found.unfetched_high:.0f}) relevant pages, by {many(found.drawn, 'draw')}",
            width,
        )
    if found.feeds:
        yield f"  feeds      {found.feeds} polled"
    yield f"  learned parts of scores count {found.vote:.0%}"
    if found.hosts:
        yield "Best hosts"
        columns = (
            TableColumn(title="pages", is_number=True),
            TableColumn(title="relevance", is_number=True),
            TableColumn(title="quota", is_number=True),
            TableColumn(title="host", narrowest=12),
        )
        rows = [
            (str(one.fetched), f"{one.relevance / max(1, one.fetched):.2f}", str(one.quota), one.host)
            for one in found.hosts
        ]
        yield from table_lines(columns, rows, width=width)


def _spent_lines(found: CampaignStatus) -> Iterator[str]:
    """What was spent of each part of the budget."""
    yield f"  requests   {found.requests} of {found.budget}"
    limit = "" if found.budget_bytes is None else f" of {size_in_words(found.budget_bytes)}"
    yield f"  bytes      {size_in_words(found.bytes)}{limit}"
    limit = "" if found.budget_days is None else f" of {found.budget_days}"
    yield f"  days       {found.days}{limit}"
    if found.budget_per_day is not None and found.requests_of_last_day is not None:
        yield f"  per day    {found.requests_of_last_day} of {found.budget_per_day} requests in 24 hours"


def top_lines(found: Sequence[RankedPage], width: int | None) -> Iterator[str]:
    for page in found:
        title = printable(page.title) or "(no title)"
        yield folded(f"{page.rank:>4}  {page.score:.3f}  {title}", width, indent="             ")
        yield f"             {redact(page.url)}"
        if page.reasons:
            yield folded(f"             {'; '.join(page.reasons)}", width, indent="             ")


def why_lines(found: WhyPage, width: int | None) -> Iterator[str]:
    yield f"{redact(found.url)}: {STATES.get(found.state, found.state)}"
    if found.relevance is not None:
        yield f"Relevance {found.relevance:.6f}" + (f"  {printable(found.title)}" if found.title else "")
        for name, value in found.signals.items():
            if value is not None:
                yield f"  {SIGNALS[name]:<26} {value:.3f}  adds {found.terms[name]:+.3f}"
        for reason in found.reasons:
            yield folded(f"  {reason}", width)
    place = f", place {found.place} in the queue" if found.place else ""
    yield f"As an address {found.priority:.6f}{place}; found by {found.found_by}"
    for name, value in found.parts.items():
        if value:
            yield f"  {PARTS[name]:<46} {value:+.3f}"
    yield f"  learned parts count {found.vote:.0%}; {many(found.hops, 'page')} off topic before it"
    if found.worth:
        yield f"  {worth_in_words(found.worth)}: times {found.worth:g}"
    if found.inlinks:
        yield "Pages that lead there"
        for link in found.inlinks:
            yield f"  {link.score:.2f}  {redact(link.url)}  {printable(link.anchor)}"


def feed_lines(found: Sequence[FoundFeed], width: int | None) -> Iterator[str]:
    """The feeds of relevant pages, with the share of relevant entries, or else of pages of the host."""
    for one in found:
        yield f"{one.share:>5.0%}  {redact(one.url)}{'  (polled)' if one.is_polled else ''}"
        if one.title:
            yield f"       {printable(one.title)}"
        yield folded(f"       {_shared(one)}", width, indent="       ")


def _shared(one: FoundFeed) -> str:
    """What the share of a feed is of."""
    if one.share_of is ShareOf.ENTRIES:
        entries = "fetched entry" if one.judged == 1 else "fetched entries"
        return f"relevant: {one.relevant} of {one.judged} {entries}"
    return f"no entry fetched yet; relevant: {one.relevant} of {many(one.judged, 'page')} of {one.host}"


def worth_in_words(worth: float) -> str:
    """What the knowledge base takes an address for."""
    kinds = {CONTENT: "content", LIST: "a list"}
    return f"{kinds.get(worth, 'neither content nor a list')}, by the software of its site"


def list_lines(found: Sequence[CampaignStatus], width: int | None) -> Iterator[str]:
    columns = (
        TableColumn(title="campaign", narrowest=10),
        TableColumn(title="state"),
        TableColumn(title="requests", is_number=True),
        TableColumn(title="pages", is_number=True),
        TableColumn(title="relevant", is_number=True),
        TableColumn(title="waiting", is_number=True),
    )
    rows = [
        (
            one.name,
            one.state,
            f"{one.requests}/{one.budget}",
            str(one.fetched),
            str(one.relevant),
            str(one.waiting),
        )
        for one in found
    ]
    yield from table_lines(columns, rows, width=width)
