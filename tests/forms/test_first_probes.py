"""What a form is asked first, and when it was asked enough."""

from __future__ import annotations

import pytest

from archiver.acquisition.forms.coverage import Coverage
from archiver.acquisition.forms.enough import is_enough
from archiver.acquisition.forms.first_probes import first_probes, likeliest, trial_probes
from archiver.acquisition.forms.model import ProbedInput

SUBJECT = ProbedInput(name="subject", kind="option", label="Subject", values=("sea", "land", "air"))


def test_words_of_the_file_come_first_and_longer_ones_before_short_ones() -> None:
    words = {"sea": "page", "harbour": "page", "harbours": "archive", "ox": "file"}
    assert likeliest(words) == ["ox", "harbour", "sea", "harbours"]


def test_a_form_is_asked_nonsense_nothing_a_stop_word_a_letter_words_and_options() -> None:
    probes = first_probes("q", "library", ["harbour"], [SUBJECT])
    kinds = ["nonsense", "nonsense", "empty", "stop", "letter", "word", "option", "option"]
    assert [one.chosen_by for one in probes] == kinds
    assert probes[0].inputs != probes[1].inputs
    assert [one.inputs for one in probes[-2:]] == [{"subject": "sea"}, {"subject": "land"}]


def test_a_form_without_an_input_for_words_is_asked_for_everything_and_its_options() -> None:
    assert [one.chosen_by for one in first_probes("", "library", [], [SUBJECT])] == [
        "empty",
        "option",
        "option",
    ]


def test_a_trial_asks_what_shows_most() -> None:
    probes = trial_probes("q", "library", ["harbour", "river", "boat"], [SUBJECT])
    assert [one.chosen_by for one in probes] == ["nonsense", "empty", "word", "word", "option", "option"]


@pytest.mark.parametrize(
    ("coverage", "brought", "enough"),
    [
        pytest.param(Coverage(seen=90, estimate=90.0), [0] * 50, True, id="nothing-came-for-long"),
        pytest.param(Coverage(seen=90, estimate=90.0), [0] * 49, False, id="not-for-long-enough"),
        pytest.param(Coverage(seen=90, estimate=90.0), [1] * 50, False, id="a-record-for-each-request"),
        pytest.param(Coverage(seen=90, estimate=90.0, claimed=90), [1], True, id="all-that-the-site-claims"),
        pytest.param(Coverage(seen=50, estimate=90.0, claimed=90), [0] * 150, False, id="a-claim-is-far"),
        pytest.param(Coverage(seen=50, estimate=90.0), [0] * 60, False, id="many-are-left-by-the-estimate"),
        pytest.param(Coverage(seen=50, estimate=90.0), [0] * 200, True, id="the-estimate-may-be-wrong"),
    ],
)
def test_a_form_is_asked_until_too_little_comes(coverage: Coverage, brought: list[int], enough: bool) -> None:
    assert is_enough(coverage, brought) is enough
