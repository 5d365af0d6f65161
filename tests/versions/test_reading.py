"""A page as it is compared: its lines are those of an article's text."""

from __future__ import annotations

import time

import pytest

from archiver.articles.methods.extraction import parse_page
from archiver.articles.model import ParsedPage
from archiver.articles.versions.reading import ComparedPage, compared_page
from archiver.documents.pages.model import RawPage


def compared(body: str) -> ComparedPage:
    markup = f"<html><body>{body}</body></html>"
    raw = RawPage(url="https://post.example.org/a", body=markup.encode(), content_type="text/html")
    page = parse_page(raw)
    assert isinstance(page, ParsedPage)
    return compared_page(page)


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("<p>one<br>two<br><br>three</p>", ["one", "two", "three"]),
        ("<p>as shown (<x-source>4</x-source>) again</p><p>* * *</p>", ["as shown (4) again", "* * *"]),
        ("<p>one <x-mark>two<br>three</x-mark> four</p>", ["one two", "three four"]),
        ("<p>one</p><x-ad>two</x-ad><p>three</p>", ["one", "two", "three"]),
        ("<p>soft\u00adhyphen</p><p>\u00ad</p>", ["softhyphen"]),
    ],
)
def test_lines_end_at_breaks_and_blocks(body: str, lines: list[str]) -> None:
    assert [block.text for block in compared(body).blocks] == lines


def test_line_stands_in_the_element_around_all_of_it() -> None:
    (line,) = compared("<p>as shown (<x-source>4</x-source>) <x-mark>again</x-mark></p>").blocks
    assert line.path == "body/p"


def test_shares_of_links_and_times_are_those_of_the_line() -> None:
    body = "<p>plain words<br> <a href='/b'>all linked</a><br><time>half</time> <i>this</i></p>"
    lines = [(block.text, block.linked, block.timed) for block in compared(body).blocks]
    assert lines == [("plain words", 0, 0), ("all linked", 100, 0), ("half this", 0, 44)]


def test_links_and_images_know_their_line() -> None:
    page = compared("""<p>one <a href="/1">here</a><br>two<br>three <a href="/3">there</a></p><p>four</p>
        <p><a href="/4"><img src="/a.jpg"></a><img src="/b.jpg"></p>""")
    assert [(link.words, link.block) for link in page.links] == [("here", 0), ("there", 2), ("", 4)]
    assert [(image.block, image.leads) for image in page.images] == [(4, "post.example.org/4"), (4, "")]


def test_line_with_a_link_to_another_place_of_the_page_jumps() -> None:
    body = "<p>one<br><a href='#c'>12 comments</a><br>three</p><p><a href=' #top'></a>four</p>"
    assert [block.jumps for block in compared(body).blocks] == [False, True, False, True]


def test_very_many_links_between_breaks_are_found_in_a_moment() -> None:
    body = "".join(f"<a href='/{number}'>item {number}</a><br>" for number in range(12_000))
    started = time.process_time()
    page = compared(f"<p>{body}</p>")
    assert [link.block for link in page.links] == list(range(12_000))
    assert time.process_time() - started < 4
