"""Who only reads an archive learns what it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

from archiver.errors import ArchiveError
from archiver.extensions.places import archive_to_read

if TYPE_CHECKING:
    from pathlib import Path


def test_an_archive_that_lost_its_captures_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    settings = Settings({"ARCHIVE_DIR": str(tmp_path)})
    (tmp_path / "state.sqlite").touch()
    with pytest.raises(ArchiveError, match="Nothing was captured yet"):
        archive_to_read(settings)
    (tmp_path / "objects").mkdir()
    (tmp_path / "objects" / "articles-2026-11-17.jsonl").touch()
    with pytest.raises(ArchiveError, match=r"warc is missing, but .*jsonl: bring that folder back"):
        archive_to_read(settings)
    (tmp_path / "warc").mkdir()
    assert archive_to_read(settings) == tmp_path
