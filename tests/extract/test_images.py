"""The images of an article and their words."""

from __future__ import annotations

import pytest

from archiver.documents.pages.images import images_in
from archiver.documents.pages.model import Image
from tests.extract.pages import BASE, node


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<img src='c.png'>", "https://example.org/a/c.png"),
        ("<img src='data:,x' data-src='c.png'>", "https://example.org/a/c.png"),
        ("<img src='s.png' srcset='m.png 640w, l.png 1280w, s.png 320w'>", "https://example.org/a/l.png"),
        ("<img src='s.png' srcset='m.png 1x,l,c.png 2.5x'>", "https://example.org/a/l,c.png"),
        ("<img srcset='m.png, l.png 3x'>", "https://example.org/a/l.png"),
        (
            "<img src='s.png' srcset='a.png,c_fill/b.png 2x, d.png 1x'>",
            "https://example.org/a/a.png,c_fill/b.png",
        ),
        ("<img src='s.png' data-lazy='true'>", "https://example.org/a/s.png"),
        ("<amp-img src='s.png'></amp-img>", "https://example.org/a/s.png"),
        ("<picture><source srcset='l.webp 2x'><img src='s.png'></picture>", "https://example.org/a/l.webp"),
    ],
)
def test_image_is_the_best_of_what_is_offered(markup: str, expected: str) -> None:
    assert [image.url for image in images_in(node(markup), BASE)] == [expected]


def test_images_have_their_words_and_stand_once() -> None:
    markup = """<figure><img src="1.png" alt=" A  ship "><figcaption>The <b>ship</b>.</figcaption></figure>
        <img src="1.png"><img src="2.png"><img>"""
    assert images_in(node(markup), BASE) == (
        Image(url="https://example.org/a/1.png", alt="A ship", caption="The ship."),
        Image(url="https://example.org/a/2.png"),
    )


@pytest.mark.parametrize(
    "markup",
    [
        "<figure><a><img src='1'></a><div><figcaption>A  ship</figcaption></div></figure>",
        "<div class='wp-caption'><a><img src='1'></a><p class='wp-caption-text'>A ship</p></div>",
        "<div><img src='1'><span class='image-caption small'>A ship</span></div>",
    ],
)
def test_caption_is_what_is_called_so(markup: str) -> None:
    assert [image.caption for image in images_in(node(f"{markup}<p>x</p>"), BASE)] == ["A ship"]


def test_caption_of_two_images_is_of_neither() -> None:
    markup = "<div><img src='1'><img src='2'><p class='caption'>Ships</p></div>"
    assert [image.caption for image in images_in(node(markup), BASE)] == [None, None]


def test_image_of_one_pixel_counts_visitors_and_is_left_out() -> None:
    assert images_in(node("<img src='1' width='1' height='1px'>"), BASE) == ()


def test_caption_that_is_no_part_of_the_text_stays_with_its_image() -> None:
    figure = node("<figure><img src='1'><figcaption>A ship</figcaption></figure><aside><img src='2'></aside>")
    images = images_in(figure, BASE, lambda element: element.tag in ("figcaption", "aside"))
    assert images == (Image(url="https://example.org/a/1", caption="A ship"),)
