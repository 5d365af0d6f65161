"""The part of a text that is the value."""

from __future__ import annotations

import pytest

from archiver.fields.model import Field, FieldType, PieceOf, Take
from archiver.fields.taking import taken


@pytest.mark.parametrize(
    ("text", "take", "kind", "expected"),
    [
        ("Price:  £12 (used)", Take(after="Price:", before="("), "text", ["£12"]),
        ("£12", Take(after="Price:"), "text", []),
        ("£12", Take(before="("), "text", []),
        ("a / b / c", Take(split=PieceOf(by="/", nth=2)), "text", ["b"]),
        ("a / b / c", Take(split=PieceOf(by="/", nth=-1)), "text", ["c"]),
        ("a / b", Take(split=PieceOf(by="/", nth=3)), "text", []),
        ("a, b", Take(split=PieceOf(by=",", nth=0)), "text", ["a", "b"]),
        ("Case 7/2026 of", Take(match=r"(\d+/\d+)"), "text", ["7/2026"]),
        ("Case of", Take(match=r"(\d+/\d+)"), "text", []),
        ("231 pages, ISBN: 978-0-306-40615-7, 2020", Take(typed=True), "isbn", ["ISBN: 978-0-306-40615-7"]),
        ("was £15, now £12", Take(typed=True), "price", []),
        ("was £15, now £12", Take(after="now", typed=True), "price", ["£12"]),
        ("write to (a@b.example).", Take(typed=True), "email", ["a@b.example"]),
        ("  all   of it ", None, "text", ["all of it"]),
    ],
)
def test_a_part_is_taken_or_is_not_there(
    text: str, take: Take | None, kind: FieldType, expected: list[str]
) -> None:
    assert taken(text, take, Field(field="x", type=kind)) == expected


def test_a_pattern_that_backtracks_for_ever_elsewhere_takes_no_time() -> None:
    assert taken("a" * 9_000, Take(match="((?:a+)+)$b"), Field(field="x")) == []
