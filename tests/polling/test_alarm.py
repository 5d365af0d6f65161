"""A silence is told by how unlikely it is."""

from __future__ import annotations

from math import exp

import pytest

from archiver.acquisition.channels.polling.forecast import (
    chance_in_words,
    chance_of_silence,
    is_alarming,
    is_overdue,
)


def test_without_bursts_silences_are_as_likely_as_chance_has_it() -> None:
    assert chance_of_silence(3.0, 0.0) == pytest.approx(exp(-3), rel=1e-4)
    assert chance_of_silence(0.0, 0.5) == 1.0


def test_a_channel_that_publishes_in_bursts_may_be_silent_for_longer() -> None:
    assert chance_of_silence(10.0, 1.0) == pytest.approx(1 / 11)
    assert chance_of_silence(10.0, 1.0) > chance_of_silence(10.0, 0.1)


def test_it_is_told_once_at_each_step() -> None:
    assert is_alarming(0.02, 0.009)
    assert not is_alarming(0.009, 0.005)
    assert is_alarming(0.005, 0.0005)
    assert is_alarming(1.0, 1e-9)


def test_in_words() -> None:
    assert is_overdue(0.004)
    assert not is_overdue(0.01)
    assert chance_in_words(0.004) == "1 in 250"
    assert chance_in_words(0.0) == "1 in 1,000,000"
