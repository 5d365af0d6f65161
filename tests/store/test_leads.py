"""Pages that other sources than feeds lead to: asked for once, read in their scope, settled like others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.pages import EntryOutcome
from archiver.documents.pages.model import Announcement
from archiver.running.reading.grouping import ALONE
from archiver.running.reading.taking import GroupRequest, take_groups
from archiver.store.content.leads import (
    FoundPage,
    lead_to,
    leads_of_articles,
    past_leads,
    scope_of,
    waiting_leads,
)
from archiver.store.content.pages import FreshCapture, mark_captured, pending_pages
from archiver.store.content.rereading import RereadSelection, count_by_scope, old_versions
from archiver.store.looks.rechecks import IS_WANTED
from archiver.store.schema import leads, pages
from tests.store.samples import FEED, NOW, all_pages, capture, entry, poll, row_of, rows_of
from tests.store.settling import finding, settle

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.database import Database

URL, LIST = "http://example.org/a", "http://example.org/notices"
LATER = NOW + timedelta(hours=1)
ALL = RereadSelection(extractor="better/2", since=datetime.min.replace(tzinfo=UTC))


def ask(database: Database, *urls: str, name: str = "court", again: bool = False) -> int:
    """The number of pages that are asked for anew."""
    scope = database.run(scope_of, "notices", name)
    found = [FoundPage(url=url, via=LIST, said=Announcement(title="A notice")) for url in urls]
    return database.run(lead_to, scope, "notices", found, recorded=NOW, now=NOW, again=again)


def capture_first(database: Database) -> None:
    database.run(mark_captured, [FreshCapture(page_id=1, capture=capture(1), size=10)], NOW)


def test_scopes_of_other_sources_have_numbers_below_zero_and_keep_them(database: Database) -> None:
    names = [("notices", "court"), ("notices", "council"), ("sites", "court")]
    assert [database.run(scope_of, *one) for one in names] == [-1, -2, -3]
    assert [database.run(scope_of, *one) for one in names] == [-1, -2, -3]


def test_a_page_is_asked_for_once_in_a_scope_unless_it_is_wanted_again(database: Database) -> None:
    assert ask(database, URL, "http://example.org/b", URL) == 2
    assert ask(database, URL) == 0
    assert ask(database, URL, name="council") == 1
    assert ask(database, URL, again=True) == 1
    (first, _) = database.run(pending_pages, NOW, limit=9, per_host=9, busy=())
    assert (first.url, first.context) == (URL, (("via", LIST),))
    assert [one.said.title for one in database.run(waiting_leads, [1])[1]] == ["A notice"] * 2


def test_an_entry_goes_before_other_leads_to_the_same_page(database: Database, channel: int) -> None:
    ask(database, URL)
    poll(database, channel, entry("a"))
    assert [one.via for one in database.run(waiting_leads, [1])[1]] == [FEED, LIST]
    capture_first(database)
    assert row_of(database, pages, id=1).scope_id == channel


def test_pages_of_a_scope_are_read_together(database: Database, channel: int) -> None:
    ask(database, URL)
    capture_first(database)
    wish = GroupRequest(rules=ALONE, extractor="article/2", room=9, now=NOW, moment=LATER)
    (group,) = database.run(take_groups, wish).groups
    assert (group.scope, [page.url for page in group.pages]) == (-1, [URL])
    (lead,) = group.pages[0].leads
    assert (lead.source, lead.via, lead.announcer, lead.announcement().title) == (
        "notices", LIST, None, "A notice"
    )  # fmt: skip
    assert channel


def test_what_a_page_came_to_settles_its_leads(
    database: Database, objects: ObjectWriter, tmp_path: Path
) -> None:
    ask(database, URL)
    capture_first(database)
    assert settle(database, objects, finding(database)) == ["stored"]
    (lead,) = rows_of(database, leads)
    assert (lead.pending, lead.outcome, lead.settled is not None) == (False, EntryOutcome.STORED, True)
    assert all_pages(database)[URL].state == "settled"
    assert [one.via for one in database.run(past_leads, [1])[1]] == [LIST]
    assert [one.via for one in database.run(leads_of_articles, [1])[1]] == [LIST]
    wanted = database.run(lambda connection: connection.execute(pages.select().where(IS_WANTED)).all())
    assert [row.url for row in wanted] == [URL]
    assert list(tmp_path.glob("**/articles-*.jsonl"))


def test_its_versions_are_read_anew_in_its_scope(
    database: Database, channel: int, objects: ObjectWriter
) -> None:
    ask(database, URL)
    capture_first(database)
    settle(database, objects, finding(database))
    assert database.run(count_by_scope, ALL, None) == {-1: 1}
    (old,) = database.run(old_versions, ALL, -1, after=None, limit=9)
    assert (old.lead.via, old.number) == (LIST, 1)
    # From when a feed announces it, it is one of the feed's.
    poll(database, channel, entry("a"))
    assert database.run(count_by_scope, ALL, None) == {channel: 1}
    assert database.run(old_versions, ALL, -1, after=None, limit=9) == []
    assert len(database.run(old_versions, ALL, channel, after=None, limit=9)) == 1
