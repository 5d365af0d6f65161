"""A host's sitemap makes articles due that it tells of, spares the others, and is ignored where it lies."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import BigInteger, insert, select, type_coerce, update

from archiver.acquisition.items import SitemapFetch
from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.pages import PageValidators
from archiver.acquisition.rechecks.lastmods import MOVED, SPARED, TRUSTED, Lie
from archiver.acquisition.rechecks.schedule import RecheckPolicy
from archiver.acquisition.rechecks.sitemaps import ROUND, SEARCH_AGAIN, ListedPage, SitemapRead
from archiver.acquisition.rechecks.watching import RecheckRules, Watched
from archiver.documents.lists.model import SitemapLink
from archiver.store.looks.rechecks import due_rechecks
from archiver.store.looks.sitemaps import count_watched, count_when_due, due_sitemaps, store_sitemap_fetch
from archiver.store.looks.watching import watch
from archiver.store.polling.prices import rechecks_now
from archiver.store.quotas import Quotas, hold_back
from archiver.store.schema import articles, channels, entries, lastmods, pages, sitemaps, versions
from tests.store.samples import HOUR, NOW, capture, row_of, rows_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from archiver.acquisition.targets import SitemapAsk
    from archiver.store.database import Database
    from archiver.store.looks.sitemaps import SitemapResult

DAY, MONTH = timedelta(days=1), timedelta(days=30)
RULES = RecheckRules(policy=RecheckPolicy(), share=0.5, sitemaps=10)
MAP = "http://example.org:8080/sitemap.xml"
OLD = NOW - 9 * DAY


def url(number: int) -> str:
    return f"http://example.org:8080/{number}"


def add_articles(connection: Connection, channel: int, many: int = 50) -> None:
    """Articles that were last looked at an hour ago and are due in ten days."""
    connection.execute(update(channels).values(last_poll=NOW))  # nothing waits for its poll
    for number in range(1, many + 1):
        connection.execute(insert(articles).values(id=number, **_article(number)))
        watched = {"born": OLD, "first_look": OLD, "looked": NOW - HOUR, "recheck": NOW + 10 * DAY}
        page = {"key": url(number), "url": url(number), "host": "example.org", "state": "settled"}
        values = page | watched | {"id": number, "article_id": number, "next_try": NOW}
        connection.execute(insert(pages).values(why="as ever", **values))
        entry = {"channel_id": channel, "key": url(number), "page_id": number, "entry": {}, "digest": ""}
        connection.execute(insert(entries).values(first_seen=NOW, pending=False, **entry))


def _article(number: int) -> dict[str, Any]:
    return {"key": url(number), "url": url(number), "version": 1, "first_seen": OLD, "last_captured": NOW}


@pytest.fixture
def site(database: Database, channel: int) -> Database:
    """Fifty articles of a host, whose sitemap was found, and listed all of them."""
    database.run(add_articles, channel)
    database.run(count_watched, 30 * DAY, NOW - DAY)
    answer(database, NOW - DAY, read=SitemapRead(sitemaps=(SitemapLink(url=MAP),)))
    listed(database, NOW - DAY)
    return database


def ask(database: Database, at: datetime) -> SitemapAsk:
    (found,) = database.run(due_sitemaps, at, limit=9, busy=())
    return found


def answer(database: Database, at: datetime, **what: Any) -> SitemapResult:
    fetch = SitemapFetch(ask=ask(database, at), **what)
    return database.run(store_sitemap_fetch, fetch, most=10, now=at)


def listed(
    database: Database, at: datetime, moved: dict[int, datetime] | None = None, **other: Any
) -> SitemapResult:
    """The sitemap answers with all articles, some of them with another date."""
    dates = dict.fromkeys(range(1, 51), OLD) | (moved or {})
    found = tuple(ListedPage(key=url(number), lastmod=lastmod) for number, lastmod in dates.items())
    return answer(database, at, read=SitemapRead(pages=found), capture=capture(), **other)


def look(database: Database, *numbers: int, at: datetime, changed: bool, is_seen: bool = True) -> None:
    looks = [
        Watched(page_id=number, article_id=number, at=at, changed=changed, is_seen=is_seen)
        for number in numbers
    ]
    database.run(watch, looks, RULES, at)


def due(database: Database, at: datetime) -> list[int]:
    return [
        one.id
        for one in database.run(due_rechecks, at, RULES, limit=100, per_host=100, busy=(), not_since=NOW)
    ]


def test_hosts_with_fifty_articles_under_watch_are_asked(database: Database, channel: int) -> None:
    database.run(add_articles, channel, 49)
    database.run(count_watched, 30 * DAY, NOW)
    assert rows_of(database, sitemaps) == []
    database.run(lambda connection: connection.execute(insert(articles).values(id=50, **_article(50))))
    fiftieth = {"key": url(50), "url": url(50), "host": "example.org", "state": "settled", "next_try": NOW}
    values = fiftieth | {"id": 50, "article_id": 50, "born": NOW - 29 * DAY}
    database.run(lambda connection: connection.execute(insert(pages).values(**values)))
    entry = {"channel_id": channel, "key": "50", "page_id": 50, "entry": {}, "digest": "", "pending": False}
    database.run(lambda connection: connection.execute(insert(entries).values(first_seen=NOW, **entry)))
    database.run(count_watched, 20 * DAY, NOW)
    assert rows_of(database, sitemaps) == []
    database.run(count_watched, 30 * DAY, NOW)
    assert ask(database, NOW).file.url == "http://example.org:8080/robots.txt"


def test_articles_are_counted_twice_a_day(database: Database, channel: int) -> None:
    database.run(add_articles, channel)
    database.run(count_when_due, 30 * DAY, NOW)
    assert rows_of(database, sitemaps) == []  # nothing was ever looked at again
    database.run(rechecks_now, 0.5, NOW)
    database.run(count_when_due, 30 * DAY, NOW)
    paused = update(channels).values(status="paused")
    database.run(lambda connection: connection.execute(paused))
    database.run(count_when_due, 30 * DAY, NOW + 11 * HOUR)
    assert row_of(database, sitemaps).watched == 50
    database.run(count_when_due, 30 * DAY, NOW + 12 * HOUR)
    assert row_of(database, sitemaps).watched == 0


def test_a_host_whose_channels_are_paused_is_left_alone(site: Database, channel: int) -> None:
    paused = update(channels).where(channels.c.id == channel).values(status="paused")
    site.run(lambda connection: connection.execute(paused))
    site.run(count_watched, 30 * DAY, NOW)
    assert site.run(due_sitemaps, NOW, limit=9, busy=()) == []


def test_sitemaps_are_asked_for_once_a_day_and_conditionally(site: Database) -> None:
    assert site.run(due_sitemaps, NOW - HOUR, limit=9, busy=()) == []
    given = PageValidators(url=MAP, etag='"1"')
    listed(site, NOW, validators=given)
    found = ask(site, NOW + ROUND)
    assert (found.file.url, found.file.validators, found.file.capture) == (MAP, given, capture())
    assert answer(site, NOW + ROUND, is_not_modified=True).moved == 0
    assert {row.told for row in rows_of(site, lastmods)} == {NOW + ROUND}
    assert ask(site, NOW + 2 * ROUND).file.validators == given


def test_an_article_whose_date_moved_is_looked_at_now(site: Database) -> None:
    assert listed(site, NOW, {7: NOW}).moved == 1
    assert due(site, NOW) == [7]
    assert row_of(site, pages, id=7).why == MOVED
    look(site, 7, at=NOW, changed=True)
    assert due(site, NOW) == []
    assert row_of(site, sitemaps).told_true == 1


def test_also_one_that_is_no_longer_watched(site: Database) -> None:
    settled = update(pages).where(pages.c.id == 7).values(recheck=None)
    site.run(lambda connection: connection.execute(settled))
    listed(site, NOW, {7: NOW})
    assert due(site, NOW) == [7]


def edited(connection: Connection, *numbers: int, after: datetime, found: datetime) -> None:
    """Each of these articles had changed when it was last looked at."""
    for number in numbers:
        version = {"article_id": number, "version": 2, "captured": found, "unchanged_until": after}
        file = {"object_file": "a", "object_offset": 0, "method": "m", "capture": capture()}
        file |= dict.fromkeys(("digest", "title_digest", "text_digest"), "t2:x")
        connection.execute(insert(versions).values(**version, **file))
    connection.execute(update(articles).where(articles.c.id.in_(numbers)).values(version=2))


@pytest.mark.parametrize(("lastmod", "told_true"), [(OLD, 20), (OLD + DAY, 0), (OLD - DAY, None)])
def test_edits_that_were_found_before_a_sitemap_was_had_are_held_against_it(
    database: Database, channel: int, lastmod: datetime, told_true: int | None
) -> None:
    database.run(add_articles, channel)
    database.run(edited, *range(1, 21), after=OLD - HOUR, found=OLD + HOUR)
    database.run(count_watched, 30 * DAY, NOW)
    answer(database, NOW, read=SitemapRead(sitemaps=(SitemapLink(url=MAP),)))
    said = listed(database, NOW, dict.fromkeys(range(1, 21), lastmod))
    assert said.lie is (Lie.UNTOLD if told_true is None else None)
    assert row_of(database, sitemaps).told_true == (told_true or 0)


def test_a_date_before_our_last_look_makes_nothing_due(site: Database) -> None:
    assert listed(site, NOW, {7: NOW - 2 * HOUR}).moved == 0
    assert due(site, NOW) == []


def test_an_edit_that_is_told_of_after_it_was_found_was_told(site: Database) -> None:
    look(site, 7, at=NOW - 5 * HOUR, changed=True)
    assert row_of(site, lastmods, page_id=7).untold == NOW - 5 * HOUR
    assert listed(site, NOW, {7: NOW - 6 * HOUR}).lie is None
    assert row_of(site, lastmods, page_id=7).untold is None
    assert row_of(site, sitemaps).told_true == 1


@pytest.mark.parametrize("is_not_modified", [False, True])
def test_an_edit_that_is_never_told_of_is_a_lie(site: Database, *, is_not_modified: bool) -> None:
    look(site, 7, at=NOW - 5 * HOUR, changed=True)
    said = answer(site, NOW, is_not_modified=True) if is_not_modified else listed(site, NOW)
    assert (said.lie, said.until) == (Lie.UNTOLD, NOW + MONTH)
    assert site.run(due_sitemaps, NOW + MONTH - HOUR, limit=9, busy=()) == []
    assert ask(site, NOW + MONTH).file.url.endswith("/robots.txt")
    assert rows_of(site, lastmods) == []


def test_an_edit_of_a_moment_ago_need_not_be_told_of_yet(site: Database) -> None:
    look(site, 7, at=NOW - HOUR, changed=True)
    assert listed(site, NOW).lie is None
    assert listed(site, NOW + ROUND).lie is Lie.UNTOLD


def test_dates_that_all_move_together_cause_no_look(site: Database) -> None:
    said = listed(site, NOW, dict.fromkeys(range(1, 51), NOW))
    assert (said.lie, said.moved) == (Lie.BUILD_TIME, 0)
    assert due(site, NOW) == []


def test_alarms_that_are_none_end_and_what_was_due_for_them_is_not(site: Database) -> None:
    listed(site, NOW, dict.fromkeys(range(1, 9), NOW))
    assert due(site, NOW) == [1, 2, 3, 4, 5, 6, 7, 8]
    look(site, 1, at=NOW, changed=False)
    look(site, 2, at=NOW, changed=False, is_seen=False)  # says nothing
    look(site, 3, 4, at=NOW, changed=False)
    row = row_of(site, sitemaps)
    assert (row.lie, row.next_ask) == (Lie.FALSE_ALARMS, NOW + MONTH)
    assert 5 not in due(site, NOW)
    assert row_of(site, pages, id=5).recheck == NOW + 10 * DAY


def trusted(database: Database) -> None:
    believed = update(sitemaps).values(told_true=TRUSTED)
    database.run(lambda connection: connection.execute(believed))


def test_where_a_sitemap_told_true_the_others_are_looked_at_a_tenth_as_often(site: Database) -> None:
    born = update(pages).where(pages.c.id.in_([7, 8])).values(born=NOW - HOUR, first_look=NOW - HOUR)
    site.run(lambda connection: connection.execute(born))
    look(site, 7, at=NOW, changed=True)
    usual = row_of(site, pages, id=7).recheck - NOW
    assert usual < 3 * DAY
    trusted(site)
    look(site, 8, at=NOW, changed=True)
    row = row_of(site, pages, id=8)
    # What the first look taught of the channel makes the second come a little sooner.
    assert 8 * usual < row.recheck - NOW < 11 * usual
    assert SPARED in row.why


def test_what_was_spared_is_looked_at_as_often_as_others_when_the_sitemap_lies(site: Database) -> None:
    look(site, 7, at=NOW, changed=False)
    usual = row_of(site, pages, id=7).recheck
    trusted(site)
    young = update(pages).where(pages.c.id == 8).values(recheck=NOW + 10 * HOUR, looked=NOW, why=SPARED)
    site.run(lambda connection: connection.execute(young))
    look(site, 9, at=NOW, changed=True)
    assert listed(site, NOW + ROUND).lie is Lie.UNTOLD
    assert row_of(site, pages, id=8).recheck == NOW + HOUR
    assert row_of(site, pages, id=7).recheck == usual


@pytest.mark.parametrize(("days", "is_spared"), [(2, True), (4, False)])
def test_a_sitemap_that_was_not_had_for_days_spares_nothing(
    site: Database, days: int, *, is_spared: bool
) -> None:
    """It was had a day before."""
    at = NOW + (days - 1) * DAY
    born = update(pages).where(pages.c.id == 7).values(born=at - HOUR, first_look=at - HOUR)
    site.run(lambda connection: connection.execute(born))
    trusted(site)
    look(site, 7, at=at, changed=True)
    assert (SPARED in row_of(site, pages, id=7).why) == is_spared


def test_a_fixed_interval_is_kept_whatever_a_sitemap_tells(site: Database) -> None:
    fixed = replace(RULES, policy=RecheckPolicy(interval=DAY))
    assert RULES.asks_for_sitemaps
    assert not fixed.asks_for_sitemaps
    trusted(site)
    looked = Watched(page_id=7, article_id=7, at=NOW, changed=True, is_seen=True)
    site.run(watch, [looked], fixed, NOW)
    assert row_of(site, pages, id=7).recheck == NOW + DAY


def test_what_a_sitemap_no_longer_lists_it_says_nothing_of(site: Database) -> None:
    found = tuple(ListedPage(key=url(number), lastmod=OLD) for number in range(1, 11))
    answer(site, NOW, read=SitemapRead(pages=found))
    assert [row.page_id for row in rows_of(site, lastmods)] == list(range(1, 11))


def test_a_server_in_trouble_is_asked_tomorrow_and_one_without_a_sitemap_in_a_month(site: Database) -> None:
    answer(site, NOW, failed=Failed(failure=Failure.UNAVAILABLE))
    assert row_of(site, sitemaps).next_ask == NOW + ROUND
    answer(site, NOW + ROUND, failed=Failed(failure=Failure.NOT_FOUND))
    assert row_of(site, sitemaps).next_ask == NOW + ROUND + SEARCH_AGAIN


def test_a_round_goes_on_with_what_an_index_names(site: Database) -> None:
    part = "http://example.org:8080/part.xml"
    answer(site, NOW, read=SitemapRead(sitemaps=(SitemapLink(url=part, modified=OLD),)))
    assert ask(site, NOW).file.url == part
    listed(site, NOW)
    # It has not moved by the next day: what it lists still holds, and it is not asked for.
    answer(site, NOW + ROUND, read=SitemapRead(sitemaps=(SitemapLink(url=part, modified=OLD),)))
    assert site.run(due_sitemaps, NOW + ROUND, limit=9, busy=()) == []
    assert {row.told for row in rows_of(site, lastmods)} == {NOW + ROUND}


def test_a_host_that_gave_enough_for_a_day_is_asked_tomorrow(site: Database) -> None:
    site.run(hold_back, Quotas(host_pages=1), NOW - DAY)
    listed(site, NOW)
    late = update(sitemaps).values(next_ask=NOW)
    site.run(lambda connection: connection.execute(late))
    site.run(hold_back, Quotas(host_pages=1), NOW)
    assert site.run(due_sitemaps, NOW, limit=9, busy=()) == []


def test_a_page_in_two_sitemaps_is_held_against_one_of_them(site: Database) -> None:
    """The other one writes its date in another way: that is no edit, and no false alarm."""
    index = tuple(SitemapLink(url=f"http://example.org:8080/{name}.xml") for name in ("news", "all"))
    answer(site, NOW, read=SitemapRead(sitemaps=index))
    later = dict.fromkeys((7, 8, 9), NOW + 9 * HOUR)
    assert ask(site, NOW).file.url.endswith("/news.xml")
    listed(site, NOW)
    assert ask(site, NOW).file.url.endswith("/all.xml")
    assert listed(site, NOW, later).moved == 0
    assert due(site, NOW) == []
    # Where the first one is no longer had, the other one counts.
    site.run(lambda connection: connection.execute(update(sitemaps).values(next_ask=NOW + 4 * DAY)))
    assert listed(site, NOW + 4 * DAY, dict.fromkeys((7, 8, 9), NOW + 4 * DAY)).moved == 3


def test_a_first_date_that_is_far_ahead_hides_no_later_one(database: Database, channel: int) -> None:
    database.run(add_articles, channel)
    database.run(count_watched, 30 * DAY, NOW - DAY)
    answer(database, NOW - DAY, read=SitemapRead(sitemaps=(SitemapLink(url=MAP),)))
    listed(database, NOW - DAY, {7: NOW + 999 * DAY})
    assert 7 not in {row.page_id for row in rows_of(database, lastmods)}
    listed(database, NOW)
    assert listed(database, NOW + ROUND, {7: NOW + ROUND}).moved == 1


def test_looks_that_come_sooner_are_whole_moments(site: Database) -> None:
    trusted(site)
    odd = NOW + 10 * HOUR + timedelta(microseconds=3)
    young = update(pages).where(pages.c.id == 8).values(recheck=odd, looked=NOW, why=SPARED)
    site.run(lambda connection: connection.execute(young))
    look(site, 9, at=NOW, changed=True)
    assert listed(site, NOW + ROUND).lie is Lie.UNTOLD
    stored = select(type_coerce(pages.c.recheck, BigInteger)).where(pages.c.id == 8)
    assert isinstance(site.run(lambda connection: connection.execute(stored).scalar_one()), int)


def test_an_edit_that_was_found_on_the_day_of_its_date_is_no_alarm(site: Database) -> None:
    site.run(edited, 7, 8, after=NOW - 2 * HOUR, found=NOW - HOUR)
    day = datetime.combine(NOW, time.max, tzinfo=UTC)
    assert listed(site, NOW, {7: day, 9: day}).moved == 1
    assert due(site, NOW) == [9]
