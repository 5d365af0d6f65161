"""A gap counts as filled only where a list has both of its ends and nothing is left out between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.feeds.model import FeedEntry
from archiver.documents.lists.model import ArchivePage
from tests.gaps.test_gap_plan import HOST, World, down, entry, is_whole, link, listed, sitemap

if TYPE_CHECKING:
    from collections.abc import Sequence


def uncounted(*numbers: int, following: str | None = None, dated: bool = False) -> ArchivePage:
    """A page whose next one is told by rel=next alone."""
    entries = tuple(link(number, dated=dated) for number in numbers)
    return ArchivePage(entries=entries, following=following, is_counted=False)


def test_a_list_that_left_out_what_the_feed_shows_fills_nothing() -> None:
    """The next page is a category: some entries of the feed, one that was missing, some that were known."""
    answers = {
        "/": listed(30, 29, following=f"{HOST}/poets/"),
        "/poets/": listed(27, 24, 10, 8, 7),
    }
    world = World(answers=answers).fill()
    assert not world.met
    assert world.found == [24]
    whole = {"/": listed(30, 29, following=f"{HOST}/page/2"), "/page/2": listed(*down(28, 8))}
    assert is_whole(World(answers=whole).fill())


def test_one_that_the_list_does_not_have_is_no_reason_to_doubt() -> None:
    assert is_whole(World(answers={"/": listed(30, 28, 27, *down(26, 8))}).fill())


def test_a_next_page_with_newer_entries_is_another_list() -> None:
    answers = {
        "/": uncounted(*down(30, 22), following=f"{HOST}/poets/", dated=True),
        "/poets/": uncounted(29, 27, 25, 23, 18, 10, 9, 8, dated=True),
    }
    world = World(answers=answers).fill()
    assert (set(world.found), world.met) == (set(down(25, 22)), False)


def test_without_dates_what_was_shown_before_tells_another_list() -> None:
    answers = {
        "/": uncounted(*down(30, 22), following=f"{HOST}/poets/"),
        "/poets/": uncounted(29, 28, 27, 26, 18, 10, 9, 8),
    }
    world = World(answers=answers).fill()
    assert (set(world.found), world.met) == (set(down(25, 22)), False)


def test_a_page_that_does_not_count_on_ends_only_at_the_newest_that_were_known() -> None:
    """A category that nothing new was written for."""
    first = uncounted(*down(30, 22), following=f"{HOST}/older")
    known = range(1, 11)
    category = World(answers={"/": first, "/older": uncounted(8, 5, 4, 3, 2, 1)}, known=known).fill()
    assert (set(category.found), category.met) == (set(down(25, 22)), False)
    assert is_whole(World(answers={"/": first, "/older": uncounted(*down(21, 1))}, known=known).fill())


def test_a_page_that_overlaps_with_the_one_before_is_still_the_next_one() -> None:
    answers = {
        "/": uncounted(*down(30, 21), following=f"{HOST}/older", dated=True),
        "/older": uncounted(*down(23, 6), dated=True),
    }
    assert is_whole(World(answers=answers).fill())


# ── An archive that lists all ────────────────────────────────────────────────────────────────────────────


def archive_at(*urls: str, shown: Sequence[int] = ()) -> ArchivePage:
    return ArchivePage(entries=tuple(map(link, shown)), archives=tuple(HOST + url for url in urls))


def test_an_archive_that_the_site_names_is_read_where_its_list_is_cut_short() -> None:
    answers = {"/": archive_at("/archives.html", shown=down(30, 24)), "/archives.html": listed(*down(30, 1))}
    world = World(answers=answers).fill()
    assert is_whole(world)
    assert world.asked[-1] == "/archives.html"
    # Also by a page that lists nothing itself.
    assert is_whole(World(answers=answers | {"/": archive_at("/archives.html")}).fill())


def test_an_archive_may_have_the_oldest_first() -> None:
    answers = {"/": archive_at("/archives.html"), "/archives.html": listed(*range(1, 31))}
    assert is_whole(World(answers=answers, known=range(6, 11)).fill())


def test_an_archive_that_nothing_names_is_looked_for_once_the_list_was_its_own() -> None:
    """Pelican's default theme has no link to it."""
    answers = {"/": listed(*down(30, 24)), "/archives.html": listed(*down(30, 1))}
    assert is_whole(World(answers=answers).fill())
    asked = World(answers={"/": listed(60, 61)}).fill().asked
    assert not [url for url in asked if "archive" in url]


# ── Sitemaps ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_sitemap_that_gives_everything_the_day_of_its_making_has_no_dates() -> None:
    day = entry(48).published
    mixed = [7, 30, 20, 3, 26, 10, 15, 29, 9, 1, 27, 8]
    made = ArchivePage(entries=tuple(FeedEntry(link=link(one).link, updated=day) for one in mixed))
    world = World(answers={"/sitemap.xml": made}).fill()
    assert (world.found, world.met) == ([], False)
    assert is_whole(World(answers={"/sitemap.xml": sitemap(*range(7, 31))}).fill())
