"""Everybody else's validators, over the archive of a crawl with revisits."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.acceptance.tools import check_files, passes, tool

if TYPE_CHECKING:
    from pathlib import Path

    from tests.acceptance.conftest import ThreeDays

# One process crawls for all tests that read this archive. In minutes, the same tools look at smaller ones: in
# tests/crawl/checks.py, tests/warc and tests/commands/test_wacz.py.
pytestmark = [pytest.mark.xdist_group("acceptance"), pytest.mark.zoo]


def test_the_archive_has_all_that_validators_should_see(archived: ThreeDays) -> None:
    records = archived.records
    assert {record.status for record in records if record.type == "response"} >= {200, 301, 302, 404, 503}
    profiles = Counter(
        record.headers["WARC-Profile"].rpartition("/")[2] for record in records if record.type == "revisit"
    )
    assert profiles["server-not-modified"] >= 2
    assert profiles["identical-payload-digest"] >= 2
    assert len(archived.warcs) == 3


def test_gzip_warcio_and_fastwarc_find_nothing_wrong(archived: ThreeDays) -> None:
    # Not our own environment's warcio, which cannot read brotli where the package is Brotli and not brotlipy.
    check_files(archived.warcs, warcio=[tool("warcio")])


def test_cdxj_indexer_makes_the_lines_of_our_index(archived: ThreeDays) -> None:
    theirs = passes(tool("cdxj-indexer"), *archived.warcs).splitlines()
    files = (archived.folder / "index").glob("*.cdxj")
    ours = [line for path in files for line in path.read_text().splitlines()]
    assert sorted(ours) == sorted(theirs)
    kept = sum(record.type in {"response", "revisit"} for record in archived.records)
    assert len(ours) == kept > 100


def test_wacz_validates_what_the_wacz_command_makes(wacz: Path) -> None:
    passes(tool("wacz"), "validate", "-f", wacz)
