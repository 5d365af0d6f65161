"""Records as objects: versions, schema, RDF that another library reads, values proven in WARC."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import jsonschema
import msgspec
import pytest
import rdflib

from archiver.archive.warc.records import Capture
from archiver.archive.withheld import Withheld
from archiver.inspection.records.lines import last_versions
from archiver.inspection.records.proving import text_at
from archiver.inspection.records.shapes import write_shape
from archiver.inspection.records.statements import RecordGraph
from archiver.inspection.records.tables import csv_lines
from archiver.records.learning import learn_records
from archiver.records.model import ListedRecord, RecordValue
from archiver.records.objects.changes import KnownRecord, compare_records, digests_of
from archiver.records.objects.model import RecordOrigin, make_record
from archiver.records.objects.schema import FILE, RecordObjects
from archiver.records.reading import read_records
from tests.records.pages import BOOKS, HOST, answer, answers

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.records.objects.model import ArchivedRecord

NOW = datetime(2026, 11, 18, 9, tzinfo=UTC)
LATER = NOW + timedelta(days=1)


def captured(at: datetime = NOW) -> Capture:
    return Capture(
        url=f"{HOST}/table/search?q=the",
        file="one.warc.gz",
        offset=12,
        record_id="<urn:uuid:00000000-0000-4000-8000-000000000001>",
        digest="sha1:A",
        date=at,
    )


def origin() -> RecordOrigin:
    return RecordOrigin(
        form="shop",
        wrapper="w1",
        url=f"{HOST}/table/search?q=the",
        inputs={"q": "the"},
        page=1,
        capture=captured(),
    )


def listed(value: str = "12.00") -> ListedRecord:
    return ListedRecord(
        key="8c1f",
        place=1,
        xpath="/html/body/ul/li[1]",
        attributes={"price": [RecordValue(value=value, type="price", path="b[1]")]},
    )


def known(record: ListedRecord, wrapper: str = "w1") -> dict[str, KnownRecord]:
    one = KnownRecord(
        key=record.key, version=1, digests=digests_of(record), wrapper=wrapper, first_seen=NOW, last_seen=NOW
    )
    return {record.key: one}


def objects() -> list[ArchivedRecord]:
    wrapper = learn_records(answers("table", "the", "of", "and"))
    assert wrapper is not None
    records = read_records(answer("table", BOOKS[:20], "the"), wrapper)
    changes = compare_records(records, {}, "w1", NOW, NOW)
    return [make_record(one.record, origin(), one.version) for one in changes.written]


def test_a_record_that_was_never_seen_is_new() -> None:
    changes = compare_records([listed(), listed()], {}, "w1", NOW, NOW)
    assert [(one.version.number, one.version.change) for one in changes.written] == [(1, "new")]


def test_an_unchanged_record_gets_no_version() -> None:
    changes = compare_records([listed()], known(listed()), "w1", LATER, LATER)
    assert not changes.written
    assert changes.seen[0].last_seen == LATER


def test_another_price_is_a_version_and_an_older_capture_is_not() -> None:
    before = known(listed())
    (one,) = compare_records([listed("9.50")], before, "w1", LATER, LATER).written
    assert (one.version.number, one.version.change, one.version.unchanged_until) == (2, "values", NOW)
    assert not compare_records([listed("9.50")], before, "w1", NOW - timedelta(1), LATER).written


def test_within_a_run_the_first_answer_that_shows_a_record_counts() -> None:
    """Search engines show excerpts around the words that were asked for."""
    before = {key: replace(one, is_of_run=True) for key, one in known(listed()).items()}
    changes = compare_records([listed("9.50")], before, "w1", LATER, LATER)
    assert not changes.written
    (one,) = changes.seen
    # The next run compares with what the version has.
    assert one.digests == digests_of(listed())


def test_values_of_another_wrapper_are_told_as_such() -> None:
    (one,) = compare_records([listed("9.50")], known(listed(), "w0"), "w1", NOW, NOW).written
    assert one.version.change == "wrapper"


def test_the_published_schema_is_that_of_the_model() -> None:
    assert json.loads(FILE.read_bytes()) == RecordObjects().json_schema()


def test_lines_are_valid_and_a_changed_value_is_noticed() -> None:
    one = objects()[0]
    jsonschema.Draft202012Validator(json.loads(FILE.read_bytes())).validate(
        json.loads(msgspec.json.encode(one))
    )
    kind = RecordObjects()
    assert kind.flaw(one) is None
    one.attributes["title"][0] = RecordValue(value="Another")
    assert "digest" in (kind.flaw(one) or "")


# rdflib's own parsers call what it calls deprecated.
@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
def test_rdflib_reads_all_formats_and_each_fact_is_in_the_graph_of_its_warc_record() -> None:
    records, graph, sizes = objects(), RecordGraph("shop", {"title": "dcterms:title"}), []
    for name, reader in (("nquads", "nquads"), ("jsonld", "json-ld"), ("turtle", "turtle")):
        out = io.BytesIO()
        graph.write(out, name, records)
        read = rdflib.Graph() if name == "turtle" else rdflib.Dataset()
        read.parse(data=out.getvalue(), format=reader)
        sizes.append(len(read))
        if name == "nquads":
            facts = read.graph(rdflib.URIRef("urn:uuid:00000000-0000-4000-8000-000000000001"))
            titles = {str(one) for one in facts.objects(None, rdflib.DCTERMS.title)}
    assert titles == {book.title for book in BOOKS[:20]}
    assert sizes[0] == sizes[1] == sizes[2] > 20 * 8


def test_the_shape_has_types_and_numbers() -> None:
    out = io.BytesIO()
    write_shape(out, RecordGraph("shop"), objects())
    shape = rdflib.Graph().parse(data=out.getvalue(), format="turtle")
    sh = rdflib.Namespace("http://www.w3.org/ns/shacl#")
    (year,) = shape.subjects(sh.name, rdflib.Literal("year"))
    assert shape.value(year, sh.datatype) == rdflib.XSD.gYear
    assert int(shape.value(year, sh.minCount)) == int(shape.value(year, sh.maxCount)) == 1
    (author,) = shape.subjects(sh.name, rdflib.Literal("author"))
    assert shape.value(author, sh.maxCount) is None


def test_a_formula_is_not_run_by_a_spreadsheet() -> None:
    lines = list(
        csv_lines(
            [({"key": "1"}, {"title": [RecordValue(value="=cmd()")], "n": [RecordValue(value="-2.5")]})]
        )
    )
    assert lines == ["key,title,n", "1,'=cmd(),-2.5"]


def test_the_last_version_counts_and_a_half_line_does_not(tmp_path: Path) -> None:
    first, *_ = objects()
    second = replace(first, version=2, change="values")
    lines = [msgspec.json.encode(one) for one in (first, second, replace(first, version=3))]
    (tmp_path / "records-2026-11-18-vm.jsonl").write_bytes(b"\n".join(lines)[:-40])
    (found,) = last_versions(tmp_path, "shop", Withheld())
    assert (found.key, found.version) == (first.key, 2)


def test_a_value_is_found_at_its_path_and_an_unknown_path_leads_nowhere() -> None:
    page = answer("table", BOOKS[:20], "the")
    wrapper = learn_records([page])
    assert wrapper is not None
    record = read_records(page, wrapper)[0]
    title = record.attributes["title"][0]
    assert text_at(page.tree, record.xpath, title) == BOOKS[0].title
    wild = msgspec.structs.replace(title, path="//*[count(//*) > count(//*//*)]")
    assert text_at(page.tree, record.xpath, wild) == ""
