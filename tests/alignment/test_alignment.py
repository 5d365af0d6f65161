"""Two graphs are aligned by what they say: entities, relations, classes, and what one adds to the other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import rdflib

from archiver.records.alignment.links import Alignment, aligned_files
from archiver.records.alignment.reading import RdfFile
from tests.alignment.made import write_library

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere


# rdflib warns of itself.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")


def aligned(folder: Path) -> Alignment:
    return aligned_files(RdfFile(folder / "records.nt"), RdfFile(folder / "library.nt"))[0]


def links_of(found: Alignment) -> set[tuple[str, str]]:
    return {(one.left, one.right) for one in found.links if one.confidence >= 0.5}


def test_records_are_linked_to_their_books_and_to_nothing_else(tmp_path: Path) -> None:
    gold = write_library(tmp_path)
    assert links_of(aligned(tmp_path)) == set(gold.items())


def test_several_copies_of_a_record_are_all_linked(tmp_path: Path) -> None:
    gold = write_library(tmp_path, copies=3)
    assert len(gold) == 120
    assert links_of(aligned(tmp_path)) == set(gold.items())


def test_relations_and_classes_are_found(tmp_path: Path) -> None:
    write_library(tmp_path)
    found = aligned(tmp_path)
    relations = {(one.left, one.right) for one in found.relations if one.left_in_right >= 0.5}
    # The name of an author is two steps away: a join.
    author = ("urn:site:col2", "urn:lib:created\u207b / urn:lib:name")
    assert relations == {("urn:site:col1", "urn:lib:hasTitle"), ("urn:site:col3", "urn:lib:year"), author}
    best = found.classes[0]
    assert (best.left, best.right) == ("urn:site:Record", "urn:lib:Book")
    assert best.left_in_right > 0.9
    assert 0.6 < best.right_in_left < 0.9


def test_relations_of_one_step_alone_where_that_is_wanted(tmp_path: Path) -> None:
    write_library(tmp_path)
    files = RdfFile(tmp_path / "records.nt"), RdfFile(tmp_path / "library.nt")
    found, _, _ = aligned_files(*files, joins=1)
    assert {one.left for one in found.relations if one.left_in_right >= 0.5} == {
        "urn:site:col1",
        "urn:site:col3",
    }


def test_two_runs_give_the_same_whatever_the_order_of_lines(tmp_path: Path) -> None:
    write_library(tmp_path)
    first = aligned(tmp_path)
    assert aligned(tmp_path) == first
    for name in ("records.nt", "library.nt"):
        lines = (tmp_path / name).read_text().splitlines(keepends=True)
        (tmp_path / name).write_text("".join(reversed(lines)))
    assert links_of(aligned(tmp_path)) == links_of(first)


def test_graphs_without_a_common_value_have_no_links(tmp_path: Path) -> None:
    write_library(tmp_path)
    (tmp_path / "records.nt").write_text('<urn:a> <urn:b> "zzz" .\n<urn:a> <urn:c> "" .\n')
    assert aligned(tmp_path).links == ()
    (tmp_path / "records.nt").write_text("")
    assert aligned(tmp_path).links == ()


def test_the_command_writes_what_another_library_reads(tmp_path: Path, run_here: RunHere) -> None:
    gold = write_library(tmp_path)
    out = tmp_path / "out"
    names = ("--left", str(tmp_path / "records.nt"), "--with", str(tmp_path / "library.nt"))
    done = run_here("forms", tmp_path, "align", *names, "--out", str(out))
    assert (done.exit_code, f"{len(gold)} links" in done.text) == (0, True)
    told = rdflib.Dataset()
    for name in ("links.nq", "new-instances.nq", "new-facts.nq"):
        told.parse(data=(out / name).read_text(), format="nquads")
    same = {(str(s), str(o)) for s, p, o, _ in told.quads() if str(p).endswith("#sameAs")}
    assert same == set(gold.items())
    new = rdflib.Graph().parse(data=(out / "new-relations.ttl").read_text(), format="turtle")
    assert {str(one) for one in new.subjects()} == {"urn:site:col2", "urn:site:price"}
    printed = json.loads(run_here("forms", tmp_path, "align", *names, "--json").text)
    assert len(printed["links"]) >= len(gold)


def test_wrong_usage_is_told(tmp_path: Path, run_here: RunHere) -> None:
    write_library(tmp_path)
    file = str(tmp_path / "records.nt")
    cases = [
        ((), "Name an action"),
        (("algin",), "did you mean align"),
        (("align",), "--with is missing"),
        (("align", "--with", file), "--left is missing"),
        (("align", "shop", "--left", file, "--with", file), "not both"),
        (("align", "--left", file, "--with", "none.nt"), "there is no such file"),
        (("align", "--left", file, "--with", file, "--floor", "2"), "between 0 and 1"),
    ]
    for args, message in cases:
        done = run_here("forms", tmp_path, *args)
        assert (done.exit_code, message in done.told) == (2, True), (args, done.told)


def test_links_of_no_form_are_refused_before_anything_is_aligned(tmp_path: Path, run_here: RunHere) -> None:
    files = ("--left", str(tmp_path / "records.nt"), "--with", str(tmp_path / "library.nt"))
    out = tmp_path / "out"
    done = run_here("forms", tmp_path, "align", *files, "--keep", "--out", str(out))
    assert (done.exit_code, "--keep is for the records of a form" in done.told) == (2, True), done.told
    assert "no such file" not in done.told, "it is told before files are looked for"
