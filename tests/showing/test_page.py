"""An archived page to look at: nothing runs, nothing is asked for elsewhere, and it looks as it did."""

from __future__ import annotations

import re

import pytest
from lxml import etree, html

from archiver.inspection.showing.page import PagePlaces, shown_page
from tests.web.planted import PAGE, SITE

PLACES = PagePlaces(
    shown=lambda url: f"/kept/{url}" if url.startswith(SITE) else None,
    linked=lambda url: f"/plain/{url.partition('#')[0]}" if url.startswith(SITE) else None,
)


@pytest.fixture(scope="module")
def text() -> str:
    return shown_page(PAGE.encode("latin-1"), "text/html", f"{SITE}/page", PLACES)


@pytest.fixture(scope="module")
def tree(text: str) -> etree._Element:
    return html.document_fromstring(text)


def attributes(tree: etree._Element) -> list[tuple[str, str, str]]:
    return [(str(one.tag), str(k), str(v)) for one in tree.iter("*") for k, v in one.attrib.items()]


def test_nothing_of_it_acts(tree: etree._Element) -> None:
    assert not list(tree.iter("script", "iframe", "object", "embed", "base", "animate", "source", "noscript"))
    for tag, name, value in attributes(tree):
        assert not name.startswith("on"), (tag, name)
        assert not value.lower().lstrip().startswith("javascript:"), (tag, name, value)
        assert name not in {"srcdoc", "ping", "target", "action", "formaction", "srcset", "integrity"}


def test_nothing_is_asked_for_elsewhere(text: str) -> None:
    told = re.sub(r'title="[^"]*"', "", text)  # where it says what was not kept
    assert "outside.example" not in told


def test_what_was_kept_is_shown(tree: etree._Element) -> None:
    kept = f"/kept/{SITE}/bg.png"
    styles = [f"/kept/{SITE}/{name}" for name in ("style.css", "look.css?v=2")]
    assert [one.get("href") for one in tree.iter("link")] == styles
    assert [tree.get_element_by_id(name).get("src") for name in ("own", "late", "pic")] == [kept, kept, None]
    assert f'url("{kept}")' in tree.find(".//p").get("style", "")
    assert f'url("{kept}")' in (tree.find(".//style").text or "")
    assert tree.find(".//video").get("poster") == kept
    assert tree.find(".//body").get("background") is None


def test_links_lead_into_the_archive(tree: etree._Element) -> None:
    found = {name: tree.get_element_by_id(name) for name in ("in", "out", "js", "here")}
    assert found["in"].get("href") == f"/plain/{SITE}/other#part"
    assert found["here"].get("href") == "#part"
    assert found["out"].get("href") is found["js"].get("href") is None
    assert found["out"].get("title") == "Not in the archive: http://outside.example/page"
    assert f"Frame: {SITE}/other" in tree.text_content()


def test_its_words_and_layout_are_its_own(text: str, tree: etree._Element) -> None:
    assert text.startswith("<!DOCTYPE html>")
    assert tree.find(".//h1").text == "Café"
    assert tree.get_element_by_id("without").text == "Without scripts"


def test_a_page_of_nothing_is_nothing() -> None:
    assert shown_page(b"", "text/html", SITE, PLACES) == ""


def test_an_old_page_is_laid_out_as_one() -> None:
    old = b'<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><p>x'
    assert shown_page(old, "text/html", SITE, PLACES).startswith(
        '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2 Final//EN" "">'
    )
    assert shown_page(b"<p>x", "text/html", SITE, PLACES).startswith("<!DOCTYPE html PUBLIC")
