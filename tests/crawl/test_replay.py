"""An archive played again gives what it says that it contains."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from sample.server import SampleWeb
from tests.crawl.running import DAY, Archived, crawl

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.running import CrawlRun

# One process crawls for all tests of this file.
pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("replay")]


# A method that looks at one page at a time: what it finds does not depend on which pages it saw together.
SETTINGS = {"REQUISITES": "look", "EXTRACT_METHOD": "sigfeed-guarded"}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three days of the sample web, which is then no more."""
    folder: Path = tmp_path_factory.mktemp("replay")
    with SampleWeb(day=0, port=0) as web:
        seeds = folder / "seeds.txt"
        seeds.write_text("".join(f"{url}\n" for url in web.seeds))
        for day in range(3):
            web.day = day
            run = crawl(folder / "archive", seeds=seeds, clock_offset=day * DAY, **SETTINGS)
            assert run.exit_code == 0, run
    return folder / "archive"


@pytest.fixture
def archive(original: Path, tmp_path: Path) -> Path:
    return shutil.copytree(original, tmp_path / "archive")


def replayed(archive: Path) -> Archived:
    (folder,) = archive.glob("replay-*")
    return Archived(folder)


@pytest.fixture(scope="module")
def played(original: Path, tmp_path_factory: pytest.TempPathFactory) -> CrawlRun:
    """A replay of the archive as it is."""
    folder: Path = tmp_path_factory.mktemp("played") / "archive"
    run = crawl(shutil.copytree(original, folder), profile="replay", **SETTINGS)
    assert run.exit_code == 0, run
    return run


def test_every_object_comes_out_again_without_network(original: Path, played: CrawlRun) -> None:
    before = Archived(original).objects
    assert f"{len(before)} objects came out as the archive has them" in played.stdout
    again = replayed(played.folder).objects
    assert {(line["url"], line["version"], line["digest"]) for line in again} == {
        (line["url"], line["version"], line["digest"]) for line in before
    }


def test_objects_of_a_replay_point_into_the_same_warc(original: Path, played: CrawlRun) -> None:
    pointers = {(line["url"], line["version"]): line["warc"] for line in Archived(original).objects}
    again = replayed(played.folder).objects
    assert again
    assert all(line["warc"] == pointers[line["url"], line["version"]] for line in again)


def test_a_replay_writes_nothing_into_the_archive(original: Path, played: CrawlRun) -> None:
    def kept(archive: Path) -> dict[str, bytes]:
        folders = ("warc", "objects", "index")
        paths = [path for name in folders for path in (archive / name).iterdir()]
        return {str(path.relative_to(archive)): path.read_bytes() for path in paths}

    assert kept(played.folder) == kept(original)


def test_what_the_warc_does_not_give_is_an_error(archive: Path) -> None:
    last = Archived(archive).warcs[-1]
    last.unlink()
    run = crawl(archive, profile="replay")
    assert run.exit_code == 1
    assert "which its WARC does not give" in run.stdout


def test_an_object_that_was_added_by_somebody_is_an_error(archive: Path) -> None:
    (path,) = (archive / "objects").glob("*.jsonl")
    line = json.loads(path.read_text().splitlines()[0]) | {"url": "http://127.0.0.1/forged"}
    path.write_text(path.read_text() + json.dumps(line) + "\n")
    run = crawl(archive, profile="replay")
    assert run.exit_code == 1
    assert "The archive has http://127.0.0.1/forged version 1" in run.stdout
