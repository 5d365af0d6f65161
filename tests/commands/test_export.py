"""`scrapy export`: objects for analysts, by the day of their capture."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import duckdb
import pyarrow.dataset as ds
import pytest

from tests.commands.here import run_here  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere

pytestmark = pytest.mark.xdist_group("commands")


def settled(archive: Path) -> dict[tuple[str, int], bytes]:
    """The lines of the archive; of a version that was read anew, the newest."""
    found = {}
    for path in sorted((archive / "objects").glob("articles-*.jsonl")):
        for line in path.read_bytes().splitlines(keepends=True):
            made = json.loads(line)
            found[made["id"], made["version"]] = line
    return found


def test_lines_are_written_as_they_are_by_day(archive: Path, tmp_path: Path, run_here: RunHere) -> None:  # noqa: F811
    done = run_here("export", archive, "--jsonl", str(tmp_path / "out"))
    assert done.exit_code == 0, done.told
    written = {}
    for path in (tmp_path / "out" / "articles").glob("date=*/part-*.jsonl"):
        for line in path.read_bytes().splitlines(keepends=True):
            made = json.loads(line)
            assert path.parent.name == f"date={made['captured'][:10]}"
            written[made["id"], made["version"]] = line
    assert written == settled(archive)
    assert json.loads((tmp_path / "out" / "articles" / "_schema.json").read_text())["$defs"]


def test_duckdb_reads_what_the_lines_say(archive: Path, tmp_path: Path, run_here: RunHere) -> None:  # noqa: F811
    assert run_here("export", archive, "--parquet", str(tmp_path / "out")).exit_code == 0
    lines = [json.loads(line) for line in settled(archive).values()]
    query = "SELECT id, version, title, len(links), warc.offset, text FROM read_parquet(?)"
    rows = duckdb.connect().execute(query, [f"{tmp_path}/out/articles/*/*.parquet"]).fetchall()
    expected = [
        (one["id"], one["version"], one["title"], len(one["links"]), one["warc"]["offset"], one["text"])
        for one in lines
    ]
    assert sorted(rows) == sorted(expected)


def test_parquet_has_types_and_partitions(archive: Path, tmp_path: Path, run_here: RunHere) -> None:  # noqa: F811
    assert run_here("export", archive, "--parquet", str(tmp_path / "out"), "--last").exit_code == 0
    table = ds.dataset(tmp_path / "out" / "articles", partitioning="hive").to_table()
    assert str(table.schema.field("captured").type) == "timestamp[us, tz=UTC]"
    assert str(table.schema.field("authors").type) == "list<element: string>"
    newest: dict[str, int] = {}
    for name, version in settled(archive):
        newest[name] = max(version, newest.get(name, 0))
    assert dict(zip(table["id"].to_pylist(), table["version"].to_pylist(), strict=True)) == newest


def test_withheld_pages_are_left_out(archive: Path, tmp_path: Path, run_here: RunHere) -> None:  # noqa: F811
    url = json.loads(next(iter(settled(archive).values())))["url"]
    assert run_here("withhold", archive, url, "--reason", "a test").exit_code == 0
    done = run_here("export", archive, "--jsonl", str(tmp_path / "out"))
    assert "withheld" in done.text
    written = b"".join(path.read_bytes() for path in (tmp_path / "out").rglob("*.jsonl"))
    assert all(json.loads(line)["url"] != url for line in written.splitlines())


def test_mistakes_are_told(archive: Path, tmp_path: Path, run_here: RunHere) -> None:  # noqa: F811
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("kept")
    assert "either --parquet FOLDER or --jsonl" in run_here("export", archive).told
    assert "not an empty folder" in run_here("export", archive, "--jsonl", str(tmp_path / "full")).told
    assert (tmp_path / "full" / "file").read_text() == "kept"
