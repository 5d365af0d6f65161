"""Examples for a wrapper that no person gave: what models see on the articles of a channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.methods.extraction import parse_page
from archiver.articles.methods.visual.inlinks import with_inlinks
from archiver.articles.methods.visual.proposals import LEAST_PAGES, PROPOSED, largest_group, proposed_page
from archiver.articles.model import ParsedPage
from archiver.errors import ArchiverError, RecordError
from archiver.inspection.announced import articles_of_channel
from archiver.inspection.inlinks import lists_leading_to
from archiver.inspection.pages import read_sibling

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.articles.methods.visual.proposals import ProposedGroup

# Pages of the channel that are looked at, and those of them that become examples.
_MOST_PAGES, _EXAMPLES = 40, 5


def seen_examples(
    state: Connection, withheld: Withheld, warcs: Path, channel_id: int
) -> list[tuple[str, str, str]]:
    """Addresses with fields and their values; ArchiverError where pages are few or do not agree."""
    found = list(_pages(state, withheld, warcs, channel_id))
    lists = lists_leading_to(state, withheld, warcs, [number for number, _ in found])
    pages = with_inlinks([page for _, page in found], lists)
    group = largest_group([proposed_page(page) for page in pages])
    if not group.is_enough:
        raise ArchiverError(_why_not(group))
    return [
        (page.url, PROPOSED[field], page.fields[field].value)
        for page in list(group.pages)[:_EXAMPLES]
        for field in group.fields
    ]


def _pages(
    state: Connection, withheld: Withheld, warcs: Path, channel_id: int
) -> Iterator[tuple[int, ParsedPage]]:
    for announced in articles_of_channel(state, channel_id, _MOST_PAGES):
        if withheld.hides(announced.capture.url):
            continue
        try:
            page = parse_page(read_sibling(warcs, announced))
        except RecordError:
            continue  # damaged: `scrapy verify` tells of it
        if isinstance(page, ParsedPage):
            yield announced.id, page


def _why_not(group: ProposedGroup) -> str:
    if group.looked_at < LEAST_PAGES:
        return (
            f"{group.looked_at} articles of this channel are in the archive, {LEAST_PAGES} are needed to see "
            "where fields stand: crawl again later, or give values with --url"
        )
    return (
        f"Fields stand in the same places on {len(group.pages)} of {group.looked_at} pages, too few: "
        "give values with --url"
    )
