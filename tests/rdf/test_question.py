"""Questions: what is refused, where it stands, and a time limit that holds."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from archiver.errors import ArchiveError, ConfigurationError
from archiver.inspection.rdf.question import check_question, syntax_in_words, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.rdf.made import RdfArchive


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT * {\n  SERVICE <http://a/> {?s ?p ?o}}", "2:3: SERVICE would query another server"),
        ("SELECT * {service silent ?x {?s ?p ?o}}", "1:11: SERVICE would query another server"),
        ("SELECT * {?s ex:a\\#b ?o SERVICE <http://a/> {}}", "SERVICE would query another server"),
        ('SELECT * {?s ?p "a\\"" SERVICE <http://a/> {}}', "SERVICE would query another server"),
        ("SELECT * {FILTER(1<2)SERVICE<http://a/>{}}", "SERVICE would query another server"),
        ("SELECT * {GRAPH ?g {?s ?p ?o}}", "1:11: GRAPH matches nothing, because the store has one graph"),
        ("SELECT * FROM <urn:g> {?s ?p ?o}", "1:10: FROM matches nothing"),
        ("INSERT DATA {<a:b> <a:b> 1}", "1:1: INSERT would change the store: use SELECT"),
        ("PREFIX a: <a:b>\nLOAD <http://a/>", "2:1: LOAD would change the store"),
        (" \n", "Write a query"),
    ],
)
def test_what_is_refused(text: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        check_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?service $load {?service a <http://service/> ; service:load 'SERVICE' . # SERVICE\n}",
        'ASK {?s ?p """a "SERVICE" b""" , \'\'\'it\'s a SERVICE\'\'\'@service}',
        "SELECT (COUNT(*) AS ?from) {?s a <urn:a#from>}",
        "CONSTRUCT {?s <urn:add> ?o} WHERE {?s dcterms:replaces ?o}",
    ],
)
def test_what_only_looks_like_it_is_not(text: str) -> None:
    check_question(text)


@pytest.fixture(scope="module")
def server() -> Iterator[HTTPServer]:
    """One that must not be asked."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            server.asked = True  # type: ignore[attr-defined] # for the test
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


# Pieces in which a word may hide, or seem to.
_PIECES = st.sampled_from(
    [
        "?a", "<http://x/>", "<", ">", "'", '"', "'''", '"""', "\\", "\\#", "#", "\n", "ex:a", "{", "}", ".",
        " ", "FILTER(1<2)", "'a'", '"b"@en', "?s ?p ?o .", "?s ex:a\\#b ?o .", "?s ?p 'a\\'#' .",
        "BIND(1 AS ?x)", "\\u0053ERVICE", "ex:\\'", "<a>",
    ]
)  # fmt: skip


@given(before=st.lists(_PIECES, max_size=8), between=st.sampled_from([" ", "\n", "", " SILENT ", "#x\n"]))
@example(before=["?s ex:a\\#b ?o ."], between=" ")
def test_no_spelling_reaches_another_server(server: HTTPServer, before: list[str], between: str) -> None:
    """Whatever the store's parser takes for SERVICE is seen before."""
    server.asked = False  # type: ignore[attr-defined] # as above
    address = f"<http://127.0.0.1:{server.server_port}/>"
    text = f"PREFIX ex: <ex:> SELECT * {{{''.join(before)} SERVICE{between}{address} {{?s ?p ?o}}}}"
    try:
        check_question(text)
    except ConfigurationError:
        return
    with suppress(SyntaxError, OSError, ValueError):
        # With nothing to join with, no server is asked.
        store = pyoxigraph.Store()
        store.load(b"<urn:s> <ex:a#b> 1 .", pyoxigraph.RdfFormat.TURTLE)
        list(store.query(text))  # type: ignore[arg-type] # a SELECT
    assert not server.asked, text  # type: ignore[attr-defined] # as above


@given(st.text(alphabet="aSERVICE'\"\\<>#\n{}?:@ ", max_size=40))
def test_whatever_is_typed_is_looked_through(text: str) -> None:
    assert all(text.lower().count(word.text) for word in words_of(text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "SELECT *\n{?s foo:bar ?o}",
            "Query, 2:12: syntax error after '{?s foo:bar': undeclared prefix",
        ),
        ("SELECT * {?s ?p ?o", "Query, 1:19: syntax error after 'SELECT * {?s ?p ?o'"),
        ("SELECT ?s {?s ?p ?o} GROUP BY ?p", "a variable that is not in GROUP BY"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, told: str) -> None:
    with pytest.raises(SyntaxError) as error:
        pyoxigraph.Store().query(text)
    assert told in syntax_in_words(str(error.value), text)


def test_a_question_that_takes_too_long_is_ended(archive: RdfArchive) -> None:
    for number in range(60):
        archive.add(f"n{number}", f"ferry {number}", authors=(f"Ann {number}",))
    archive.feed_rdf()
    started = time.monotonic()
    with pytest.raises(ArchiveError, match="longer than 1 s: narrow it down, or allow more time"):
        archive.asked("SELECT (COUNT(*) AS ?n) {?a ?b ?c . ?d ?e ?f . ?g ?h ?i}", seconds=1)
    assert time.monotonic() - started < 15
    assert archive.asked("SELECT (COUNT(*) AS ?n) {?a a schema:Article}") == [("60",)]


def test_rows_are_limited(archive: RdfArchive) -> None:
    for number in range(5):
        archive.add(f"n{number}", f"ferry {number}")
    archive.feed_rdf()
    assert len(archive.asked("SELECT ?a {?a a schema:Article}", most=3)) == 3
    assert len(archive.asked("SELECT ?a {?a a schema:Article}")) == 5
