"""`scrapy sparql` and `scrapy rdf`: answers at a terminal and for programs, files, and what is refused."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from typing import TYPE_CHECKING

import pytest
import rdflib

from tests.history.made import HOUR, START
from tests.rdf.made import archive_of_rdf, comment

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere

NAMES = """SELECT ?name (COUNT(?a) AS ?articles) {?a sioc:has_creator/schema:name ?name}
    GROUP BY ?name ORDER BY ?name"""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("rdf") / "archive"
    with archive_of_rdf(folder) as made:
        made.channel("http://example.org/a")
        number = made.add("one", "The ferry\nwas =late.", authors=("Ann", "=HYPERLINK(1)"), channel=1)
        made.say(number, "The ferry was later.", at=START + HOUR, channel=1)
        made.add("two", "A boat\x1b[31m.", authors=("Ann",), channel=2)
        made.comment("one", comment("c1", author="Bo"))
        made.feed_rdf()
    return folder


def test_rows_are_a_table(archive: Path, run_here: RunHere) -> None:
    done = run_here("sparql", archive, NAMES)
    assert (done.exit_code, done.told) == (0, "")
    assert done.text.splitlines() == [
        "name           articles",
        "=HYPERLINK(1)         1",
        "Ann                   2",
        "Bo                    1",
    ]


def test_rows_fit_the_window(archive: Path, run_here: RunHere, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    done = run_here("sparql", archive, "SELECT ?s ?p ?o {?s ?p ?o}")
    assert max(map(len, done.text.splitlines())) <= 60
    assert "\x1b" not in done.text


def test_rows_are_csv(archive: Path, run_here: RunHere) -> None:
    done = run_here("sparql", archive, "--csv", NAMES)
    # No name is run as a formula.
    assert done.out == b"name,articles\r\n'=HYPERLINK(1),1\r\nAnn,2\r\nBo,1\r\n"
    done = run_here("sparql", archive, "--csv", "SELECT ?t {?v schema:text ?t} ORDER BY ?t")
    assert [row[0] for row in csv.reader(io.StringIO(done.text, newline=""))] == [
        "t", "A boat\ufffd[31m.", "First!", "The ferry\nwas =late.", "The ferry was later.",
    ]  # fmt: skip


def test_rows_are_json_as_sparql_has_it(archive: Path, run_here: RunHere) -> None:
    question = """SELECT ?a ?v ?none {
        ?a schema:url <http://example.org/one> . ?v dcterms:isVersionOf ?a ; schema:version 2
    }"""
    found = json.loads(run_here("sparql", archive, "--json", question).out)
    assert found["head"] == {"vars": ["a", "v", "none"]}
    (row,) = found["results"]["bindings"]
    assert row["a"] == {"type": "uri", "value": row["v"]["value"].replace("version", "article")[:-2]}
    assert "none" not in row
    typed = json.loads(run_here("sparql", archive, "--json", "SELECT (2 AS ?n) {}").out)
    assert typed["results"]["bindings"][0]["n"]["datatype"].endswith("#integer")


def test_yes_and_no(archive: Path, run_here: RunHere) -> None:
    assert run_here("sparql", archive, "ASK {?c a schema:Comment}").text == "yes\n"
    assert run_here("sparql", archive, "ASK {?c a schema:Movie}").text == "no\n"
    assert json.loads(run_here("sparql", archive, "--json", "ASK {}").out) == {"head": {}, "boolean": True}
    assert run_here("sparql", archive, "--csv", "ASK {}").text == "boolean\r\ntrue\r\n"


def test_statements_are_turtle_and_read_from_a_file(archive: Path, run_here: RunHere, tmp_path: Path) -> None:
    query = tmp_path / "query.rq"
    query.write_text("CONSTRUCT {?a schema:author ?n} WHERE {?a sioc:has_creator/schema:name ?n}")
    done = run_here("sparql", archive, "--file", str(query))
    assert len(rdflib.Graph().parse(data=done.text, format="turtle")) == 4
    described = run_here("sparql", archive, "DESCRIBE <http://example.org/feed>").text
    assert "<http://example.org/feed> a sioc:Container , schema:DataFeed ." in described.splitlines()
    assert len(run_here("sparql", archive, "--csv", "--file", str(query)).text.splitlines()) == 5


def test_it_says_where_there_is_more(archive: Path, run_here: RunHere) -> None:
    done = run_here("sparql", archive, "--limit", "2", "SELECT ?s {?s ?p ?o}")
    assert len(done.text.splitlines()) == 3
    assert "Only the first 2 rows are shown: --limit 0 shows all" in done.told


def test_a_store_is_fed_and_says_that_it_is_behind(tmp_path: Path, run_here: RunHere) -> None:
    folder = tmp_path / "archive"
    with archive_of_rdf(folder) as made:
        made.add("one", "ferry")
        done = run_here("sparql", folder, "ASK {}")
        assert (done.exit_code, "no RDF store yet: run `scrapy sparql --build`" in done.told) == (1, True)
        assert "1 object added to the store" in run_here("sparql", folder, "--build").told
        made.add("two", "boat")
        count = "SELECT (COUNT(*) AS ?n) {?a a schema:Article}"
        done = run_here("sparql", folder, "--csv", count)
        assert (done.text.split(), "of objects are not in the store yet" in done.told) == (["n", "1"], True)
        assert run_here("sparql", folder, "--csv", "--build", count).text.split() == ["n", "2"]


def test_what_is_withheld_is_neither_answered_nor_written(archive: Path, run_here: RunHere) -> None:
    texts = ("sparql", archive, "--csv", "SELECT ?t {?v schema:text ?t}")
    before = run_here(*texts).text
    assert run_here("withhold", archive, "http://example.org/one", "--reason", "order 7").exit_code == 0
    try:
        assert run_here(*texts).text.splitlines() == ["t", "A boat\ufffd[31m."]
        assert b"example.org/one" not in run_here("rdf", archive).out
    finally:
        assert run_here("withhold", archive, "http://example.org/one", "--lift").exit_code == 0
    assert sorted(run_here(*texts).text.splitlines()) == sorted(before.splitlines())


def test_files_are_written_by_their_names(archive: Path, run_here: RunHere, tmp_path: Path) -> None:
    quads = run_here("rdf", archive).out
    assert quads.count(b" .\n") == len(quads.splitlines())
    assert run_here("rdf", archive, "-o", str(tmp_path / "all.nq.gz")).text.startswith(
        "Written: 4 objects to "
    )
    assert gzip.decompress((tmp_path / "all.nq.gz").read_bytes()) == quads
    turtle = run_here("rdf", archive, "--format", "turtle").out
    run_here("rdf", archive, "-o", str(tmp_path / "all.ttl"))
    assert (tmp_path / "all.ttl").read_bytes() == turtle
    said = {line.rpartition(b" <")[0] for line in quads.splitlines()}
    assert len(rdflib.Graph().parse(data=turtle, format="turtle")) == len(said)
    assert run_here("rdf", archive, "--since", "2030").out == b""


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("sparql",), 2, "Write a query, such as"),
        (("sparql", "SELECT * {?s foo:bar ?o}"), 2, "Query, 1:21: syntax error after"),
        (
            ("sparql", "SELECT * {SERVICE <http://127.0.0.1/> {}}"),
            2,
            "1:11: SERVICE would query another server",
        ),
        (("sparql", "DROP ALL"), 2, "1:1: DROP would change the store"),
        (("sparql", "--csv", "--json", "ASK {}"), 2, "--csv and --json: choose one"),
        (("sparql", "--timeout", "0", "ASK {}"), 2, "--timeout: write a number from 1 on"),
        (("sparql", "--limit", "-1", "ASK {}"), 2, "--limit: write a number from 0 on"),
        (("sparql", "--file", "/nonesuch.rq"), 2, "--file /nonesuch.rq cannot be read: No such file"),
        (("rdf", "--channel", "99"), 1, "No channel is called 99: `scrapy channels` lists them"),
        (("rdf", "-o", "/nonesuch/all.nq"), 2, "-o /nonesuch/all.nq: there is no such folder"),
        (("rdf", "ferry"), 2, "Unknown argument ferry"),
    ],
)
def test_what_is_refused(
    words: tuple[str, ...], code: int, told: str, archive: Path, run_here: RunHere
) -> None:
    done = run_here(words[0], archive, *words[1:])
    assert done.exit_code == code
    assert told in done.text + done.told


@pytest.mark.parametrize("words", [("sparql", "ASK {}"), ("rdf",)])
def test_what_is_not_installed_is_named(
    words: tuple[str, ...], archive: Path, run_here: RunHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    done = run_here(words[0], archive, *words[1:])
    assert done.exit_code == 2
    assert f'scrapy {words[0]} needs pyoxigraph: pip install "archiver[rdf]"' in done.text + done.told
