"""`search.sqlite` as a file: damaged, of another version, and left by a feeder that was killed."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from archiver.search.building import build
from archiver.search.index import FILE, NoIndex
from archiver.store.reading import reading
from tests.history.made import HOUR, START

if TYPE_CHECKING:
    from tests.search.made import SearchedArchive

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("damage", [b"not a database, by far" * 400, b""])
def test_a_damaged_index_says_so_and_is_built_anew(archive: SearchedArchive, damage: bytes) -> None:
    archive.add("one", "ferry")
    archive.feed()
    (archive.folder / FILE).write_bytes(damage)
    with pytest.raises(NoIndex, match="scrapy search --build"):
        archive.search("ferry")
    with reading(archive.url) as state:
        assert build(archive.folder, state, lambda *_: None).fed == 1
    assert archive.found("ferry") == ["one"]


def test_an_index_of_another_version_is_refused_by_readers_and_made_anew_by_feeders(
    archive: SearchedArchive,
) -> None:
    archive.add("one", "ferry")
    archive.feed()
    with closing(sqlite3.connect(archive.folder / FILE)) as connection:
        connection.execute("UPDATE meta SET version = 99")
        connection.commit()
    with pytest.raises(NoIndex, match="of another archiver"):
        archive.search("ferry")
    assert archive.feed().fed == 1
    assert archive.found("ferry") == ["one"]


FEEDS = """
import sys
from pathlib import Path
from archiver.search import feeding
from archiver.search.opening import open_store
from archiver.store.reading import reading
feeding.AT_ONCE = 3
folder = Path(sys.argv[1])
with open_store(folder, sys.argv[2]) as store, reading(sys.argv[2]) as state:
    print("ready", flush=True)
    feeding.Feeder(store, state, folder / "objects").feed(lambda done, total: print(done, flush=True))
"""


@pytest.mark.zoo
def test_a_feeder_that_is_killed_leaves_the_index_behind_and_never_ahead(archive: SearchedArchive) -> None:
    names = {f"n{number}" for number in range(120)}
    for number, name in enumerate(sorted(names)):
        archive.add(name, f"ferry {'word ' * 200} {name}", at=START + number * HOUR)
    command = [sys.executable, "-c", FEEDS, str(archive.folder), archive.url]
    ended = 0
    for wait in range(40):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(wait * 0.002)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        ended += process.returncode == 0
        with closing(sqlite3.connect(archive.folder / FILE)) as index:
            rows = index.execute(
                "SELECT f.name, f.length, d.place FROM documents d JOIN files f ON f.id = d.file"
            )
            assert all(place < length for _, length, place in rows)
            (count,) = index.execute("SELECT count(*) FROM documents").fetchone()
            (words,) = index.execute("SELECT count(*) FROM words WHERE words MATCH 'ferry'").fetchone()
            assert count == words
            index.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        if count == len(names):
            break
    archive.feed()
    assert set(archive.found("ferry", limit=500)) == names
    assert archive.search("ferry", all_versions=True).total == len(names)
