"""What feeds, structured data, the extractor and people say of a page, as blocks of it."""

from __future__ import annotations

import json

import pytest

from archiver.articles.labels.model import LabelSource
from archiver.articles.labels.sources import Said, blocks_saying, has_sources, labelled_page
from archiver.articles.methods.extraction import parse_page
from archiver.articles.model import Article, ParsedPage
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.model import RawPage

PARAGRAPHS = [" ".join(f"w{one}x{word}" for word in range(60)) for one in range(5)]
BODY = " ".join(PARAGRAPHS)
NAMES = ["menu one two three", "Headline of it", *PARAGRAPHS, "Read this other story as well"]


def parsed(*, head: str = "", around: tuple[str, str] = ("<div>", "</div>")) -> ParsedPage:
    text = "".join(f"<p>{one}</p>" for one in PARAGRAPHS)
    shown = f"<html><head>{head}</head><body><nav>{NAMES[0]}</nav><h1>{NAMES[1]}</h1>"
    html = f"{shown}{around[0]}{text}{around[1]}<footer>{NAMES[-1]}</footer></body></html>"
    page = parse_page(RawPage(url="https://news.paper.co.uk/1", body=html.encode(), content_type="text/html"))
    assert isinstance(page, ParsedPage)
    return page


def blocks(
    page: ParsedPage, said: Said, article: Article | None = None
) -> dict[LabelSource, tuple[int, ...]]:
    found = labelled_page(page, article, said, channel=3)
    assert len(found.words) == len(NAMES)
    assert (found.site, found.channel) == ("paper.co.uk", 3)
    return {one.source: one.blocks for one in found.labels}


def test_full_content_of_a_feed_is_a_label() -> None:
    content = "".join(f"<p>{one}</p>" for one in PARAGRAPHS)
    assert blocks(parsed(), Said(content=content)) == {LabelSource.FEED: (2, 3, 4, 5, 6)}


def test_a_summary_is_not_one() -> None:
    assert blocks(parsed(), Said(content=" ".join(PARAGRAPHS[:2]))) == {}


def test_a_text_of_another_page_is_not_one() -> None:
    other = " ".join(f"other{one}" for one in range(80))
    assert blocks(parsed(), Said(content=f"{BODY} {other}")) == {}


@pytest.mark.parametrize(
    "head",
    [
        f'<script type="application/ld+json">{json.dumps({"articleBody": BODY})}</script>',
        f'<script type="application/ld+json">{{"articleBody": "{BODY}", broken</script>',
    ],
    ids=["whole", "broken"],
)
def test_structured_data_states_the_article(head: str) -> None:
    assert blocks(parsed(head=head), Said())[LabelSource.STATEMENT] == (2, 3, 4, 5, 6)


def test_microdata_states_it_by_its_element() -> None:
    page = parsed(around=('<div itemprop="articleBody">', "</div>"))
    assert blocks(page, Said())[LabelSource.STATEMENT] == (2, 3, 4, 5, 6)


def test_the_longest_mark_of_people_is_a_label_however_short() -> None:
    marks = (PARAGRAPHS[1], f"{PARAGRAPHS[1]} {PARAGRAPHS[2]}")
    assert blocks(parsed(), Said(marks=marks)) == {LabelSource.USER: (3, 4)}


@pytest.mark.parametrize(("wrapper", "source"), [(None, LabelSource.CONSENSUS), ("w1", LabelSource.WRAPPER)])
def test_a_sure_choice_of_the_extractor_is_a_label(wrapper: str | None, source: LabelSource) -> None:
    article = Article(method="article", confidence=0.95, text=BODY, html="", wrapper=wrapper)
    assert blocks(parsed(), Said(), article) == {source: (2, 3, 4, 5, 6)}


def test_an_unsure_choice_is_not() -> None:
    assert blocks(parsed(), Said(), Article(method="article", confidence=0.7, text=BODY, html="")) == {}


def test_whether_a_page_has_sources_is_told_without_reading_it() -> None:
    assert has_sources(BODY, b"")
    assert has_sources(None, b'{"articleBody": "x"}')
    assert not has_sources("a summary", b"<p>articleBod</p>")


def test_half_of_a_block_is_enough() -> None:
    outline = outline_of(parsed().cleaned)
    words = PARAGRAPHS[2].split()
    assert blocks_saying(outline, words[:32]) == (4,)
    assert blocks_saying(outline, words[:28]) == ()
