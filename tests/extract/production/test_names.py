"""What the names of elements say, and when it is heard."""

from __future__ import annotations

import pytest

from archiver.articles.methods.article.evidence import PLACES, evidence_of
from archiver.articles.methods.article.hints import Hints
from archiver.articles.methods.article.siblings import pool_of
from archiver.lexicon.class_names import BIT, KINDS, kinds_of
from tests.extract.production.samples import outlined

PROSE = "<p>The night ferry between the islands sails again from the old harbour this Friday evening.</p>"
OTHER = PROSE.replace("Friday", "Monday")


def kinds(names: str) -> set[str]:
    return {kind for kind in KINDS if kinds_of(names) & BIT[kind]}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("", set()),
        ("x7", set()),
        ("comments", {"comments"}),
        ("post_comments", {"comments", "article"}),
        ("articleBody", {"body", "article"}),
        ("entry-content", {"body", "article"}),
        ("NewsletterSignup", {"promotion", "article"}),
        ("cookie-notice", {"promotion"}),
        ("main-nav", {"navigation", "article"}),
        ("breadcrumbs", {"navigation"}),
        ("byline author", {"author"}),
        ("related__stories", {"related"}),
        ("sr-only", {"hidden"}),
        ("share-bar", {"share"}),
    ],
)
def test_names_are_sorted_into_kinds(names: str, expected: set[str]) -> None:
    assert kinds(names) == expected


def test_name_that_only_holds_the_letters_of_another_is_not_taken_for_it() -> None:
    assert "promotion" not in kinds("shadow-header")  # "ad"
    assert "related" not in kinds("listen")  # "list"
    assert "navigation" not in kinds("unavailable")  # "nav"


def test_names_are_judged_one_by_one() -> None:
    assert kinds("read more") == {"related"}
    assert kinds_of("a comments b") == kinds_of("comments")


@pytest.mark.parametrize(("others", "is_heard"), [(0, False), (9, True)])
def test_unlucky_name_around_most_of_the_page_is_not_heard(others: int, is_heard: bool) -> None:
    outline = outlined(f"<div class='sidebar'>{PROSE}</div><div>{OTHER * others}</div>")
    first = evidence_of(outline, pool_of([outline], [None]), Hints())[0]
    assert bool(first.around & BIT["side"]) == is_heard


@pytest.mark.parametrize(("others", "is_heard"), [(0, False), (9, True)])
def test_what_hides_most_of_the_page_is_not_heard(others: int, is_heard: bool) -> None:
    outline = outlined(f"<div hidden>{PROSE}</div><div>{OTHER * others}</div>")
    first = evidence_of(outline, pool_of([outline], [None]), Hints())[0]
    assert bool(first.places & 1 << PLACES.index("hidden")) == is_heard
