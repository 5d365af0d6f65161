"""What is seen on a page: features as the thesis defines them, the article, its title and its main image."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from archiver.articles.layout.model import NO_LAYOUT
from archiver.articles.methods.extraction import extract
from archiver.articles.methods.visual.explaining import explain_seen, lines_of
from archiver.articles.methods.visual.features import FEATURES, Features
from archiver.articles.methods.visual.main_image import seen_image
from archiver.articles.methods.visual.model import shipped_model
from archiver.articles.methods.visual.recognition import anchors_of, seen_page
from archiver.articles.methods.visual.sight import SeenThing, sight_of
from archiver.articles.model import Article
from archiver.documents.pages.dom import parse_markup
from archiver.documents.pages.model import RawPage
from archiver.documents.pages.words import tokens
from tests.visual.pages import PARAGRAPHS, TITLE, markup, page

PICTURES = (
    "<img src=/people/author-portrait.jpg width=60 height=60 alt='Ann Lee'>"
    "<figure><img src=/2026/03/bell-of-the-ferry.jpg width=640 height=420></figure>"
)


def features_of(text: str, title: str, url: str = "https://eshop.com/") -> dict[str, float]:
    tree = parse_markup("<p>x</p>")
    assert tree is not None
    one = SeenThing(
        kind="text", element=tree, place=0, text=text, words=tokens(text), box=(512, 768, 512, 96)
    )
    row = Features([one], 7680.0, url, title).of([one])[0]
    return dict(zip(FEATURES, row.tolist(), strict=True))


def test_places_are_shares_of_the_screen() -> None:
    found = features_of("Text", "")
    assert (found["x"], found["w"], found["h"]) == (0.5, 0.5, 96 / 768)
    assert (found["y_screen"], found["y_page"], found["above_fold"]) == (0.25, 0.1, 0)


def test_in_title_counts_letters_of_common_terms() -> None:
    found = features_of("The quick brown fox", "The quick brown fox jumps over the lazy dog")
    # Of eight different terms with 32 letters: 16 are common. The thesis counts "the" twice, which makes 35.
    assert found["intitle"] == pytest.approx(16 / 32)


def test_smart_title_is_without_the_name_of_the_site() -> None:
    found = features_of("Product XYZ", "Eshop - Product XYZ")
    assert found["smartintitle"] == 1
    assert found["intitle"] < 1


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("3 March 2026", "is_date"),
        ("2026-03-03", "is_date"),
        ("€ 12.50", "is_price"),
        ("12,50 EUR", "is_price"),
        ("By Ada Lovelace", "is_name"),
        ("Ada Lovelace", "is_name"),
    ],
)
def test_shapes_of_texts(text: str, flag: str) -> None:
    assert features_of(text, "")[flag] == 1
    assert features_of("the tide came in slowly", "")[flag] == 0


def test_share_of_digits_in_the_name_of_an_image() -> None:
    tree = parse_markup("<img src=http://a.test/image-10.png>")
    assert tree is not None
    sight = sight_of(tree, "http://a.test/")
    row = Features(sight.texts, 768, "http://a.test/", "").of(sight.images)[0]
    assert row[FEATURES.index("name_digits")] == 2 / 8
    assert row[FEATURES.index("type_png")] == 1


def test_the_title_and_the_article_are_recognised_by_their_look() -> None:
    seen = seen_page(page(markup()))
    assert seen.title is not None
    assert seen.title.text == TITLE
    raw = RawPage(url="https://gazette.test/bell", body=markup().encode(), content_type="text/html")
    (found,) = extract([raw], "visual")
    assert isinstance(found, Article)
    assert found.text.split("\n\n") == PARAGRAPHS


def test_anchors_are_the_title_of_the_feed_and_what_links_say() -> None:
    one = page(markup(), title="The bell of the ferry", anchors=("Harbour master finds bell",))
    assert list(anchors_of(one)) == ["The bell of the ferry", "Harbour master finds bell"]
    assert not np.isnan(seen_page(one).bags).any()
    assert np.isnan(seen_page(page(markup())).bags).all()


def test_a_page_without_layout_is_read_all_the_same() -> None:
    seen = seen_page(page(markup()), NO_LAYOUT)
    assert np.isnan(seen.texts[:, FEATURES.index("x")]).all()
    assert np.isfinite(shipped_model("article").margins(seen.texts, seen.bags)).all()


def test_the_main_image_is_neither_the_logo_nor_a_portrait() -> None:
    found = seen_image(page(markup(PICTURES)), TITLE, "\n".join(PARAGRAPHS))
    assert found is not None
    assert found.url == "https://gazette.test/2026/03/bell-of-the-ferry.jpg"
    assert seen_image(page(markup().replace("<img", "<i")), TITLE, "\n".join(PARAGRAPHS)) is None


def test_objects_have_the_image_that_is_seen_only_where_none_is_stated() -> None:
    raw = RawPage(url="https://gazette.test/bell", body=markup(PICTURES).encode(), content_type="text/html")
    (seen,) = extract([raw])
    stated = markup(PICTURES, head='<meta property="og:image" content="https://gazette.test/told.jpg">')
    (told,) = extract([replace(raw, body=stated.encode())])
    assert isinstance(seen, Article)
    assert isinstance(told, Article)
    assert seen.image is not None
    assert seen.image.url.endswith("bell-of-the-ferry.jpg")
    assert told.image is not None
    assert told.image.url.endswith("told.jpg")


def test_an_explanation_says_how_blocks_look_and_why_they_are_kept() -> None:
    told = explain_seen(page(markup(), title="The bell of the ferry"))
    assert [one.text for one in told.blocks if one.is_kept] == PARAGRAPHS
    assert all(len(one.reasons) == 3 for one in told.blocks)
    lines = lines_of(told, is_whole=True)
    assert lines[1] == f"looks like the title: {TITLE}"
    assert any("11 px" in line for line in lines)
