"""Whatever kills a run, the next one goes on where it was: nothing lost, nothing twice."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from warcio.checker import Checker

from archiver.archive.warc.reader import read_response
from sample.server import SampleWeb
from tests.crawl.checks import assert_index_agrees, indexed
from tests.crawl.killing import BOUNDARIES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.zoo

# RANDOM_KILLS=50 for a longer try; what can be torn apart is among the boundaries.
RANDOM_KILLS = int(os.environ.get("RANDOM_KILLS", "10"))
SETTINGS = {
    "ALLOW_PRIVATE_ADDRESSES": "True",
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "False",
    "EXTRACT_WORKERS": "1",
}


@pytest.fixture(scope="module")
def web() -> Iterator[SampleWeb]:
    with SampleWeb(day=1, port=0) as web:
        yield web


@pytest.fixture(scope="module")
def seeds(web: SampleWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("seeds") / "seeds.txt"
    path.write_text("".join(f"{url}\n" for url in web.seeds))
    return path


@pytest.fixture(scope="module")
def expected(seeds: Path, tmp_path_factory: pytest.TempPathFactory) -> Counter[tuple[str, int]]:
    """What an undisturbed run leaves."""
    archive = tmp_path_factory.mktemp("undisturbed")
    finish(archive, seeds)
    return versions(archive)


def arguments(archive: Path, seeds: Path) -> list[str]:
    options = {**SETTINGS, "ARCHIVE_DIR": str(archive)}
    given = [word for name, value in options.items() for word in ("-s", f"{name}={value}")]
    return ["crawl", "feeds", "-a", f"seeds={seeds}", *given]


def finish(archive: Path, seeds: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", *arguments(archive, seeds)],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def kill_at(boundary: str, number: int, archive: Path, seeds: Path) -> None:
    command = [sys.executable, "-m", "tests.crawl.killing", boundary, str(number), *arguments(archive, seeds)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == -signal.SIGKILL, f"{boundary} was never reached: {done.stdout}{done.stderr}"
    assert_index_is_not_ahead(archive)


def has_tables(database: Path) -> bool:
    """Whether the run lived long enough to create the tables of a database."""
    if not database.exists():
        return False
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as opened:
        return opened.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,)


def assert_index_is_not_ahead(archive: Path) -> None:
    """What is in the search index is settled, whatever killed the run."""
    if has_tables(archive / "search.sqlite"):
        with closing(sqlite3.connect(archive / "state.sqlite")) as state:
            known = state.execute("SELECT object_file, object_offset FROM versions").fetchall()
        assert set(indexed(archive)) <= set(known)


def kill_after(seconds: float, archive: Path, seeds: Path) -> None:
    command = [sys.executable, "-m", "scrapy", *arguments(archive, seeds)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(seconds)
        process.kill()
    assert_index_is_not_ahead(archive)


def lines(archive: Path) -> list[dict[str, object]]:
    return [
        json.loads(line)
        for path in sorted((archive / "objects").glob("*.jsonl"))
        for line in path.read_text().splitlines()
    ]


def versions(archive: Path) -> Counter[tuple[str, int]]:
    return Counter((str(line["url"]), int(str(line["version"]))) for line in lines(archive))


def check_archive(archive: Path, expected: Counter[tuple[str, int]]) -> None:
    """Every article once, every pointer good, every WARC whole."""
    assert versions(archive) == expected
    assert_index_agrees(archive)
    assert not list((archive / "warc").glob("*.open"))
    files = [str(path) for path in (archive / "warc").glob("*.warc.gz")]
    checker = Checker(type("Options", (), {"inputs": files, "verbose": False, "quiet": True}))
    assert checker.process_all() == 0
    for line in lines(archive):
        pointer = line["warc"]
        assert isinstance(pointer, dict)
        stored = read_response(archive / "warc", pointer["file"], pointer["offset"])
        assert stored.status == 200


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_a_run_killed_at_a_write_boundary_is_completed_by_the_next(
    boundary: str, tmp_path: Path, seeds: Path, expected: Counter[tuple[str, int]]
) -> None:
    # Not the first time that it is reached: something is there already that must not be lost.
    kill_at(boundary, 3, tmp_path, seeds)
    finish(tmp_path, seeds)
    check_archive(tmp_path, expected)


def test_a_repair_that_is_killed_is_done_again(
    tmp_path: Path, seeds: Path, expected: Counter[tuple[str, int]]
) -> None:
    kill_at("warc-record-half", 20, tmp_path, seeds)
    kill_at("repair-before-rename", 1, tmp_path, seeds)
    finish(tmp_path, seeds)
    check_archive(tmp_path, expected)
    assert list((tmp_path / "warc").glob("*.torn"))


@pytest.mark.parametrize("trial", range(RANDOM_KILLS))
def test_a_run_killed_at_any_moment_is_completed_by_the_next(
    trial: int, tmp_path: Path, seeds: Path, expected: Counter[tuple[str, int]]
) -> None:
    chance = random.Random(trial)
    for _ in range(chance.randint(1, 2)):
        kill_after(chance.uniform(0.8, 2.5), tmp_path, seeds)
    finish(tmp_path, seeds)
    check_archive(tmp_path, expected)
