"""What looks at known articles come to, by values alone: no database, no clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from archiver.acquisition.pages import Missing
from archiver.acquisition.rechecks.absence import AbsenceKind
from archiver.acquisition.rechecks.lastmods import TRUSTED, Lie, SitemapTrust, SitemapWords, ToldPage
from archiver.acquisition.rechecks.schedule import RecheckPolicy
from archiver.acquisition.rechecks.watching import (
    LACKING,
    RESTLESS,
    AfterLook,
    BeforeLooks,
    Curves,
    LookedAtPage,
    RecheckRules,
    Watched,
    after_looks,
)

NOW = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
RULES = RecheckRules(policy=RecheckPolicy(interval=DAY), share=0.1, sitemaps=9)
LEARNING = RecheckRules(policy=RecheckPolicy(), share=0.1, sitemaps=9)


def known(**other: Any) -> LookedAtPage:
    """A page that was looked at a day ago, an hour after its article was born."""
    values = {"scope_id": 5, "born": NOW - DAY - HOUR, "first_look": NOW - DAY, "looked": NOW - DAY} | other
    return LookedAtPage(id=1, **values)


def before(page: LookedAtPage, **other: Any) -> BeforeLooks:
    values: dict[str, Any] = {
        "pages": {page.id: page},
        "away": frozenset(),
        "last_captured": {7: NOW - DAY},
        "curves": Curves(by_channel={5: None}),
        "price": 0.02,
        "told": SitemapWords({}, {}),
    }
    return BeforeLooks(**values | other)


def look(**other: Any) -> Watched:
    return Watched(page_id=1, article_id=7, **{"at": NOW} | other)


def after(
    page: LookedAtPage, *, rules: RecheckRules = RULES, world: dict[str, Any] | None = None, **seen: Any
) -> AfterLook:
    ((found,), _) = after_looks([look(**seen)], before(page, **world or {}), rules, NOW)
    return found


def test_the_first_look_is_when_it_was_found() -> None:
    found = after(LookedAtPage(id=1), age=2 * HOUR)
    page = found.page
    assert (found.came_to, page.born, page.first_look, page.looked) == ("new", NOW - 2 * HOUR, NOW, NOW)
    assert (page.looks, page.edits, found.due) == (0, 0, NOW + DAY)


def test_looks_and_edits_are_counted() -> None:
    same = after(known(looks=2, edits=1, streak=1))
    assert (same.came_to, same.page.looks, same.page.edits, same.page.streak) == ("unchanged", 3, 1, 0)
    changed = after(known(looks=2, edits=1, streak=1), changed=True)
    assert (changed.came_to, changed.page.looks, changed.page.edits, changed.page.streak) == (
        "changed",
        3,
        2,
        2,
    )


def test_what_changes_at_each_look_is_looked_at_once_more_at_once() -> None:
    found = after(known(streak=RESTLESS - 1), changed=True)
    assert (found.due, "3 times in a row" in found.why) == (NOW, True)
    assert after(known(streak=RESTLESS - 2), changed=True).due == NOW + DAY


def test_pages_that_are_lacking_are_asked_for_within_a_day() -> None:
    rules = RecheckRules(policy=RecheckPolicy(interval=3 * DAY), share=0.1)
    found = after(known(), rules=rules, lacks="page 2")
    assert (found.due, found.why) == (NOW + DAY, f"{LACKING}: page 2")


def test_a_page_that_could_not_tell_changes_nothing_of_its_article() -> None:
    found = after(known(looks=2, streak=1), is_seen=False)
    assert (found.came_to, found.page) == ("unclear", known(looks=2, streak=1))


def test_an_absence_is_believed_when_it_lasts_and_nothing_was_seen_since() -> None:
    gone = {"absence": AbsenceKind.NOT_FOUND}
    first = after(known(), **gone)
    assert first.came_to == "missing"
    assert first.page.missing == Missing(how="not_found", since=NOW, last=NOW, began=NOW)
    long = Missing(how="not_found", since=NOW - 9 * DAY, last=NOW - DAY, began=NOW - 9 * DAY, looks=5)
    captured = {"last_captured": {7: NOW - 10 * DAY}}
    assert after(known(missing=long), world=captured, **gone).came_to == "gone"
    # At another of its addresses it was.
    assert after(known(missing=long), **gone).came_to == "missing"
    still = after(known(missing=long), world={"away": frozenset({7})}, **gone)
    assert still.came_to == "still_gone"


def test_an_article_that_is_gone_comes_back_once() -> None:
    pages = {number: LookedAtPage(id=number, looked=NOW - DAY, born=NOW - DAY) for number in (1, 2)}
    world = before(pages[1], pages=pages, away=frozenset({7}))
    looks = [look(), Watched(page_id=2, article_id=7, at=NOW)]
    found, _ = after_looks(looks, world, RULES, NOW)
    assert [one.came_to for one in found] == ["back", "unchanged"]


def test_only_looks_that_show_the_article_teach_how_articles_change() -> None:
    for seen in ({"is_seen": False}, {"absence": AbsenceKind.GONE}):
        _, curves = after_looks([look(**seen)], before(known()), LEARNING, NOW)
        assert curves == Curves(by_channel={5: None})
    _, curves = after_looks([look(changed=True)], before(known()), LEARNING, NOW)
    assert curves.prior is not None
    assert curves.by_channel[5] is not None
    # A scope that is not a channel has no curve of its own.
    _, curves = after_looks([look()], before(known(scope_id=-1)), LEARNING, NOW)
    assert (dict(curves.by_channel), curves.prior is None) == ({5: None}, False)


def test_a_sitemap_that_told_of_many_edits_spares_looks() -> None:
    told = {1: ToldPage(host="h", lastmod=NOW - DAY, told=NOW - HOUR)}
    waits = []
    for count in (TRUSTED - 1, TRUSTED):
        words = SitemapWords(told, {"h": SitemapTrust(told_true=count)})
        found = after(known(), rules=LEARNING, world={"told": words})
        assert found.due is not None
        waits.append(found.due - NOW)
    assert waits[1] > 5 * waits[0]


def test_a_sitemap_is_held_against_what_looks_show() -> None:
    moved = {1: ToldPage(host="h", lastmod=NOW, told=NOW, moved=NOW)}
    words = SitemapWords(moved, {"h": SitemapTrust(false_alarms=2)})
    after(known(), world={"told": words})
    assert words.lies == {"h": Lie.FALSE_ALARMS}
    true = SitemapWords(moved, {"h": SitemapTrust(told_true=4)})
    after(known(), world={"told": true}, changed=True)
    assert (true.trust["h"].told_true, true.lies, true.untold) == (5, {}, {1: None})
    silent = SitemapWords(
        {1: ToldPage(host="h", lastmod=NOW - 9 * DAY, told=NOW)}, {"h": SitemapTrust(told_true=4)}
    )
    after(known(), world={"told": silent}, changed=True)
    assert silent.untold == {1: NOW}
