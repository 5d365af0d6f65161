"""What is explained is what extraction did: the same blocks, the same wrapper, the same outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lxml import etree
from msgspec import structs

from archiver.articles.explain.as_html import html_of
from archiver.articles.explain.as_text import lines_of
from archiver.articles.explain.explanation import explain
from archiver.articles.methods.extraction import extract_group
from archiver.articles.model import Article
from archiver.documents.pages.model import Announcement, RawPage
from archiver.documents.pages.words import tokens
from tests.extract.pages import ANNOUNCEMENT, BODY, TITLE, page
from tests.fuzz.cases import named
from tests.fuzz.sources import sample_sites

if TYPE_CHECKING:
    from archiver.articles.explain.explanation import Explanation

SITES = [named(site) for site in sample_sites() if len(site) > 3]
ATTRIBUTES = {"alt", "class", "colspan", "dir", "id", "lang", "role", "rowspan", "title"}


def raw(body: bytes, announcement: Announcement = ANNOUNCEMENT) -> RawPage:
    return RawPage(url="https://a.example/1", body=body, content_type="text/html", announcement=announcement)


def kept_words(told: Explanation) -> list[str]:
    return [word for block in told.blocks if block.is_kept for word in tokens(block.text)]


def printed(told: Explanation, *, is_whole: bool = True) -> str:
    return "\n".join(lines_of(told, lambda text, _: text, width=100, is_whole=is_whole))


@pytest.mark.parametrize("text", ["Torn again.", BODY], ids=["short", "long"])
def test_of_a_page_whose_text_is_known_only_that_is_explained(text: str) -> None:
    menu = "<h1>Rope</h1><ul><li>Read</li><li>Edit</li></ul><p>All pages are listed here, and more.</p>"
    said = Announcement(title="Rope", body=("div.output",))
    pages = [raw(page(f"{menu}<div class=output>{text}</div>"), said)]
    (result,) = extract_group(pages, "article").results
    told = explain(pages).explanation
    assert isinstance(result, Article)
    assert (told.outcome, told.is_known) == ("article", True)
    assert kept_words(told) == tokens(result.text)
    assert not [block for block in told.blocks if not block.is_kept]
    assert "from the knowledge base" in printed(told)


@pytest.mark.parametrize("site", SITES, ids=range(len(SITES)))
def test_kept_blocks_are_the_text_that_is_extracted(site: tuple[RawPage, ...]) -> None:
    pages = site[:5]
    result = extract_group(pages, "article").results[0]
    told = explain(pages).explanation
    if not isinstance(result, Article):
        assert (told.outcome, told.reason) == (result.outcome, result.reason)
        return
    assert (told.outcome, told.confidence) == ("article", result.confidence)
    assert kept_words(told) == tokens(result.text)
    assert len(told.siblings) == len(result.siblings)


def test_a_wrapper_that_served_is_named_and_its_blocks_are_those_of_the_text() -> None:
    before, pages = SITES[0][:6], SITES[0][6:12]
    learned = extract_group(before, "article").learned
    for one in pages:
        result = extract_group([one], "article", learned).results[0]
        assert isinstance(result, Article)
        told = explain([one], learned).explanation
        assert [wrapper.id for wrapper in told.wrappers if wrapper.is_used] == [result.wrapper]
        assert told.chosen_by == f"wrapper {result.wrapper}"
        assert kept_words(told) == tokens(result.text)
        assert "Voters, who were not asked" in printed(told)


def test_a_wrapper_that_does_not_fit_says_why() -> None:
    learned = extract_group(SITES[0][:6], "article").learned
    told = explain([raw(page(f"<article><h1>{TITLE}</h1>{BODY}</article>"))], learned).explanation
    assert {(one.is_used, one.reason) for one in told.wrappers} == {
        (False, "nothing is where the article was")
    }
    few = [structs.replace(one, samples=one.samples[:1]) for one in learned]
    told = explain([SITES[0][7]], few).explanation
    assert "it fits, but 3 pages must have shown it" in {one.reason for one in told.wrappers}


def test_dropped_blocks_say_why() -> None:
    share = "<div class='share'>Share this on Facebook</div>"
    main = (
        f"<article><h1>{TITLE}</h1>{BODY}{share}<p>Passengers said that they were glad of it.</p></article>"
    )
    told = explain([raw(page(main))]).explanation
    reasons = {block.text: block.reasons for block in told.blocks if not block.is_kept}
    assert reasons["Share this on Facebook"] == ("the headline, a row of tags, or an aside by its name",)
    assert reasons["Home Sport Harbour"][0] == "outside the chosen node"
    assert "Home Sport Harbour" in printed(told)


def test_what_siblings_share_and_comments_are_named_as_such() -> None:
    comments = "<div id='comments'>" + "<p>I sailed on that ferry, and the cabins were cold and damp.</p>" * 3
    pages = named(
        tuple(
            raw(page(f"<div>{BODY.replace('the', name)}{comments}</div></div>"), Announcement(title=name))
            for name in ("ships", "boats", "barges", "rafts")
        )
    )
    told = explain(pages).explanation
    reasons = {block.text: block.reasons for block in told.blocks}
    assert "also on sibling pages" in reasons["Island Post, 12 Quay Street. All rights reserved."]
    assert len(told.siblings) == 3
    commented = [block for block in told.blocks if block.text.startswith("I sailed")]
    assert not any(block.is_kept for block in commented)


@pytest.mark.parametrize(
    ("body", "outcome"),
    [(b"", "empty"), (b"%PDF-1.7 ", "not_html"), (b"<html><script>1</script>", "empty")],
)
def test_a_page_that_is_none_has_its_outcome_and_nothing_else(body: bytes, outcome: str) -> None:
    drawing = explain([raw(body)])
    assert (drawing.explanation.outcome, drawing.explanation.blocks) == (outcome, ())
    assert printed(drawing.explanation) == f"Outcome    {outcome}: {drawing.explanation.reason}"
    assert outcome in html_of(drawing)


def test_long_runs_of_blocks_are_shortened_unless_all_are_wanted() -> None:
    menu = "<nav><ul>" + "".join(f"<li><a href=/{n}>Section {n}</a></li>" for n in range(40)) + "</ul></nav>"
    told = explain([raw(page(f"{menu}<article>{BODY}</article>"))]).explanation
    assert "Section 20" in printed(told)
    assert "Section 20" not in printed(told, is_whole=False)
    assert "more blocks outside" in printed(told, is_whole=False)


HOSTILE = """<base href="http://evil.example/"><link rel="preconnect" href="http://evil.example">
<meta http-equiv="refresh" content="0;url=http://evil.example"><script>alert(1)</script>
<img src="http://evil.example/a.gif" srcset="b.gif 2x" onerror="alert(1)" alt="A ship">
<p style="background:url(http://evil.example/c)" onclick="alert(1)" hidden>Seen all the same &lt;b&gt;.</p>
<form action="http://evil.example"><input name="q"></form><a href="javascript:alert(1)" ping="/p">link</a>
<xmp><p title="</xmp><meta http-equiv=refresh content=0>">x</p></xmp><iframe src="http://evil.example"></iframe>
<svg><image href="http://evil.example/d"/></svg><video poster="e" src="f"></video><embed src="g">
<object data="h"></object><plaintext>rest"""


def test_a_drawing_loads_nothing_and_runs_nothing() -> None:
    drawing = explain([raw(page(f"<article><h1>{TITLE}</h1>{BODY}</article>", around=HOSTILE))])
    html = html_of(drawing)
    tree = etree.fromstring(html, etree.HTMLParser())
    policy = tree.find(".//meta[@http-equiv]")
    assert policy is not None
    assert str(policy.get("content")).startswith("default-src 'none'; style-src 'unsafe-inline'")
    assert len(tree.findall(".//meta[@http-equiv]")) == 1
    assert "evil.example" not in html.partition("</head>")[2].partition("Island Post")[0].replace("mark", "")
    body = tree.find("body")
    assert body is not None
    assert {name for element in body.iter() for name in element.attrib} <= ATTRIBUTES
    tags = {element.tag for element in body.iter()}
    assert tags.isdisjoint({"script", "link", "meta", "base", "iframe", "form", "xmp", "plaintext", "svg"})


def test_a_drawing_shows_each_block_with_its_reasons() -> None:
    drawing = explain([raw(page(f"<article><h1>{TITLE}</h1>{BODY}</article>"))])
    blocks = drawing.explanation.blocks
    tree = etree.fromstring(html_of(drawing), etree.HTMLParser())
    marks = [mark for mark in tree.iter("mark") if mark.get("title")]
    told = {name: " ".join(mark.text or "" for mark in marks if mark.get("class") == f"explain-{name}")
            for name in ("kept", "outside")}  # fmt: skip
    assert "After nine years the night ferry" in told["kept"]
    assert "All rights reserved" in told["outside"]
    assert sum(block.is_kept for block in blocks) > 3
    titles = [str(mark.get("title")) for mark in marks]
    assert any(title.startswith("outside: first look 0.") and "unlikely" in title for title in titles)
    assert tree.xpath("count(//*[contains(@class, 'explain-node')])") == 2  # it, and in the legend
