"""`scrapy extract-record`: the archived response nearest to a time, with the payload of its original."""

from __future__ import annotations

import gzip
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.commands.damage import warcs
from tests.crawl.running import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Crawled
    from tests.commands.here import RunHere
    from tests.crawl.running import Record

pytestmark = pytest.mark.xdist_group("commands")

# What it is called where its entry point is not installed.
NAME = "extract-record"


def captures(crawled: Crawled, url: str) -> list[Record]:
    records = [record for record in crawled.archived.records if record.type in ("response", "revisit")]
    return [record for record in records if record.url == url]


def test_the_newest_response_is_printed_with_its_headers(crawled: Crawled, run_here: RunHere) -> None:
    url = crawled.url("newspaper", "/rss.xml")
    first, second = captures(crawled, url)
    printed = run_here(NAME, crawled.archived.folder, url)
    assert (printed.exit_code, printed.out) == (0, decoded(second))
    assert printed.told.startswith(f"{url} at {second.headers['WARC-Date'][:19]}Z, {second.file}:")
    assert decoded(first) != printed.out


def decoded(record: Record) -> bytes:
    is_gzip = b"gzip" in record.head
    return record.head + (gzip.decompress(record.payload) if is_gzip else record.payload)


def test_the_response_nearest_to_a_time_is_printed(crawled: Crawled, run_here: RunHere) -> None:
    url = crawled.url("newspaper", "/rss.xml")
    first, second = captures(crawled, url)
    for record in (first, second):
        moment = record.headers["WARC-Date"]
        for at in (moment, moment[:19], "".join(filter(str.isdigit, moment[:19]))):
            assert run_here(NAME, crawled.archived.folder, url, "--at", at, "--headers").out == record.head
    assert run_here(NAME, crawled.archived.folder, url, "--at", "1999-12-31", "--headers").out == first.head


@pytest.mark.parametrize("site", ["newspaper", "trouble"])
def test_payload_is_decoded_and_raw_is_as_stored(crawled: Crawled, run_here: RunHere, site: str) -> None:
    records = [
        record
        for record in crawled.archived.records
        if record.type == "response" and record.url and record.url.startswith(crawled.bases[site])
    ]
    record = next((one for one in records if b"ncoding: gzip" in one.head), records[-1])
    url, at = str(record.url), record.headers["WARC-Date"]
    assert run_here(NAME, crawled.archived.folder, url, "--at", at, "--raw").out == record.block
    assert run_here(NAME, crawled.archived.folder, url, "--at", at, "--payload").out in decoded(record)


def test_a_not_modified_capture_gives_the_page_that_was_not_modified(
    crawled: Crawled, run_here: RunHere
) -> None:
    url = crawled.url("trouble", "/broken.xml")
    original, revisit = captures(crawled, url)
    assert (revisit.type, revisit.block) == ("revisit", b"")
    printed = run_here(NAME, crawled.archived.folder, url)
    assert (printed.exit_code, printed.out) == (0, decoded(original))
    assert f"  not modified since {original.headers['WARC-Date'][:19]}Z, {original.file}" in printed.told
    assert run_here(NAME, crawled.archived.folder, url, "--raw").out == original.block


def test_a_payload_that_was_kept_before_comes_with_its_own_headers(
    crawled: Crawled, run_here: RunHere
) -> None:
    url = crawled.url("institute", "/news.rdf")
    original, revisit = captures(crawled, url)
    assert revisit.head != original.head
    printed = run_here(NAME, crawled.archived.folder, url)
    assert printed.out == revisit.head + original.payload
    assert "  with the same payload as " in printed.told


def test_what_is_not_there_is_told_with_what_is_like_it(crawled: Crawled, run_here: RunHere) -> None:
    printed = run_here(NAME, crawled.archived.folder, crawled.url("newspaper", "/rss.xmll?token=secret"))
    assert (printed.exit_code, printed.out) == (1, b"")
    told = printed.told.splitlines()
    assert told[0].endswith("/rss.xmll?token=*** is not in the archive")
    assert told[1] == f"  like it: {crawled.url('newspaper', '/rss.xml')}"
    printed = run_here(NAME, crawled.archived.folder, "http://nowhere.example/")
    assert (printed.exit_code, printed.told.count("\n")) == (1, 1)


def test_a_lost_original_is_told(archive: Path, crawled: Crawled, run_here: RunHere) -> None:
    lost = warcs(archive)[0]
    lost.unlink()
    printed = run_here(NAME, archive, crawled.url("trouble", "/broken.xml"))
    assert printed.exit_code == 1
    assert f"{lost.name} is not in {archive / 'warc'}" in printed.told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Name one URL; got none"),
        (("http://a.example/", "http://b.example/"), "Name one URL"),
        (("a.example/feed",), "a.example/feed is not a web address"),
        (("http://[/",), "is not a web address"),
        (("http://a.example/", "--at", "yesterday"), "'yesterday' is not a time: write 2026-03-02"),
        (("http://a.example/", "--all"), "--all is not an option"),
        (("http://a.example/", "--raw", "--payload"), "not allowed with argument"),
    ],
)
def test_wrong_usage_gives_the_exit_code_2(
    crawled: Crawled, run_here: RunHere, words: tuple[str, ...], told: str
) -> None:
    printed = run_here(NAME, crawled.archived.folder, *words)
    assert printed.exit_code == 2
    assert told in printed.told


def test_whoever_has_read_enough_may_stop(crawled: Crawled) -> None:
    command = [sys.executable, "-m", "scrapy", NAME, crawled.url("newspaper", "/rss.xml")]
    command += ["-s", f"ARCHIVE_DIR={crawled.archived.folder}"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        told = process.stderr.read().decode()
    assert (process.returncode, told.count("\n")) == (0, 1)
