"""A look at an article on several pages: from one to the next, and where it ends."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from archiver.acquisition.walks import OTHER, FurtherPage, Walk
from archiver.archive.warc.records import Capture

FIRST = ("http://gazette.example/report.html",)
NOON = datetime(2026, 11, 14, 12, 0, tzinfo=UTC)


def url(number: int) -> str:
    return f"http://gazette.example/report-{number}.html"


def fetched(number: int, asked: str | None = None) -> FurtherPage:
    capture = Capture(
        url=url(number),
        file="a.warc.gz",
        offset=number,
        record_id=f"urn:{number}",
        date=NOON,
        digest=f"sha1:{number}",
    )
    return FurtherPage(url=asked or url(number), capture=capture)


def test_each_page_asks_for_the_next_until_there_is_none() -> None:
    walk = Walk().step(0, url(2), first=FIRST, most=20)
    assert walk.asked == url(2)
    walk = walk.with_page(fetched(2)).step(1, url(3), first=FIRST, most=20)
    assert walk.asked == url(3)
    walk = walk.with_page(fetched(3)).step(2, None, first=FIRST, most=20)
    assert (walk.asked, walk.lacks) == (None, None)
    assert [one.record_id for one in walk.further.captures] == ["urn:2", "urn:3"]


def test_a_circle_ends_where_it_began() -> None:
    walk = Walk(pages=(fetched(2),))
    assert walk.step(1, url(2), first=FIRST, most=20).asked is None
    assert walk.step(1, f"{FIRST[0]}?utm_source=pager", first=FIRST, most=20).asked is None
    # A redirect that led back to a page that was there.
    assert Walk(pages=(fetched(2, asked=url(9)),)).step(1, url(2), first=FIRST, most=20).asked is None


def test_no_more_pages_are_fetched_than_the_operator_wants() -> None:
    walk = Walk(pages=(fetched(2),)).step(1, url(3), first=FIRST, most=2)
    assert walk.asked is None
    assert walk.lacks == "it has more than 2 pages (ARTICLE_PAGES)"


def test_a_page_of_something_else_is_not_asked_for_again() -> None:
    walk = Walk(asked=url(2)).with_page(fetched(2)).step(0, url(2), first=FIRST, most=20)
    assert (walk.asked, walk.pages, walk.lacks, walk.passed) == (None, (), None, {url(2): OTHER})
    assert not walk.is_several
    assert walk.again().step(0, url(2), first=FIRST, most=20).asked is None


def test_what_cannot_be_fetched_is_said_and_tried_by_the_next_look() -> None:
    walk = (
        Walk(pages=(fetched(2),), asked=url(3))
        .without(url(3), "not_found")
        .step(1, url(3), first=FIRST, most=20)
    )
    assert walk.asked is None
    assert walk.lacks == "page 3 could not be fetched: not found (404)"
    again = walk.again()
    assert again.lacks is None
    assert again.with_page(fetched(2)).step(1, url(3), first=FIRST, most=20).asked == url(3)


def test_where_a_view_on_one_page_cannot_be_fetched_the_pages_are() -> None:
    view = "http://gazette.example/print/7"
    walk = Walk(asked=view).without(view, "robots").step(0, url(2), first=FIRST, most=20)
    assert (walk.asked, walk.lacks) == (url(2), None)


def test_a_page_that_was_there_is_taken_as_it_was() -> None:
    """An article is not edited because one of its pages cannot be fetched."""
    known = replace(Walk(pages=(fetched(2), fetched(3)))).again()
    walk = known.with_page(fetched(2)).without(url(3), "timeout")
    assert [one.url for one in walk.pages] == [url(2), url(3)]
    assert walk.lacks == "page 3 could not be fetched: timed out; it is as it was on 2026-11-14"
    assert walk.step(2, None, first=FIRST, most=20).lacks == walk.lacks


def test_only_what_may_pass_is_a_reason_to_look_soon() -> None:
    for failure, may_pass in (
        ("timeout", True),
        ("server_error", True),
        ("robots", False),
        ("not_found", False),
    ):
        walk = Walk().without(url(2), failure).step(0, url(2), first=FIRST, most=20)
        assert walk.lacks is not None
        assert walk.further.may_pass == may_pass, failure
    assert not Walk(pages=(fetched(2),)).step(1, url(3), first=FIRST, most=2).further.may_pass


def test_pages_that_cannot_be_joined_are_said_to_be_there() -> None:
    walk = Walk(pages=(fetched(2),)).unjoined()
    assert walk.further.captures == ()
    assert walk.lacks == "it has further pages, which could not be joined with the first"


def test_pages_that_cannot_be_read_together_leave_the_first_one_alone() -> None:
    """They are not asked for again, and what was read says that it is not all."""
    walk = Walk(pages=(fetched(2), fetched(3))).alone()
    assert not walk.pages
    read = walk.step(0, url(2), first=FIRST, most=20)
    assert (read.asked, read.further.captures) == (None, ())
    assert read.lacks is not None
    assert "could not be joined" in read.lacks


def test_what_is_read_anew_says_where_its_pages_could_not_be_joined() -> None:
    further = Walk(pages=(fetched(2), fetched(3))).further
    assert further.as_read(2, is_unjoined=False) == further
    assert further.as_read(1, is_unjoined=False).captures == further.captures[:1]
    alone = further.as_read(0, is_unjoined=True)
    assert (alone.captures, alone.may_pass) == ((), False)
    assert alone.lacks is not None
