"""The feed's own words taken for the article."""

from __future__ import annotations

from archiver.articles.methods.extraction import extract
from archiver.articles.model import Article, NoArticle
from archiver.documents.pages.model import Announcement, RawPage

PAGE = b"<html><body><div>Something else altogether.</div></body></html>"


def described(announcement: Announcement) -> Article | NoArticle:
    page = RawPage(url="https://example.org/a/b", body=PAGE, announcement=announcement)
    (outcome,) = extract([page], method="description")
    return outcome


def test_title_and_description_are_the_article() -> None:
    outcome = described(
        Announcement(
            title="Ferry &amp; dogs", summary="It <b>sails</b>. <a href='more'>Read more</a><p>At night."
        )
    )
    assert isinstance(outcome, Article)
    assert outcome.method == "description"
    assert outcome.text == "Ferry & dogs\n\nIt sails. Read more\n\nAt night."
    assert outcome.html == (
        "<div><h1>Ferry &amp; dogs</h1>"
        '<p>It <b>sails</b>. <a href="https://example.org/a/more">Read more</a></p>'
        "<p>At night.</p></div>"
    )
    assert [link.url for link in outcome.links] == ["https://example.org/a/more"]


def test_title_alone_is_the_article() -> None:
    outcome = described(Announcement(title="Ferry"))
    assert isinstance(outcome, Article)
    assert outcome.text == "Ferry"


def test_content_stands_in_for_a_missing_description() -> None:
    outcome = described(Announcement(content="<p>It sails.</p>"))
    assert isinstance(outcome, Article)
    assert outcome.text == "It sails."
    assert outcome.html == "<div><p>It sails.</p></div>"


def test_scripts_of_the_description_are_no_text() -> None:
    outcome = described(Announcement(summary="<script>track()</script>It sails."))
    assert isinstance(outcome, Article)
    assert outcome.text == "It sails."


def test_entry_without_words_gives_no_article() -> None:
    outcome = described(Announcement(title=" ", summary="<img src='x.jpg'>"))
    assert isinstance(outcome, NoArticle)
    assert outcome.outcome == "not_article"
