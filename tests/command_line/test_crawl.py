"""`archiver crawl` in an empty folder, and every other way to type the same."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from archiver.clock import rfc3339
from tests.command_line.running import ARCHIVER, SCRAPY, run
from tests.crawl.documents import publish, stories
from tests.crawl.running import ROOT, Archived
from tests.crawl.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.xdist_group("command_line_crawl")
# Loopback by a variable, which is a place of settings like the others.
IN_A_HURRY = {
    "ARCHIVER_ALLOW_PRIVATE_ADDRESSES": "1",
    "ARCHIVER_DOWNLOAD_DELAY": "0",
    "ARCHIVER_AUTOTHROTTLE_ENABLED": "no",
    "ARCHIVER_EXTRACT_WORKERS": "1",
}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site() as site:
        publish(site, stories(3), "/first.xml")
        publish(site, stories(1, first=11), "/second.xml")
        publish(site, stories(1, first=21), "/third.xml")
        yield site


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder of somebody who has never seen a checkout."""
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture(scope="module")
def by_file(site: Site, folder: Path) -> Archived:
    """What `archiver crawl FILE` left there."""
    (folder / "mine.txt").write_text(f"{site.url('/first.xml')}\n")
    done = run(folder, "crawl", "mine.txt", **IN_A_HURRY)
    assert (done.returncode, done.stderr) == (0, "")
    # The words of the summary are those of this program.
    assert "\nReport     archive/runs/run-" in done.stdout
    assert "\nObjects    archive/objects/articles-" in done.stdout
    assert "`scrapy " not in done.stdout
    return Archived(folder / "archive")


def captured(archived: Archived) -> list[tuple[str, str | None]]:
    return sorted((record.type, record.url) for record in archived.records if record.type != "warcinfo")


def objects(archived: Archived, since: str) -> list[dict[str, Any]]:
    """The objects but for what no two runs share: times from then on, record ids, and names of files."""
    found = [_without_chance(one, since) for one in archived.objects]
    return sorted(found, key=lambda one: json.dumps(one, sort_keys=True))


def _without_chance(value: Any, since: str) -> Any:
    if isinstance(value, dict):
        return {name: _without_chance(part, since) for name, part in value.items() if name != "warc"}
    if isinstance(value, list):
        return [_without_chance(part, since) for part in value]
    if isinstance(value, str) and _RECORD.fullmatch(value):
        return "a record"
    is_of_the_run = isinstance(value, str) and _TIME.fullmatch(value) and value >= since
    return "a time of the run" if is_of_the_run else value


_RECORD = re.compile(r"<urn:uuid:[0-9a-f-]+>")
_TIME = re.compile(r"\d{4}-\d\d-\d\d(T[\d:.]+Z)?")


def test_a_seeds_file_is_crawled_in_any_folder(by_file: Archived, folder: Path, site: Site) -> None:
    assert sorted(path.name for path in folder.iterdir()) == ["archive", "mine.txt"]
    assert len(by_file.objects) == 3
    assert list(by_file.channels()) == [site.url("/first.xml")]


def test_a_file_called_like_the_spider_and_an_address(by_file: Archived, folder: Path, site: Site) -> None:
    """`feeds` is the spider; `./feeds` is the file."""
    (folder / "feeds").write_text(f"{site.url('/second.xml')}\n")
    done = run(folder, "crawl", "feeds", "./feeds", site.url("/third.xml"), **IN_A_HURRY)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(by_file.channels()) == {site.url(f"/{name}.xml") for name in ("first", "second", "third")}
    assert len(by_file.objects) == 5


def test_what_to_crawl_is_said_once_and_exists(folder: Path) -> None:
    (folder / "list.opml").write_text("<opml/>")
    for words, told in (
        (["list.opml", "-a", "seeds=list.opml"], "Name seeds files once"),
        (["feeds", "nowhere.opml"], "There is no file called nowhere.opml"),
        (["fedes"], "No spider is called 'fedes', and no file: did you mean feeds?"),
        (["feeds", "feeds"], "./feeds is a file"),
        (["a,b.txt"], "a comma parts the names"),
    ):
        done = run(folder, "crawl", *words)
        assert (done.returncode, "Traceback" in done.stderr) == (2, False), done
        assert told in done.stderr


@pytest.mark.parametrize("words", [(), ("--profile", "cron"), ("feeds", "-a", "watch=1")])
def test_a_crawl_of_all_channels_begins_no_archive_in_a_wrong_folder(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    done = run(tmp_path, "crawl", *words, COLUMNS="500", **IN_A_HURRY)
    assert (done.returncode, done.stdout) == (2, "")
    told = done.stderr.splitlines()[-1]
    assert told.startswith(f"archiver crawl: error: There is no archive in {tmp_path / 'archive'} yet: ")
    assert "`archiver crawl FILE`" in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.zoo
def test_every_way_to_type_a_crawl_keeps_the_same(site: Site, tmp_path: Path) -> None:
    """`make crawl SEEDS=FILE`, `scrapy crawl feeds -a seeds=FILE`, `archiver crawl FILE`."""
    alone, seeds = tmp_path / "alone", tmp_path / "mine.txt"
    alone.mkdir()
    seeds.write_text(f"{site.url('/first.xml')}\n")
    ways = {
        "archiver": (alone, [*ARCHIVER, "crawl", str(seeds)]),
        "spider": (alone, [*ARCHIVER, "crawl", "feeds", "-a", f"seeds={seeds}"]),
        "scrapy": (ROOT, [*SCRAPY, "crawl", "feeds", "-a", f"seeds={seeds}"]),
        "make": (ROOT, ["make", "crawl", f"SEEDS={seeds}"]),
    }
    kept = {}
    since = rfc3339(datetime.now(UTC))[:10]
    for name, (where, command) in ways.items():
        archive = tmp_path / name
        done = run(where, program=command, ARCHIVER_ARCHIVE_DIR=str(archive), **IN_A_HURRY)
        assert done.returncode == 0, done
        kept[name] = Archived(archive)
    assert len(captured(kept["make"])) > 8
    assert len(objects(kept["make"], since)) == 3
    for name in ("archiver", "spider", "scrapy"):
        assert captured(kept[name]) == captured(kept["make"]), name
        assert objects(kept[name], since) == objects(kept["make"], since), name


@pytest.mark.parametrize("program", [ARCHIVER, SCRAPY], ids=["archiver", "scrapy"])
def test_fetch_prints_what_the_crawl_would_get_and_keeps_nothing(
    program: list[str], site: Site, tmp_path: Path
) -> None:
    where = tmp_path if program is ARCHIVER else ROOT
    archive = tmp_path / "archive"
    settings = {"ARCHIVER_ARCHIVE_DIR": str(archive), **IN_A_HURRY}
    site.forget()
    done = run(where, "fetch", site.url("/first.xml"), program=program, **settings)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        done.stdout.rstrip("\n").encode()
        == site.to("/first.xml")[0].answered.partition(b"\r\n\r\n")[2].rstrip()
    )
    assert "archiver" in (site.to("/first.xml")[0].header("User-Agent") or "")
    assert [request.path for request in site.requests] == ["/robots.txt", "/first.xml"]
    assert not archive.exists()


def test_fetch_says_that_an_address_is_private(site: Site, tmp_path: Path) -> None:
    done = run(tmp_path, "fetch", site.url("/first.xml"))
    assert done.returncode == 1
    assert "127.0.0.1 has no public address: -s ALLOW_PRIVATE_ADDRESSES=1 allows it" in done.stderr


def test_another_projects_scrapy_stays_as_it_is(tmp_path: Path, site: Site) -> None:
    """Entry points are there for every project of an environment."""
    theirs = tmp_path / "theirs"
    (theirs / "spiders").mkdir(parents=True)
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = theirs.settings\n")
    (theirs / "settings.py").write_text(
        'BOT_NAME = "theirs"\nSPIDER_MODULES = ["theirs.spiders"]\nLOG_LEVEL = "ERROR"\n'
    )
    for package in (theirs, theirs / "spiders"):
        (package / "__init__.py").touch()
    (theirs / "spiders" / "one.py").write_text(
        "import scrapy\n\n\nclass One(scrapy.Spider):\n"
        f'    name = "one"\n    start_urls = ["{site.url("/first.xml")}"]\n\n'
        '    def parse(self, response):\n        yield {"seen": response.url}\n'
    )
    fetch = f"fetch --nolog {site.url('/first.xml')}"
    typed = ("list", "settings --get BOT_NAME", fetch, "crawl one -O out.json")
    told = {words: run(tmp_path, *words.split(), program=SCRAPY) for words in typed}
    assert {words: done.returncode for words, done in told.items()} == dict.fromkeys(told, 0), told
    assert told["list"].stdout.split() == ["one"]
    assert told["settings --get BOT_NAME"].stdout.strip() == "theirs"
    assert "<rss" in told[fetch].stdout
    assert json.loads((tmp_path / "out.json").read_text()) == [{"seen": site.url("/first.xml")}]
    # Ours are listed, and say where they work.
    done = run(tmp_path, "channels", program=SCRAPY)
    assert (done.returncode, "is of another project" in done.stderr) == (2, True), done
    listed = run(tmp_path, program=SCRAPY).stdout
    assert listed.startswith("Scrapy ")
    assert "  crawl  " in listed


def test_a_file_that_is_not_seeds_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "photo.opml").write_bytes(os.urandom(2000))
    done = run(tmp_path, "crawl", "photo.opml")
    assert done.returncode in {1, 2}
    assert "photo.opml" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_the_installed_program_is_the_module(tmp_path: Path) -> None:
    """`archiver` as pip installs it, beside the Python that the tests run with."""
    done = subprocess.run(
        [os.path.join(os.path.dirname(sys.executable), "archiver"), "crawl", "--help"],  # noqa: PTH118, PTH120 - .venv/bin/python is a link
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == run(tmp_path, "crawl", "--help").stdout
