"""Who only reads an archive learns what it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

from archiver.errors import ArchiveError
from archiver.extensions.places import archive_to_read
from archiver.store.lost import refuse_lost_captures

if TYPE_CHECKING:
    from pathlib import Path


def test_an_archive_that_lost_its_captures_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    settings = Settings({"ARCHIVE_DIR": str(tmp_path)})
    (tmp_path / "state.sqlite").touch()
    with pytest.raises(ArchiveError, match="Nothing was captured yet"):
        archive_to_read(settings)
    (tmp_path / "objects").mkdir()
    (tmp_path / "objects" / "articles-2026-11-17.jsonl").write_text("{}\n")
    with pytest.raises(ArchiveError, match=r"no WARC file in .*, but there is .*jsonl: mount that folder"):
        archive_to_read(settings)
    # As a disk that is not mounted: a crawl would write below it.
    (tmp_path / "warc").mkdir()
    assert archive_to_read(settings) == tmp_path
    with pytest.raises(ArchiveError, match="no WARC file in"):
        refuse_lost_captures(tmp_path)


@pytest.mark.parametrize("name", ["manifest-sha256.txt", "a.warc.gz", "a.warc.gz.open"])
def test_a_crawl_goes_on_where_captures_are_or_where_the_operator_says_so(tmp_path: Path, name: str) -> None:
    for folder in ("warc", "objects"):
        (tmp_path / folder).mkdir()
    (tmp_path / "objects" / "articles-2026-11-17.jsonl").write_text("{}\n")
    (tmp_path / "warc" / name).touch()
    refuse_lost_captures(tmp_path)
