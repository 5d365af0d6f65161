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

# One process crawls for all tests of this file.
pytestmark = pytest.mark.xdist_group("replay")


# A method that looks at one page at a time: what it finds does not depend on which pages it saw together.
SETTINGS = {"REQUISITES": "article", "EXTRACT_METHOD": "sigfeed-guarded"}


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


def test_every_object_comes_out_again_without_network(archive: Path) -> None:
    before = Archived(archive).objects
    run = crawl(archive, profile="replay", **SETTINGS)
    assert run.exit_code == 0, run
    assert f"{len(before)} objects came out as the archive has them" in run.stdout
    again = replayed(archive).objects
    assert {(line["url"], line["version"], line["digest"]) for line in again} == {
        (line["url"], line["version"], line["digest"]) for line in before
    }
    assert Archived(archive).objects == before


def test_objects_of_a_replay_point_into_the_same_warc(archive: Path) -> None:
    crawl(archive, profile="replay")
    pointers = {(line["url"], line["version"]): line["warc"] for line in Archived(archive).objects}
    assert all(line["warc"] == pointers[line["url"], line["version"]] for line in replayed(archive).objects)


def test_a_replay_writes_nothing_into_the_archive(archive: Path) -> None:
    def kept() -> dict[str, bytes]:
        folders = ("warc", "objects", "index")
        return {str(path): path.read_bytes() for name in folders for path in (archive / name).iterdir()}

    before = kept()
    crawl(archive, profile="replay")
    assert kept() == before


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
