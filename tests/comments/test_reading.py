"""Comments are read off pages of any shape; lists of other articles, boxes and forms are not comments."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from archiver.documents.contributions import ContributionKind, ReadBy
from archiver.documents.pages.comments.reading import read_comments
from archiver.documents.pages.dom import parse_html
from archiver.documents.pages.text import plain
from tests.comments.shapes import SHAPES, Shown, page, part

if TYPE_CHECKING:
    from archiver.documents.contributions import CommentsRead

URL = "http://example.org/a"
ARTICLE, RELATED, RECENT = part("article"), part("related"), part("recent")
AUTHOR_BOX, FORM, CLASSIC = part("author_box"), part("form"), part("classic")


def read(*parts: str) -> CommentsRead:
    return read_comments(parse_html(page(*parts), "text/html; charset=utf-8", URL), URL)


@pytest.mark.parametrize("shape", SHAPES)
def test_comments_are_read_whatever_wrote_the_page(shape: str) -> None:
    found = read(ARTICLE, AUTHOR_BOX, RELATED, part(shape), FORM, RECENT).found
    shown: list[Shown] = [
        (one.key, one.author or "", one.published.text if one.published else "", one.parent, one.text)
        for one in found
    ]
    assert shown == SHAPES[shape]
    assert [one.position for one in found] == [0, 1]
    assert all(one.kind is ContributionKind.COMMENT for one in found)


@pytest.mark.parametrize("shape", SHAPES)
def test_markup_says_the_same_as_the_text(shape: str) -> None:
    for one in read(ARTICLE, part(shape)).found:
        assert plain(one.html) == " ".join(one.text.split())
        assert "class" not in one.html


def test_comments_without_names_are_read_by_their_dates_and_less_sure() -> None:
    found = read(ARTICLE, part("unnamed")).found
    assert [(one.author, one.text.split("\n")[0]) for one in found] == [
        ("Bo", "I have one at home."),
        ("Ada", "Oil it."),
    ]
    (named, *_) = read(ARTICLE, CLASSIC).found
    (marked, *_) = read(ARTICLE, part("marked")).found
    assert found[0].confidence < named.confidence < marked.confidence < 1
    assert (found[0].read_by, marked.read_by) == (ReadBy.LAYOUT, ReadBy.MARKUP)
    assert [one.key for one in found] == [one.key for one in read(part("unnamed")).found], "keys stay"


def test_moments_are_certain_or_left_out() -> None:
    first = read(ARTICLE, CLASSIC).found[0].published
    assert first is not None
    assert first.utc is not None
    assert first.utc.isoformat() == "2026-03-02T06:00:00+00:00"
    other = read(ARTICLE, part("definitions")).found[0].published
    assert other is not None
    assert other.utc is None, "no zone is stated"


def test_authors_and_comments_have_addresses() -> None:
    found = read(ARTICLE, CLASSIC).found[0]
    assert (found.author_url, found.url) == ("http://bo.example/", "http://example.org/a/#comment-12")


@pytest.mark.parametrize(
    "parts",
    [
        (ARTICLE, RELATED, AUTHOR_BOX, FORM),
        (ARTICLE, RECENT),
        (ARTICLE, "<div id='comments'>" + RELATED + "</div>"),
        (ARTICLE, "<div id='comments'><p>Comments are closed since May 2, 2026.</p></div>", FORM),
        (ARTICLE, "<div class='comment'>Posted on May 2, 2026 <a href='#comments'>Leave a comment</a></div>"),
        ("<ul class='nav'><li class='comment'><a href='/opinion'>Comment</a></li></ul>", ARTICLE),
        (ARTICLE.replace("<article>", "<article class='comment' id='post-5'>"),),
        ('<script type=\'application/ld+json\'>{"@type": "NewsArticle", "comment": [3]}</script>', ARTICLE),
    ],
)
def test_what_is_not_a_comment_is_not_read_as_one(parts: tuple[str, ...]) -> None:
    assert read(*parts).found == ()


@pytest.mark.parametrize(
    ("more", "is_whole"),
    [
        ("", True),
        (
            "<nav class='comment-navigation'><a href='/a/comment-page-1/#comments'>Older Comments</a></nav>",
            False,
        ),
        ("<a href='/a?cpage=2'>2</a>", False),
        ("<button>Load more comments</button>", False),
    ],
)
def test_a_page_with_more_comments_elsewhere_does_not_show_all(more: str, is_whole: bool) -> None:
    assert read(ARTICLE, part("blocks"), more).is_whole is is_whole


def test_what_readers_write_with_markup_stays_theirs() -> None:
    body = "<p>See <a href='/b'>this</a>:</p><blockquote><p>Warp first.</p></blockquote><pre>a\n b</pre>"
    found = read(ARTICLE, CLASSIC.replace("<p>Oil it.</p>", body)).found[1]
    assert found.text == "See this:\n\n> Warp first.\n\na\n b"
    assert "http://example.org/b" in found.html


@pytest.mark.parametrize(
    "hostile",
    [
        "<div id='comments'>" + "<div class='comment'>" * 3000 + "x, May 2, 2026",
        "<div id='comments'>" + "<p>May 2, 2026 by x</p>" * 2000 + "</div>",
        "<div id='comments'><p id='" + "a_" * 5000 + "'>" + "say " * 50000 + "</p></div>",
        "<div id='comments'><b class='author'>" + ". , : " * 50000 + "</b></div>",
        "<div id='comments'>" + "".join(f"<li id='comment-{n}'>" for n in range(2000)) + "May 2, 2026",
        "<div class='comments'>" + "<a name='c1'></a>" * 5000 + "</div>",
        part("linked").replace('"Oil it."', '"' + "<i>" * 5000 + '"'),
    ],
    ids=range(7),
)
def test_no_page_takes_long(hostile: str) -> None:
    before = time.process_time()
    read(ARTICLE, hostile)
    assert time.process_time() - before < 5
