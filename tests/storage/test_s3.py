"""The archive on S3, with a server of its own: crawled, verified, read and gone on with from there."""

from __future__ import annotations

import gzip
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from typing import TYPE_CHECKING

import pytest

from sample.server import SampleWeb
from tests.crawl.running import DAY, ROOT, crawl, scrapy, start_scrapy
from tests.importing.files import Made, story
from tests.web.browsing import browsing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("s3")]
URL = "s3://library/archive"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = (tmp_path_factory.mktemp("moto") / "log").open("wb")
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(command, stdout=log, stderr=log) as process:
        address = f"http://127.0.0.1:{port}"
        for _ in range(200):
            try:
                asked = urllib.request.Request(f"{address}/library", method="PUT")
                urllib.request.urlopen(asked, timeout=5).close()
                break
            except OSError:
                time.sleep(0.1)
        yield address
        process.terminate()
    log.close()


@pytest.fixture
def s3(server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("AWS_ENDPOINT_URL", server)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    return URL


def made(path: Path, pages: int = 8) -> Path:
    file = Made()
    file.info("Heritrix/3.4")
    for number in range(pages):
        file.page(f"http://a.example/{number}", story(f"n{number}"), "2020-01-01T00:00:00Z")
        # Something that does not compress, so that an upload takes its time.
        file.other(
            "resource",
            f"urn:x:{number}",
            os.urandom(400_000),
            "application/octet-stream",
            "2020-01-01T00:00:00Z",
        )
    return file.save(path)


def local(archive: Path) -> list[str]:
    return [path.name for path in (archive / "warc").glob("*.warc.gz")]


TOMORROW = """
import sys
from datetime import timedelta
from archiver.running import storing
now = storing.machine_now
storing.machine_now = lambda: now() + timedelta(days=1)
from scrapy.cmdline import execute
execute(["scrapy", "store", *sys.argv[1:]])
"""


def store_tomorrow(archive: Path, url: str) -> None:
    """Move what is closed a day later: also the objects of today."""
    words = ["-s", f"ARCHIVE_DIR={archive}", "-s", f"STORAGE_URL={url}"]
    command = [sys.executable, "-c", TOMORROW, *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done
    assert list((archive / "objects").glob("*.jsonl")) == []
    assert (archive / "objects" / "stored-sha256.txt").exists()


def exported(archive: Path, folder: Path) -> list[str]:
    assert scrapy(archive, "export", "--jsonl", str(folder)).exit_code == 0
    return sorted(line for path in folder.rglob("*.jsonl") for line in path.read_text().splitlines())


def test_all_commands_read_from_s3(s3: str, tmp_path: Path) -> None:
    archive, wacz = tmp_path / "archive", tmp_path / "part.wacz"
    words = (
        "import",
        str(made(tmp_path / "a.warc.gz")),
        "-s",
        f"STORAGE_URL={s3}/one",
        "-s",
        "EXTRACT_WORKERS=1",
    )
    run = scrapy(archive, *words)
    assert run.exit_code == 0, run
    assert local(archive) == []
    url = "http://a.example/3"
    before = [exported(archive, tmp_path / "before"), scrapy(archive, "history", url).stdout]
    store_tomorrow(archive, f"{s3}/one")
    assert "all is well" in scrapy(archive, "verify").stdout
    assert [exported(archive, tmp_path / "after"), scrapy(archive, "history", url).stdout] == before
    assert len(before[0]) == 8
    assert scrapy(archive, "search", "--build").exit_code == 0
    assert "n3" in scrapy(archive, "search", "ferry").stdout
    assert "Report n3" in scrapy(archive, "extract-record", url).stdout
    assert "Report n3" in scrapy(archive, "explain", url).stdout
    assert "200" in scrapy(archive, "captures", url).stdout
    assert scrapy(archive, "wacz", "-o", str(wacz)).exit_code == 0
    again = scrapy(archive, "reextract", "--method", "sigfeed", "-s", "EXTRACT_WORKERS=1")
    assert again.exit_code == 0, again
    assert "could not be read" not in again.stdout
    with browsing(archive) as shown:
        assert "Report n3" in shown.get("/article", url=url).text
        assert shown.get("/capture", url=url).status == 200
        assert b"WARC/1." in gzip.decompress(shown.get("/capture.warc.gz", url=url).body)
        assert "Report n3" in shown.get("/explain", url=url).text
        assert "Report n3" in shown.get("/articles").text


def test_a_run_that_is_killed_while_it_uploads_loses_nothing(s3: str, tmp_path: Path) -> None:
    archive, chance = tmp_path / "archive", random.Random(5)
    assert (
        scrapy(archive, "import", str(made(tmp_path / "a.warc.gz", 20)), "-s", "EXTRACT_WORKERS=1").exit_code
        == 0
    )
    before = sorted(local(archive))
    for _ in range(6):
        process = start_scrapy(["store", "-s", f"ARCHIVE_DIR={archive}", "-s", f"STORAGE_URL={s3}/two"])
        time.sleep(1.2 + chance.random() * 1.5)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        checked = scrapy(archive, "verify")
        assert "all is well" in checked.stdout, checked
    done = scrapy(archive, "store", "-s", f"STORAGE_URL={s3}/two")
    assert done.exit_code == 0, done
    assert local(archive) == []
    stored = (archive / "warc" / "stored-sha256.txt").read_text().splitlines()
    assert sorted(line.split()[1] for line in stored) == before
    assert "all is well" in scrapy(archive, "verify").stdout


def test_a_crawl_goes_on_from_s3_and_is_replayed(s3: str, tmp_path: Path) -> None:
    """What was moved after the first day is what the second day compares with and refers to."""
    archive = tmp_path / "archive"
    settings = {"EXTRACT_METHOD": "sigfeed-guarded", "STORAGE_URL": f"{s3}/three"}
    with SampleWeb(day=0, port=0) as web:
        seeds = tmp_path / "seeds.txt"
        seeds.write_text("".join(f"{url}\n" for url in web.seeds))
        for day in range(2):
            web.day = day
            run = crawl(archive, seeds=seeds, clock_offset=day * DAY, **settings)
            assert run.exit_code == 0, run
            assert local(archive) == []
    checked = scrapy(archive, "verify")
    assert "all is well" in checked.stdout, checked
    again = scrapy(archive, "reextract", "--method", "article")
    assert again.exit_code == 0, again
    assert "could not be read" not in again.stdout
    played = crawl(archive, profile="replay", EXTRACT_METHOD="sigfeed-guarded")
    assert played.exit_code == 0, played
