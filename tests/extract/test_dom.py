"""Bytes become a tree: encodings, damage, depth, addresses."""

from __future__ import annotations

import codecs
from urllib.parse import urljoin

import pytest

from archiver.documents.pages import dom, not_html
from archiver.errors import ExtractionError

WORDS = "Café: “déjà vu” für 5 €"


def text(body: bytes, content_type: str | None = None) -> str:
    tree = dom.parse_html(body, content_type, "https://example.org/")
    return "".join(map(str, dom.cleaned(tree).itertext())).strip()


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252", "utf-16"])
def test_encoding_of_the_header_is_used(encoding: str) -> None:
    body = f"<html><body><p>{WORDS}</p></body></html>".encode(encoding)
    assert text(body, f"text/html; charset={encoding}") == WORDS


def test_encoding_of_the_page_is_used_when_the_header_has_none() -> None:
    body = "<html><head><meta charset='windows-1251'></head><body><p>Паром</p></body></html>".encode("cp1251")
    assert text(body, "text/html") == "Паром"


def test_byte_order_mark_wins_over_the_header() -> None:
    body = codecs.BOM_UTF8 + f"<p>{WORDS}</p>".encode()
    assert text(body, "text/html; charset=iso-8859-1") == WORDS


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252"])
def test_encoding_that_nobody_states_is_found_by_trying(encoding: str) -> None:
    assert text(f"<p>{WORDS}</p>".encode(encoding)) == WORDS


def test_utf8_that_claims_to_be_latin1_is_utf8() -> None:
    body = f"<html><head><meta charset='iso-8859-1'></head><body>{WORDS}</body></html>".encode()
    assert text(body) == WORDS


def test_western_page_that_claims_to_be_utf8_is_western() -> None:
    assert text("<p>naïve café</p>".encode("cp1252"), "text/html; charset=utf-8") == "naïve café"


def test_one_bad_byte_does_not_make_utf8_something_else() -> None:
    assert text(f"<p>{WORDS}".encode() + b"\xff</p>", "text/html; charset=utf-8") == WORDS + "\ufffd"


def test_chinese_page_that_claims_to_be_utf8_or_western_is_chinese() -> None:
    words = "公司的船长说。这是我们在群岛的第一艘渡轮。人们都在旧港等它。"
    body = f"<p>{words}</p>".encode("gbk")
    for claim in ("", "; charset=utf-8", "; charset=iso-8859-1", "; charset=x-gbk"):
        assert text(body, f"text/html{claim}") == words


@pytest.mark.parametrize("claim", ["gb2312", "shift_jis", "euc-kr", "windows-1251", "big5"])
def test_utf8_that_claims_to_be_anything_else_is_utf8(claim: str) -> None:
    assert text(f"<p>{WORDS}</p>".encode(), f"text/html; charset={claim}") == WORDS


@pytest.mark.parametrize(
    "codec", ["utf-7", "base64", "idna", "unicode_escape", "undefined", "utf-16", "no-such"]
)
def test_codec_that_is_no_encoding_of_pages_is_ignored(codec: str) -> None:
    body = f"<html><head><meta charset='{codec}'></head><body>a \\q <b>caf\u00e9</b></body></html>".encode()
    assert text(body) == "a \\q café"
    assert text(body, f"text/html; charset={codec}") == "a \\q café"


def test_page_that_declares_its_encoding_in_xml_is_read() -> None:
    body = f"<?xml version='1.0' encoding='utf-8'?><!DOCTYPE html><html><body>{WORDS}</body></html>".encode()
    assert text(body) == WORDS


def test_characters_that_json_and_xml_refuse_are_removed() -> None:
    assert text(b"<p>a\x00b\x01c\x0cd\x7f</p>") == "abc d"
    assert dom.writable("a\ud800b\ufffec\x85d") == "abc\x85d"


@pytest.mark.parametrize("body", [b"", b" \n ", b"<!-- nothing -->"])
def test_nothing_to_parse_is_an_error(body: bytes) -> None:
    with pytest.raises(ExtractionError):
        dom.parse_html(body, "text/html", "https://example.org/")


@pytest.mark.parametrize("tag", ["div", "b", "ul><li", "table><tr><td", "blockquote><p"])
def test_text_below_ten_thousand_levels_is_kept(tag: str) -> None:
    body = f"<html><body>{f'<{tag}>' * 10_000}deep</div><p>after</p></body></html>".encode()
    assert "deep" in text(body)
    assert "after" in text(body)


def test_tree_is_never_deeper_than_the_limit() -> None:
    tree = dom.parse_markup(
        "<div>" * 5000 + "<section>x</section>" + "</div>" * 4999 + "<p>y</p></div><p>z</p>"
    )
    assert tree is not None
    assert max(sum(1 for _ in element.iterancestors()) for element in tree.iter("div")) < dom.MAX_DEPTH
    assert [str(text) for text in tree.itertext()] == ["x", "y", "z"]


def test_what_follows_a_thousand_open_tags_keeps_its_structure() -> None:
    tree = dom.parse_markup("<font>" * 5000 + "<section><h1>a</h1><p>b</p></section>")
    assert tree is not None
    section = tree.find(".//section")
    assert section is not None
    assert [child.tag for child in section] == ["h1", "p"]


def test_cleaned_tree_shows_only_what_a_reader_sees() -> None:
    tree = dom.parse_markup(
        "<p>a<script>b</script><style>c</style>d<noscript>e</noscript><template>f</template><!-- g -->"
        "<button>h</button><svg><title>i</title></svg>j</p>"
    )
    assert tree is not None
    assert "".join(map(str, dom.cleaned(tree).itertext())) == "adj"
    assert tree.find(".//script") is not None


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("<base href='/other/'>", "https://example.org/other/a"),
        ("<base href='https://cdn.example.net/'>", "https://cdn.example.net/a"),
        ("<base href='javascript:x'>", "https://example.org/dir/a"),
        ("<base target='_blank'>", "https://example.org/dir/a"),
    ],
)
def test_relative_addresses_are_relative_to_the_base(base: str, expected: str) -> None:
    url = "https://example.org/dir/page"
    tree = dom.parse_markup(f"<html><head>{base}</head><body>x</body></html>")
    assert tree is not None
    assert dom.absolute_url(dom.base_url(tree, url), "a") == expected


@pytest.mark.parametrize(
    "href", ["javascript:x", "mailto:a@example.org", "data:,x", "ftp://e.org/", "http://[", "//"]
)
def test_address_that_is_not_of_the_web_is_none(href: str) -> None:
    assert dom.absolute_url("about:blank", href) is None


def test_address_is_read_as_browsers_do() -> None:
    assert dom.absolute_url("https://example.org/", " /a\n b ") == "https://example.org/a%20b"
    assert dom.absolute_url("https://example.org/x", "//example.net/y") == "https://example.net/y"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"%PDF-1.7 ...", "text/html"),
        (b"\x89PNG\r\n\x1a\n\0\0", None),
        (b'{"a": "<p>x</p>"}', "text/html"),
        (b"[1, 2]\n", "application/json"),
        (b"<?xml version='1.0'?><rss version='2.0'><channel/></rss>", "text/html"),
        (b"<!-- x --><svg xmlns='http://www.w3.org/2000/svg'/>", None),
        (bytes(range(256)) * 10, "text/html"),
        (b"only words", "text/plain"),
        (b"only words", None),
    ],
)
def test_bytes_that_are_no_page_are_recognised(body: bytes, content_type: str | None) -> None:
    assert not_html.why_not_html(body, content_type)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"<p>x", None),
        (b"only words", "text/html"),
        (b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", "application/xhtml+xml"),
        ("<p>Паром</p>".encode("utf-16"), "text/html"),
        ("<p>渡轮</p>".encode("gb18030"), "text/html; charset=gbk"),
        (b"<p>x</p>", "application/octet-stream"),
    ],
)
def test_pages_are_taken_for_pages(body: bytes, content_type: str | None) -> None:
    assert not_html.why_not_html(body, content_type) is None


@pytest.mark.parametrize(
    "address",
    [
        "https://e.org",
        "http://e.org:80/a/?b=c&d#e",
        "https://e.org/a//b%20c",
        "https://e.org/a/../b",
        "http://e.org/?#",
    ],
)
def test_address_that_is_absolute_is_joined_as_any_other(address: str) -> None:
    assert dom.absolute_url("https://example.org/a/b", address) == urljoin("https://example.org/a/b", address)


@pytest.mark.parametrize("many", [b"<!-- a -->", b"<!---->\n", b"<?x?>", b"<!DOCTYPE a>"])
def test_what_a_page_is_is_known_at_once_however_it_begins(many: bytes) -> None:
    assert not_html.why_not_html(many * 500 + b"<html><p>a", None) is None
    assert not_html.why_not_html(many * 500 + b"<rss>", None) == "the body is XML: <rss>"


@pytest.mark.parametrize("content_type", ["text/html; charset=utf-8", None])
def test_page_in_the_utf8_that_it_states_is_read_as_any_other(content_type: str | None) -> None:
    body = f"<html><head><meta charset='utf-8'></head><body>{WORDS}\x01\f\x7f.</body></html>".encode()
    assert text(body, content_type) == f"{WORDS} ."


def test_whatever_is_read_into_a_tree_can_be_moved_within_it() -> None:
    strange = "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0xFDD0, 0xFFFE, 0xFFFF, 0x1FFFF)))
    numbers = (*range(0x20), *range(0x7F, 0xA0), 0xD800, 0xDFFF, 0xFFFE, 0xFFFF, 0x110000)
    named = "".join(f"&#{number};&#00{number} &#x{number:x};&#X0{number:X};" for number in numbers)
    tree = dom.parse_markup(f'<p title="{strange}{named}">a{strange}{named}<b>c</b>d{strange}{named}</p>')
    assert tree is not None
    (paragraph,) = tree.iter("p")
    paragraph.text, paragraph[0].tail = paragraph.text, paragraph[0].tail
    paragraph.set("title", paragraph.get("title", ""))
    assert (str(paragraph.text)[0], str(paragraph[0].tail)[0]) == ("a", "d")


def test_references_to_what_can_be_read_stay() -> None:
    assert (
        text(b"<p>&#9;a&#10;b&#x26;&#100;&#x1F600;&#65533;&#310; &#8364;</p>")
        == "a\nb&d\U0001f600\ufffd\u0136 \u20ac"
    )
