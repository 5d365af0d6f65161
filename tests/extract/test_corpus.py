"""Pages that once broke extraction: as `make fuzz` found them and made them small, or of real applications.

A page of a case may have `expected`: an `outcome` where it is not an article, else words that the text `has`
and `lacks`, and values of its fields.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from archiver.articles.methods.extraction import extract_group
from archiver.articles.model import Article, NoArticle
from tests.fuzz.cases import read_case, read_expected
from tests.fuzz.checks import check

if TYPE_CHECKING:
    from collections.abc import Mapping

CASES = sorted((Path(__file__).parent / "corpus").glob("*.json"))
EXPECTING = [path for path in CASES if any(read_expected(path))]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_was_found_once_holds_since(path: Path) -> None:
    check(read_case(path))


@pytest.mark.parametrize("path", EXPECTING, ids=lambda path: path.stem)
def test_what_is_expected_of_a_page_is_found_on_it(path: Path) -> None:
    case, expected = read_case(path), read_expected(path)
    learned = extract_group(case.before, case.method).learned
    results = extract_group(case.pages, case.method, learned).results
    for found, wanted in zip(results, expected, strict=True):
        holds(found, wanted)


def holds(found: Article | NoArticle, wanted: Mapping[str, Any]) -> None:
    fields = dict(wanted)
    if "outcome" in fields:
        assert isinstance(found, NoArticle)
        assert found.outcome == fields["outcome"]
        return
    assert isinstance(found, Article), found
    assert [words for words in fields.pop("has", ()) if words not in found.text] == []
    assert [words for words in fields.pop("lacks", ()) if words in found.text] == []
    assert {name: getattr(found, name) for name in fields} == fields
