"""Records behind a form: asked politely, kept once, and nothing submitted twice."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from html import escape
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from sample.messages import Response
from sample.shop.habits import HABITS
from sample.shop.serving import serve_shop
from sample.shop.truth import NAMES, attributes_of, details_of
from tests.crawl.killing import FORM_BOUNDARIES
from tests.crawl.running import ROOT, Archived, crawl, crawl_command
from tests.crawl.site import Site, html

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sample.shop.serving import ServedShop
    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Answer, Request

pytestmark = pytest.mark.xdist_group("forms")
BOOKS = 60
ADVICE = ("A shorter word", "Another spelling", "The plural", "A synonym")
SETTINGS = {"CONTACT": "https://archive.example/"}


@pytest.fixture
def shop() -> Iterator[ServedShop]:
    with serve_shop(count=BOOKS) as served:
        yield served


def form_file(archive: Path, shop: ServedShop, name: str = "list", more: str = "") -> Path:
    archive.parent.mkdir(exist_ok=True)
    path = archive.parent / f"{name}.yaml"
    path.write_text(f"form: shop-{name}\npage: {shop.base}/{name}/\nselect: {{number: 2}}\n{more}")
    return path


def ask(archive: Path, file: Path, clock_offset: float = 0, **settings: object) -> CrawlRun:
    arguments = {"file": str(file)}
    return crawl(
        archive, arguments=arguments, spider="forms", clock_offset=clock_offset, **SETTINGS | settings
    )


def lines_of(run: Archived) -> list[dict[str, Any]]:
    paths = sorted((run.folder / "objects").glob("records-*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_bytes().splitlines()]


def assert_all_books(run: Archived, shop: ServedShop, name: str) -> None:
    """Each book is a record, once, with the values that the shop shows.

    Where a search with one hit leads to the book's own page, a list may add to that later.
    """
    lines = lines_of(run)
    assert len({one["key"] for one in lines if one["version"] == 1}) == len(shop.books)
    assert {one["change"] for one in lines if one["version"] > 1} <= ({"detail"} if name == "leap" else set())
    found = {one["url"].rpartition("/")[2]: one["attributes"] for one in lines}
    names = NAMES.get(name, {})
    for book in shop.books:
        shown = {key: [one["value"] for one in values] for key, values in found[str(book.number)].items()}
        wanted = {names.get(key, key): values for key, values in attributes_of(book).items()}
        has_led_there = name == "leap" and "pages" in shown
        assert shown == wanted | (details_of(book) if has_led_there else {})


def assert_once(shop: ServedShop) -> None:
    """No query is submitted twice, but for canaries."""
    twice = [query for query, count in Counter(shop.submitted).items() if count > 1]
    assert twice == []


def test_all_records_of_a_form_become_objects_and_nothing_is_submitted_twice(
    archive: Path, shop: ServedShop
) -> None:
    run = ask(archive, form_file(archive, shop, more="every: 1d\n"))
    assert run.exit_code == 0, run
    assert_all_books(run, shop, "list")
    assert_once(shop)
    assert f"shop-list: {BOOKS} records of about {BOOKS}" in run.stdout
    assert not [one for one in shop.asked if "cart" in one or "login" in one]
    asked = len(shop.asked)
    again = ask(archive, form_file(archive, shop, more="every: 1d\n"))
    assert len(shop.asked) == asked, "not before its time"
    assert "shop-list is done" in again.stdout


@pytest.mark.parametrize(
    ("robots", "settings", "told"),
    [
        ("User-agent: *\nDisallow: /*/search?\n", {}, "by its line 2 (Disallow: /*/search?)"),
        (None, {"CONTACT": ""}, "CONTACT is not set"),
        (None, {"CONTACT": " "}, "CONTACT is not set"),
    ],
)
def test_what_must_not_be_asked_is_not_asked(
    archive: Path, shop: ServedShop, robots: str | None, settings: dict[str, str], told: str
) -> None:
    shop.robots = robots  # type: ignore[misc] # of this one alone
    run = ask(archive, form_file(archive, shop), **settings)
    assert run.exit_code != 0
    assert told in (run.stdout + run.stderr).replace("\n", " ")
    assert shop.submitted == []


@pytest.mark.zoo
def test_forms_that_are_not_searches_are_refused(archive: Path, shop: ServedShop) -> None:
    file = form_file(archive, shop)
    file.write_text(file.read_text().replace("number: 2", "number: 1"))
    run = ask(archive, file, FORMS_ALLOW_POST=True)
    assert "is not a search form but login" in (run.stdout + run.stderr).replace("\n", " ")
    assert shop.submitted == []


def test_advice_to_those_who_find_nothing_is_no_record(archive: Path) -> None:
    """No word finds anything: what such answers have in common is advice."""

    def answer(request: Request) -> Answer:
        word = parse_qs(urlsplit(request.target).query).get("q", [""])[0]
        advice = "".join(f"<div class=tip><h3>{one}</h3><p>{one} helps.</p></div>" for one in ADVICE)
        seconds = f"<p>Answered in {len(request.raw) % 90 + 10} ms.</p>"
        return html(f"<h1>Search</h1><p>No results for <b>{escape(word)}</b>.</p>{advice}{seconds}")

    with Site() as site:
        form = '<form action="/find"><label>Search <input name=q></label><button>Go</button></form>'
        site.add("/", html(f"<html lang=en><title>Catalogue</title>{form}<p>Rivers, harbours, ferries.</p>"))
        site.add("/find", answer)
        file = archive.parent / "catalogue.yaml"
        archive.parent.mkdir(exist_ok=True)
        file.write_text(f"form: catalogue\npage: {site.url('/')}\n")
        run = ask(archive, file)
    assert lines_of(run) == []
    assert "no records were found on its answers" in run.stdout.replace("\n", " ")


@pytest.mark.zoo
def test_a_site_that_refuses_three_times_is_left_alone_for_a_day(archive: Path, shop: ServedShop) -> None:
    shop.instead = [Response(status=429)] * 3
    file = form_file(archive, shop)
    run = ask(archive, file)
    assert len(shop.submitted) == 3
    assert "refused 3 times in a row" in run.stdout.replace("\n", " ")
    ask(archive, file, clock_offset=3600)
    assert len(shop.submitted) == 3
    ask(archive, file, clock_offset=25 * 3600)
    assert len(shop.submitted) > 3


@pytest.mark.zoo
@pytest.mark.parametrize("name", [one.name for one in HABITS if one.name != "list"])
def test_every_design_is_read(archive: Path, shop: ServedShop, name: str) -> None:
    run = ask(archive, form_file(archive, shop, name))
    assert run.exit_code == 0, run
    assert_all_books(run, shop, name)


@pytest.mark.zoo
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("boundary", FORM_BOUNDARIES)
def test_a_run_killed_at_a_write_boundary_is_completed_by_the_next(
    boundary: str, number: int, archive: Path, shop: ServedShop
) -> None:
    file = form_file(archive, shop)
    words = crawl_command(
        archive, seeds=None, clock_offset=0, arguments={"file": str(file)}, settings=SETTINGS, spider="forms"
    )
    command = [sys.executable, "-m", "tests.crawl.killing", boundary, str(number), *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL, f"{boundary} was never reached: {done.stdout}{done.stderr}"
    run = ask(archive, file)
    assert run.exit_code == 0, run
    assert_all_books(run, shop, "list")
    assert_once(shop)


@pytest.mark.zoo
@pytest.mark.parametrize("seed", range(5))
def test_a_run_killed_at_any_moment_is_completed_by_the_next(
    archive: Path, shop: ServedShop, seed: int
) -> None:
    file = form_file(archive, shop)
    words = crawl_command(
        archive, seeds=None, clock_offset=0, arguments={"file": str(file)}, settings=SETTINGS, spider="forms"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "scrapy", *words],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wanted, began = Random(seed).randint(1, 40), time.monotonic()
    while len(shop.asked) < wanted and process.poll() is None and time.monotonic() < began + 60:
        time.sleep(0.002)
    process.kill()
    process.wait()
    # What was under way when it died: the answer may not have come as far as the archive.
    under_way = shop.submitted[-1:]
    run = ask(archive, file)
    assert run.exit_code == 0, run
    assert_all_books(run, shop, "list")
    twice = [query for query, count in Counter(shop.submitted).items() if count > 1]
    assert set(twice) <= set(under_way)
