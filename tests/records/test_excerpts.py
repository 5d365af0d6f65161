"""Columns that show something else of the same record where something else was asked for."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import TYPE_CHECKING, get_args

import rdflib
from lxml import etree

from archiver.acquisition.forms.model import Probe
from archiver.extensions.form_status import column_row
from archiver.inspection.records.rereading import reread
from archiver.inspection.records.shapes import write_shape
from archiver.inspection.records.statements import RecordGraph
from archiver.records.calling import named_as
from archiver.records.excerpts import with_excerpts
from archiver.records.learning import learn_records
from archiver.records.model import Origin
from archiver.records.objects.changes import KnownRecord, compare_records, digests_of
from archiver.records.objects.model import RecordOrigin, make_record
from archiver.records.reading import read_records
from archiver.running.workers.forms import KeptAnswer, LearnRecords
from archiver.web.views.forms import ORIGINS
from tests.records.pages import page_of
from tests.records.test_objects import NOW
from tests.store import samples
from tests.warc.samples import exchange, writer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from archiver.archive.warc.records import Capture
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


def archived(folder: Path, *pages: AnswerPage) -> list[Capture]:
    keeper = writer(folder)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    bodies = [etree.tostring(page.tree, method="html", encoding="utf-8") for page in pages]
    found = [
        keeper.write([exchange(head + body, url=page.url)])[0]
        for page, body in zip(pages, bodies, strict=True)
    ]
    keeper.close()
    return [one for one in found if one is not None]


def test_the_key_of_the_form_s_file_says_which_records_are_one(tmp_path: Path) -> None:
    """A rank and the text around a word: no column alone differs, so that no key is inferred."""

    def ranked(word: str, names: Sequence[str]) -> AnswerPage:
        listed = "".join(
            f"<article><b class=rank>{place}</b><h2>{name} report</h2>"
            f"<p class=excerpt>… {name} and the {word} of {len(name)} years …</p></article>"
            for place, name in enumerate(names, 1)
        )
        return page_of(f"<main>{listed}</main>", f"https://press.example/?s={word}", [word])

    pages = [ranked("water", NAMES), ranked("council", NAMES[::-1]), ranked("price", NAMES[3:])]
    kept = [
        KeptAnswer(
            url=page.url,
            file=one.file,
            offset=one.offset,
            probe=Probe(inputs={"s": page.words[0]}, chosen_by="word"),
        )
        for page, one in zip(pages, archived(tmp_path, *pages), strict=True)
    ]
    told = []
    for key in ((), ("col-2",)):
        wrapper = LearnRecords(folder=str(tmp_path), answers=tuple(kept), key=key).perform().wrapper
        assert wrapper is not None
        told.append({one.name for one in wrapper.columns if one.is_excerpt})
    assert told == [set(), {"rank", "excerpt"}]


def test_excerpts_are_known_to_a_wrapper_that_is_learned_anew() -> None:
    known = learned(hits("water"), hits("council"), hits("price"))
    alone = learn_records([hits("tax")])
    assert alone is not None
    again = with_excerpts(named_as(alone, known), [read_records(hits("tax"), alone)])
    assert [one.name for one in again.columns if one.is_excerpt] == ["excerpt"]


def test_values_in_another_order_are_no_excerpt() -> None:
    def tagged(word: str, names: Sequence[str], step: int) -> AnswerPage:
        page = hits(word, names)
        for name, article in zip(names, page.tree.iter("article"), strict=True):
            number = NAMES.index(name)
            for line, text in zip(article.findall("p"), (f"Author {number}", f"On the {name}"), strict=True):
                line.text = text
            for tag in (f"{name} works", f"Trade {number % 3}", f"Ship {number % 2}")[::step]:
                etree.SubElement(article, "span", {"class": "tag"}).text = tag
        return page

    pages = [tagged("water", NAMES[:8], 1), tagged("trade", NAMES[2:], -1)]
    assert len(read_records(pages[0], learned(*pages))[0].attributes["tag"]) == 3
    assert not [one for one in learned(*pages).columns if one.is_excerpt]


def test_what_is_read_again_is_compared_with_the_page_that_it_is_from(tmp_path: Path) -> None:
    """A record of a later answer stands before others which that answer shows around another word."""
    pages = [hits("water"), hits("council"), hits("price")]
    first, later, _ = archived(tmp_path, *pages)
    wrapper = learned(*pages)
    records = []
    for place, (page, capture) in enumerate([(pages[1], later), *[(pages[0], first)] * (len(NAMES) - 1)]):
        word = {"s": page.words[0]}
        origin = RecordOrigin(form="press", wrapper="w1", url=page.url, inputs=word, page=1, capture=capture)
        (new,) = compare_records(read_records(page, wrapper)[place : place + 1], {}, "w1", NOW, NOW).written
        records.append(make_record(new.record, origin, new.version))
    again = reread(records, tmp_path, "reread")
    assert (again.unchanged, again.written) == (len(NAMES), ())
    assert again.wrapper is not None
    assert [one.name for one in again.wrapper.columns if one.is_excerpt] == ["excerpt"]


def test_excerpts_are_told_and_no_shape_says_how_often_they_are_there() -> None:
    wrapper = learned(hits("water"), hits("council"), hits("price"))
    types = {row[0]: row[1] for row in map(column_row, wrapper.columns)}
    assert types["excerpt"] == "string, excerpt"
    assert "excerpt" not in types["title"]
    assert set(ORIGINS) == set(get_args(Origin))
    assert ORIGINS["excerpt"] == "excerpt"
    url, found = "https://press.example/?s=water", read_records(hits("water"), wrapper)
    origin = RecordOrigin(form="press", wrapper="w1", url=url, inputs={}, page=1, capture=samples.capture())
    changes = compare_records(found, {}, "w1", NOW, NOW)
    out = io.BytesIO()
    write_shape(
        out, RecordGraph("press"), [make_record(one.record, origin, one.version) for one in changes.written]
    )
    shape = rdflib.Graph().parse(data=out.getvalue(), format="turtle")
    sh = rdflib.Namespace("http://www.w3.org/ns/shacl#")
    (title,), (excerpt,) = (shape.subjects(sh.name, rdflib.Literal(one)) for one in ("title", "excerpt"))
    assert (int(shape.value(title, sh.minCount)), int(shape.value(title, sh.maxCount))) == (1, 1)
    assert shape.value(excerpt, sh.minCount) is shape.value(excerpt, sh.maxCount) is None
