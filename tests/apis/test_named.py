"""A page names the API of its site."""

from __future__ import annotations

import pytest

from archiver.documents.apis.named import NamedApi, named_api
from archiver.documents.pages.dom import parse_html

_PAGE = "http://site.example/blog/2026/flood"
_WIKI = '<meta name="generator" content="MediaWiki 1.39.17">'


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (
            '<link rel="https://api.w.org/" href="/blog/wp-json/">',
            NamedApi(
                api="wordpress",
                base="http://site.example/blog",
                root="http://site.example/blog/wp-json/",
            ),
        ),
        (
            '<link rel="https://api.w.org/" href="http://site.example/index.php?rest_route=/">',
            NamedApi(
                api="wordpress",
                base="http://site.example",
                root="http://site.example/index.php?rest_route=/",
            ),
        ),
        (
            f'{_WIKI}<link rel="EditURI" href="//site.example/w/api.php?action=rsd">',
            NamedApi(
                api="mediawiki",
                base="http://site.example/w/api.php",
                root="http://site.example/w/api.php",
            ),
        ),
        (
            '<meta name="generator" content="Discourse 3.2.0">',
            NamedApi(api="discourse", base="http://site.example"),
        ),
        # Really simple discovery of other software.
        ('<link rel="EditURI" href="/xmlrpc.php?rsd">', None),
        ('<link rel="https://api.w.org/" href="javascript:0">', None),
        (_WIKI, None),
        ("", None),
    ],
)
def test_the_api_of_a_site_is_named_by_its_pages(head: str, found: NamedApi | None) -> None:
    content = f"<html><head>{head}</head><body><p>The flood.</p></body></html>".encode()
    assert named_api(parse_html(content, "text/html", _PAGE), _PAGE) == found
