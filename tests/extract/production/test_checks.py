"""A wrapper that serves is checked now and then, and says with what it was made."""

from __future__ import annotations

from dataclasses import replace

from archiver.digests import fraction_of
from archiver.extract.methods import extract_group
from archiver.extract.model import Article
from archiver.extract.production.learning import WELL_KNOWN
from archiver.extract.production.memory import CHECKED, CHECKED_AT_FIRST, is_checked
from tests.extract.test_article_method import OLD, new_template, old_template, page, paragraphs

NAMES = [f"<urn:{number}>" for number in range(400)]
CHECKED_NAME = next(name for name in NAMES if fraction_of(name) < CHECKED)
SERVED_NAME = next(name for name in NAMES if fraction_of(name) >= CHECKED)


def made(name: str) -> Article:
    """The article of a page with this name."""
    found = extract_group([replace(page(40, old_template), id=name)], "article", OLD)
    (article,) = found.results
    assert isinstance(article, Article)
    return article


def test_one_page_in_fifty_is_studied_although_a_wrapper_fits() -> None:
    share = sum(fraction_of(name) < CHECKED for name in NAMES) / len(NAMES)
    assert 1 / 90 < share < 1 / 30
    assert made(SERVED_NAME).wrapper == OLD[0].id
    checked = made(CHECKED_NAME)
    assert checked.wrapper is None
    assert checked.text == made(SERVED_NAME).text


def test_wrapper_that_finds_something_else_than_all_evidence_is_outdated_by_the_check() -> None:
    # A long advertisement that speaks of what was announced, and a wrapper that takes it for the article.
    known = page(40, old_template)
    title = known.announcement.title or ""
    advert = f"{title}: {' '.join(paragraphs(97)[:2])}"
    body = known.body.replace(b"Buy 40 lamps at the old mill, and get the oil for nothing.", advert.encode())
    wrong = replace(
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
    assert [made(CHECKED_NAME).wrapper for _ in range(3)] == [None] * 3


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
