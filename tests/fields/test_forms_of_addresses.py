"""The form that addresses of a template have in common."""

from __future__ import annotations

import pytest

from archiver.fields.scopes import common_form


@pytest.mark.parametrize(
    ("paths", "form"),
    [
        (["/book/1", "/book/2"], "/book/*"),
        (["/book/1"], "/book/*"),
        (["/"], "/*"),
        (["/2026/03/one.html", "/2026/04/two.html"], "/*/*/*.html"),
        (["/2026/03/07/one", "/2026/03/07/two"], "/*/*/*/*"),
        (["/news/17/one"], "/news/*/*"),
        (["/book/1", "/book/1"], "/book/*"),
        (["/a/1", "/b/2"], "/*/*"),
        (["/book/1", "/book/2/reviews"], "/book/**"),
        (["/book/1", "/book"], ""),
        (["/b%C3%BCcher/1", "/b%C3%BCcher/2?x=1"], "/bücher/*"),
        (["/x*y/1", "/x*y/2"], "/*/*"),
    ],
)
def test_the_form_of_addresses(paths: list[str], form: str) -> None:
    assert common_form([f"http://shop.example{path}" for path in paths]) == form
