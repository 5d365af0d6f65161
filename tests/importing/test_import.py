"""`scrapy import`: pages of others become articles, at the place in history where their captures are."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from tests.acceptance.tools import tool
from tests.crawl.running import scrapy, start_scrapy
from tests.importing.files import Made, browsertrix, heritrix, story

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.crawl.running import CrawlRun


def imported(archive: Path, *words: str | Path) -> CrawlRun:
    return scrapy(archive, "import", *map(str, words), "-s", "EXTRACT_WORKERS=1")


def objects(archive: Path) -> list[dict[str, Any]]:
    paths = sorted((archive / "objects").glob("articles-*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


def captured_at(made: dict[str, Any]) -> str:
    return str(made["captured"])


def test_files_of_others_are_read_verified_and_known_the_second_time(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    files = heritrix(tmp_path / "heritrix.warc.gz"), browsertrix(tmp_path / "browsertrix.wacz")
    run = imported(archive, *files)
    assert run.exit_code == 0, run
    assert "2 files imported, 11 records" in run.stdout
    assert "1 document not listed as pages" in run.stdout
    found = objects(archive)
    assert [(one["title"], one["captured"]) for one in sorted(found, key=captured_at)] == [
        ("Report bridge", "2019-05-04T10:00:00Z"),
        ("Report ferry", "2023-01-02T03:04:05.678000Z"),
    ]
    assert found[0]["lead"] == {"source": "import", "via": "heritrix.warc.gz"}
    assert "all is well" in scrapy(archive, "verify").stdout
    assert "Report ferry" in scrapy(archive, "search", "ferry").stdout
    again = imported(archive, *files)
    assert "0 files imported" in again.stdout
    assert "0 pages read" in again.stdout
    assert objects(archive) == found


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "site"
    folder.mkdir()
    for name in ("bridge", "ferry", "mills"):
        (folder / f"{name}.html").write_bytes(story(name))
    links = "".join(f"<a href='{name}.html'>{name}</a>" for name in ("bridge", "ferry", "mills"))
    (folder / "index.html").write_text(f"<html><body>{links}</body></html>")

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.zoo
@pytest.mark.skipif(shutil.which("wget") is None, reason="wget is not installed")
@pytest.mark.parametrize("option", [[], ["--no-warc-compression"]], ids=["compressed", "plain"])
def test_what_wget_made_is_read_replayed_and_exported(tmp_path: Path, site: str, option: list[str]) -> None:
    wget = ["wget", "-q", "-r", "-e", "robots=off", "--warc-file=town", *option, "-P", "files", site]
    subprocess.run(wget, cwd=tmp_path, check=False, timeout=60)
    (path,) = tmp_path.glob("town.warc*")
    archive = tmp_path / "archive"
    run = imported(archive, path)
    assert run.exit_code == 0, run
    assert sorted(one["title"] for one in objects(archive)) == [
        "Report bridge",
        "Report ferry",
        "Report mills",
    ]
    assert "all is well" in scrapy(archive, "verify").stdout
    assert "version 1" in scrapy(archive, "history", f"{site}ferry.html").stdout
    shown = scrapy(archive, "extract-record", f"{site}ferry.html")
    assert "Report ferry" in shown.stdout
    wacz = tmp_path / "part.wacz"
    assert scrapy(archive, "wacz", "-o", str(wacz)).exit_code == 0
    (warc,) = (archive / "warc").glob("*-import.warc.gz")
    made = subprocess.run([tool("cdxj-indexer"), str(warc)], capture_output=True, text=True, check=True)
    own = (archive / "index" / warc.name.replace(".warc.gz", ".cdxj")).read_text().splitlines()
    assert sorted(made.stdout.splitlines()) == own


def versions_in_files(tmp_path: Path) -> list[Path]:
    """The same article in three years, edited each time."""
    paths = []
    for year, edit in (
        (2018, ""),
        (2020, "A second bridge was opened in the meantime."),
        (2022, "Both were closed."),
    ):
        made = Made()
        made.info("Heritrix/3.4")
        made.page("http://old.example/bridge", story("bridge", edited=edit), f"{year}-06-01T12:00:00Z")
        paths.append(made.save(tmp_path / f"{year}.warc.gz"))
    return paths


@pytest.mark.zoo
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (2, 1, 0)])
def test_history_is_in_the_order_of_captures_however_files_come(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    archive, paths = tmp_path / "archive", versions_in_files(tmp_path)
    for number in order:
        assert imported(archive, paths[number]).exit_code == 0
    told = json.loads(scrapy(archive, "history", "http://old.example/bridge", "--json").stdout)
    dates = [one["captured"][:4] for one in told["versions"]]
    assert dates == ["2018", "2020", "2022"]
    newest = json.loads(scrapy(archive, "search", "bridge", "--json").stdout)
    assert [one["captured"][:4] for one in newest["hits"]] == ["2022"]
    assert "all is well" in scrapy(archive, "verify").stdout


@pytest.mark.zoo
def test_pages_can_be_chosen_and_the_rest_read_later(tmp_path: Path) -> None:
    archive, made = tmp_path / "archive", Made()
    made.info("x")
    for name in ("bridge", "ferry", "mills"):
        made.page(f"http://a.example/{name}", story(name), "2020-01-01T00:00:00Z")
    path = made.save(tmp_path / "three.warc.gz")
    assert "1 page read" in imported(archive, path, "--pages", "*/ferry").stdout
    assert "1 page read" in imported(archive, path, "--limit", "1").stdout
    assert "2 pages read" in imported(archive, path).stdout or len(objects(archive)) == 3
    assert sorted(one["title"] for one in objects(archive)) == [
        "Report bridge",
        "Report ferry",
        "Report mills",
    ]


@pytest.mark.zoo
def test_a_killed_import_goes_on_and_reads_nothing_twice(tmp_path: Path) -> None:
    made = Made()
    made.info("x")
    for number in range(60):
        made.page(f"http://a{number % 4}.example/{number}", story(f"n{number}"), "2020-01-01T00:00:00Z")
    path = made.save(tmp_path / "many.warc.gz")
    archive = tmp_path / "archive"
    for seconds in (1.5, 2.5, 3.2, 4.0):
        words = ["import", str(path), "-s", f"ARCHIVE_DIR={archive}", "-s", "EXTRACT_WORKERS=1"]
        process = start_scrapy(words)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    run = imported(archive, path)
    assert run.exit_code == 0, run
    assert len({one["id"] for one in objects(archive)}) == len(objects(archive)) == 60
    assert "all is well" in scrapy(archive, "verify").stdout


@pytest.mark.zoo
def test_a_broken_file_is_told_and_what_is_whole_is_read(tmp_path: Path) -> None:
    path = heritrix(tmp_path / "torn.warc.gz")
    path.write_bytes(path.read_bytes()[:-40])
    run = imported(tmp_path / "archive", path)
    assert run.exit_code == 1
    assert "the file ends within this record" in run.stderr.replace("\n", " ")
    assert [one["title"] for one in objects(tmp_path / "archive")] == ["Report bridge"]
    assert "all is well" in scrapy(tmp_path / "archive", "verify").stdout
