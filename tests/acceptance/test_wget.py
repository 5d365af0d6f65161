"""The same site kept by `wget --warc-file` and by us: record by record, the same payloads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.digests import warc_digest
from archiver.profiles.default import ACCEPT_ENCODING
from tests.acceptance import gazette
from tests.acceptance.tools import run, wget
from tests.crawl.running import crawl, read_records
from tests.crawl.site import Site

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.running import Record

# One process crawls for all tests of this file.
pytestmark = pytest.mark.xdist_group("wget")


class Kept:
    """What two archivers kept of one site, by path."""

    def __init__(self, origin: str, ours: list[Record], theirs: list[Record]) -> None:
        self.ours = _captures(origin, ours)
        self.theirs = _captures(origin, theirs)


def _captures(origin: str, records: list[Record]) -> dict[str, Record]:
    found = {}
    for record in records:
        if record.type in {"response", "revisit"}:
            # wget puts the address in angle brackets, as WARC 1.0 had it.
            path = (record.url or "").strip("<>").removeprefix(origin)
            assert path not in found, path
            found[path] = record
    return found


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    command = wget()
    folder = tmp_path_factory.mktemp("wget")
    with Site() as site:
        gazette.put_up(site)
        site.add(gazette.FEED, gazette.feed())
        site.add("/robots.txt", gazette.OTHERS["/missing"])
        theirs = _crawl_with_wget(command, site, folder)
        ours = crawl(folder / "archive", seeds=[site.url(gazette.FEED)])
        assert ours.exit_code == 0, ours

        return Kept(site.origin, ours.records, theirs)


def _crawl_with_wget(command: str, site: Site, folder: Path) -> list[Record]:
    paths = ["/robots.txt", gazette.FEED, *gazette.ALL_DAYS]
    (folder / "urls.txt").write_text("".join(f"{site.url(path)}\n" for path in paths))
    words = ["--quiet", "--tries=1", "--input-file=urls.txt", "--output-document=pages"]
    run(command, *words, f"--header=Accept-Encoding: {ACCEPT_ENCODING}", "--warc-file=wget", folder=folder)
    return read_records(folder / "wget.warc.gz")


def digest(record: Record) -> str:
    return record.headers["WARC-Payload-Digest"]


def test_both_kept_the_same_captures(kept: Kept) -> None:
    paths = {"/robots.txt", gazette.FEED, *gazette.ALL_DAYS, *gazette.TARGETS}
    assert set(kept.ours) == set(kept.theirs) == paths


def test_payload_digests_are_those_of_wget(kept: Kept) -> None:
    paths = kept.ours.keys() - gazette.CHUNKED
    assert {path: digest(kept.ours[path]) for path in paths} == {
        path: digest(kept.theirs[path]) for path in paths
    }


def test_wget_digests_the_chunks_and_we_what_they_contain(kept: Kept) -> None:
    for path in sorted(gazette.CHUNKED):
        ours, theirs = kept.ours[path], kept.theirs[path]
        print(f"{path}: ours {digest(ours)}, wget's {digest(theirs)}")
        assert digest(ours) == warc_digest(gazette.WHOLE[path].body)
        assert digest(theirs) == warc_digest(theirs.payload) != digest(ours)
