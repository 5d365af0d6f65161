"""Columns that show something else of the same record where something else was asked for."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.records.excerpts import with_excerpts
from archiver.records.learning import learn_records
from archiver.records.objects.changes import KnownRecord, compare_records, digests_of
from archiver.records.reading import read_records
from tests.records.pages import page_of
from tests.records.test_objects import NOW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.records.model import AnswerPage, RecordWrapper

NAMES = ("Harbour", "Ferry", "River", "Bridge", "Lock", "Quay", "Buoy", "Pilot", "Tide", "Dyke")


def hits(word: str, names: Sequence[str] = NAMES) -> AnswerPage:
    """Reports, each with the text around the word."""
    listed = "".join(
        f"<article><h2><a href='/{name}'>{name} report</a></h2><p class=byline>Author {number}</p>"
        f"<p class=excerpt>… {name} and the {word} of {number} years …</p></article>"
        for number, name in enumerate(names)
    )
    return page_of(f"<main>{listed}</main>", f"https://press.example/?s={word}", [word])


def learned(*pages: AnswerPage) -> RecordWrapper:
    wrapper = learn_records(pages)
    assert wrapper is not None
    return with_excerpts(wrapper, [read_records(page, wrapper) for page in pages])


def test_text_around_the_words_of_a_query_is_an_excerpt() -> None:
    wrapper = learned(hits("water"), hits("council"), hits("price"))
    assert {one.name for one in wrapper.columns if one.is_excerpt} == {"excerpt"}
    record = read_records(hits("water"), wrapper)[0]
    assert {name: values[0].origin for name, values in record.attributes.items()} == {
        "title": "list",
        "byline": "list",
        "excerpt": "excerpt",
    }


def test_what_is_the_same_on_each_answer_is_none() -> None:
    wrapper = learned(hits("water"), hits("water", NAMES[:8]), hits("water", NAMES[:6]))
    assert not [one for one in wrapper.columns if one.is_excerpt]


def test_another_excerpt_makes_no_version_and_another_value_does() -> None:
    wrapper = learned(hits("water"), hits("council"), hits("price"))
    before = read_records(hits("water"), wrapper)[0]
    known = KnownRecord(
        key=before.key, version=1, digests=digests_of(before), wrapper="w1", first_seen=NOW, last_seen=NOW
    )
    later = NOW + timedelta(days=1)
    for page, versions in ((hits("council"), 0), (_edited(hits("council")), 1)):
        after = read_records(page, wrapper)[0]
        assert after.key == before.key
        changes = compare_records([after], {before.key: known}, "w1", later, later)
        assert len(changes.written) == versions


def _edited(page: AnswerPage) -> AnswerPage:
    """The first record has another author."""
    next(page.tree.iter("article")).findall("p")[0].text = "Author 99"
    return page
