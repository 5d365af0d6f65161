"""Which pages are made from one template."""

from __future__ import annotations

import pytest

from archiver.articles.methods.article.memory import clusters_of, likeness, signature_of
from tests.extract.production.samples import outlined


def story(paragraphs: int) -> str:
    text, more = "<p>The ferry sails</p>" * paragraphs, "<li>b</li><li>c</li>"
    return f"<div class=frame><div class=story><h1>a</h1>{text}</div><ul class=more>{more}</ul></div>"


def video(items: int) -> str:
    listed = "<li>c</li>" * items
    return f"<section id=show><div class=player><p>a</p><p>b</p></div><ol>{listed}</ol></section>"


def test_frame_does_not_depend_on_how_long_the_article_is() -> None:
    short, long = signature_of(outlined(story(4))), signature_of(outlined(story(20)))
    assert likeness(short, long) >= 0.75
    assert "body/div.frame/div.story" in short & long


def test_small_elements_are_not_of_the_frame() -> None:
    assert not any(step.endswith("/p") for step in signature_of(outlined(story(3))))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("ab", "ab", 1.0), ("ab", "bc", 1 / 3), ("ab", "", 0.0), ("", "", 1.0)],
)
def test_likeness_is_what_is_common_of_all(one: str, other: str, expected: float) -> None:
    assert likeness(one, other) == pytest.approx(expected)


def test_pages_of_two_templates_are_two_clusters() -> None:
    pages = [story(5), video(8), story(9), video(4)]
    assert clusters_of([signature_of(outlined(page)) for page in pages]) == [[0, 2], [1, 3]]


def test_pages_without_text_are_alike() -> None:
    assert clusters_of([frozenset(), frozenset()]) == [[0, 1]]
    assert clusters_of([]) == []
