"""Images of a page: late ones, sets of sources, pictures, and those of the article."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.documents.pages.dom import parse_markup
from archiver.documents.pages.images import candidates, image_url
from archiver.documents.requisites.page import page_requisites

URL = "https://example.org/"


def images(html: str) -> list[str]:
    found = page_requisites(html.encode(), url=URL, content_type="text/html", scope="page")
    assert {one.kind for one in found} <= {"image"}
    return [one.url.removeprefix(URL) for one in found]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<img src=a>", ["a"]),
        ("<img src=a srcset='b 320w, c 640w, d 480w'>", ["a", "c"]),
        ("<img src=a srcset='b, c 2x, d 1.5x'>", ["a", "c"]),
        ("<img src=a srcset='a 1x'>", ["a"]),
        ("<img src=data:image/gif;base64,R0lGOD data-src=a>", ["a"]),
        (
            "<img src=spacer.gif data-lazy-src=a data-original=b data-srcset='c 2x, d 1x'>",
            ["spacer.gif", "a", "c"],
        ),
        ("<img data-lazy-srcset='a 1x, data:image/png;base64,AA== 2x'>", ["a"]),
        ("<amp-img src=a srcset='b 2x'></amp-img>", ["a", "b"]),
        ("<noscript><img src=a></noscript>", ["a"]),
    ],
)
def test_an_image_is_its_source_its_late_source_and_its_largest_candidate(
    html: str, found: list[str]
) -> None:
    assert images(html) == found


@pytest.mark.parametrize("end", ["", " /"])
def test_the_largest_candidate_may_be_of_the_picture(end: str) -> None:
    sources = (
        f"<source srcset='b 100w, c 900w' media=print{end}><source srcset='d 500w' type=image/webp{end}>"
    )
    assert images(f"<picture>{sources}<img src=a srcset='e 300w'></picture><img src=f>") == ["a", "c", "f"]


def test_of_candidates_of_one_size_that_of_the_image_counts() -> None:
    assert images("<picture><source srcset='b 2x' /><img src=a srcset='c 2x'></picture>") == ["a", "c"]


def test_an_image_of_one_pixel_counts_visitors_and_is_left_out() -> None:
    assert images("<img src=a width=1 height=1><img src=b width=0 height='1px'>") == []
    assert images("<img src=a width=1 height=20><img src=b width=1>") == ["a", "b"]


@pytest.mark.parametrize(
    ("source_set", "found"),
    [
        ("", []),
        (" , ,", []),
        ("a", [("a", 1.0)]),
        ("a, b 2x", [("a", 1.0), ("b", 2.0)]),
        ("a 1x,b 2x", [("a", 1.0), ("b", 2.0)]),
        ("a,b 2x", [("a,b", 2.0)]),
        ("a 320w 200h , b 640w", [("a", 320.0), ("b", 640.0)]),
        ("a,, b", [("a", 1.0), ("b", 1.0)]),
        ("a x(1, 2) 3x, b", [("a", 3.0), ("b", 1.0)]),
        ("data:image/png;base64,AA== 2x, b", [("data:image/png;base64,AA==", 2.0), ("b", 1.0)]),
        ("a nanx, b infw, c -1x", [("a", 1.0), ("b", 1.0), ("c", 1.0)]),
        ("a (", [("a", 1.0)]),
    ],
)
def test_a_set_of_sources_is_read_as_browsers_do(source_set: str, found: list[tuple[str, float]]) -> None:
    assert list(candidates(source_set)) == found


@given(st.text(" ,()axw1.\t\n"))
def test_a_set_of_sources_never_names_an_empty_address(source_set: str) -> None:
    assert all(address and not set(address) & set(" \t\n") for address, _ in candidates(source_set))


def test_the_largest_candidate_is_that_of_the_article() -> None:
    html = "<img src=a srcset='b 320w, c 640w, d 480w' data-srcset='e 500w'>"
    tree = parse_markup(html)
    assert tree is not None
    assert image_url(next(tree.iter("img")), URL) == URL + images(html)[-1]


def test_of_an_article_only_its_own_images_are_needed() -> None:
    found = page_requisites(
        b"<link rel=stylesheet href=a.css><img src=b srcset='c 2x'>",
        url=URL,
        content_type=None,
        scope="article",
        article_images=[URL + "c#x", URL + "c", "https://cdn.example/d", "data:image/png,", "nonsense://"],
    )
    assert [(one.kind, one.url) for one in found] == [
        ("image", URL + "c"),
        ("image", "https://cdn.example/d"),
    ]


def test_images_of_the_article_come_before_the_others_and_after_styles() -> None:
    found = page_requisites(
        b"<img src=logo><img src=b><img src=c><link rel=stylesheet href=a.css>",
        url=URL,
        content_type=None,
        scope="page",
        article_images=[URL + "c", URL + "from-the-feed"],
    )
    assert [one.url.removeprefix(URL) for one in found] == ["a.css", "c", "from-the-feed", "logo", "b"]
