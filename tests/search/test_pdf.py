"""What a PDF document says, whole or broken."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from archiver.documents.pdf import read_pdf
from tests.search.pdfs import pdf


def test_text_and_title_of_a_document() -> None:
    found = read_pdf(pdf("One ferry", "Two ferries", title="On ferries"))
    assert (found.title, found.text, found.problem) == ("On ferries", "One ferry\n\nTwo ferries", "")


def test_a_broken_document_keeps_the_pages_before_the_break() -> None:
    whole = pdf("One ferry", "Two ferries")
    found = read_pdf(whole.replace(b"(Two ferries) Tj", b"(Two ferries Tj "))
    assert found.text.startswith("One ferry")


@settings(max_examples=60)
@given(junk=st.binary(max_size=300), cut=st.integers(0, 900))
def test_no_document_is_an_error(junk: bytes, cut: int) -> None:
    whole = pdf("One ferry", title="x")
    for broken in (junk, b"%PDF-1.4\n" + junk, whole[:cut], whole[:cut] + junk + whole[cut:]):
        assert len(read_pdf(broken).text) < 10 * (len(broken) + 100)
