"""A page in its own look: styles and images of the archive, nearest to its time, within bounds."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.update import write_index
from archiver.clock import rfc3339
from archiver.documents.pages.dom import parse_markup
from archiver.documents.requisites.dressing import Dressing
from archiver.documents.requisites.model import StoredFile
from archiver.inspection.requisites import find_requisite, kept_requisite, stored_files
from tests.warc.cdxj_samples import record

if TYPE_CHECKING:
    from pathlib import Path

    from lxml.etree import _Element as Element

    from archiver.documents.requisites.model import Kind, Stored

SITE = "http://a.example"
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


def tree(markup: str) -> Element:
    found = parse_markup(markup)
    assert found is not None
    return found


def files(**named: str | bytes) -> Stored:
    """Styles and images by the last part of their address, such as `main_css` for `/main.css`."""
    held = {f"{SITE}/{name.replace('_', '.')}": body for name, body in named.items()}

    def stored(url: str, kind: Kind) -> StoredFile | None:
        body = held.get(url)
        if body is None:
            return None
        content_type = "text/css" if kind == "style" else "image/png"
        return StoredFile(
            url=url, content_type=content_type, body=body.encode() if isinstance(body, str) else body
        )

    return stored


def styles(markup: str, stored: Stored, **bounds: int) -> list[str]:
    return Dressing(stored, **bounds).styles_of(tree(markup), f"{SITE}/")


def test_styles_stand_in_the_order_of_the_page_after_what_they_import() -> None:
    stored = files(main_css='@import "more.css"; p{top:1px}', more_css="p{top:2px}")
    page = '<link rel=stylesheet href=main.css><style>@import "more.css" screen;b{top:3px}</style>'
    assert styles(page, stored) == ["p{top:2px}", "p{top:1px}", "@media screen{p{top:2px}}", "b{top:3px}"]


def test_alternate_and_printed_styles_are_left_out_and_media_are_kept() -> None:
    page = (
        "<link rel='alternate stylesheet' href=a.css><link rel=stylesheet media=print href=a.css>"
        "<link rel=stylesheet media='(min-width: 9em)' href=a.css><style media='x}y{'>i{}</style>"
    )
    assert styles(page, files(a_css="p{top:0}")) == ["@media (min-width: 9em){p{top:0}}"]


def test_styles_that_import_each_other_end() -> None:
    stored = files(a_css='@import "b.css";p{top:0}', b_css='@import "a.css";b{top:0}')
    assert len(styles("<link rel=stylesheet href=a.css>", stored)) == 4


def test_what_is_beyond_the_bounds_is_left_out_whole() -> None:
    stored = files(large_css="p{top:0}" * 100, small_css="b{top:0}", a_png=b"x" * 60, b_png=b"y" * 60)
    page = "<link rel=stylesheet href=large.css><link rel=stylesheet href=small.css>"
    assert styles(page, stored, style=500) == ["b{top:0}"]
    dressing = Dressing(stored, images=100)
    first, second = (
        dressing.image(one, f"{SITE}/") for one in tree("<img src=a.png><img src=b.png>").iter("img")
    )
    assert first.data.startswith("data:image/png;base64,")
    assert (second.url, second.data) == (f"{SITE}/b.png", "")


def test_the_best_source_of_an_image_that_was_kept_is_shown() -> None:
    (img,) = tree("<img src=small.png srcset='large.png 2x' data-src=late.png>").iter("img")
    assert Dressing(files(small_png=b"x")).image(img, f"{SITE}/").url == f"{SITE}/small.png"
    assert Dressing(files(small_png=b"x", large_png=b"y")).image(img, f"{SITE}/").url == f"{SITE}/large.png"
    (held,) = tree("<img src='data:image/gif;base64,R0lG'>").iter("img")
    assert Dressing(files()).image(held, f"{SITE}/").data == "data:image/gif;base64,R0lG"
    (text,) = tree("<img src='data:text/html,x'>").iter("img")
    assert Dressing(files()).image(text, f"{SITE}/").data == ""


# ── From the archive ─────────────────────────────────────────────────────────────────────────────────────


class Kept:
    def __init__(self, folder: Path) -> None:
        self.warc, self.indexes = folder / "warc", folder / "index"
        self.warc.mkdir(parents=True)

    def keep(
        self, path: str, body: bytes, *, hours: float = 0, head: str = "200 OK\r\nContent-Type: text/css"
    ) -> None:
        at = NOON + hours * HOUR
        identity = {
            "WARC_Date": rfc3339(at),
            "WARC_Record_ID": f"<urn:uuid:{at:%H%M%S}-{len(list(self.warc.iterdir()))}>",
        }
        name = self.warc / f"{at:%Y%m%d%H%M%S}-{len(list(self.warc.iterdir()))}.warc.gz"
        block = f"HTTP/1.1 {head}\r\n\r\n".encode() + body
        kind = "application/http; msgtype=response"
        name.write_bytes(record("response", f"{SITE}/{path}", block, Content_Type=kind, **identity))
        write_index(name, self.indexes)

    def found(self, path: str, hours: float, kind: Kind = "style") -> bytes | None:
        kept = kept_requisite(Index(self.indexes), self.warc, f"{SITE}/{path}", NOON + hours * HOUR, kind)
        return kept and kept.payload


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path / "archive")


def test_a_style_is_taken_as_it_was_nearest_to_then(kept: Kept) -> None:
    kept.keep("s.css", b"0")
    kept.keep("s.css", b"gone", hours=4, head="404 Not Found\r\nContent-Type: text/css")
    kept.keep("s.css", b"9", hours=9, head="200 OK\r\nContent-Type: Text/CSS; charset=utf-8")
    assert [kept.found("s.css", hours) for hours in (1, 4, 5, 20)] == [b"0", b"0", b"9", b"9"]
    assert kept.found("other.css", 0) is None
    assert kept.found("s.css", 0, "image") is None
    index = Index(kept.indexes)
    line = find_requisite(index, f"{SITE}/s.css", NOON + 4 * HOUR)
    assert line is not None
    assert line.date == NOON
    found = kept_requisite(index, kept.warc, f"{SITE}/s.css", NOON, "style")
    assert found is not None
    assert (found.captured, found.record_id, found.url) == (NOON, "<urn:uuid:120000-0>", f"{SITE}/s.css")


def test_a_style_is_shown_as_it_was_with_another_query_and_an_image_is_not(kept: Kept) -> None:
    kept.keep("s.css?v=1", b"one")
    kept.keep("s.css?v=2", b"two", hours=8)
    kept.keep("i?id=1", b"x", head="200 OK\r\nContent-Type: image/png")
    assert [kept.found("s.css?v=9", hours) for hours in (0, 8)] == [b"one", b"two"]
    assert kept.found("s.css?v=1", 8) == b"one"
    assert kept.found("i?id=1", 0, "image") == b"x"
    assert kept.found("i?id=2", 0, "image") is None


def test_redirects_are_followed_and_circles_end(kept: Kept) -> None:
    kept.keep("old.png", b"", head="301 Moved\r\nLocation: /new.png")
    kept.keep("new.png", b"x", head="200 OK\r\nContent-Type: image/PNG")
    kept.keep("a.png", b"", head="302 Found\r\nLocation: /a.png")
    assert kept.found("old.png", 0, "image") == b"x"
    assert kept.found("a.png", 0, "image") is None


@pytest.mark.parametrize("content_type", ["text/html", "image/png,<script>", "image/", "", "application/pdf"])
def test_only_an_image_is_an_image(kept: Kept, content_type: str) -> None:
    kept.keep("x", b"x", head=f"200 OK\r\nContent-Type: {content_type}")
    assert kept.found("x", 0, "image") is None


def test_compressed_and_odd_addresses(kept: Kept) -> None:
    head = "200 OK\r\nContent-Type: text/css\r\nContent-Encoding: gzip"
    kept.keep("z.css", gzip.compress(b"p{top:0}"), head=head)
    stored = stored_files(Index(kept.indexes), kept.warc, NOON)
    assert (found := stored(f"{SITE}/z.css", "style")) is not None
    assert found.body == b"p{top:0}"
    for odd in ("javascript:x", "http://[", "http://a.example:x/", "", "data:image/png,x"):
        assert stored(odd, "image") is None
