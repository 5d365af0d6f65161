"""The file that is written: nothing in it acts, nothing is loaded, and it says what it is."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from lxml import html

from archiver.documents.requisites.model import StoredFile
from archiver.inspection.rebuild.frames import from_nothing
from archiver.inspection.rebuild.model import Grounds
from archiver.inspection.rebuild.page import html_of
from tests.rebuild.pages import AT, ORIGIN, SITE, article, cards, drawn, home, rebuilt, text_of

if TYPE_CHECKING:
    from archiver.documents.requisites.model import Kind

LIST = "<ul><li><a href=/a>One story</a></li><li><a href=/b>Another story</a></li></ul>"


def page(markup: str) -> html.HtmlElement:
    return drawn(f"<html><head><title>T</title></head><body>{LIST}{markup}</body></html>", article("x"))


@pytest.mark.parametrize(
    "markup",
    [
        "<script>x()</script>",
        "<SCRIPT src=//evil></SCRIPT>",
        "<img src=x onerror=x()>",
        "<svg onload=x()><script>x()</script></svg>",
        "<iframe srcdoc='<script>x()</script>'></iframe>",
        "<a href='javascript:x()'>a</a>",
        "<a href=' jAva\tscript:x()'>a</a>",
        "<a href='data:text/html,<script>x()</script>'>a</a>",
        "<form action='javascript:x()'><button formaction='javascript:x()'>a</button></form>",
        "<object data=x.swf></object><embed src=x.swf>",
        "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
        "<noscript><p title='</noscript><img src=x onerror=x()>'></noscript>",
        "<style>a{}</style></style><script>x()</script>",
        "<math><mtext><table><mglyph><style><img src=x onerror=x()>",
        "<textarea></textarea><img src=1 onerror=x()>",
        "<p a\"b='x' x:y=1 @click='x()'>w</p>",
    ],
)
def test_nothing_acts(markup: str) -> None:
    found = page(markup)
    names = {str(element.tag) for element in found.iter("*")}
    assert names & {"script", "iframe", "object", "embed", "svg", "math", "noscript", "textarea"} == set()
    for element in found.iter("*"):
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert name not in {"srcdoc", "action", "formaction"}
            if name in {"href", "src"}:
                assert "script:" not in value.lower().replace("\t", "")
                assert not value.strip().startswith("data:text")
    assert found.xpath("//meta[@http-equiv]/@http-equiv") == ["Content-Security-Policy"]


def test_the_browser_is_told_to_load_nothing_and_run_nothing() -> None:
    (policy,) = page("").xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert "default-src 'none'" in policy
    assert "script" not in policy
    assert "http" not in policy.replace("base-uri http: https:", "")
    # It counts for what stands after it only.
    assert page("<style>x</style>").xpath("name(//head/*[2])") == "meta"


def test_links_lead_where_they_led() -> None:
    found = page("<a href='about'>About</a>")
    (base,) = found.xpath("//base/@href")
    assert base == f"{SITE}/"
    assert found.xpath("//a[text()='About']/@href") == ["about"]


def test_styles_and_images_of_the_archive_are_in_the_file() -> None:
    files = {
        f"{SITE}/s.css": ("text/css", b"p { color: red } </style><script>x()</script>"),
        f"{SITE}/logo.gif": ("image/gif", b"GIF89a"),
        f"{SITE}/page": ("text/html", b"<p>"),
    }
    frame = home(
        "<html><head><link rel='stylesheet' href='s.css'><style>i { top: 0 }</style></head><body>"
        "<img src=logo.gif><img src=page><img src=missing.gif alt='A boat'>"
        f"<p style='top: 0; background: url(x.png) !important'>{LIST}</body></html>",
        article("x"),
    )
    assert frame is not None

    def stored(url: str, _kind: Kind) -> StoredFile | None:
        return StoredFile(url=url, content_type=files[url][0], body=files[url][1]) if url in files else None

    found = html.fromstring(html_of(frame, rebuilt(article("x")), stored))
    ours, *styles = found.xpath("//style/text()")
    assert ours.startswith("@layer archiver, page;")
    assert styles[0].startswith("@layer page {\np { color: red }")
    assert styles[1] == "@layer page {\ni { top: 0 }\n}"
    assert found.xpath("//script") == []
    assert found.xpath("//img/@src") == ["data:image/gif;base64,R0lGODlh"]
    assert found.xpath("//span[@data-archiver-src]/text()") == ["A boat"]
    (style,) = found.xpath("//p/@style")
    assert "".join(style.split()) == "top:0;background:none"
    assert found.xpath("//link") == []


def test_the_original_says_which_capture_it_is_of() -> None:
    (body,) = page("<p>Hello").xpath("//body")
    assert body.get("data-archiver") == "original"
    assert body.get("data-archiver-record") == ORIGIN.record_id
    assert body.get("data-archiver-captured") == "2026-03-05T00:00:00Z"


def test_a_note_tells_what_is_rebuilt() -> None:
    (note,) = page("").xpath("//*[@data-archiver='note']")
    words = text_of(note)
    assert "A paper as of 2026-03-02T12:00:00Z" in words
    assert "one article listed then" in words
    assert "original, captured at 2026-03-05T00:00:00Z, record <urn:uuid:home>" in words


def test_the_note_tells_what_is_inferred_and_what_is_only_the_last_that_is_known() -> None:
    one = rebuilt(
        article("x", grounds=Grounds.NOT_YET_GONE),
        article("y"),
        last_look=AT - timedelta(hours=1),
        title="A & <b>",
    )
    (note,) = html.fromstring(html_of(from_nothing(one), one)).xpath("//*[@data-archiver='note']")
    assert "2 articles listed then (1 of them inferred)" in text_of(note)
    assert "last looked at 2026-03-02T11:00:00Z" in text_of(note)
    assert "A & <b> as of" in text_of(note)


def test_without_any_capture_there_is_a_plain_page() -> None:
    one = rebuilt(article("x"), article("y", url=None, lead="", published=None))
    found = html.fromstring(html_of(from_nothing(one), one))
    assert found.xpath("//ol/li/h2/a/@href") == [f"{SITE}/x"]
    assert [text_of(item.find("h2")) for item in found.xpath("//ol/li")] == [
        "The story of x",
        "The story of y",
    ]
    assert len(cards(found)) == 3  # the list and its items
