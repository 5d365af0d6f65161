"""Files for others are there when they are whole, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.errors import ArchiveFull
from archiver.files import whole_file, write_text

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_takes_the_place_of_the_one_of_before(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("before")
    write_text(path, "now \ud800")
    assert path.read_text() == "now ?"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_leaves_the_one_of_before_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("before")
    with pytest.raises(ArchiveFull, match="written: no space"), whole_file(path) as file:  # noqa: PT012 - half of it is written
        file.write(b"half")
        raise OSError("no space")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_of_another_file_is_told_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"), whole_file(tmp_path / "page.html") as file:
        file.write((tmp_path / "nowhere").read_bytes())
    assert list(tmp_path.iterdir()) == []


def test_it_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = []
    monkeypatch.setattr("archiver.files.os.fsync", lambda _: done.append((tmp_path / "page.html").exists()))
    write_text(tmp_path / "page.html", "now")
    # The file while it has another name, then the folder that names it.
    assert done == [False, True]
