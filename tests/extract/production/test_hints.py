"""What is known of an article before its page is read."""

from __future__ import annotations

import json

import pytest

from archiver.articles.methods.article.hints import Hints, hints_of
from archiver.documents.pages.model import Announcement
from archiver.documents.pages.words import tokens
from tests.extract.production.samples import outlined, parsed

HEAD = """<title>Ferry sails again | Island Post</title><meta property="og:title" content="Ferry sails again">
<meta name="Description" content="After nine years.">"""
TEXT = 'The ferry sails. "At last", says the captain\nof the ship.'


def linked(value: object) -> str:
    return f"<script type='application/ld+json'>{json.dumps(value)}</script>"


def test_feed_is_heard_before_the_page() -> None:
    said = Announcement(
        title="Night <b>ferry</b>", summary="Sails &amp; returns", content="<p>Whole text</p>"
    )
    hints = hints_of(parsed("<p>a</p>", said, head=HEAD + linked({"articleBody": TEXT})))
    assert (hints.title, hints.summary) == (["night", "ferry"], ["sails", "returns"])
    assert hints.body == ["whole", "text"]


def test_page_is_heard_where_the_feed_is_silent() -> None:
    hints = hints_of(parsed("<p>a</p>", head=HEAD + linked({"@graph": [{"articleBody": TEXT}]})))
    assert hints.title == ["ferry", "sails", "again"]
    assert hints.summary == ["after", "nine", "years"]
    assert hints.body == tokens(TEXT)


def test_title_element_is_taken_where_nothing_else_is_stated() -> None:
    hints = hints_of(parsed("<p>a</p>", head="<title> Ferry\n sails </title>"))
    assert (hints.title, hints.summary, hints.body) == (["ferry", "sails"], [], [])


def test_empty_statement_does_not_hide_another() -> None:
    head = "<meta name='description' content=' '><meta property='og:description' content='After years'>"
    assert hints_of(parsed("<p>a</p>", head=head)).summary == ["after", "years"]


@pytest.mark.parametrize(
    ("script", "body"),
    [
        ('{"headline": "x", "articleBody": "The ferry sails", }', "the ferry sails"),
        ('{"articleBody" :\n "The\nferry \\"sails\\""} trailing', "the ferry sails"),
        ('{"articleBody": "The \\x ferry"}', "the x ferry"),
        ('{"articleBody": "Short"}, {"articleBody": "The longer one"}', "the longer one"),
        ('{"articleBody": "<p>The &amp; ferry</p>"}', "the ferry"),
        ('{"articleBody": "never ends', ""),
        ('{"articleBody": ["a", "list"]}', ""),
        ('{"articleBody": null}', ""),
    ],
)
def test_stated_body_is_found_in_broken_json(script: str, body: str) -> None:
    head = f"<script type='application/ld+json; charset=utf-8'>{script}</script>"
    assert " ".join(hints_of(parsed("<p>a</p>", head=head)).body) == body


def test_script_that_is_no_json_ld_states_nothing() -> None:
    head = '<script>{"articleBody": "The ferry"}</script><script type="text/x">{"articleBody": "x"}</script>'
    assert not hints_of(parsed("<p>a</p>", head=head)).body


def test_share_of_a_block_in_the_stated_body() -> None:
    hints = Hints(stated="the night ferry sails again")
    assert hints.in_body(tokens("Night ferry sails")) == 1
    assert hints.in_body(tokens("a night ferry sails")) == 0.5
    assert hints.in_body(["ferry"]) == 0.5  # too short to tell
    assert Hints().in_body(["ferry"]) is None


def test_summary_is_touched_by_three_words_in_a_row() -> None:
    hints = Hints(summary=tokens("the night ferry sails again"))
    assert hints.touches_summary(tokens("When the night ferry"))
    assert not hints.touches_summary(tokens("the ferry sails at night"))
    assert not Hints().touches_summary(tokens("the night ferry"))


@pytest.mark.parametrize(
    ("markup", "place"),
    [
        ("<h2>Island Post</h2><h1>Night ferry returns</h1>", 1),
        ("<h2>Night ferry returns today</h2><h1>Island Post</h1>", 0),
        ("<p>Night ferry returns</p>", None),
        ("<p><b>Night ferry returns</b></p>", 0),
        ("<h1>Weather</h1>", None),
        ("<h3>Night ferry returns</h3><h1>Night ferry returns</h1>", 1),
    ],
)
def test_title_is_the_heading_most_like_it(markup: str, place: int | None) -> None:
    assert Hints(title=tokens("Night ferry returns")).title_place(outlined(markup).blocks) == place


def test_unknown_title_is_the_headline() -> None:
    assert Hints().title_place(outlined("<h2>Ferry</h2><h1>Fog</h1>").blocks) == 1
    assert Hints().title_place(outlined("<h2>Ferry</h2>").blocks) is None


def test_text_meets_an_announcement_by_some_of_its_telling_words() -> None:
    hints = Hints(
        title=tokens("Night ferry returns to the harbour after years"), stop=frozenset({"to", "the"})
    )
    assert hints.is_met_by(tokens("The ferry is back."))
    assert not hints.is_met_by(tokens("To the airport."))
    assert Hints(title=["ferry"]).is_met_by(["fog"])  # too few words to tell
