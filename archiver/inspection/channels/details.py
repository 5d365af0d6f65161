"""All that is known of one channel: what it is, how its polls went, what it gave and what was learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from archiver.acquisition.channels.polling.estimate import rhythm_in_words, silence
from archiver.acquisition.channels.polling.forecast import chance_in_words, is_overdue
from archiver.acquisition.outcome_words import GAPS, in_words, poll_in_words
from archiver.acquisition.rechecks.curve import curve_in_words
from archiver.acquisition.seeds.model import BY_HAND
from archiver.errors import ArchiveError
from archiver.inspection.channels.listing import channel_note
from archiver.inspection.channels.model import ArticleNote, ChannelDetails, GapNote, WrapperNote
from archiver.inspection.channels.polls import addresses_of, poll_history
from archiver.inspection.channels.rhythm import week_hours
from archiver.inspection.channels.states import states_of
from archiver.store.content.wrappers import list_wrappers
from archiver.store.polling.channels import sources_of
from archiver.store.polling.gaps import IS_HISTORY
from archiver.store.polling.history import last_history
from archiver.store.polling.prices import curve_of_all
from archiver.store.schema import articles, channels, entries, gaps, pages, versions
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from sqlalchemy import Connection, Row

    from archiver.archive.cdxj.index import Index
    from archiver.archive.withheld import Withheld

# How many of each are shown, the newest.
_POLLS, _GAPS, _ARTICLES, _WRAPPERS = 50, 20, 20, 20
_ENTRIES = 500  # are looked at
_BY_HAND = "by hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelPlaces:
    """What a channel is read from."""

    state: Connection
    index: Index
    withheld: Withheld


def read_channel(places: ChannelPlaces, number: int, now: datetime) -> ChannelDetails:
    """Raises ArchiveError where there is no such channel, WithheldError where it is withheld."""
    state = places.state
    row = state.execute(select(channels).where(channels.c.id == number)).first()
    if row is None:
        raise ArchiveError(f"The archive has no channel {number}: `scrapy channels` lists all")
    places.withheld.refuse(row.url)
    latest = state.execute(select(func.max(channels.c.last_poll))).scalar()
    return ChannelDetails(
        channel=channel_note(row, states_of([row])[row.id]),
        sources=tuple(_BY_HAND if one == BY_HAND else redact(one) for one in sources_of(state, number)),
        rhythm=week_hours(state, number),
        history=poll_history(places.index, _shown(addresses_of(state, row), places.withheld), _POLLS),
        wrappers=tuple(map(_wrapper, list_wrappers(state, number)[:_WRAPPERS])),
        gaps=tuple(_gaps(state, number)),
        earlier=earlier.in_words() if (earlier := last_history(state, number)) else "",
        articles=tuple(_articles(places, number)),
        # After a rehearsal the schedule is ahead of the machine.
        now=max(now, latest or now),
        **_told(row, curve_of_all(state)),
    )


def _shown(urls: Iterable[str], withheld: Withheld) -> list[str]:
    return [url for url in urls if not withheld.hides(url)]


def _told(row: Row[Any], curve: bytes | None) -> dict[str, Any]:
    """What its own row says."""
    chance = silence(row.rhythm, row.overdue) if row.rhythm is not None else 1.0
    copied = ("kind", "format", "language", "merged_into", "status", "added", "every", "polls", "last_poll",
              "outcome", "failing_since", "why")  # fmt: skip
    return {
        **{name: getattr(row, name) for name in copied},
        "seed_url": redact(row.seed_url),
        "page": redact(row.link) if row.link else None,
        "site": row.site_id,
        "outcome_words": poll_in_words(row.outcome) if row.outcome else None,
        "publishes": rhythm_in_words(row.rhythm) if row.rhythm is not None else None,
        "silence": chance_in_words(chance) if is_overdue(chance) else None,
        "edits": curve_in_words(row.curve, curve) if row.curve is not None else None,
    }


def _wrapper(row: Row[Any]) -> WrapperNote:
    return WrapperNote(
        id=row.id,
        xpath=row.wrapper.xpath,
        confidence=row.wrapper.confidence,
        samples=len(row.wrapper.samples),
        learned=row.learned,
        last_used=row.last_used,
        pages=row.pages,
        outdated=row.outdated,
        extractor=row.extractor,
    )


def _gaps(state: Connection, number: int) -> Iterator[GapNote]:
    query = select(gaps).where(gaps.c.channel_id == number, ~IS_HISTORY).order_by(gaps.c.id.desc())
    for row in state.execute(query.limit(_GAPS)):
        yield GapNote(
            seen=row.seen,
            after=row.after,
            before=row.before,
            state=row.state,
            words=in_words(row.state, GAPS),
            how=redact(row.how),
            filled=row.filled,
            documents=row.documents,
            ended=row.ended,
        )


def _articles(places: ChannelPlaces, number: int) -> Iterator[ArticleNote]:
    """Of its newest entries. Several may lead to one article, which is told once."""
    newest = select(entries.c.id, entries.c.page_id).where(entries.c.channel_id == number)
    # Of a channel without articles, not every entry of years is looked at.
    lately = newest.order_by(entries.c.id.desc()).limit(_ENTRIES).subquery()
    is_last = (versions.c.article_id == articles.c.id) & (versions.c.version == articles.c.version)
    query = (
        select(articles.c.url, articles.c.first_seen, articles.c.version)
        .add_columns(versions.c.title, versions.c.published)
        .select_from(lately)
        .join(pages, pages.c.id == lately.c.page_id)
        .join(articles, articles.c.id == pages.c.article_id)
        .join(versions, is_last)
        .order_by(lately.c.id.desc())
        .limit(2 * _ARTICLES)
    )
    told = {row.url: row for row in places.state.execute(query) if not places.withheld.hides(row.url)}
    shown = list(told.values())[:_ARTICLES]
    # Entries are numbered as a document lists them, often the newest first.
    for row in sorted(shown, key=lambda row: row.published or row.first_seen, reverse=True):
        yield ArticleNote(
            url=redact(row.url),
            title=row.title,
            published=row.published,
            first_seen=row.first_seen,
            versions=row.version,
        )
