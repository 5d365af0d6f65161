"""The fitted weights say what they are."""

from __future__ import annotations

import json
from datetime import date
from importlib.resources import files

from archiver.articles.methods.article.evidence import FLAG_SETS, NUMBERS
from archiver.articles.methods.article.judge import CONTEXT

FILE = files("archiver.articles.methods.article") / "weights.json"
WEIGHTS = json.loads(FILE.read_text(encoding="utf-8"))
# Of the sets with known articles, those under the MIT and the Apache licence.
FREE = {"fundus-eval", "scrapinghub", "newspaper4k-a"}


def test_weights_say_what_they_were_fitted_on_and_when() -> None:
    assert WEIGHTS["fitted_on"]
    assert WEIGHTS["pages"] > 0
    assert WEIGHTS["sites"] > 0
    assert date.fromisoformat(WEIGHTS["date"]) >= date(2024, 1, 1)


def test_weights_are_fitted_only_on_sets_whose_licence_allows_it() -> None:
    assert set(WEIGHTS["fitted_on"]) <= FREE


def test_every_evidence_has_its_weight_and_every_weight_its_evidence() -> None:
    flags = [flag for names in FLAG_SETS.values() for flag in names]
    assert set(WEIGHTS["first"]) == {"bias", *flags, *NUMBERS}
    assert set(WEIGHTS["second"]) == {"bias", *CONTEXT}
    assert len({*flags, *NUMBERS}) == len(flags) + len(NUMBERS)
