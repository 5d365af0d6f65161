"""Identities: one page behind many addresses, one picture in many sizes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.articles.versions.addresses import image_identity, link_identity


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/a/b",
        "https://www.example.org/a/b/",
        "https://example.org:443/a/b#top",
        "https://example.org/a/b?utm_source=x&utm_medium=y",
        "https://example.org/a/b;jsessionid=0A1B2C",
        "https://example.org/a/b?PHPSESSID=77aa&fbclid=1",
        "https://example.org/a/%62",
    ],
)
def test_addresses_of_one_page_are_one(url: str) -> None:
    assert link_identity(url) == link_identity("https://example.org/a/b")


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/a/c",
        "https://example.com/a/b",
        "https://example.org/a/b?id=1",
        "https://m.example.org/a/b",
        "https://example.org/A/b",
    ],
)
def test_addresses_of_two_pages_are_two(url: str) -> None:
    assert link_identity(url) != link_identity("https://example.org/a/b")


def test_the_order_of_a_query_says_nothing() -> None:
    assert link_identity("https://example.org/?a=1&b=2") == link_identity("https://example.org/?b=2&a=1")


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/photos/boat-640x480.jpg",
        "https://example.org/photos/boat-1280x960.webp?v=3",
        "https://cdn1.example.net/photos/640/boat.jpg",
        "https://example.org/photos/w_320,c_fill/boat.jpg",
        "https://i0.wp.com/example.org/photos/boat.jpg?resize=300%2C200&ssl=1",
        "https://example.org/_next/image?url=https%3A%2F%2Fexample.org%2Fphotos%2Fboat.jpg&w=750&q=75",
        "https://example.org/cdn-cgi/image/width=320/https://example.org/photos/boat.jpg",
        "https://example.org/photos/boat@2x.jpg",
        "https://example.org/photos/boat_1024.jpg",
        "https://example.org/photos/boat.jpg.webp",
    ],
)
def test_sizes_of_one_picture_are_one(url: str) -> None:
    assert image_identity(url) == image_identity("https://example.org/photos/boat.jpg")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/photos/boat.jpg", "https://example.org/photos/ship.jpg"),
        ("https://example.org/IMG_1234.jpg", "https://example.org/IMG_1235.jpg"),
        ("https://example.org/77/main.jpg?w=3", "https://example.org/aa/main.jpg?w=3"),
        ("https://example.org/image.php?id=7&w=320", "https://example.org/image.php?id=8&w=320"),
    ],
)
def test_two_pictures_are_two(one: str, other: str) -> None:
    assert image_identity(one) != image_identity(other)


@pytest.mark.parametrize(
    "url",
    ["data:image/gif;base64,R0lGOD", "https://example.org/img/blank.gif", "https://example.org/pixel?u=7"],
)
def test_what_shows_nothing_is_no_picture(url: str) -> None:
    assert image_identity(url) == ""


@given(st.text(max_size=80))
def test_anything_has_an_identity(url: str) -> None:
    assert isinstance(link_identity(url), str)
    assert isinstance(image_identity(f"http://[{url}"), str)
