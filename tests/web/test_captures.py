"""Captures of an address: listed, one by one, and taken away."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.warc.samples import check
from tests.web.planted import SITE
from tests.web.test_withheld import order

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.browsing import Shown

pytestmark = pytest.mark.xdist_group("web")

URL = f"{SITE}/page"


def test_captures_are_listed_newest_first_page_by_page(planted: Shown) -> None:
    told = planted.get("/captures.json", url=URL, limit=3).json()
    later = planted.get("/captures.json", url=URL, limit=3, before=told["next"]).json()
    found = [*told["captures"], *later["captures"]]
    assert [one["time"][8:10] for one in found] == ["05", "04", "03", "02"]
    assert later["next"] is None
    page = planted.get("/captures", url=URL, limit=3).text
    assert page.count("<tr>") == 4
    assert "the same payload as" in page
    assert "before=" in page


def test_an_unknown_address_is_told_with_others_like_it(planted: Shown) -> None:
    told = planted.get("/captures.json", url=f"{SITE}/pag").json()
    assert told["captures"] == []
    assert URL in told["similar"]
    assert "Like it" in planted.get("/captures", url=f"{SITE}/pag").text
    assert planted.get("/captures.json", url="no address").status == 400
    assert planted.get("/capture", url=f"{SITE}/pag").status == 404


def test_without_an_address_there_are_a_form_and_the_hosts(planted: Shown) -> None:
    page = planted.get("/captures")
    assert page.status == 200
    assert 'name="url"' in page.text
    told = planted.get("/captures.json").json()["below"]
    hosts = [one["url"] for one in told["addresses"]]
    assert hosts == ["http://secure.example/", f"{SITE}/"]
    assert "/captures?url=http%3A%2F%2Fsite.example%2F%2A" in page.text


def test_addresses_that_begin_alike_are_listed(planted: Shown) -> None:
    told = planted.get("/captures.json", url=f"{SITE}/p*").json()
    found = [(one["url"], one["time"][:10]) for one in told["below"]["addresses"]]
    days = ["2026-03-05", "2026-03-02", "2026-03-02"]
    assert found == list(zip((URL, f"{URL}?a=1", f"{SITE}/paper.pdf"), days, strict=True))
    assert "paper.pdf" in planted.get("/captures", url=f"{SITE}/*").text
    assert "the archive has none" in planted.get("/captures", url="http://nothing.example/*").text
    assert planted.get("/captures", url=f"{SITE}/?a*").status == 400


def test_one_capture_is_shown_with_all_that_was_kept(planted: Shown) -> None:
    newest = planted.get("/captures.json", url=URL).json()["captures"][0]
    told = planted.get("/capture.json", url=URL, name=newest["name"]).json()
    assert told["capture"]["revisit"] == "same_payload"
    assert told["request"]["line"].startswith("GET ")
    page = planted.get("/capture", url=URL, name=newest["name"]).text
    assert newest["record"].strip("<>") in page
    assert newest["original"]["record"].strip("<>") in page
    assert "/capture.warc.gz?" in page
    assert (
        planted.get("/capture.json", url=URL, at="2026-03-02").json()["capture"]["time"][:10] == "2026-03-02"
    )
    assert planted.get("/capture", url=URL, name="20260302070509-nonesuch").status == 404


def test_the_records_of_a_revisit_come_with_their_original(planted: Shown) -> None:
    answer = planted.get("/capture.warc.gz", url=URL)
    assert answer.headers["content-disposition"].startswith('attachment; filename="site.example-2026')
    records = [
        (record.rec_type, record.rec_headers.get_header("WARC-Date")[:10])
        for record in ArchiveIterator(io.BytesIO(answer.body), no_record_parse=True)
    ]
    kinds = [kind for kind, _ in records]
    assert kinds == ["warcinfo", "response", "request", "metadata", "revisit", "request", "metadata"]
    assert records[1][1] == "2026-03-02"
    assert records[4][1] == "2026-03-05"
    assert check(answer.body) == kinds


def test_a_page_comes_with_what_it_needs(planted: Shown) -> None:
    answer = planted.get("/capture.wacz", url=URL, at="2026-03-02")
    with zipfile.ZipFile(io.BytesIO(answer.body)) as package:
        warc = package.read("archive/data.warc.gz")
        pages = package.read("pages/pages.jsonl").decode()
    urls = {
        record.rec_headers.get_header("WARC-Target-URI")
        for record in ArchiveIterator(io.BytesIO(warc), no_record_parse=True)
        if record.rec_type == "response"
    }
    needed = {
        f"{SITE}/{name}" for name in ("page", "style.css", "more.css", "bg.png", "font.woff2", "app.js")
    }
    assert urls >= needed
    assert f"{SITE}/paper.pdf" not in urls
    assert f'"url":"{URL}"' in pages


def test_what_is_withheld_is_not_shown(planted: Shown, planted_archive: Path) -> None:
    frame = planted.get("/replay", url=f"{SITE}/other").text
    assert "<iframe" in frame
    order(planted_archive, f"{SITE}/other")
    try:
        for path in ("/captures", "/capture", "/replay", "/capture.warc.gz", "/capture.wacz"):
            assert planted.get(path, url=f"{SITE}/other").status == 451, path
        for path in ("/timegate", "/timemap/link", "/memento/20260302070509"):
            assert planted.get(f"{path}/{SITE}/other").status == 451, path
        assert f"{SITE}/other" not in planted.get("/captures", url=f"{SITE}/othe").text
    finally:
        order(planted_archive, f"{SITE}/other", lift=True)
    assert planted.get("/captures", url=f"{SITE}/other").status == 200
