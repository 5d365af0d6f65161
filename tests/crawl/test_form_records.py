"""Records of a crawled form: proven in WARC, read again, written as RDF, linked to an ontology."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import rdflib

from sample.shop.books import make_books
from sample.shop.serving import serve_shop
from sample.shop.truth import ontology
from tests.commands.here import run_here  # noqa: F401 - a fixture
from tests.crawl.test_forms import ask, form_file

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere

BOOKS = 60

pytestmark = [
    pytest.mark.zoo,
    pytest.mark.xdist_group("forms"),
    # rdflib's own parsers call what it calls deprecated.
    pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib"),
]


# One is read as it is learned, the other one as its file says.
SAID = {
    "dl": "",
    "mute": "answer: {record: //article, next: \"//a[@rel='next']\"}\nkey: [isbn]\n"
    "align: {with: books.nt, floor: 0.5}\n",
}


@pytest.mark.parametrize("name", ["dl", "mute"])
def test_records_are_proven_read_again_and_linked(
    archive: Path,
    tmp_path: Path,
    name: str,
    run_here: RunHere,  # noqa: F811
) -> None:
    with serve_shop(count=BOOKS) as shop:
        run = ask(archive, form_file(archive, shop, name, f"budget: {{requests: 60}}\n{SAID[name]}"))
    assert run.exit_code == 0, run
    form = f"shop-{name}"
    proven = run_here("forms", archive, "why", form, "all")
    assert proven.exit_code == 0, proven
    assert f"of {BOOKS} records stand in WARC" in proven.text
    again = run_here("forms", archive, "reread", form)
    assert f"{BOOKS} records as they were, 0 with other values, 0 not found" in again.text
    quads = tmp_path / "r.nq"
    assert run_here("forms", archive, "records", form, "--nquads", str(quads)).exit_code == 0
    read = rdflib.Dataset(default_union=True)
    read.parse(quads, format="nquads")
    assert len(set(read.subjects(rdflib.RDF.type, rdflib.URIRef(f"urn:archiver:{form}:Record")))) == BOOKS
    assert_linked(archive, tmp_path, form, run_here)


def assert_linked(archive: Path, folder: Path, form: str, run: RunHere) -> None:
    """Nearly all records are linked to their books, and the author is found behind a link."""
    file = folder / "books.nt"
    file.write_text("".join(f"{line}\n" for line in ontology(make_books(BOOKS), make_books(BOOKS, seed=2))))
    right_file = [] if form == "shop-mute" else ["--with", str(file)]
    done = run("forms", archive, "align", form, *right_file, "--out", str(folder / "out"), "--json")
    found = json.loads(done.text)
    links = {(one["left"], one["right"]) for one in found["links"] if one["confidence"] >= 0.5}
    keys = numbers(archive, form)
    assert done.exit_code == 0, done.told
    right = sum(keys[left] == there.rpartition("/b/")[2] for left, there in links)
    assert 2 * right / (len(links) + BOOKS) >= 0.95
    assert any(
        one["right"].endswith("o/created⁻ / http://books.example/o/name") for one in found["relations"]
    )
    assert (folder / "out" / "words-author.txt").exists()


def numbers(archive: Path, form: str) -> dict[str, str]:
    """The number of the book that each record is."""
    lines = [
        json.loads(line)
        for path in (archive / "objects").glob("records-*")
        for line in path.read_bytes().splitlines()
    ]
    return {f"urn:archiver:{form}:{one['key']}": one["url"].rpartition("/")[2] for one in lines}
