"""Pages of an article joined into one: what is of it, in order, and nothing twice."""

from __future__ import annotations

import time

import pytest

from archiver.articles.continuation.joining import join
from archiver.articles.methods.extraction import extract
from archiver.articles.model import Article
from archiver.documents.pages.model import Announcement, RawPage
from tests.crawl.documents import prose

SITE = "http://gazette.example"
SAID = Announcement(title="The long report")
PAGER = '<p class="pages">1 <a href="/report-2.html">2</a> <a href="/report-3.html">3</a></p>'


def raw(path: str, text: str, *, title: str = "The long report", pager: str = PAGER) -> RawPage:
    body = f"""<html><head><title>{title} | Gazette</title></head><body>
    <div id="menu"><a href="/">Gazette</a></div>
    <div id="main"><h1>{title}</h1><p class="by">By Ada Quill</p>
    {text}{pager}<div class="share">Share this story with your friends.</div></div>
    <div id="foot">Imprint</div></body></html>"""
    return RawPage(url=f"{SITE}{path}", body=body.encode(), announcement=SAID)


def paragraphs(number: int) -> str:
    return "".join(f"<p>{one}</p>" for one in prose(number))


def text_of(page: RawPage) -> str:
    (found,) = extract([page])
    assert isinstance(found, Article), found
    return found.text


def test_the_text_of_all_pages_is_there_once_and_in_order() -> None:
    pages = [
        raw("/report.html", paragraphs(1)),
        raw("/report-2.html", paragraphs(2)),
        raw("/report-3.html", paragraphs(3)),
    ]
    made = join(pages[0], pages[1:])
    assert made.used == 2
    text = text_of(made.page)
    wanted = [one for number in (1, 2, 3) for one in prose(number)]
    places = [text.find(one) for one in wanted]
    assert -1 not in places
    assert places == sorted(places)
    assert text.count("By Ada Quill") <= 1
    body = made.page.body.decode()
    assert body.count("Share this story") == 1
    assert "report-2.html" not in body


def test_text_without_elements_is_joined_as_well() -> None:
    """As old pages have it: lines in a cell, parted by breaks."""
    first, second = ("<br><br>".join(prose(number)) for number in (1, 2))
    cell = "<table><tr><td class=text>{}</td></tr></table>"
    made = join(raw("/report.html", cell.format(first)), [raw("/report-2.html", cell.format(second))])
    assert made.used == 1
    text = text_of(made.page)
    assert [one for one in text.split("\n") if one][-8:] == [*prose(1), *prose(2)]


def test_a_pager_above_the_text_is_not_its_end() -> None:
    made = join(
        raw("/report.html", PAGER + paragraphs(1), pager=""), [raw("/report-2.html", paragraphs(2), pager="")]
    )
    text = text_of(made.page)
    assert -1 < text.find(prose(1)[-1]) < text.find(prose(2)[0])


def test_addresses_of_further_pages_stay_what_they_were() -> None:
    further = raw(
        "/parts/report-2.html", paragraphs(2) + '<p>See <a href="map.html">the map</a> of the harbour.</p>'
    )
    made = join(raw("/report.html", paragraphs(1)), [further])
    assert f'href="{SITE}/parts/map.html"'.encode() in made.page.body


@pytest.mark.parametrize(
    "title",
    [
        "The long report (2/3)",
        "The long report - Page 2",
        "The long report – Seite 2 von 3",
        "Page 2: The long report",
    ],
)
def test_a_page_number_in_the_title_does_not_count(title: str) -> None:
    assert (
        join(raw("/report.html", paragraphs(1)), [raw("/report-2.html", paragraphs(2), title=title)]).used
        == 1
    )


@pytest.mark.parametrize("title", ["The short report", "Harvest 2", "The long wait"])
def test_a_page_with_another_title_is_another_article(title: str) -> None:
    first = raw("/report.html", paragraphs(1))
    assert (
        join(
            first, [raw("/report-2.html", paragraphs(2), title=title), raw("/report-3.html", paragraphs(3))]
        ).page
        == first
    )


def test_the_same_page_once_more_ends_it() -> None:
    first, second = raw("/report.html", paragraphs(1)), raw("/report-2.html", paragraphs(2))
    assert join(first, [raw("/report-2.html", paragraphs(1))]).used == 0
    assert join(first, [second, raw("/report-3.html", paragraphs(2))]).used == 1


def test_the_article_with_other_comments_beside_it_ends_it() -> None:
    said = [f"<div>{paragraphs(number)}</div>" for number in (8, 9)]
    first = raw("/report.html", paragraphs(1) + said[0])
    assert join(first, [raw("/report-2.html", paragraphs(1) + said[1])]).used == 0


def test_a_view_on_one_page_takes_the_place_of_the_first() -> None:
    everything = "".join(f"{one}<br><br>" for number in (1, 2, 3) for one in prose(number))
    whole = RawPage(
        url=f"{SITE}/print/7",
        body=f"<title>The long report</title><h1>The long report</h1><div>{everything}</div>".encode(),
        announcement=SAID,
    )
    made = join(raw("/report.html", paragraphs(1)), [whole])
    assert made.used == 1
    text = text_of(made.page)
    assert all(text.count(one) == 1 for number in (1, 2, 3) for one in prose(number))


def test_what_cannot_be_read_ends_it() -> None:
    first = raw("/report.html", paragraphs(1))
    assert join(first, [RawPage(url=f"{SITE}/report-2.html", body=b"")]).used == 0
    assert join(first, [RawPage(url=f"{SITE}/report-2.html", body=b"%PDF-1.4 ...")]).used == 0


def test_pages_whose_text_cannot_be_found_when_they_are_joined_stay_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As where they are small enough to be read, and become too large in another encoding."""
    first, second = raw("/report.html", paragraphs(1)), raw("/report-2.html", paragraphs(2))
    largest = max(len(first.body), len(second.body))
    assert len(join(first, [second]).page.body) > largest
    monkeypatch.setattr("archiver.articles.methods.extraction.LARGEST", largest)
    made = join(first, [second])
    assert (made.page, made.used, made.is_unjoined) == (first, 0, True)


@pytest.mark.parametrize("address", ["http://gazette.example:port/", "http://gazette.example:99999/"])
def test_a_link_that_cannot_be_asked_for_keeps_no_pages_apart(address: str) -> None:
    beside = f'<p><a href="{address}">Our other site</a></p>'
    made = join(raw("/report.html", paragraphs(1) + beside), [raw("/report-2.html", paragraphs(2) + beside)])
    assert made.used == 1


def test_titles_full_of_marks_are_compared_in_time() -> None:
    title = "The long report " + "-" * 40_000
    began = time.process_time()
    join(raw("/report.html", paragraphs(1), title=title), [raw("/report-2.html", paragraphs(2), title=title)])
    assert time.process_time() - began < 5
