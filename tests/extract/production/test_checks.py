"""A wrapper that serves is checked now and then, and says with what it was made."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from archiver.articles.methods.article.learning import WELL_KNOWN
from archiver.articles.methods.article.memory import CHECKED, CHECKED_AT_FIRST, is_checked
from archiver.articles.methods.extraction import extract_group
from archiver.articles.model import Article, Extracted, Wrapper
from archiver.digests import fraction_of
from tests.extract.test_article_method import OLD, new_template, old_template, page, paragraphs

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = [f"<urn:{number}>" for number in range(400)]
CHECKED_NAME = next(name for name in NAMES if fraction_of(name) < CHECKED)
SERVED_NAME = next(name for name in NAMES if fraction_of(name) >= CHECKED_AT_FIRST)


def read(name: str, memory: Sequence[Wrapper] = OLD) -> Extracted:
    """What comes of a page with this name."""
    return extract_group([replace(page(40, old_template), id=name)], "article", memory)


def made(name: str) -> Article:
    (article,) = read(name).results
    assert isinstance(article, Article)
    return article


def test_wrapper_is_checked_on_one_page_in_fifty_and_on_more_at_first() -> None:
    (young,) = OLD
    known = structs.replace(young, samples=tuple(map(str, range(WELL_KNOWN))))
    assert len(young.samples) < WELL_KNOWN
    assert CHECKED == 1 / 50
    shares = [sum(is_checked(one, name) for name in NAMES) / len(NAMES) for one in (known, young)]
    assert shares == [pytest.approx(CHECKED, abs=0.01), pytest.approx(CHECKED_AT_FIRST, abs=0.05)]


def test_page_on_which_the_check_agrees_is_one_more_sample_and_read_by_the_wrapper() -> None:
    served, checked = read(SERVED_NAME), read(CHECKED_NAME)
    assert [text_of_only(one) for one in (served, checked)] == [text_of_only(served)] * 2
    assert (served.learned, served.outdated) == ((), ())
    assert [one.samples for one in checked.learned] == [tuple(sorted((*OLD[0].samples, CHECKED_NAME)))]
    assert checked.outdated == (OLD[0].id,)
    assert made(CHECKED_NAME).wrapper == OLD[0].id


def test_wrapper_that_is_well_known_is_no_other_one_after_a_check() -> None:
    known = structs.replace(OLD[0], samples=tuple(map(str, range(WELL_KNOWN))))
    found = read(CHECKED_NAME, [known])
    assert (found.learned, found.outdated) == ((), ())


def text_of_only(found: Extracted) -> str:
    (article,) = found.results
    assert isinstance(article, Article)
    return article.text


def test_wrapper_that_finds_something_else_than_all_evidence_is_outdated_by_the_check() -> None:
    # A long advertisement that speaks of what was announced, and a wrapper that takes it for the article.
    known = page(40, old_template)
    title = known.announcement.title or ""
    advert = f"{title}: {' '.join(paragraphs(97)[:2])}"
    body = known.body.replace(b"Buy 40 lamps at the old mill, and get the oil for nothing.", advert.encode())
    wrong = structs.replace(
        OLD[0], id="wrong", xpath="//div[@class='ad-slot']", kept=("div.story/div.ad-slot/p",), outside=99.0
    )
    served, checked = (
        extract_group([replace(known, id=name, body=body)], "article", [wrong])
        for name in (SERVED_NAME, CHECKED_NAME)
    )
    assert [one.wrapper for one in served.results if isinstance(one, Article)] == ["wrong"]
    assert [one.wrapper for one in checked.results if isinstance(one, Article)] == [None]
    assert (served.outdated, checked.outdated) == ((), ("wrong",))


def test_which_pages_are_checked_depends_on_their_names_alone() -> None:
    first = read(CHECKED_NAME)
    assert [read(CHECKED_NAME) for _ in range(3)] == [first] * 3


def test_article_names_the_wrapper_and_the_pages_that_it_was_made_with() -> None:
    article = made(SERVED_NAME)
    assert (article.wrapper, article.siblings) == (OLD[0].id, OLD[0].samples)
    studied = extract_group([page(number, old_template) for number in (1, 2, 3)], "article").results
    assert [one.siblings for one in studied if isinstance(one, Article)] == [
        ("<2>", "<3>"),
        ("<1>", "<3>"),
        ("<1>", "<2>"),
    ]


def test_old_wrapper_is_outdated_by_pages_of_its_frame_only() -> None:
    found = extract_group([page(number, new_template) for number in range(80, 84)], "article", OLD)
    assert not found.outdated
    assert len(found.learned) == 1


def test_frame_whose_article_has_moved_outdates_the_wrapper() -> None:
    moved = [
        replace(known, body=known.body.replace(b'class="story-text"', b'class="text-two"'))
        for known in (page(number, old_template) for number in range(90, 94))
    ]
    found = extract_group(moved, "article", OLD)
    assert found.outdated == (OLD[0].id,)
    assert ["text-two" in one.xpath for one in found.learned] == [True]
