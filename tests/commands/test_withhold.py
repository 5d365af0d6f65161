"""`scrapy withhold`: what is withheld is shown by no command, and kept; what is lifted is shown again."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from archiver.archive.lock import ArchiveLock
from tests.commands.packages import Wacz
from tests.crawl.running import Archived
from tests.history.made import DAY, SECOND, START, URL, made
from tests.search.made import searched

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.commands.conftest import Crawled
    from tests.commands.here import Outcome, RunHere

pytestmark = pytest.mark.xdist_group("commands")
WHY = ("--reason", "order 7 of the court")


@pytest.fixture
def page(crawled: Crawled) -> str:
    """An article of the newspaper."""
    base = crawled.bases["newspaper"]
    return str(next(one["url"] for one in crawled.archived.objects if one["url"].startswith(base)))


@pytest.fixture
def feed(crawled: Crawled) -> str:
    return crawled.url("newspaper", "/rss.xml")


def withhold(run_here: RunHere, archive: Path, named: str, *words: str) -> Outcome:
    done = run_here("withhold", archive, named, *(words or WHY))
    assert done.exit_code == 0, done
    return done


@pytest.fixture
def refused(run_here: RunHere, archive: Path, page: str) -> Callable[..., None]:
    """Holds of a command: it shows the page, then refuses it, then shows it again."""

    def check(name: str, *words: str) -> None:
        before = run_here(name, archive, page, *words)
        assert before.exit_code == 0
        withhold(run_here, archive, page)
        during = run_here(name, archive, page, *words)
        assert (during.exit_code, during.out) == (1, b"")
        told = " ".join(during.told.split())
        assert f"{page} is withheld (order 7 of the court): `scrapy withhold --list`" in told
        withhold(run_here, archive, page, "--lift")
        assert run_here(name, archive, page, *words).out == before.out

    return check


def test_history_refuses_it(refused: Callable[..., None]) -> None:
    refused("history", "--json")


def test_explain_refuses_it(refused: Callable[..., None]) -> None:
    refused("explain")


def test_timemap_refuses_it(refused: Callable[..., None]) -> None:
    refused("timemap")


def test_captures_refuses_it(refused: Callable[..., None]) -> None:
    refused("captures")
    refused("captures", "--at", "2026-03-02", "--json")


def test_extract_record_refuses_it_unless_it_is_meant(
    refused: Callable[..., None], run_here: RunHere, archive: Path, page: str
) -> None:
    refused("extract-record")
    withhold(run_here, archive, page)
    done = run_here("extract-record", archive, page, "--withheld", "--payload")
    assert done.exit_code == 0
    assert b"<html" in done.out


def test_diff_and_changes_leave_it_out_in_every_form(tmp_path: Path, run_here: RunHere) -> None:
    with made(tmp_path / "archive") as new:
        other = new.article("http://example.org/pier")
        for number in (new.article(), other):
            new.version(number, title=f"Title {number}")
            new.version(number, START + number * DAY, kinds="text", text=SECOND, title=f"Title {number}")
        for day in (5, 6):
            new.version(2, START + day * DAY, kinds="text", text=SECOND, title="Title 2")
        new.absence(other, START + 3 * DAY, START + 4 * DAY, "not_found")
    archive, atom, page = new.folder, tmp_path / "feed.atom", tmp_path / "diff.html"
    assert run_here("diff", archive, URL, "--html", str(page)).exit_code == 0
    page.unlink()
    withhold(run_here, archive, URL)
    done = run_here("diff", archive, URL, "--html", str(page))
    assert (done.exit_code, done.out, page.exists()) == (1, b"", False)
    text = run_here("changes", archive).text
    assert "Title 1" in text
    assert "Title 2" not in text
    # The newest one that is shown, not the one that would have been.
    lines = run_here("changes", archive, "--jsonl", "-", "--limit", "1", "--kind", "text").out.splitlines()
    assert [json.loads(line)["title"] for line in lines] == ["Title 1"]
    assert run_here("changes", archive, "--atom", str(atom)).exit_code == 0
    assert "Title 1" in atom.read_text()
    assert "Title 2" not in atom.read_text()
    assert URL not in atom.read_text()


def test_searches_and_lists_of_articles_leave_it_out(tmp_path: Path, run_here: RunHere) -> None:
    with searched(tmp_path / "archive") as new:
        new.add("ferry", "The ferry is late", title="Late")
        new.add("pier", "The ferry is at the pier", title="Here")
        new.feed()
    for words in (("articles",), ("search", "ferry")):
        assert len(json.loads(run_here(words[0], new.folder, *words[1:], "--json").out)["hits"]) == 2
    withhold(run_here, new.folder, URL)
    for words in (("articles",), ("search", "ferry")):
        (hit,) = json.loads(run_here(words[0], new.folder, *words[1:], "--json").out)["hits"]
        assert hit["title"] == "Here"
        assert "Late" not in run_here(words[0], new.folder, *words[1:]).text


def test_near_duplicates_and_similar_addresses_do_not_name_it(tmp_path: Path, run_here: RunHere) -> None:
    with made(tmp_path / "archive") as new:
        ferry, copy = new.article(), new.article("http://example.org/copy")
        for number in (ferry, copy):
            new.version(number)
        new.twin(ferry, copy)
    shown = run_here("history", new.folder, "http://example.org/copy")
    assert URL in shown.text
    told = withhold(run_here, new.folder, URL).text
    assert "Nearly the same: http://example.org/copy, which is still shown." in told
    assert URL not in run_here("history", new.folder, "http://example.org/copy").text
    done = run_here("history", new.folder, "http://example.org/ferries")
    assert "like it: http://example.org/copy" in done.told
    assert URL not in done.told.split()


def test_a_rebuilt_page_does_not_list_it(
    run_here: RunHere, archive: Path, page: str, feed: str, tmp_path: Path
) -> None:
    words = ("--at", f"{datetime.now(UTC):%Y%m%d%H%M%S}", "--json")
    before = json.loads(run_here("rebuild", archive, feed, *words).out)["articles"]
    assert page in {one["url"] for one in before}
    withhold(run_here, archive, page)
    after = json.loads(run_here("rebuild", archive, feed, *words).out)["articles"]
    assert [one for one in before if one["url"] != page] == after
    written = tmp_path / "page.html"
    run_here("rebuild", archive, feed, *words[:2], "-o", str(written))
    title = next(one["title"] for one in before if one["url"] == page)
    assert page not in written.read_text()
    assert title not in written.read_text()
    withhold(run_here, archive, feed)
    assert run_here("rebuild", archive, feed, *words).exit_code == 1


def test_a_package_has_neither_its_records_nor_its_text(
    run_here: RunHere, archive: Path, page: str, written: Path
) -> None:
    withhold(run_here, archive, page)
    done = run_here("wacz", archive, "-o", str(written))
    assert done.exit_code == 0, done
    package = Wacz(written)
    assert page not in package.urls
    assert page not in {one.get("url") for one in package.pages}
    assert page.encode() not in written.with_suffix(".warc.gz").read_bytes()
    # In the archive itself all is as it was.
    assert Archived(archive).responses(page)
    assert page in {one["url"] for one in Archived(archive).objects}


def test_a_host_is_withheld_with_all_that_it_has(
    run_here: RunHere, archive: Path, crawled: Crawled, page: str, written: Path
) -> None:
    host = crawled.bases["newspaper"].removeprefix("http://")
    withhold(run_here, archive, host)
    assert run_here("history", archive, page).exit_code == 1
    assert run_here("wacz", archive, "-o", str(written)).exit_code == 0
    urls = Wacz(written).urls
    assert urls
    assert not [url for url in urls if url.startswith(f"{crawled.bases['newspaper']}/")]
    found = run_here("captures", archive, crawled.url("blog", "/atom.xml"))
    assert found.exit_code == 0


def test_it_holds_beside_a_run_which_takes_it_up(run_here: RunHere, archive: Path, page: str) -> None:
    with ArchiveLock(archive):
        told = withhold(run_here, archive, page).text
        assert "A run is on, and notes it in the state store." in told
        assert run_here("history", archive, page).exit_code == 1
        assert Archived(archive).rows("SELECT * FROM withheld") == []
    # Any command that may write does it, too.
    withhold(run_here, archive, "elsewhere.example")
    assert len(Archived(archive).rows("SELECT * FROM withheld")) == 2
    assert not list((archive / "inbox").glob("*.json"))


def test_orders_are_listed_with_those_that_were_lifted(run_here: RunHere, archive: Path, page: str) -> None:
    assert run_here("withhold", archive, "--list").text == "Nothing is withheld, and nothing was.\n"
    withhold(run_here, archive, page)
    withhold(run_here, archive, page, "--lift", "--reason", "the court changed its mind")
    withhold(run_here, archive, "elsewhere.example")
    orders = json.loads(run_here("withhold", archive, "--list", "--json").out)
    assert [(one["kind"], one["named"], one["reason"], one["lift_reason"]) for one in orders] == [
        ("host", "elsewhere.example", "order 7 of the court", None),
        ("url", page, "order 7 of the court", "the court changed its mind"),
    ]
    assert [one["lifted"] is None for one in orders] == [True, False]
    text = run_here("withhold", archive, "--list").text
    assert "order 7 of the court; lifted: the court changed its mind" in text


def test_orders_hold_where_the_state_store_is_lost(run_here: RunHere, archive: Path, page: str) -> None:
    withhold(run_here, archive, page)
    (archive / "state.sqlite").unlink()
    done = run_here("timemap", archive, page)
    assert (done.exit_code, done.out) == (1, b"")
    assert "is withheld" in done.told
    assert page in run_here("withhold", archive, "--list").text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Name one URL or host; got none"),
        (("http://a.example/",), "Say with --reason why"),
        (("a.example/page", *WHY), "neither a web address nor a host"),
        (("co.uk", *WHY), "co.uk has many owners"),
        (("a.example", *WHY, "--json"), "--json goes with --list"),
        (("a.example", "--list"), "Unknown argument a.example"),
    ],
)
def test_wrong_usage(words: tuple[str, ...], told: str, crawled: Crawled, run_here: RunHere) -> None:
    done = run_here("withhold", crawled.archived.folder, *words)
    assert done.exit_code == 2
    assert told in done.text + done.told


def test_what_is_not_withheld_cannot_be_lifted(run_here: RunHere, archive: Path, page: str) -> None:
    done = run_here("withhold", archive, page, "--lift")
    assert done.exit_code == 1
    assert "is not withheld" in done.told
