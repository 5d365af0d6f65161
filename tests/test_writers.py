"""The names of writers: kept by their folders, and found again in the names of files."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from archiver.archive.writers import (
    ANYONE,
    FILE,
    Writer,
    find_writer,
    host_name,
    is_writer_lost,
    keep_writer,
    writer_of,
    writer_to_read,
)

if TYPE_CHECKING:
    from pathlib import Path

WARC = "archiver-20261117034229783-00001"


@pytest.mark.parametrize(
    ("file", "writer"),
    [
        (f"{WARC}-web-1.warc.gz", "web-1"),
        (f"{WARC}-web-1.warc.gz.open", "web-1"),
        (f"{WARC}-web-1.example.org.warc.gz.torn", "web-1.example.org"),
        (f"{WARC}-web-1.cdxj", "web-1"),
        (f"{WARC}-web-1.cdxj.tmp", "web-1"),
        ("merged-01-00000012-web-1.cdxj", "web-1"),
        ("merged-01-00000012-web-1.json", "web-1"),
        ("merged-01-00000012.cdxj", None),
        ("articles-2026-03-02-web-1.jsonl", "web-1"),
        ("articles-2026-03-02-web-1.reextracted.later-1.jsonl", "web-1"),
        ("court_notices-2026-03-02-7.jsonl.cut", "7"),
        ("articles-2026-03-02.jsonl", None),
        ("articles-2026-03-02.recovered-1.jsonl", None),
        ("rec-20261117034229783-00001-1234~host~8443.warc.gz", None),
        ("wget.warc.gz", None),
        ("a-damaged.warc.gz", None),
    ],
)
def test_a_file_tells_its_writer(file: str, writer: str | None) -> None:
    assert writer_of(file) == writer


def test_a_folder_keeps_the_name_of_the_host_that_began_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "web_1.example.org")
    first = find_writer(tmp_path)
    assert (first.name, first.is_new) == ("web-1-example-org", True)
    keep_writer(tmp_path, first)
    monkeypatch.setattr(socket, "gethostname", lambda: "0a1b2c3d4e5f")
    assert find_writer(tmp_path) == Writer(name="web-1-example-org")


def test_a_name_that_is_set_stays_and_files_of_the_earlier_ones_are_its_own(tmp_path: Path) -> None:
    for name in ("one", "two", None):
        keep_writer(tmp_path, find_writer(tmp_path, name))
    writer = find_writer(tmp_path)
    assert writer == Writer(name="two", earlier=("one",))
    owned = [name for name in ("one", "two", "three") if writer.owns(f"{WARC}-{name}.warc.gz.open")]
    assert owned == ["one", "two"]
    assert writer.owns("merged-01-00000012.cdxj")
    assert find_writer(tmp_path, "one") == Writer(name="one", earlier=("two",))


@pytest.mark.parametrize("left", [None, "", "tw", "two\n", "sha256:0\n"])
def test_a_folder_without_its_name_adopts_what_is_in_it(tmp_path: Path, left: str | None) -> None:
    (tmp_path / "warc").mkdir()
    (tmp_path / "warc" / f"{WARC}-old.example.org.warc.gz.open").touch()
    if left is not None:
        (tmp_path / FILE).write_text(left)
    assert find_writer(tmp_path) == Writer(name=host_name(), earlier=("old.example.org",), is_new=True)
    assert writer_to_read(tmp_path) == Writer(name="old.example.org")


def test_an_empty_folder_is_of_any_writer(tmp_path: Path) -> None:
    assert writer_to_read(tmp_path) is ANYONE
    assert ANYONE.owns(f"{WARC}-web.warc.gz")


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:2], lambda _: "", str.upper])
def test_a_damaged_name_is_noticed(tmp_path: Path, damage: object) -> None:
    assert not is_writer_lost(tmp_path)
    keep_writer(tmp_path, Writer(name="web-1"))
    assert not is_writer_lost(tmp_path)
    path = tmp_path / FILE
    path.write_text(damage(path.read_text()))  # type: ignore[operator] # each takes text
    assert is_writer_lost(tmp_path)


def test_a_name_is_missing_only_where_a_run_has_written_by_one(tmp_path: Path) -> None:
    (tmp_path / "objects").mkdir()
    (tmp_path / "lock").touch()
    (tmp_path / "objects/articles-2026-03-02.jsonl").touch()
    assert not is_writer_lost(tmp_path)  # an older archive
    (tmp_path / "objects/articles-2026-03-03-web.jsonl").touch()
    assert is_writer_lost(tmp_path)
    (tmp_path / "lock").unlink()  # files that were gathered
    assert not is_writer_lost(tmp_path)
