"""docs/rdf.md has the table of the mapping as it is, and questions that are answered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from archiver.inspection.rdf.mapping import CONTRIBUTION_TYPES, NODES
from archiver.lexicon.vocabularies import PREFIXES
from tests.docs.checkout import PROJECT
from tests.history.made import DAY, START
from tests.rdf.made import archive_of_rdf, comment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.rdf.made import RdfArchive

TEXT = (PROJECT / "docs" / "rdf.md").read_text("utf-8")
# How the document calls the forms of values.
FORMS = {
    "words": "text, with its language", "number": "integer", "decimal": "double", "moment": "dateTime",
    "day": "date",
}  # fmt: skip
# In blocks of their own, or behind the name of the command.
QUESTIONS = [
    *re.findall(r"```sparql\n(.*?)```", TEXT, re.DOTALL),
    *(text.replace("\n> ", "\n") for text in re.findall(r"\$ scrapy sparql [^']*'(.*?)'", TEXT, re.DOTALL)),
]


def table() -> Iterator[str]:
    for kind, made in NODES.items():
        types = " ".join(f"`{name}`" for name in made.types)
        if types:
            yield f"| {kind} | `rdf:type` | | {types} |"
        for row in made.statements:
            yield f"| {kind} | `{row.predicate}` | `{row.field}` | {FORMS.get(row.form, row.form)} |"


def test_the_document_has_the_rows_of_the_mapping() -> None:
    rows = [line for line in TEXT.splitlines() if re.match(r"\| [a-z ]+ \| `\w+:\w+`", line)]
    assert rows == list(table())
    assert all(f"`{prefix}:` | `{iri}`" in TEXT for prefix, iri in PREFIXES.items())
    assert all(name in TEXT for names in CONTRIBUTION_TYPES.values() for name in names)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RdfArchive]:
    with archive_of_rdf(tmp_path_factory.mktemp("documented") / "archive") as made:
        said = {"authors": ("Ann",), "language": "en", "title": "Bread on a boat stove: a confession"}
        number = made.add("one", "ferry", **said)
        made.say(number, "another ferry", at=START + 2 * DAY, **said)
        made.comment("one", comment("c1", author="Ann"), comment("c2", author="Bo", parent="c1"))
        made.feed_rdf()
        yield made


@pytest.mark.parametrize("question", QUESTIONS, ids=range(len(QUESTIONS)))
def test_each_question_of_the_document_is_answered(question: str, asked: RdfArchive) -> None:
    assert asked.asked(question)


def test_there_are_some() -> None:
    assert len(QUESTIONS) >= 4
