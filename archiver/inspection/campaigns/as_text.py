"""Campaigns as lines of a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.display.tables import TableColumn, folded, many, size_in_words, table_lines
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.inspection.campaigns.model import CampaignStatus, RankedPage, WhyPage

_SIGNALS = {
    "keywords": "keywords",
    "entities": "names",
    "examples": "likeness to the examples",
    "time": "time",
    "language": "language",
}
_PARTS = {
    "parents": "pages that lead there",
    "several": "several relevant pages lead there",
    "anchor": "words of the links",
    "context": "words around the links",
    "address": "words of the address",
    "posters": "people who posted it",
    "words": "learned: such words led to relevant pages",
    "beside": "learned: links beside it led to relevant pages",
}


def status_lines(found: CampaignStatus, width: int | None) -> Iterator[str]:
    yield f"{found.name}: {found.state}, revision {found.revision}" + (
        f" ({found.about})" if found.about else ""
    )
    yield f"  requests   {found.requests} of {found.budget}, {size_in_words(found.bytes)}"
    share = f", harvest {found.relevant / found.fetched:.0%}" if found.fetched else ""
    yield f"  pages      {found.fetched} fetched, {found.relevant} relevant{share}"
    yield f"  queue      {found.waiting} waiting; {found.failed} failed, {found.twins} the same as others"
    if found.drawn:
        yield folded(
            f"  not fetched: about {found.unfetched:.0f} ({found.unfetched_low:.0f} to "
            f"{found.unfetched_high:.0f}) relevant pages, by {many(found.drawn, 'draw')}",
            width,
        )
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


def top_lines(found: Sequence[RankedPage], width: int | None) -> Iterator[str]:
    for page in found:
        yield f"{page.rank:>4}  {page.score:.3f}  {page.title or '(no title)'}"
        yield f"             {redact(page.url)}"
        if page.reasons:
            yield folded(f"             {'; '.join(page.reasons)}", width, indent="             ")


def why_lines(found: WhyPage, width: int | None) -> Iterator[str]:
    yield f"{redact(found.url)}: {found.state}"
    if found.relevance is not None:
        yield f"Relevance {found.relevance:.6f}" + (f"  {found.title}" if found.title else "")
        for name, value in found.signals.items():
            if value is not None:
                yield f"  {_SIGNALS[name]:<26} {value:.3f}  adds {found.terms[name]:+.3f}"
        for reason in found.reasons:
            yield folded(f"  {reason}", width)
    place = f", place {found.place} in the queue" if found.place else ""
    yield f"As an address {found.priority:.6f}{place}; found by {found.found_by}"
    for name, value in found.parts.items():
        if value:
            yield f"  {_PARTS[name]:<46} {value:+.3f}"
    yield f"  learned parts count {found.vote:.0%}; {many(found.hops, 'page')} off topic before it"
    if found.inlinks:
        yield "Pages that lead there"
        for link in found.inlinks:
            yield f"  {link.score:.2f}  {redact(link.url)}  {link.anchor}"


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
