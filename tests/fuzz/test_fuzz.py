"""The fuzzer itself: it tries cases, and makes small what fails."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING

import pytest

from archiver.documents.pages.model import Announcement, RawPage
from tests.fuzz.cases import Case, named, read_case, write_case
from tests.fuzz.minimise import minimised
from tests.fuzz.rounds import Rounds, failure_of
from tests.fuzz.sources import sample_sites

if TYPE_CHECKING:
    from pathlib import Path

PAGE = b"<html><body><div><p>one two</p><p>three <b>needle</b> four</p></div>\xff</body></html>"


def case(*bodies: bytes) -> Case:
    said = Announcement(title="A title", summary="A summary")
    pages = [RawPage(url="", body=body, content_type="text/html", announcement=said) for body in bodies]
    return Case(method="article", pages=named(tuple(pages)))


@pytest.mark.zoo
def test_some_seconds_of_it(tmp_path: Path) -> None:
    rounds = Rounds(
        sources=sample_sites(),
        findings=tmp_path / "findings",
        under_way=tmp_path / "under-way",
        end=time.monotonic() + 3,
        chance=Random(1),
    )
    rounds.run()
    assert rounds.cases > 3
    assert rounds.found == {}
    assert list((tmp_path / "under-way").iterdir()) == []


def test_a_case_that_fails_is_made_as_small_as_it_gets() -> None:
    found = minimised(case(b"<p>other</p>", PAGE), lambda one: b"needle" in one.pages[-1].body, seconds=20)
    assert [page.body for page in found.pages] == [b"<b>needle"]
    assert found.pages[0].announcement == Announcement()


def test_a_case_is_the_same_when_it_is_read_back(tmp_path: Path) -> None:
    before = case(PAGE, b"plain")
    assert read_case(write_case(tmp_path, before, "a reason")) == before


def test_a_sound_case_has_no_failure() -> None:
    assert failure_of(case(PAGE)) is None
