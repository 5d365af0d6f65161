"""What was published before the first poll: lists are followed to their ends, and the ends are told apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.channels.gaps.plan import advance, begin_history
from archiver.documents.lists.model import FEED_WAYS, ArchivePage, Bounds, Candidate, Seen, SitemapLink, Way
from tests.gaps.test_gap_plan import FEED, HOST, NOW, down, entry, link, listed, number_of, page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.documents.feeds.model import FeedEntry
    from archiver.documents.lists.model import Plan

# The feed shows 26 to 30, which are known; 1 to 25 are not.
OLDER = list(down(25, 1))


@dataclass(kw_only=True)
class Past:
    """A site, and what is found of its past. An answer that is None is an error of the server."""

    answers: dict[str, ArchivePage | None] = field(default_factory=dict)
    paging: dict[str, str] = field(default_factory=dict)
    bounds: Bounds = field(default_factory=Bounds)
    asked: list[str] = field(default_factory=list)
    found: list[int] = field(default_factory=list)
    met: bool = False

    def fill(self) -> Past:
        links = [entry(number).link or "" for number in NOW]
        plan = begin_history(self.paging, FEED, f"{HOST}/", links)
        while plan.waiting and not self.met and len(self.asked) < 50:
            plan = self._ask(plan)
        return self

    def _ask(self, plan: Plan) -> Plan:
        ask = plan.waiting[0]
        path = ask.url.removeprefix(HOST)
        self.asked.append(path)
        answer = self.answers.get(path)
        shown: Sequence[FeedEntry] = answer.entries if answer else ()
        if answer and answer.feed and ask.way in FEED_WAYS:
            shown = answer.feed.entries
        candidates = [Candidate(entry=one, seen=self._seen(one)) for one in shown]
        step = advance(plan, answer, candidates, self.bounds, is_missing=path not in self.answers)
        self.found += [number_of(one) for one in step.found]
        self.met = step.met
        return step.plan

    def _seen(self, one: FeedEntry) -> Seen:
        return Seen.SINCE if number_of(one) in {*NOW, *self.found} else Seen.NEW


def paged(name: str = "paged", first: int = 1) -> dict[str, ArchivePage | None]:
    return {f"/feed?{name}={n + first}": page(*down(30 - 5 * n, 26 - 5 * n)) for n in range(6)}


def test_a_paged_feed_is_read_to_the_page_that_is_not_there() -> None:
    past = Past(answers=paged()).fill()
    assert (past.found, past.met) == (OLDER, True)
    assert past.asked == [f"/feed?paged={n}" for n in range(2, 8)]


@pytest.mark.parametrize("first", [0, 1])
def test_pages_may_count_from_0_or_from_1(first: int) -> None:
    past = Past(answers=paged("page", first)).fill()
    assert (past.found, past.met) == (OLDER, True)


def test_archives_end_with_the_one_that_names_none_before_it() -> None:
    answers = {"/a/2": page(*range(15, 29), prev_archive=f"{HOST}/a/1"), "/a/1": page(*range(1, 15))}
    past = Past(answers=dict(answers), paging={"prev-archive": f"{HOST}/a/2"}).fill()
    assert (sorted(past.found), past.met) == (sorted(OLDER), True)
    assert past.asked == ["/a/2", "/a/1"]


@pytest.mark.parametrize("last", [page(*NOW), page(*down(5, 1)), page()])
def test_a_server_may_answer_past_the_end_with_what_it_has(last: ArchivePage) -> None:
    past = Past(answers={**paged(), "/feed?paged=7": last}).fill()
    assert (past.found, past.met) == (OLDER, True)


def test_a_server_that_does_not_know_the_parameter_proves_nothing() -> None:
    same: dict[str, ArchivePage | None] = {
        f"/feed?{name}={n}": page(31, *NOW) for name in ("paged", "page") for n in range(1, 9)
    }
    past = Past(answers=same).fill()
    assert not past.met
    assert past.asked[:3] == ["/feed?paged=2", "/feed?page=1", "/feed?page=2"]


def test_an_error_in_the_middle_is_no_end() -> None:
    past = Past(answers={**paged(), "/feed?paged=4": None}).fill()
    assert past.found == list(down(25, 16))
    assert not past.met


def test_it_ends_where_everything_is_too_old() -> None:
    since = entry(14).published
    assert since is not None
    past = Past(answers=paged(), bounds=Bounds(after=since.utc, floor=since.utc)).fill()
    assert (past.found, past.met) == (list(down(25, 14)), True)
    assert past.asked[-1] == "/feed?paged=5"


def test_a_list_is_complete_with_its_last_page() -> None:
    answers: dict[str, ArchivePage | None] = {
        "/": listed(*down(30, 21), following=f"{HOST}/page/2"),
        "/page/2": listed(*down(20, 11), following=f"{HOST}/page/3"),
        "/page/3": listed(*down(10, 1)),
    }
    past = Past(answers=answers).fill()
    assert (past.found, past.met) == (OLDER, True)


def test_a_list_of_one_page_does_not_prove_that_it_has_everything() -> None:
    past = Past(answers={"/": listed(*down(30, 21))}).fill()
    assert (past.found, past.met) == (list(down(25, 21)), False)


@pytest.mark.parametrize("dated", [True, False])
def test_sitemaps_are_complete_when_all_of_them_were_read(dated: bool) -> None:
    def mapped(*numbers: int) -> ArchivePage:
        return ArchivePage(entries=tuple(link(number, dated=dated) for number in numbers))

    maps = tuple(SitemapLink(url=f"{HOST}/posts-{n}.xml") for n in range(1, 6))
    answers: dict[str, ArchivePage | None] = {
        "/robots.txt": ArchivePage(sitemaps=(SitemapLink(url=f"{HOST}/maps.xml"),)),
        "/maps.xml": ArchivePage(sitemaps=maps),
    }
    answers |= {f"/posts-{n}.xml": mapped(*range(6 * n - 5, 6 * n + 1)) for n in range(1, 6)}
    past = Past(answers=answers).fill()
    assert (sorted(past.found), past.met) == (sorted(OLDER), True)


def test_a_sitemap_of_a_larger_whole_is_left() -> None:
    mixed = [link(number) for number in (30, 130, 131, 29, 129, 132, 28, 128, 27, 127, 26)]
    answers: dict[str, ArchivePage | None] = {
        "/robots.txt": ArchivePage(sitemaps=(SitemapLink(url=f"{HOST}/map.xml"),)),
        "/map.xml": ArchivePage(entries=tuple(mixed)),
    }
    past = Past(answers=answers).fill()
    assert (past.found, past.met) == ([], False)


def test_everything_asked_for_is_wanted_as_a_whole_and_little_is_remembered() -> None:
    plan = begin_history({}, FEED, None, [entry(30).link or ""])
    assert all(ask.is_whole for ask in plan.waiting)
    for number in range(2, 1500):
        answer = page(-number)
        candidates = [Candidate(entry=entry(-number), seen=Seen.NEW)]
        plan = advance(plan, answer, candidates, Bounds()).plan
        assert plan.waiting[0].way is Way.PAGED
    assert len(plan.asked) <= 1000
