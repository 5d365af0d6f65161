"""Searches whose answers are at other addresses than the form leads to."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from archiver.acquisition.forms.rules import answer_place
from sample.shop.books import make_books
from tests.crawl.running import ROOT, crawl_command
from tests.crawl.site import Answer, Site, html
from tests.crawl.test_forms import SETTINGS, ask, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sample.shop.books import Book
    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Request

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("forms")]
BOOKS = make_books(20)


def books_with(word: str) -> list[Book]:
    return [one for one in BOOKS if word.casefold() in f"{one.title} {one.authors[0]}".casefold()]


@contextmanager
def readable_addresses() -> Iterator[Site]:
    """As applications do that give searches readable addresses."""

    def found(word: str, page: int) -> str:
        listed = "".join(
            f"<li class=hit><h3><a href='/book/{one.number}'>{one.title}</a></h3>"
            f"<p class=author>{one.authors[0]}</p><p class=shelf>Shelf {one.number % 7}</p></li>"
            for one in books_with(word)[5 * page - 5 : 5 * page]
        )
        more = f"<a rel=next href='/results?w={quote(word)}&page={page + 1}'>Next</a>"
        return f"<h1>{word}</h1><ul>{listed}</ul>{more}" if listed else "<h1>Search</h1><p>No results.</p>"

    def moved(request: Request) -> Answer:
        word = parse_qs(urlsplit(request.target).query).get("q", [""])[0]
        return Answer(status=302, headers=(("Location", f"/results?w={quote(word)}"),))

    def results(request: Request) -> Answer:
        asked = parse_qs(urlsplit(request.target).query)
        return html(found(asked.get("w", [""])[0], int(asked.get("page", ["1"])[0])))

    with Site() as site:
        form = '<form action="/find"><label>Search <input name=q></label><button>Go</button></form>'
        words = " ".join(one.title for one in BOOKS[:6])
        site.add("/", html(f"<html lang=en><title>Catalogue</title>{form}<p>{words}</p>"))
        site.add("/find", moved)
        site.add("/results", results)
        yield site


def asked_of(site: Site, archive: Path, requests: int) -> CrawlRun:
    file = archive.parent / "catalogue.yaml"
    archive.parent.mkdir(exist_ok=True)
    file.write_text(f"form: catalogue\npage: {site.url('/')}\nbudget: {{requests: {requests}}}\n")
    return ask(archive, file)


def test_a_search_that_leads_to_an_address_of_its_own_is_a_list(archive: Path) -> None:
    with readable_addresses() as site:
        run = asked_of(site, archive, 300)
    assert run.exit_code == 0, run
    assert len({one["key"] for one in lines_of(run)}) == len(BOOKS)
    asked = [one.target for one in site.requests]
    assert any("page=2" in one for one in asked), "its further pages are of the same search"
    assert not any("/book/" in one for one in asked)


def test_redirects_and_robots_count_for_the_budget(archive: Path) -> None:
    with readable_addresses() as site:
        run = asked_of(site, archive, 30)
        assert run.exit_code == 0, run
        first = len(site.requests)
    # The last one may lead on.
    assert first in {30, 31}
    assert f"{first} requests; its budget of 30 requests is spent" in run.stdout.replace("\n", " ")


@pytest.mark.parametrize("number", [9, 11, 13])
def test_a_query_that_led_on_before_a_crash_is_not_submitted_again(archive: Path, number: int) -> None:
    """The redirect of a query is in WARC, and the answer behind it is not."""
    with readable_addresses() as site:
        file = archive.parent / "catalogue.yaml"
        archive.parent.mkdir(exist_ok=True)
        file.write_text(f"form: catalogue\npage: {site.url('/')}\nbudget: {{requests: 60}}\n")
        words = crawl_command(
            archive,
            seeds=None,
            clock_offset=0,
            arguments={"file": str(file)},
            settings=SETTINGS,
            spider="forms",
        )
        command = [sys.executable, "-m", "tests.crawl.killing", "warc-record-written", str(number), *words]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=120, check=False)
        assert done.returncode == -signal.SIGKILL
        asked = [one.target for one in site.requests if one.path == "/find"]
        run = ask(archive, file)
        assert run.exit_code == 0, run
        again = [one.target for one in site.requests if one.path == "/find"][len(asked) :]
    assert asked
    assert set(asked[-1:]).isdisjoint(again)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://a.example/search/Harbour", ("harbour",)),
        ("https://a.example/search/harbour-lights/page/2", ("harbour", "lights")),
        ("https://a.example/search/M%C3%BChle/", ("mühle",)),
    ],
)
def test_where_answers_are_is_told_without_their_words(url: str, words: tuple[str, ...]) -> None:
    assert answer_place(url, words) == answer_place("https://a.example/search/bogadi", ["bogadi"])
    assert answer_place("https://a.example/book/harbour-7", words) != answer_place(url, words)
