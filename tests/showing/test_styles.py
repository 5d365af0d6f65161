"""Styles of the archive ask for nothing that the archive does not have."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.documents.requisites.css import sheet_references
from archiver.inspection.showing.styles import rewritten_style

PIECES = (
    "url(", "@import ", "'", "\\", "\\72 ", "gone", ")", ";", "/*", "*/", "image-set(", "{", "}", "\n", " ",
    '"', "u", "rl(", "src(", "</style>", ",", "é",
)  # fmt: skip


def locate(address: str) -> str | None:
    return f"/kept/{address}" if "kept" in address else None


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("a { background: url(kept.png) }", 'a { background: url("/kept/kept.png") }'),
        ("a { background: url( 'kept.png' ) }", 'a { background: url("/kept/kept.png") }'),
        ("a { background: URL(gone.png) }", 'a { background: url("data:,") }'),
        ("a { background: u\\72l(gone.png) }", 'a { background: url("data:,") }'),
        ("a { background: \\75 rl(gone.png) }", 'a { background: url("data:,") }'),
        ('@import "kept.css" screen;b{}', '@import url("/kept/kept.css") screen;b{}'),
        ("@import url(gone.css);b{}", "b{}"),
        ("@\\69mport 'gone.css';b{}", "b{}"),
        ("@IMPORT/**/url(gone.css)", ""),
        ("a { fill: url(#part) }", 'a { fill: url("#part") }'),
        (
            "a { background: url(data:image/gif;base64,AA) }",
            'a { background: url("data:image/gif;base64,AA") }',
        ),
        ('a { background: image-set("gone.png" 1x) }', 'a { background: image-set(url("data:,") 1x) }'),
        ('a::after { content: "url(gone)" }', 'a::after { content: "url(gone)" }'),
        ("/* url(gone.png) */", "/* url(gone.png) */"),
        (
            '@namespace svg url("http://www.w3.org/2000/svg");',
            '@namespace svg url("http://www.w3.org/2000/svg");',
        ),
        ('a { content: "</style><script>" }', 'a { content: "<\\/style><script>" }'),
        ("a { background: url(kept.png", 'a { background: url("/kept/kept.png")'),
    ],
)
def test_an_address_is_that_of_the_archive_or_none(css: str, expected: str) -> None:
    assert rewritten_style(css, locate) == expected


def test_an_address_cannot_end_what_it_stands_in() -> None:
    made = rewritten_style('a { background: url("x") }', lambda _: '/k/"); } b { x: url(//y); c: "</style>')
    assert "//y" not in [one.address for one in sheet_references(made)]
    assert "</style" not in made


@given(
    st.lists(
        st.sampled_from(PIECES),
        max_size=25,
    ).map("".join)
)
def test_whatever_it_is_nothing_elsewhere_is_asked_for(css: str) -> None:
    made = rewritten_style(css, lambda _: None)
    asked = [one.address.strip() for one in sheet_references(made)]
    assert all(not one or re.match(r"#|data:", one) for one in asked), (made, asked)
    assert "</style" not in made.lower()
