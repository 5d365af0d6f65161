"""What people see of sources of labels: what each says of a page, and how far it is trusted."""

from __future__ import annotations

import pytest

from archiver.articles.explain.sources import explained_sources
from archiver.articles.labels.marks import marks_on
from archiver.articles.labels.model import LabelKnowledge, LabelSource, SourceRecord
from archiver.articles.model import Article
from archiver.documents.pages.model import Announcement, RawPage
from archiver.fields.model import Field, FieldExample, FieldScope, FieldWrapper

URL = "https://paper.example/1"
PARAGRAPHS = [" ".join(f"w{one}x{word}" for word in range(60)) for one in range(5)]
SHOWN = "".join(f"<p>{one}</p>" for one in PARAGRAPHS)
PAGE = RawPage(
    url=URL,
    body=f"<html><body><h1>It</h1><div itemprop=articleBody>{SHOWN}</div></body></html>".encode(),
    content_type="text/html",
    announcement=Announcement(content=" ".join(PARAGRAPHS[:3])),
)
ARTICLE = Article(method="article", confidence=0.97, text=" ".join(PARAGRAPHS), html="")


def test_each_source_is_told_with_its_words_and_its_trust() -> None:
    records = {(LabelSource.FEED, 3): SourceRecord(sound=2.0, broken=18.0, right=2.0)}
    found = explained_sources(PAGE, ARTICLE, LabelKnowledge(records=records, channel=3))
    told = {one.source: one for one in found}
    assert set(told) == {"feed", "statement", "consensus"}
    assert (told["feed"].blocks, told["feed"].words, told["feed"].pages) == (3, 180, 20)
    assert told["feed"].usual < 0.4
    assert told["feed"].soundness < told["statement"].soundness


def test_what_a_person_marked_is_a_source() -> None:
    knowledge = LabelKnowledge(marks=(PARAGRAPHS[0],))
    assert "user" in {one.source for one in explained_sources(PAGE, None, knowledge)}


def wrapper(name: str, url: str = URL, kind: str = "text") -> FieldWrapper:
    example = FieldExample(url=url, value="marked")
    field = Field(field=name, type=kind, examples=(example,))  # type: ignore[arg-type] # one of them
    return FieldWrapper(wrapper="mine", scope=FieldScope(site="paper.example"), fields=(field,))


@pytest.mark.parametrize("name", ["article", "Body", "content", "text"])
def test_marks_are_examples_of_fields_that_name_the_text(name: str) -> None:
    assert marks_on(f"{URL}?utm_source=feed", [wrapper(name)]) == ("marked",)


def test_other_fields_and_other_pages_are_not() -> None:
    others = [wrapper("price"), wrapper("text", "https://paper.example/2"), wrapper("text", kind="date")]
    assert marks_on(URL, others) == ()
