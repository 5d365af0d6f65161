"""The words that point at the article."""

from __future__ import annotations

from archiver.articles.methods.reference.signifiers import signifiers_of
from archiver.documents.pages.model import Announcement


def test_ngrams_do_not_run_from_the_title_into_the_summary() -> None:
    found = signifiers_of(Announcement(title="One two three", summary="<p>four <b>five</b> six seven</p>"))
    assert found.ngrams == {("one", "two", "three"), ("four", "five", "six"), ("five", "six", "seven")}


def test_keywords_are_stems_without_stop_words_the_frequent_first() -> None:
    found = signifiers_of(
        Announcement(title="The ferries", summary="A ferry and its captain", language="en-GB")
    )
    assert found.keywords == ("ferri", "captain")


def test_language_of_the_page_counts_when_the_feed_has_none() -> None:
    announcement = Announcement(title="Die Schiffe fahren")
    assert signifiers_of(announcement, "de").keywords == ("schiff", "fahr")
    assert signifiers_of(announcement).keywords == ("die", "schiffe", "fahren")


def test_language_that_cannot_be_that_of_the_words_does_not_count() -> None:
    found = signifiers_of(Announcement(title="Ночной паром в старой гавани", language="en-US"), "en")
    assert found.language == "ru"
    assert found.keywords == ("ночн", "пар", "стар", "гаван")


def test_chinese_keywords_are_pairs_of_characters() -> None:
    found = signifiers_of(Announcement(title="夜班渡轮重返旧港", language="en"))
    assert found.language == "zh"
    assert {"渡轮", "旧港"} <= set(found.keywords)
    assert ("夜", "班", "渡") in found.ngrams


def test_what_recurs_in_half_of_the_summaries_is_noise() -> None:
    others = ("Rain. Read more on the site", "Snow. Read more on the site", "Hail and wind")
    announcement = Announcement(
        summary="The ferry sails. Read more on the site", language="en", other_summaries=others
    )
    found = signifiers_of(announcement)
    assert ("read", "more", "on") not in found.ngrams
    assert ("the", "ferry", "sails") in found.ngrams
    assert "site" not in found.keywords
    assert "ferri" in found.keywords


def test_one_other_summary_proves_no_noise() -> None:
    found = signifiers_of(Announcement(summary="The ferry sails", other_summaries=("The ferry sails",)))
    assert ("the", "ferry", "sails") in found.ngrams


def test_content_stands_in_for_a_missing_summary() -> None:
    assert signifiers_of(Announcement(content="<p>one two three</p>")).ngrams == {("one", "two", "three")}


def test_announcement_without_words_has_no_signifiers() -> None:
    assert not signifiers_of(Announcement(title=" ", summary="<img src='x'>"))


def test_first_400_words_of_a_whole_article_are_its_description() -> None:
    words = [f"word{number}" for number in range(500)]
    found = signifiers_of(Announcement(title="One two three", content=" ".join(words)))
    assert ("word397", "word398", "word399") in found.ngrams
    assert ("word398", "word399", "word400") not in found.ngrams
    said = Announcement(summary=" ".join([*words[:400], *["late"] * 100]))
    assert "late" not in signifiers_of(said).keywords


def test_keywords_are_the_twenty_of_most_tf_idf() -> None:
    """What one other entry has too counts for less than what none has, though it is as frequent here."""
    words = [f"word{number}" for number in range(30)]
    others = ("Of word0 and nothing else", "Rain and snow", "Hail and wind", "Fog")
    found = signifiers_of(Announcement(summary=" ".join(words), other_summaries=others)).keywords
    assert found == tuple(words[1:21])
    twice = signifiers_of(Announcement(summary=" ".join([*words, "word29"]), other_summaries=others))
    assert twice.keywords[0] == "word29"
