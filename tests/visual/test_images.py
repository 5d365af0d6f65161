"""Which image is the article's: what is one picture, what is around it, and the choice among several."""

from __future__ import annotations

import numpy as np
import pytest

from archiver.articles.methods.visual.images import IMAGE_FEATURES, image_rows
from archiver.articles.methods.visual.picture_names import name_words, picture_name
from archiver.articles.methods.visual.placed_images import article_place, image_page
from archiver.articles.methods.visual.regression import fit_choice
from archiver.articles.methods.visual.stated import image_labels
from archiver.documents.pages.dom import parse_markup
from archiver.documents.pages.images import image_url
from archiver.documents.pages.statements import statements_of
from tests.visual.pages import page

URL = "https://gazette.test/2026/03/bell-of-the-ferry"
TITLE = "The bell of the ferry was found"
WORDS = "The harbour master found the bell of the old ferry in the mud on Thursday. " * 3
TEXT = f"<p>{WORDS}</p>"
KEY = "b26725319d3e4dc0"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.test/up/Bell-of-Ferry.jpg", "https://cdn.test/i/bell-of-ferry-300x200.jpg?w=300"),
        ("https://a.test/up/Bell-of-Ferry.jpg", "https://cdn.test/931/523/bell-of-ferry.webp"),
        ("https://a.test/QKMWkTMjy-1200-80.jpg", "https://a.test/QKMWkTMjy-1920-80.jpg"),
        # The name of a file that many have, in the folder of its picture.
        ("https://a.test/photos/18636778/3/rawImage.jpg", "https://b.test/photos/18636778/3/920x920.jpg"),
        (f"https://a.test/{KEY}/0_0_620/master/10407.jpg", f"https://a.test/{KEY}/5_0_99/master/620.jpg"),
        # What a resizing server is asked for.
        ("https://a.test/bell-7.jpg", "https://r.test/x?url=https%3A%2F%2Fa.test%2Fbell-7.jpg&w=9"),
        ("https://a.test/bell-7.jpg", "https://r.test/fit/600x400/https://a.test/bell-7.jpg"),
    ],
)
def test_one_picture_has_one_name(one: str, other: str) -> None:
    assert picture_name(one) == picture_name(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.test/x/bell-1.jpg", "https://a.test/x/bell-2.jpg"),
        ("https://a.test/a/07nXYcsCj/hero-image.jpg", "https://a.test/a/00RAbcDef/hero-image.jpg"),
        ("https://a.test/2026/03/20220827_081954.jpg", "https://a.test/2026/03/20220827_091954.jpg"),
    ],
)
def test_different_pictures_have_different_names(one: str, other: str) -> None:
    assert picture_name(one) != picture_name(other)


@pytest.mark.parametrize(
    "url", ["https://a.test/images/logo.png", "https://a.test/image.jpg", "http://[", ""]
)
def test_some_addresses_tell_nothing(url: str) -> None:
    assert picture_name(url) == ""


def test_names_are_read_word_by_word() -> None:
    assert name_words("heroImage__wide size-300 wp-post") == {"hero", "image", "wide", "size", "wp", "post"}


def rows_of(body: str, head: str = "") -> list[dict[str, float]]:
    tree = parse_markup(f"<html><head>{head}</head><body>{body}</body></html>")
    assert tree is not None
    found = image_page(tree, URL)
    rows = image_rows(found, article_place(found, WORDS, TITLE))
    return [dict(zip(IMAGE_FEATURES, row.tolist(), strict=True)) for row in rows]


def test_names_around_both_the_image_and_the_article_say_nothing_of_the_image() -> None:
    (lead, teaser) = rows_of(
        f"<div class=sidebar-left><h1>{TITLE}</h1><div><img src=/a.jpg></div>{TEXT}"
        f"<div class=related><a href=/other><img src=/b.jpg></a></div></div>"
    )
    assert (lead["named_aside"], lead["leads_away"], lead["is_candidate"]) == (0, 0, 1)
    assert (teaser["named_aside"], teaser["leads_away"], teaser["is_candidate"]) == (1, 1, 0)


def test_words_for_an_image_that_tell_of_a_logo_are_no_logo() -> None:
    story, logo = rows_of(
        f"<h1>{TITLE}</h1><img src=/a.jpg alt='The logo of the fund outside of its house in March'>"
        f"<img src=/b.jpg alt='Gazette logo'>{TEXT}"
    )
    assert (story["named_furniture"], logo["named_furniture"]) == (0, 1)


def test_a_class_that_names_a_size_says_nothing() -> None:
    (image,) = rows_of(f"<h1>{TITLE}</h1><img src=/a.jpg class='size-facebook wp-image-7'>{TEXT}")
    assert image["named_furniture"] == 0


def test_an_image_that_leads_to_its_own_page_says_so() -> None:
    (teaser,) = rows_of(f"<h1>{TITLE}</h1>{TEXT}<li><a href='{URL}/?from=list'><img src=/a.jpg></a></li>")
    assert (teaser["leads_here"], teaser["leads_away"]) == (1, 0)


def test_the_image_that_is_loaded_ahead_is_known_in_any_size() -> None:
    first, second = rows_of(
        f"<h1>{TITLE}</h1><img src=/i/bell-tower-300x200.jpg>{TEXT}<img src=/i/other-thing.jpg>",
        head="<link rel=preload as=image href=/big/bell-tower.jpg>",
    )
    assert (first["is_preloaded"], second["is_preloaded"]) == (1, 0)


def test_the_widest_size_on_offer_counts_for_a_placeholder() -> None:
    (image,) = rows_of(
        f"<h1>{TITLE}</h1><img width=30 height=17 src=/a.jpg srcset='/a.jpg 30w, /b.jpg 1200w'>{TEXT}"
    )
    assert image["is_small"] == 0


def test_an_image_in_a_picture_with_sources_is_between_title_and_text() -> None:
    (image,) = rows_of(
        f"<h1>{TITLE}</h1><picture><source srcset=/a.webp><source srcset=/b.webp><img src=/a.jpg></picture>"
        f"{TEXT}"
    )
    assert (image["is_first"], image["is_hidden"], image["above_title"]) == (1, 0, 0)


def test_what_is_hidden_by_markup_around_an_image_is_told() -> None:
    (image,) = rows_of(f"<h1>{TITLE}</h1><div style='display: none'><p><img src=/a.jpg></p></div>{TEXT}")
    assert image["is_hidden"] == 1


def test_an_image_without_an_address_is_not_chosen_among() -> None:
    assert len(rows_of(f"<h1>{TITLE}</h1><img alt=x>{TEXT}<img src=/a.jpg>")) == 1


def test_the_copy_for_readers_without_scripts_gives_the_address() -> None:
    tree = parse_markup("<div><img class=lazy><noscript><img src=/bell.jpg></noscript></div>")
    assert tree is not None
    assert image_url(next(tree.iter("img")), URL) == "https://gazette.test/bell.jpg"


def test_an_object_of_addresses_is_not_an_address() -> None:
    tree = parse_markup("""<img data-src='{"default":{"src":"//a.test/b.jpg"}}' src=/bell.jpg>""")
    assert tree is not None
    assert image_url(next(tree.iter("img")), URL) == "https://gazette.test/bell.jpg"


def test_what_open_graph_states_counts_before_other_statements() -> None:
    one = page(
        f"<html><head><meta property=og:image content=/i/bell-tower.jpg>"
        f"<meta name=twitter:image content=/i/other-thing.jpg></head>"
        f"<body><img src=/i/other-thing.jpg><img src=/i/bell-tower-300x200.jpg>{TEXT}</body></html>"
    )
    images = image_page(one.tree, one.base_url).images
    assert image_labels(images, statements_of(one.tree), one).tolist() == [0, 1]


def test_a_choice_is_learned_from_what_differs_within_a_page() -> None:
    # The second feature is high on whole pages: it says nothing of which is chosen, and the first says all.
    chance = np.random.default_rng(3)
    pages = []
    for number in range(40):
        rows = chance.normal(size=(5, 2))
        rows[:, 1] += 10 * (number % 2)
        pages.append((rows, (rows[:, 0] == rows[:, 0].max()).astype(float)))
    rows, wanted = (np.concatenate(column) for column in zip(*pages, strict=True))
    line = fit_choice(rows, wanted, [5] * 40, 0.1)
    assert line[0] > 1
    assert abs(line[1]) < line[0] / 5


def test_of_several_copies_the_one_that_looks_like_the_others_counts() -> None:
    # On every second page a copy stands in a list as well: it does not teach that images stand in lists.
    lead, teaser, copy = [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]
    pages = [([lead, teaser, copy], [1.0, 0.0, float(number % 2)]) for number in range(40)]
    rows = np.array([row for some, _ in pages for row in some])
    wanted = np.array([one for _, some in pages for one in some])
    line = fit_choice(rows, wanted, [3] * 40, 1.0)
    assert line[0] > line[1]
    assert all((rows[start : start + 3] @ line).argmax() == 0 for start in range(0, 120, 3))
