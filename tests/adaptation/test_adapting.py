"""A template that changed, and one that was never known: what fails is learned from pages, and tried."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.sites.adaptation.exporting import entry_of
from archiver.acquisition.sites.adaptation.model import Adapted, LearnedFrom
from archiver.acquisition.sites.adaptation.sampling import LevelToAdapt, PageToAdapt, adapt_level
from archiver.acquisition.sites.adaptation.slots import adapted_type
from archiver.acquisition.sites.knowledge.loading import KnowledgeBase, load_knowledge
from archiver.acquisition.sites.known import read_known
from archiver.acquisition.sites.typed_page import TypedPage, virtual_of
from tests.adaptation.quill import (
    KNOWLEDGE,
    Post,
    first_template,
    page_of,
    quill,
    redesigned,
    second_template,
)

if TYPE_CHECKING:
    from pathlib import Path

POSTS = [Post(number=number, is_edited=number % 2 == 1) for number in range(10)]
HEADLINE = re.compile(r'(<h2 class="headline">)([^<]*)</h2>')
ALL = ["title", "author", "published", "modified", "body", "comment"]
WITHIN = ["comment/author", "comment/published", "comment/body"]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    file = tmp_path_factory.mktemp("knowledge") / "quill.yaml"
    file.write_text(KNOWLEDGE)
    return load_knowledge(["builtin", str(file)])


@pytest.fixture(scope="module")
def asked(base: KnowledgeBase) -> LevelToAdapt:
    return LevelToAdapt(base=base, type="quill", level="post")


@pytest.fixture(scope="module")
def relearned(asked: LevelToAdapt) -> Adapted:
    return adapt_level(asked, redesigned(POSTS))


def test_all_that_earlier_captures_show_is_found_in_the_new_template(relearned: Adapted) -> None:
    assert {one.action for one in relearned.learned} == {*ALL, *WITHIN}
    assert set(relearned.failed) == {*ALL, *WITHIN}
    for one in relearned.learned:
        assert one.learned_from is LearnedFrom.EARLIER
        assert (len(one.pages), one.tried, one.passed) == (5, 3, 3), one


def test_what_was_learned_reads_a_page_that_it_was_not_learned_from(relearned: Adapted) -> None:
    unseen = Post(number=20, is_edited=True)
    kind = adapted_type(quill, relearned.learned)
    for template in (first_template, second_template):
        page = page_of(template(unseen), unseen.url)
        read = read_known(TypedPage(page=page, type=kind, virtual=virtual_of(page)))
        assert (read.said.title, read.said.authors) == (unseen.title, (unseen.author,))
        assert [one.at and one.at.isoformat() for one in read.said.dated] == [
            unseen.published,
            unseen.modified,
        ]
        told = [
            (one.key, one.author, one.published and one.published.text, one.text)
            for one in read.contributions
        ]
        assert told == unseen.comments, template.__name__
        assert read.empty == ("older-comments",)


def test_a_value_that_is_gone_is_no_change_of_the_template(asked: LevelToAdapt) -> None:
    pages = [
        PageToAdapt(
            now=page_of(first_template(replace(one, has_comments=False)), one.url),
            before=page_of(first_template(one), one.url),
        )
        for one in POSTS
    ]
    assert adapt_level(asked, pages) == Adapted()


def test_two_actions_with_the_same_values_are_not_told_apart_by_chance(asked: LevelToAdapt) -> None:
    never_edited = [Post(number=number) for number in range(10)]
    learned = {one.action for one in adapt_level(asked, redesigned(never_edited)).learned}
    assert "published" in learned
    assert "modified" not in learned, "it would find the time of publication"


def test_too_few_pages_teach_nothing(asked: LevelToAdapt) -> None:
    found = adapt_level(asked, redesigned(POSTS[:5]))
    assert found.learned == ()
    assert "title" in found.failed


def test_a_path_that_fails_its_trial_is_not_kept(asked: LevelToAdapt) -> None:
    """On the pages it is tried on, an advertisement has the name by which the title could be found."""
    pages = redesigned(POSTS[:8])
    odd = [
        PageToAdapt(
            now=page_of(
                re.sub(
                    r'<h2 class="headline">[^<]*</h2>',
                    '<h2 class="headline">Buy a boat</h2>',
                    second_template(one),
                )
                + f"<p>{one.title}</p>",
                one.url,
            ),
            before=page_of(first_template(one), one.url),
        )
        for one in POSTS[5:8]
    ]
    found = adapt_level(asked, [*pages[:5], *odd])
    assert "title" in found.failed
    assert "title" not in {one.action for one in found.learned}


def test_a_template_that_was_never_known_is_read_by_what_pages_say(asked: LevelToAdapt) -> None:
    pages = [PageToAdapt(now=page_of(second_template(one), one.url)) for one in POSTS]
    found = adapt_level(asked, pages)
    learned = {one.action: one for one in found.learned}
    assert {"title", "body"} <= learned.keys()
    assert all(one.learned_from is LearnedFrom.PAGE for one in found.learned)
    kind = adapted_type(quill, found.learned)
    unseen = Post(number=20, is_edited=True)
    page = page_of(second_template(unseen), unseen.url)
    read = read_known(TypedPage(page=page, type=kind, virtual=virtual_of(page)))
    assert read.said.title == unseen.title
    assert set(read.said.authors) <= {unseen.author}, "what is kept is right"
    told = {(one.author, one.text) for one in read.contributions}
    assert told <= {(who, words) for _, who, _, words in unseen.comments}


def test_a_pager_of_comments_is_found_by_where_it_leads(asked: LevelToAdapt) -> None:
    """A page without a number is the last one where such a page leads to the first."""
    older = '<div class="turn"><a class="turn-prev" href="/{}page-{}/">Older remarks</a></div>'
    pages = [
        PageToAdapt(now=page_of(second_template(one, older.format(one.path, 1 + one.number % 2)), one.url))
        for one in POSTS
    ]
    learned = {one.action: one.path for one in adapt_level(asked, pages).learned}
    assert "turn" in learned["older-comments"]


def test_what_was_learned_is_exported_as_a_file_that_can_be_used(
    base: KnowledgeBase, relearned: Adapted, tmp_path: Path
) -> None:
    file = tmp_path / "site.yaml"
    file.write_text(entry_of(base.types["quill"], "quill.example:8080/", relearned.learned))
    text = file.read_text()
    assert POSTS[0].url in text, "it tells what it was learned from"
    taken = load_knowledge([*base.sources, str(file)])
    kind = taken.types["quill-quill-example-8080"]
    assert taken.ancestry[kind.type] == ("quill-quill-example-8080", "quill")
    assert kind.site == ("quill.example",)
    page = page_of(second_template(POSTS[9]), POSTS[9].url)
    read = read_known(TypedPage(page=page, type=kind, virtual=virtual_of(page)))
    assert read.said.title == POSTS[9].title
    assert len(read.contributions) == len(POSTS[9].comments)
