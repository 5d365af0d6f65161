"""`scrapy explain`: a page of the archive or a file, and why this is its article."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.commands.conftest import Crawled
from tests.crawl.running import ROOT, Archived
from tests.extract.pages import BODY, TITLE, page

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere

pytestmark = pytest.mark.xdist_group("commands")

NOWHERE = "http://nowhere.example/"


@pytest.fixture(scope="module")
def crawled(crawled: Crawled, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    """A copy: whoever reads the state store touches files of it, and other tests look at those."""
    folder = tmp_path_factory.mktemp("explain") / "archive"
    return Crawled(Archived(shutil.copytree(crawled.archived.folder, folder)), crawled.bases)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ferry.html"
    path.write_bytes(page(f"<article><h1>{TITLE}</h1>{BODY}</article>"))
    return path


def archived(crawled: Crawled, site: str = "newspaper") -> dict[str, str]:
    """An object of a site; of those that were made with siblings, if there is one."""
    mine = [one for one in crawled.archived.objects if one["url"].startswith(crawled.bases[site])]
    return max(mine, key=lambda one: len(one["siblings"]))


def test_an_archived_page_is_explained_with_its_entry_and_its_siblings(
    crawled: Crawled, run_here: RunHere
) -> None:
    found = archived(crawled)
    told = run_here("explain", crawled.archived.folder, found["url"], "--json")
    assert told.exit_code == 0
    assert told.told.startswith(f"{found['url']} at 20")
    explained = json.loads(told.out)
    assert (explained["outcome"], explained["is_announced"]) == ("article", True)
    assert explained["siblings"]
    assert found["url"] not in explained["siblings"]
    assert explained["summary_words"] > 5
    assert any(block["is_kept"] for block in explained["blocks"])
    assert all(block["is_kept"] or block["reasons"] for block in explained["blocks"])


def test_a_page_behind_a_redirect_is_found_by_the_address_of_its_entry(
    crawled: Crawled, run_here: RunHere
) -> None:
    link = crawled.url("trouble", "/go/77")
    captured = json.loads(crawled.archived.page(link)["capture"])["url"]
    assert captured != link
    for address in (link, captured):
        told = run_here("explain", crawled.archived.folder, address, "--json")
        explained = json.loads(told.out)
        assert (told.exit_code, explained["url"], explained["is_announced"]) == (0, captured, True)


def test_a_page_is_explained_at_another_time(crawled: Crawled, run_here: RunHere) -> None:
    changed = next(one for one in crawled.archived.objects if one["version"] == 2)
    told = run_here("explain", crawled.archived.folder, changed["url"], "--at", "1999-12-31")
    newest = run_here("explain", crawled.archived.folder, changed["url"])
    assert (told.exit_code, newest.exit_code) == (0, 0)
    assert told.told != newest.told


def test_an_archive_without_its_state_is_explained_by_the_page_alone(
    archive: Path, crawled: Crawled, run_here: RunHere
) -> None:
    for path in archive.glob("state*"):
        path.unlink()
    told = run_here("explain", archive, archived(crawled)["url"])
    assert told.exit_code == 0
    assert "the page is read without its entry" in told.told
    assert b"from the page alone" in told.out


def test_what_is_not_in_the_archive_is_told_with_what_is_like_it(crawled: Crawled, run_here: RunHere) -> None:
    url = archived(crawled)["url"]
    told = run_here("explain", crawled.archived.folder, f"{url}x?token=secret")
    assert (told.exit_code, told.out) == (1, b"")
    assert f"{url}x?token=*** is not in the archive" in told.told
    assert f"  like it: {url}" in told.told
    assert run_here("explain", crawled.archived.folder, NOWHERE).exit_code == 1


def test_a_file_is_explained_with_what_is_said_of_it(tmp_path: Path, file: Path, run_here: RunHere) -> None:
    other = tmp_path / "other.html"
    other.write_bytes(file.read_bytes().replace(b"ferry", b"steamer"))
    words = (str(file), "--title", TITLE, "--summary", "One two three", "--sibling", str(other))
    told = run_here("explain", tmp_path, *words)
    lines = told.out.decode().splitlines()
    assert (told.exit_code, lines[0]) == (0, "Outcome    article")
    assert f"Known      from the feed: title {TITLE!r}, summary of 3 words" in lines
    assert "Siblings   other.html" in lines
    assert "Voters" in lines
    assert "\x1b" not in told.out.decode()


def test_a_page_without_an_article_is_explained_too(tmp_path: Path, run_here: RunHere) -> None:
    path = tmp_path / "empty.html"
    path.write_bytes(b"<html><body></body></html>")
    told = run_here("explain", tmp_path, str(path))
    assert (told.exit_code, told.out) == (0, b"Outcome    empty: the page shows no text\n")


def test_the_page_is_drawn_into_a_file(tmp_path: Path, file: Path, run_here: RunHere) -> None:
    out = tmp_path / "drawn.html"
    assert run_here("explain", tmp_path, str(file), "--html", str(out)).exit_code == 0
    drawn = out.read_text("utf-8")
    assert '<mark class="explain-kept" title="kept: first look 0.' in drawn
    assert "<b>ferry.html</b>" in drawn
    assert sorted(path.name for path in tmp_path.iterdir()) == ["drawn.html", "ferry.html"]


def test_at_a_terminal_there_are_colours(file: Path) -> None:
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "scrapy", "explain", str(file)]
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    subprocess.run(command, cwd=ROOT, stdout=child, stderr=subprocess.DEVNULL, env=environment, check=True)
    os.close(child)
    assert b"\x1b[32marticle\x1b[0m" in os.read(parent, 65536)
    os.close(parent)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Name one URL or file; got none"),
        (("a.html", "b.html"), "Name one URL or file"),
        (("a.example/feed",), "there is no such file, and a URL begins with http://"),
        ((NOWHERE, "--at", "yesterday"), "'yesterday' is not a time"),
        ((NOWHERE, "--sibling", "nowhere.html"), "nowhere.html: there is no such file"),
        ((NOWHERE, "--html", "/nowhere/at/all.html"), "there is no such folder"),
        ((NOWHERE, "--raw"), "--raw is not an option"),
    ],
)
def test_wrong_usage_gives_the_exit_code_2(
    crawled: Crawled, run_here: RunHere, words: tuple[str, ...], told: str
) -> None:
    printed = run_here("explain", crawled.archived.folder, *words)
    assert printed.exit_code == 2
    assert told in printed.told


def test_the_page_itself_is_never_written_over(tmp_path: Path, file: Path, run_here: RunHere) -> None:
    before = file.read_bytes()
    assert run_here("explain", tmp_path, str(file), "--html", str(file)).exit_code == 2
    assert file.read_bytes() == before


def test_the_wrappers_of_the_channel_are_tried(crawled: Crawled, run_here: RunHere) -> None:
    rows = crawled.archived.rows("SELECT id FROM wrappers WHERE extractor LIKE 'article/%'")
    if not rows:
        pytest.skip("the crawl does not use the method `article`, so that it learned no wrappers")
    told = json.loads(run_here("explain", crawled.archived.folder, archived(crawled)["url"], "--json").out)
    assert {one["id"] for one in told["wrappers"]} <= {row["id"] for row in rows}
    assert told["wrappers"]
