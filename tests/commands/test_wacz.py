"""`scrapy wacz`: a file that holds what was selected and all that it needs, as everybody's tools want it."""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
import zipfile
from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.records import index_lines
from tests.acceptance.tools import tool
from tests.commands.damage import members, warcs
from tests.commands.packages import Wacz
from tests.crawl.running import read_records, scrapy

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Crawled
    from tests.commands.here import RunHere

pytestmark = pytest.mark.xdist_group("commands")


def channel(crawled: Crawled, site: str, path: str) -> str:
    return str(crawled.archived.channel(crawled.url(site, path))["id"])


@pytest.fixture(scope="module")
def whole(crawled: Crawled, tmp_path_factory: pytest.TempPathFactory) -> Wacz:
    path: Path = tmp_path_factory.mktemp("wacz") / "whole.wacz"
    run = scrapy(crawled.archived.folder, "wacz", "-o", str(path), "--title", "Two days — 二日")
    assert (run.exit_code, run.stderr) == (0, ""), run
    assert run.stdout.startswith(f"{path}: ")
    return Wacz(path)


# ── The whole archive ────────────────────────────────────────────────────────────────────────────────────


def test_every_record_is_copied_byte_for_byte(crawled: Crawled, whole: Wacz) -> None:
    own, *copied = members(whole.warc)
    assert own.kind == "warcinfo"
    originals = [member.record for path in warcs(crawled.archived.folder) for member in members(path)]
    assert [member.record for member in copied] == originals


def test_the_index_is_that_of_the_records(whole: Wacz) -> None:
    lines = gzip.decompress(whole.zip.read("indexes/index.cdx.gz")).decode().splitlines()
    expected = (line.replace(whole.warc.name, "data.warc.gz") for line in index_lines(whole.warc))
    assert lines == sorted(expected)


def test_each_block_of_the_index_is_where_the_list_says(whole: Wacz) -> None:
    index = whole.zip.read("indexes/index.cdx.gz")
    meta, *blocks = whole.zip.read("indexes/index.idx").decode().splitlines()
    assert meta == '!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}'
    for block in blocks:
        key, stamp, place = block.split(" ", 2)
        found = json.loads(place)
        data = index[found["offset"] :][: found["length"]]
        assert gzip.decompress(data).decode().startswith(f"{key} {stamp} ")
        assert found["digest"] == f"sha256:{hashlib.sha256(data).hexdigest()}"


def test_every_object_is_a_page_that_leads_to_a_capture(crawled: Crawled, whole: Wacz) -> None:
    header, *pages = whole.pages
    assert header == {"format": "json-pages-1.0", "id": "pages", "title": "All Pages", "hasText": True}
    objects = {f"{one['id']}-{one['version']}": one for one in crawled.archived.objects}
    assert {page["id"] for page in pages} == set(objects)
    captured = {(str(record.url), record.headers["WARC-Date"][:19] + "Z") for record in whole.captures}
    for page in pages:
        one = objects[page["id"]]
        assert (page["title"], page["text"]) == (one["title"], one["text"])
        assert (page["url"], page["ts"]) in captured


def test_the_package_lists_every_file_with_its_digest(whole: Wacz) -> None:
    package = whole.package
    assert (package["profile"], package["wacz_version"]) == ("data-package", "1.1.1")
    assert package["title"] == "Two days — 二日"
    listed = {one["path"]: one for one in package["resources"]}
    assert set(listed) == set(whole.zip.namelist()) - {"datapackage.json", "datapackage-digest.json"}
    for path, resource in listed.items():
        data = whole.zip.read(path)
        assert (resource["bytes"], resource["hash"]) == (
            len(data),
            f"sha256:{hashlib.sha256(data).hexdigest()}",
        )
    digest = json.loads(whole.zip.read("datapackage-digest.json"))
    data = whole.zip.read("datapackage.json")
    assert digest == {"path": "datapackage.json", "hash": f"sha256:{hashlib.sha256(data).hexdigest()}"}


def test_only_text_is_compressed_and_readers_find_where_files_begin(whole: Wacz) -> None:
    for info in whole.zip.infolist():
        is_text = info.filename.endswith((".json", ".jsonl", ".idx"))
        assert info.compress_type == (zipfile.ZIP_DEFLATED if is_text else zipfile.ZIP_STORED)
        # With no such field here, wabac.js does not look for one in front of the file.
        assert info.extra


def test_wacz_validate_accepts_it(whole: Wacz) -> None:
    command = [tool("wacz"), "validate", "-f", whole.path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        0,
        "Validation succeeded, the passed WACZ is valid",
    )


def test_verify_accepts_its_records(whole: Wacz, crawled: Crawled) -> None:
    run = scrapy(crawled.archived.folder, "verify", str(whole.warc))
    assert run.exit_code == 0, run


# ── Parts of it ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_channel_is_its_feed_its_home_and_its_pages_with_redirects(
    crawled: Crawled, run_here: RunHere, written: Path
) -> None:
    number = channel(crawled, "trouble", "/feed.xml")
    outcome = run_here("wacz", crawled.archived.folder, "-o", str(written), "--channel", number)
    assert outcome.exit_code == 0, outcome
    found = Wacz(written)
    assert found.package["title"] == "The Weathercock"
    ways = ("/feed.xml", "/", "/go/77", "/old/77", "/stories/the-long-way-round", "/stories/overloaded")
    assert {crawled.url("trouble", path) for path in ways} <= found.urls
    assert crawled.url("trouble", "/broken.xml") not in found.urls
    assert all(url.startswith(crawled.bases["trouble"]) for url in found.urls)
    assert len(found.pages) - 1 == len(
        [one for one in crawled.archived.objects if one["channel"] == crawled.url("trouble", "/feed.xml")]
    )


def test_what_pages_need_to_be_shown_comes_along(crawled: Crawled, run_here: RunHere, written: Path) -> None:
    feed = crawled.url("newspaper", "/rss.xml")
    run_here("wacz", crawled.archived.folder, "-o", str(written), "--channel", feed)
    images = {row["url"] for row in crawled.archived.rows("SELECT url FROM requisites WHERE kind = 'image'")}
    own = {url for url in images if url.startswith(crawled.bases["newspaper"])}
    assert own
    assert own <= Wacz(written).urls


def test_each_capture_has_its_request_and_all_its_metadata(
    crawled: Crawled, run_here: RunHere, written: Path
) -> None:
    feed = crawled.url("blog", "/atom.xml")
    run_here("wacz", crawled.archived.folder, "-o", str(written), "--channel", feed)
    found = Wacz(written)
    ids = {record.id for record in found.captures}
    about = [
        record for record in crawled.archived.records if ids & set(record.headers.values()) - {record.id}
    ]
    companions = [record for record in about if record.type in ("request", "metadata")]
    assert {record.id for record in companions} == {
        record.id for record in found.records if record.type in ("request", "metadata")
    }
    # How the article was found comes some way behind its page.
    assert any(b"articleDigest: " in record.block for record in companions)


def test_a_site_brings_the_feeds_that_were_found_on_it(
    crawled: Crawled, run_here: RunHere, written: Path
) -> None:
    run_here("wacz", crawled.archived.folder, "-o", str(written), "--channel", crawled.url("wordpress", "/"))
    assert {crawled.url("wordpress", "/"), crawled.url("wordpress", "/feed/")} <= Wacz(written).urls
    assert len(Wacz(written).pages) > 5


def test_the_originals_of_revisits_come_along_from_outside_the_selection(
    crawled: Crawled, run_here: RunHere, written: Path
) -> None:
    url = crawled.url("trouble", "/broken.xml")
    revisit = next(one for one in crawled.archived.records if one.type == "revisit" and one.url == url)
    # To the second, as it is asked for: what came in the same one is no older.
    since = revisit.headers["WARC-Date"][:19]
    words = ("--channel", url, "--channel", crawled.url("institute", "/news.rdf"), "--since", since)
    run_here("wacz", crawled.archived.folder, "-o", str(written), *words)
    found = Wacz(written)
    ids = {record.id for record in found.records}
    revisits = [record for record in found.records if record.type == "revisit"]
    assert len(revisits) > 1
    for record in revisits:
        assert record.headers["WARC-Refers-To"] in ids
    old = [record for record in found.captures if record.headers["WARC-Date"] < since]
    assert {record.id for record in old} <= {record.headers["WARC-Refers-To"] for record in revisits}
    requested = {record.headers["WARC-Concurrent-To"] for record in found.records if record.type == "request"}
    assert {record.id for record in old} <= requested


def test_a_span_of_time_holds_what_was_captured_in_it(
    crawled: Crawled, run_here: RunHere, written: Path
) -> None:
    first, second = (
        read_records(path)[1].headers["WARC-Date"][:19] for path in warcs(crawled.archived.folder)
    )
    run_here("wacz", crawled.archived.folder, "-o", str(written), "--until", f"{first}Z")
    later = {record.url for record in Wacz(written).captures if record.headers["WARC-Date"][:19] > first}
    # What pages need to be shown is fetched after them.
    assert later <= {row["url"] for row in crawled.archived.rows("SELECT url FROM requisites")}
    run_here("wacz", crawled.archived.folder, "-o", str(written), "--force", "--since", f"{second}Z")
    pages = Wacz(written).pages[1:]
    assert pages
    assert min(page["ts"] for page in pages) >= second
