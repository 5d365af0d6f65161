"""The measure of whole sites: objects of a crawl, held against what an application holds."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from bench.whole_sites.applications import APPLICATIONS, AUTHOR, CHANGED_DAY, DAY, Application
from bench.whole_sites.objects import ObjectScore, read_objects, score_objects
from bench.whole_sites.table import lines_of
from bench.whole_sites.truth import Comment, Item, Truth

if TYPE_CHECKING:
    from pathlib import Path

HOST = "http://blog.example"
NOON = datetime(2026, 11, 17, 12, 0, 30, tzinfo=UTC)
SAID = Comment(author="Ada L", text="I was late that day.", time=NOON)
FERRY = Item(
    url=f"{HOST}/ferry/", title="The ferry", text="It left at noon.\nNobody was late.", author="Cy", time=NOON
)
BLOG = Application(port=0)


def truth_of(*comments: Comment) -> Truth:
    item = Item(url=FERRY.url, title=FERRY.title, text=FERRY.text, author="Cy", time=NOON, comments=comments)
    return Truth(home=HOST, items=(item,))


def article(**changed: Any) -> dict[str, Any]:
    fields = {
        "id": "a1",
        "url": f"{HOST}/ferry",
        "title": "The Ferry",
        "text": "It left at noon.\n\nNobody was late.",
        "authors": ["Cy"],
        "published": "2026-11-17T12:00:30Z",
        "published_day": "2026-11-17",
        "updated": None,
    }
    return fields | changed


def comment(**changed: Any) -> dict[str, Any]:
    fields = {
        "id": "c1",
        "article": "a1",
        "page_url": f"{HOST}/ferry/",
        "author": "Ada L",
        "published": "2026-11-17T12:00:00Z",
        "text": "I was late\nthat day.",
    }
    return fields | changed


def score(
    articles: list[dict[str, Any]], said: list[dict[str, Any]], *truths: Comment, app: Application = BLOG
) -> ObjectScore:
    return score_objects(truth_of(*(truths or (SAID,))), app, articles, said)


def test_objects_that_have_everything() -> None:
    found = score([article()], [comment(text="I was late that day.")])
    assert (found.items, found.f1, found.titles, found.authors, found.times) == (1, 1, 1, 1, 1)
    assert (found.comments, found.comments_found, found.comment_authors, found.comment_times) == (1, 1, 1, 1)
    assert (found.text, found.more) == (1, 0)


def test_an_article_that_has_other_words_is_not_the_item() -> None:
    found = score([article(text="Sign in to read on.")], [])
    assert (found.items, found.titles, found.authors, found.times) == (0, 0, 0, 0)


def test_an_article_with_too_much_is_the_item_and_its_f1_tells() -> None:
    found = score([article(text=FERRY.text + "\nAnd here are seven more words of others.")], [])
    assert found.items == 1
    assert found.f1 == pytest.approx(2 * 5 / (5 + 5 + 7))


def test_articles_that_are_no_items_are_counted() -> None:
    assert score([article(), article(id="a2", url=f"{HOST}/tag/x")], []).more == 1


@pytest.mark.parametrize("published", [None, "2026-11-17T12:01:00Z", "2026-11-17T11:00:30Z"])
def test_another_minute_is_not_the_time(published: str | None) -> None:
    found = score([article(published=published)], [comment(published=published)])
    assert (found.times, found.comment_times, found.comments) == (0, 0, 0)
    assert (found.comments_found, found.comment_authors) == (1, 1)


def test_the_day_does_where_pages_tell_no_more() -> None:
    app = Application(port=0, time_is=DAY)
    assert score([article(published=None)], [], app=app).times == 1
    assert score([article(published=None, published_day="2026-11-18")], [], app=app).times == 0


def test_a_wiki_tells_when_a_page_was_changed_last() -> None:
    app = Application(port=0, time_is=CHANGED_DAY)
    assert score([article(updated="2026-11-17T12:00:00Z")], [], app=app).times == 1
    assert score([article(times={"modified": {"day": "2026-11-17"}})], [], app=app).times == 1
    assert score([article(times={"modified": None})], [], app=app).times == 0
    assert score([article(times={"modified": {"day": "2026-11-16"}})], [], app=app).times == 0


def test_a_clock_without_a_zone_counts_for_comments_as_it_stands_on_the_page() -> None:
    told = comment(published=None, published_text="2026-11-17 12:00")
    assert score([article()], [told]).comments == 1
    assert score([article()], [told | {"published_text": "2026-11-17"}]).comments == 0
    assert score([article()], [told | {"published_text": "at noon"}]).comments == 0


def test_items_whose_pages_name_no_author_are_not_asked_for_one() -> None:
    item = Item(url=FERRY.url, title=FERRY.title, text=FERRY.text, author="Cy", time=NOON, kind="page")
    app = Application(port=0, bare=frozenset({"page"}))
    found = score_objects(Truth(home=HOST, items=(item,)), app, [article(authors=[], published=None)], [])
    assert (found.authors, found.times, found.items) == (None, None, 1)


def test_what_pages_do_not_say_is_not_asked_for() -> None:
    app = Application(port=0, unsaid=frozenset({AUTHOR}))
    assert score([article(authors=[])], [], app=app).authors is None


def test_a_comment_of_another_author_is_not_right() -> None:
    found = score([article()], [comment(author="Ada")])
    assert (found.comments, found.comments_found, found.comment_authors) == (0, 1, 0)


def test_a_comment_without_a_known_time_is_right_by_its_author() -> None:
    found = score([article()], [comment(published=None)], Comment(author="Ada L", text=SAID.text))
    assert found.comments == 1
    assert found.comment_times is None


@pytest.mark.parametrize(
    ("page", "counts"),
    [
        (f"{HOST}/ferry/comment-page-2/", True),
        (f"{HOST}/ferry?page=2", True),
        (f"{HOST}/Talk:ferry", True),
        (f"{HOST}/ferryman/", False),
        (f"{HOST}/", False),
    ],
)
def test_a_comment_stands_below_its_item(page: str, counts: bool) -> None:
    found = score([article()], [comment(page_url=page, article="other")])
    assert found.comments == counts


def test_one_object_does_not_stand_for_two_comments() -> None:
    found = score([article()], [comment()], SAID, SAID)
    assert found.comments == 0.5


def test_a_signature_behind_the_words_is_no_fault() -> None:
    assert score([article()], [comment(text="I was late that day. --Ada L")]).comments == 1
    assert score([article()], [comment(text="I was late that day, Ada. And more")]).comments == 0


def test_the_newest_line_of_an_object_counts(tmp_path: Path) -> None:
    lines = [{"id": "a", "n": 1}, {"id": "b", "n": 2}, {"id": "a", "n": 3}]
    (tmp_path / "articles-2026-11-17-x.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "contributions-2026-11-17-x.jsonl").write_text("")
    assert [each["n"] for each in read_objects(tmp_path, "articles")] == [3, 2]
    assert read_objects(tmp_path, "contributions") == []


def test_the_table_never_says_all_of_what_is_not_all() -> None:
    row = {
        "app": "x",
        "strategy": "auto",
        "ideal": 3,
        "requests": 4,
        "cut": False,
        "ratio": 4 / 3,
        "text": 0.9999,
    }
    failed = {"app": "x", "strategy": "blind", "ideal": 3, "problem": "out of memory"}
    _, _, first, second = lines_of([row, failed])
    assert "99.9 %" in first
    assert "1.33" in first
    assert second == "blind           failed: out of memory"


def test_the_seven_applications() -> None:
    assert len(APPLICATIONS) == 7
    assert len(APPLICATIONS["wordpress"].themes) == 3
