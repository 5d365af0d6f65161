"""Sketches: texts that are nearly the same are found, others are not, and a sketch is the same everywhere."""

from __future__ import annotations

import random

from archiver.articles.versions.fingerprints import BANDS, SIZE, bands, resemblance, sketch

WORDS = [f"word{number}" for number in range(3000)]


def text(seed: int, length: int = 400) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=length))


def edited(words: str, share: float) -> str:
    chance = random.Random(1)
    return " ".join(word if chance.random() > share else "other" for word in words.split())


def test_a_sketch_has_a_fixed_size_and_fits_a_database() -> None:
    values = sketch(text(1))
    assert len(values) == SIZE
    assert all(0 <= value < 2**32 for value in values)
    assert len(bands(values)) == BANDS
    assert all(0 <= value < 2**63 for value in bands(values))


def test_a_sketch_does_not_depend_on_the_machine() -> None:
    # Stored and compared years later: other values would be another algorithm.
    values = sketch("the boat came in with the tide " * 10)
    assert values[:3] == (876834121, 1587961685, 290657211)


def test_the_same_words_in_other_clothes_are_the_same() -> None:
    shouted = text(1).upper().replace(" ", ",\n")
    assert resemblance(sketch(text(1)), sketch(shouted)) == 1


def test_a_light_edit_keeps_a_band_in_its_place() -> None:
    hits = 0
    for seed in range(20):
        one, other = sketch(text(seed)), sketch(edited(text(seed), 0.02))
        assert resemblance(one, other) > 0.7
        hits += any(a == b for a, b in zip(bands(one), bands(other), strict=True))
    assert hits >= 18


def test_other_texts_share_nothing() -> None:
    sketches = [sketch(text(seed)) for seed in range(20)]
    pairs = [(one, other) for one in sketches for other in sketches if one is not other]
    assert max(resemblance(one, other) for one, other in pairs) < 0.2
    assert not any(set(bands(one)) & set(bands(other)) for one, other in pairs)


def test_resemblance_is_about_the_share_of_common_runs() -> None:
    one, other = text(1), text(2)
    half = " ".join([*one.split()[:200], *other.split()[200:]])
    assert 0.15 < resemblance(sketch(one), sketch(half)) < 0.55  # a third


def test_short_texts_say_nothing() -> None:
    assert sketch("Page not found.") == ()
    assert bands(()) == ()
    assert resemblance((), ()) == 0
