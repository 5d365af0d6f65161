"""Pages: which to fetch, which to extract, and how each of them ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, case, exists, func, or_, select, true, update

from archiver.acquisition.outcomes import Failure
from archiver.acquisition.pages import EntryOutcome
from archiver.acquisition.targets import PendingPage
from archiver.store.content.parts import is_first_pending, with_other_parts
from archiver.store.leaving_out import none_of
from archiver.store.looks.walks import begin_walks
from archiver.store.quotas import count_pages
from archiver.store.reliability.validators import with_trusted
from archiver.store.schema import channels, entries, leads, pages
from archiver.store.workers import hold_pages, is_in_own_files
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime, timedelta
    from typing import Any

    from sqlalchemy import ColumnElement, Connection, Row

    from archiver.acquisition.findings import Settlement
    from archiver.acquisition.pages import PageValidators
    from archiver.acquisition.walks import Walk
    from archiver.archive.warc.records import Capture
    from archiver.articles.leads import Lead
    from archiver.store.content.parts import OtherPart


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedPage:
    """A page that is in the archive and waits to be extracted."""

    id: int
    url: str
    capture: Capture
    leads: tuple[Lead, ...]
    other_summaries: tuple[str, ...] = ()
    size: int = 0
    # The article that an earlier capture showed.
    article_id: int | None = None
    # No entry waits for it: these are earlier ones.
    is_recheck: bool = False
    # The part that is read, whether its article is known as that, and what else was announced on the page.
    part: str = ""
    is_known_part: bool = False
    others: tuple[OtherPart, ...] = ()
    # The further pages of its article, where it has some.
    walk: Walk | None = None

    @property
    def is_imported(self) -> bool:
        """Whether another program captured it: nothing is fetched for it."""
        return bool(self.leads) and self.leads[0].is_import

    @property
    def identity_keys(self) -> frozenset[str]:
        return identity_keys_of(self.capture)


def identity_keys_of(capture: Capture) -> frozenset[str]:
    """What two captures of one article have in common: address, or payload."""
    return frozenset(filter(None, (capture.page_key, capture.content_key)))


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshCapture:
    """A page that is in the archive now."""

    page_id: int
    capture: Capture
    size: int = 0
    validators: PageValidators | None = None


def pending_pages(
    connection: Connection,
    now: datetime,
    *,
    limit: int,
    per_host: int,
    busy: Collection[int],
    without: Collection[str] = (),
    of: str | None = None,
) -> list[PendingPage]:
    """Pages to fetch, the longest waiting first, no host taking the places of the others, some left out.

    `of` a source: only those that it leads to.
    """
    rank = func.row_number().over(partition_by=pages.c.host, order_by=(pages.c.next_try, pages.c.id))
    ranked = (
        select(*ASKED, pages.c.next_try, rank.label("rank"))
        .where(pages.c.state == "pending", pages.c.next_try <= now)
        .where(none_of(connection, pages.c.host, without))
        .where(is_first_pending())
        .where(true() if of is None else _led_by(of))
        .subquery()
    )
    query = select(*(ranked.c[column.name] for column in ASKED)).where(ranked.c.rank <= per_host)
    query = query.order_by(ranked.c.next_try, ranked.c.id).limit(limit)
    rows = [row for row in connection.execute(query) if row.id not in busy]
    contexts = _contexts(connection, [row.id for row in rows])
    found = [replace(asked_page(row), context=contexts.get(row.id, ())) for row in rows]
    return with_trusted(connection, found, now)


def _led_by(source: str) -> ColumnElement[bool]:
    return exists().where(leads.c.page_id == pages.c.id, leads.c.pending, leads.c.source == source)


# What must be known of a page to ask for it.
ASKED = tuple(pages.c[name] for name in ("id", "url", "host", "submission", "validators", "capture", "walk"))


def asked_page(row: Row[Any]) -> PendingPage:
    """What is asked for: the page, or the further page of its article that comes next."""
    if row.walk is None or row.walk.asked is None:
        return PendingPage(
            id=row.id,
            url=row.url,
            host=row.host,
            submission=row.submission,
            validators=row.validators,
            capture=row.capture,
        )
    known = row.walk.known(row.walk.asked)
    return PendingPage(
        id=row.id,
        url=row.walk.asked,
        host=row.host,
        validators=known.validators if known else None,
        capture=known.capture if known else None,
        is_further=True,
    )


def _contexts(connection: Connection, page_ids: Sequence[int]) -> dict[int, tuple[tuple[str, str], ...]]:
    query = (
        select(entries.c.page_id, entries.c.key, channels.c.url)
        .join(channels, channels.c.id == entries.c.channel_id)
        .where(entries.c.page_id.in_(page_ids), entries.c.pending)
        .order_by(entries.c.channel_id.desc(), entries.c.id.desc())
    )
    led = select(leads.c.page_id, leads.c.via).where(leads.c.page_id.in_(page_ids), leads.c.pending)
    found: dict[int, tuple[tuple[str, str], ...]] = {
        row.page_id: (("via", redact(row.via)),) for row in connection.execute(led)
    }
    # Written over from the last to the first: what stays is the entry that is extracted with.
    for row in connection.execute(query):
        found[row.page_id] = (("via", redact(row.url)), ("entry", row.key))
    return found


def all_pending_pages(connection: Connection) -> list[PendingPage]:
    """Every page that waits, due or not; of several parts of one, the first."""
    query = select(*ASKED).where(pages.c.state == "pending", is_first_pending())
    return [asked_page(row) for row in connection.execute(query.order_by(pages.c.id))]


def next_try(connection: Connection) -> datetime | None:
    """When the next pending page may be asked for."""
    query = select(pages.c.next_try).where(pages.c.state == "pending").order_by(pages.c.next_try).limit(1)
    return connection.execute(query).scalar()


def count_waiting_pages(connection: Connection, now: datetime, *, hosts: Collection[str]) -> dict[str, int]:
    """How many pages of these hosts might be fetched by now."""
    due = (pages.c.state == "pending", pages.c.next_try <= now, pages.c.host.in_(hosts))
    query = select(pages.c.host, func.count().label("waiting")).where(*due).group_by(pages.c.host)
    return {row.host: row.waiting for row in connection.execute(query)}


def mark_captured(
    connection: Connection, captures: Sequence[FreshCapture], now: datetime | None = None
) -> None:
    """From here on the page is extracted from the archive, not fetched again, nor for its other parts.

    `now` is the schedule's.
    """
    shared = with_other_parts(connection, captures)
    rows = [
        {
            "page": one.page_id,
            "found": one.capture,
            "at": one.capture.date,
            "bytes": one.size,
            "given": one.validators,
        }
        for one in shared
    ]
    connection.execute(_MARK_CAPTURED, rows)
    hold_pages(connection, [one.page_id for one in shared])
    begin_walks(connection, [one.page_id for one in shared])
    count_pages(connection, [one.page_id for one in captures], now or captures[-1].capture.date)


# The channel that is known longest: which of two polls was answered first must not decide it.
_ITS_CHANNEL = select(func.min(entries.c.channel_id)).where(entries.c.page_id == pages.c.id).correlate(pages)
_WAITING_CHANNEL = _ITS_CHANNEL.where(entries.c.pending).scalar_subquery()
# Of a page that nothing waits for, only one that shows an article belongs to a scope.
_KNOWN_CHANNEL = _ITS_CHANNEL.where(pages.c.article_id.is_not(None)).scalar_subquery()
# Of the scopes of other sources, too, the one that is known longest.
_ITS_SCOPE = select(func.max(leads.c.scope_id)).where(leads.c.page_id == pages.c.id).correlate(pages)
_WAITING_SCOPE = _ITS_SCOPE.where(leads.c.pending).scalar_subquery()
_KNOWN_SCOPE = _ITS_SCOPE.where(pages.c.article_id.is_not(None)).scalar_subquery()
_MARK_CAPTURED = (
    update(pages)
    .where(pages.c.id == bindparam("page"))
    .values(
        state="captured",
        capture=bindparam("found", type_=pages.c.capture.type),
        captured=bindparam("at", type_=pages.c.captured.type),
        size=bindparam("bytes"),
        validators=bindparam("given", type_=pages.c.validators.type),
        scope_id=func.coalesce(_WAITING_CHANNEL, _WAITING_SCOPE, _KNOWN_CHANNEL, _KNOWN_SCOPE, 0),
        failure=None,
    )
)


def count_captured(connection: Connection) -> int:
    """How many pages wait to be read here."""
    query = select(func.count()).where(pages.c.state == "captured", is_in_own_files(connection))
    return connection.execute(query).scalar_one()


def try_again(connection: Connection, page_id: int, failure: str, wait: timedelta, now: datetime) -> None:
    connection.execute(
        update(pages)
        .where(pages.c.id == page_id)
        .values(state="pending", tries=pages.c.tries + 1, failure=failure, next_try=now + wait)
    )


def note_fault(connection: Connection, page_id: int) -> int:
    """Count a fault that kept a captured page from being read: how often in a row that happened."""
    # Until then, these are the tries that it took to fetch it.
    again = case((pages.c.failure == Failure.INTERNAL, pages.c.tries + 1), else_=1)
    mine = pages.c.id == page_id
    connection.execute(update(pages).where(mine).values(tries=again, failure=Failure.INTERNAL))
    return tries_of(connection, page_id)


def tries_of(connection: Connection, page_id: int) -> int:
    return int(connection.execute(select(pages.c.tries).where(pages.c.id == page_id)).scalar_one())


def article_of(connection: Connection, page_id: int) -> int | None:
    """The article that a page has shown."""
    return connection.execute(select(pages.c.article_id).where(pages.c.id == page_id)).scalar()


def settle(
    connection: Connection, settlements: Sequence[Settlement], *, recorded: datetime, now: datetime
) -> bool:
    """End the wait of the entries of these pages; True where some changed since, and ask again."""
    if not settlements:  # all records of a group were lost
        return False
    rows = [
        {
            "page": settlement.page_id,
            "known": settlement.known_at,
            "ended": settlement.outcome,
            "at": recorded,
            "detail": settlement.detail,
            "article": settlement.article_id,
            "carried": settlement.carried,
            "others": EntryOutcome.UNCHANGED
            if settlement.outcome is EntryOutcome.STORED
            else settlement.outcome,
        }
        for settlement in settlements
    ]
    connection.execute(_SETTLE_ENTRIES, rows)
    connection.execute(_SETTLE_LEADS, rows)
    connection.execute(_SETTLE_PAGES, rows)
    forget_validators(connection, [one.page_id for one in settlements if one.forgets])
    asked_again = or_(
        exists().where(entries.c.page_id == pages.c.id, entries.c.pending),
        exists().where(leads.c.page_id == pages.c.id, leads.c.pending),
    )
    changed = connection.execute(
        update(pages)
        .where(pages.c.id.in_([row["page"] for row in rows]), asked_again)
        .values(state="pending", next_try=now, tries=0)
    )
    return changed.rowcount > 0


def forget_validators(connection: Connection, page_ids: Sequence[int]) -> None:
    """Ask for these pages unconditionally."""
    if page_ids:
        connection.execute(update(pages).where(pages.c.id.in_(page_ids)).values(validators=None))


_SETTLE_ENTRIES = (
    update(entries)
    .where(
        entries.c.page_id == bindparam("page"),
        entries.c.pending,
        entries.c.changed.is_(None) | (entries.c.changed <= bindparam("known", type_=entries.c.changed.type)),
    )
    .values(
        pending=False,
        # What other entries announced is in the archive; the object does not name them.
        outcome=case(
            (
                entries.c.id == bindparam("carried", type_=entries.c.id.type),
                bindparam("ended", type_=entries.c.outcome.type),
            ),
            else_=bindparam("others", type_=entries.c.outcome.type),
        ),
        settled=bindparam("at", type_=entries.c.settled.type),
    )
)
_SETTLE_LEADS = (
    update(leads)
    .where(
        leads.c.page_id == bindparam("page"),
        leads.c.pending,
        leads.c.changed.is_(None) | (leads.c.changed <= bindparam("known", type_=leads.c.changed.type)),
    )
    .values(
        pending=False,
        outcome=bindparam("ended", type_=leads.c.outcome.type),
        settled=bindparam("at", type_=leads.c.settled.type),
    )
)
_SETTLE_PAGES = (
    update(pages)
    .where(pages.c.id == bindparam("page"))
    .values(
        state="settled",
        failure=bindparam("detail"),
        # A page that has shown an article keeps it, whatever it shows later.
        article_id=func.coalesce(bindparam("article", type_=pages.c.article_id.type), pages.c.article_id),
    )
)
