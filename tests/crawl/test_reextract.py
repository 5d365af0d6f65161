"""`scrapy reextract`: a better extractor reads the archive anew; nothing is lost, nothing doubled."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from archiver.archive.lock import ArchiveLock
from archiver.articles.objects.schema import json_schema
from tests.crawl.documents import page, prose, publish, rss, stories
from tests.crawl.killing import REEXTRACT_BOUNDARIES
from tests.crawl.running import DAY, ROOT, Archived, crawl, scrapy
from tests.crawl.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.commands.here import RunHere

# One process crawls for all tests of this file.
pytestmark = pytest.mark.xdist_group("reextract")
SETTINGS = ("-s", "EXTRACT_WORKERS=1", "-s", "EXTRACTION_GROUP_PAGES=4")


@pytest.fixture(scope="module", autouse=True)
def learning() -> Iterator[None]:
    """The commands of these tests know a method that learns."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[1] / "learning"), str(ROOT)])
    yield
    os.environ.pop("PYTHONPATH")
    if before is not None:
        os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="module")
def web() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture(scope="module")
def original(web: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two channels, ten articles, one of which was edited the next day."""
    folder: Path = tmp_path_factory.mktemp("reextract") / "archive"
    told = stories(7)
    feeds = [publish(web, told), publish(web, stories(3, first=50), "/other.xml")]
    assert crawl(folder, feeds, EXTRACT_METHOD="sigfeed-guarded").exit_code == 0
    edited = told[0]
    web.add(edited.path, page(edited.title, prose(99)))
    entries = [replace(edited.entry, summary="Corrected"), *(one.entry for one in told[1:])]
    web.add("/feed.xml", rss(entries))
    run = crawl(folder, feeds, clock_offset=DAY, EXTRACT_METHOD="sigfeed-guarded")
    assert run.report["outcomes"] == {"stored": 1}
    return folder


@pytest.fixture
def archive(original: Path, tmp_path: Path) -> Path:
    return shutil.copytree(original, tmp_path / "archive")


def reextract(archive: Path, *words: str) -> Any:
    return scrapy(archive, "reextract", "--method", "learning", *SETTINGS, *words)


def lines(archive: Path, pattern: str) -> list[dict[str, Any]]:
    folder = archive / "objects"
    paths = sorted(folder.glob(pattern))
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


def anew(archive: Path) -> list[dict[str, Any]]:
    return lines(archive, "articles-*.reextracted.jsonl")


def versions(found: list[dict[str, Any]]) -> Counter[tuple[str, int]]:
    return Counter((one["id"], one["version"]) for one in found)


def test_every_version_is_read_anew_and_the_old_lines_stay(archive: Path) -> None:
    before = Archived(archive).objects
    run = reextract(archive)
    assert run.exit_code == 0, run
    assert "11 versions read again by learning/1, 11 with other words" in run.stdout
    made = anew(archive)
    assert versions(made) == versions(before)
    (written,) = (archive / "objects").glob("articles-*.reextracted.jsonl")
    assert written.stat().st_mode & 0o777 == 0o640
    assert [one for one in run.objects if one["reextracted"] is None] == before
    old = {(one["id"], one["version"]): one for one in before}
    for one in made:
        jsonschema.validate(one, json_schema())
        mine = old[one["id"], one["version"]]
        for name in ("url", "channel", "entry_id", "first_seen", "captured", "version", "change", "warc"):
            assert one[name] == mine[name]
        assert (one["extractor"], one["method"]) == ("learning/1", "learning")
        assert one["wrapper"] is not None
        assert one["reextracted"] is not None
        assert one["text"] in mine["text"]


def test_pages_are_grouped_by_channel_and_what_they_teach_is_kept(archive: Path) -> None:
    run = reextract(archive)
    rows = run.rows("SELECT scope_id, pages, outdated FROM wrappers ORDER BY scope_id")
    assert [tuple(row) for row in rows] == [(1, 8, None), (2, 3, None)]
    ids = {one["warc"]["capture_id"]: one["channel"] for one in run.objects}
    for one in anew(archive):
        assert {ids[sibling] for sibling in one["siblings"]} <= {one["channel"]}


def test_the_state_store_follows_and_the_next_crawl_sees_no_change(archive: Path, web: Site) -> None:
    reextract(archive)
    before = Archived(archive)
    places = {(row["object_file"], row["object_offset"]) for row in before.rows("SELECT * FROM versions")}
    assert len(places) == 11
    assert all(".reextracted." in file for file, _ in places)
    told = stories(7)
    web.add("/feed.xml", rss([replace(one.entry, title=f"{one.title}, once more") for one in told]))
    run = crawl(archive, [web.url("/feed.xml")], clock_offset=2 * DAY, EXTRACT_METHOD="learning")
    assert run.report["outcomes"] == {"unchanged": 7}
    again = [replace(one.entry, title=f"{one.title}, and again") for one in told]
    web.add("/feed.xml", rss(again))
    # Also where the crawl's own method is the old one.
    run = crawl(archive, [web.url("/feed.xml")], clock_offset=3 * DAY, EXTRACT_METHOD="sigfeed-guarded")
    assert run.report["outcomes"] == {"unchanged": 7}


def test_the_second_time_there_is_nothing_to_do(archive: Path) -> None:
    reextract(archive)
    size = len(Archived(archive).objects)
    run = reextract(archive)
    assert (run.exit_code, run.stdout) == (0, "Nothing to read: all of it was made by learning/1.\n")
    assert len(run.objects) == size


def test_some_channels_and_some_time(archive: Path, web: Site) -> None:
    run = reextract(archive, "--channel", web.url("/other.xml"))
    assert "3 versions read again" in run.stdout
    latest = max(one["captured"] for one in run.objects)
    run = reextract(archive, "--since", latest[:19] + "Z", "--workers", "2")
    assert "1 version read again" in run.stdout
    assert "7 versions read again" in reextract(archive).stdout


def test_verify_and_wacz_read_what_was_written(archive: Path, tmp_path: Path, run_here: RunHere) -> None:
    reextract(archive)
    assert run_here("verify", archive).exit_code == 0
    assert run_here("wacz", archive, "-o", str(tmp_path / "a.wacz")).exit_code == 0


@pytest.mark.parametrize(
    "boundary",
    [
        REEXTRACT_BOUNDARIES[0],
        *(pytest.param(one, marks=pytest.mark.zoo) for one in REEXTRACT_BOUNDARIES[1:]),
    ],
)
def test_killed_at_a_write_boundary_it_is_completed_by_the_next(archive: Path, boundary: str) -> None:
    before = versions(Archived(archive).objects)
    words = ["reextract", "--method", "learning", *SETTINGS, "-s", f"ARCHIVE_DIR={archive}"]
    command = [sys.executable, "-m", "tests.crawl.killing", boundary, "2", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False, cwd=ROOT)
    assert done.returncode == -signal.SIGKILL, done.stdout + done.stderr
    run = reextract(archive)
    assert run.exit_code == 0, run
    assert versions(anew(archive)) == before


def test_a_record_that_cannot_be_read_is_told_and_the_others_are_read(archive: Path) -> None:
    lost = Archived(archive).objects[0]["warc"]
    path = archive / "warc" / lost["file"]
    data = bytearray(path.read_bytes())
    data[lost["offset"] + 20 : lost["offset"] + 40] = bytes(20)
    path.write_bytes(data)
    run = reextract(archive)
    assert run.exit_code == 1
    assert "10 versions read again" in run.stdout
    assert "1 could not be read" in run.stdout
    assert lost["file"] in run.stderr


def test_it_holds_the_lock_and_respects_it(archive: Path) -> None:
    with ArchiveLock(archive):
        run = reextract(archive)
    assert (run.exit_code, run.stdout) == (1, "")
    assert "Another run" in run.stderr
    assert anew(archive) == []


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--method", "unheard"), 2, "is not known: choose from"),
        (("--since", "yesterday"), 2, "is not a time"),
        (("--workers", "0"), 2, "at least 1"),
        (("something",), 2, "Unknown argument"),
        (("--channel", "77"), 1, "No channel is called 77"),
    ],
)
def test_wrong_usage_is_told(
    archive: Path, run_here: RunHere, words: tuple[str, ...], code: int, told: str
) -> None:
    run = run_here("reextract", archive, *words)
    assert run.exit_code == code
    assert told in run.told + run.text
