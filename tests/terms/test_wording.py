"""The terms of an article: what its title says, and what its text says more than once."""

from __future__ import annotations

import pytest

from archiver.inspection.terms.wording import MOST_TERMS, forms_of, packed, terms_of

FILLER = " ".join(f"filler{number}." for number in range(80))


def test_stems_and_pairs_of_words_that_stand_together() -> None:
    text = f"The prime minister resigned. A prime minister resigns. {FILLER}"
    found = terms_of("Ferries of the North Sea", text, "en")
    assert set(found) == {
        "ferri",
        "north",
        "sea",
        "north sea",
        "prime",
        "minist",
        "prime minist",
        "resign",
        "minist resign",
    }


def test_what_is_said_once_in_a_long_text_is_not_what_it_is_about() -> None:
    assert terms_of(None, f"Subscribe to our newsletter. {FILLER}", "en") == []
    assert set(terms_of(None, "Ferry strike settled.", "en")) == {"ferri", "strike", "settl"}


@pytest.mark.parametrize(
    ("text", "language", "there", "not_there"),
    [
        ("Die Fähren fahren. Die Fähre fährt.", "de-AT", "fahr", "die"),
        ("東京電力。東京電力。", "ja", "東京", "東京 京電"),
        ("covid 19 and covid 19", "en", "covid 19", "19"),
        ("strike, ended. strike, ended", "en", "strike", "strike end"),
    ],
)
def test_languages_and_what_parts_words(text: str, language: str, there: str, not_there: str) -> None:
    found = terms_of(None, f"{text} {FILLER}", language)
    assert there in found
    assert not_there not in found


def test_a_long_article_has_no_more_terms_than_others() -> None:
    text = " ".join(f"word{number}. word{number}." for number in range(500))
    assert len(terms_of("A title", text, "en")) == MOST_TERMS
    assert len(packed(terms_of("A title", text, "en"))) == 4 * MOST_TERMS


def test_a_term_is_shown_as_it_is_written() -> None:
    forms = forms_of("Ferries", "The ferries and a ferry. Ferries!", "en", {"ferri"})
    assert forms.most_common(1) == [(("ferri", "ferries"), 3)]
