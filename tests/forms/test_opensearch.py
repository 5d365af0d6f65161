"""What a page names as a description of search: where words are suggested, and which."""

from __future__ import annotations

import pytest

from archiver.documents.pages.forms.opensearch import suggested, suggestion_address, suggestion_template

URL = "https://shop.example/os.xml"
KIND = "application/x-suggestions+json"
DESCRIPTION = """<?xml version="1.0"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Shop</ShortName>
<Url type="text/html" template="https://shop.example/find?q={searchTerms}"/>%s</OpenSearchDescription>"""


@pytest.mark.parametrize(
    ("element", "template"),
    [
        (
            f'<Url type="{KIND}" template="/s?q={{searchTerms}}&amp;n=9"/>',
            "https://shop.example/s?q={searchTerms}&n=9",
        ),
        (
            f'<Url type="{KIND}" template="/s?q={{searchTerms}}&amp;l={{language?}}"/>',
            "https://shop.example/s?q={searchTerms}&l=",
        ),
        (f'<Url type="{KIND}" template="/s?q={{searchTerms}}&amp;k={{key}}"/>', ""),
        (f'<Url type="{KIND}" method="POST" template="/s?q={{searchTerms}}"/>', ""),
        (f'<Url type="{KIND}" template="/s"/>', ""),
        ("", ""),
    ],
)
def test_where_words_are_suggested(element: str, template: str) -> None:
    assert suggestion_template((DESCRIPTION % element).encode(), URL) == template


def test_what_is_not_a_description_names_nothing() -> None:
    assert suggestion_template(b"<html><p>no", URL) == ""
    entity = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + (DESCRIPTION % "&x;").encode()
    assert suggestion_template(entity, URL) == ""


def test_suggestions_are_read_and_a_beginning_is_escaped() -> None:
    assert suggested(b'["se", ["sea", "search box", 7], ["", ""]]') == ("sea", "search box")
    for other in (b"", b"{}", b'["se"]', b'["se", "sea"]', b"\xff"):
        assert suggested(other) == ()
    address = suggestion_address("https://shop.example/s?q={searchTerms}", "é&")
    assert address == "https://shop.example/s?q=%C3%A9%26"
