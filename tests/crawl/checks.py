"""What must be true of every archive, whatever the crawl met."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from jsonschema import Draft202012Validator

from archiver.archive.warc.reader import read_response
from archiver.articles.objects.schema import FILE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.running import Archived


def assert_whole(archived: Archived) -> None:
    """Every file can be read to its end by tools that are not ours; every object leads to its record."""
    assert_warcs_pass(archived)
    assert_objects_valid(archived)
    assert_pointers_open(archived)
    assert_index_agrees(archived.folder)


def assert_index_agrees(archive: Path) -> None:
    """Every version of an article, and of what readers wrote, is in the search index, and nothing else is."""
    with closing(sqlite3.connect(f"file:{archive / 'state.sqlite'}?mode=ro", uri=True)) as state:
        query = "SELECT object_file, object_offset FROM {}"
        tables = ("versions", "contributions", "posts")
        known = [row for table in tables for row in state.execute(query.format(table))]
    assert sorted(indexed(archive)) == sorted(known)


def indexed(archive: Path) -> list[tuple[str, int]]:
    """The places of the lines that are in the search index."""
    with closing(sqlite3.connect(f"file:{archive / 'search.sqlite'}?mode=ro", uri=True)) as index:
        rows = index.execute(
            "SELECT f.name, d.place FROM documents d JOIN files f ON f.id = d.file"
            # The file 0 stands for documents that are in no objects file.
            " WHERE d.state <> 0 AND f.id <> 0"
        )
        return rows.fetchall()


def assert_warcs_pass(archived: Archived) -> None:
    assert not list(archived.folder.glob("warc/*.open"))
    for path in archived.warcs:
        assert subprocess.run(["gzip", "-t", path], check=False).returncode == 0, path
        check = [sys.executable, "-m", "warcio.cli", "check", path]
        done = subprocess.run(check, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def assert_objects_valid(archived: Archived) -> None:
    for one in archived.objects:
        _validator().validate(one)
    twice = [
        key for key, count in Counter((o["id"], o["version"]) for o in archived.objects).items() if count > 1
    ]
    assert not twice


@cache
def _validator() -> Any:
    return Draft202012Validator(msgspec.json.decode(FILE.read_bytes()))


def assert_pointers_open(archived: Archived) -> None:
    """The pointer of each object opens the response that its words were taken from."""
    records = {(record.file, record.offset): record for record in archived.records}
    by_id = {record.id: record for record in records.values()}
    for one in archived.objects:
        # Of an article on several pages, the last one has its last words.
        pointer = (one["pages"] or [one])[-1]["warc"]
        record = records[pointer["file"], pointer["offset"]]
        assert record.type == "response"
        assert pointer["record_id"] == record.id
        if pointer["capture_id"] != record.id:
            # The same bytes were kept before: the capture refers to them.
            revisit = by_id[pointer["capture_id"]]
            assert (revisit.type, revisit.headers["WARC-Refers-To"]) == ("revisit", record.id)
        stored = read_response(archived.folder / "warc", pointer["file"], pointer["offset"])
        content = stored.content.decode("utf-8", "replace")
        if one["rendered"] is not None:
            # What its words were taken from refers to the response.
            rendered = by_id[one["rendered"]["record_id"]]
            assert (rendered.type, rendered.headers["WARC-Refers-To"]) == (
                "conversion",
                pointer["capture_id"],
            )
            content = rendered.block.decode()
        # Of a list, the first line without its mark.
        last = one["text"].split("\n\n")[-1].strip().split("\n")[0].removeprefix("- ")[:40]
        assert last in content, (one["url"], last)
