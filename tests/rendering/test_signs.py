"""Which pages are empty because their scripts fill them."""

from __future__ import annotations

import pytest

from archiver.documents.pages.dom import parse_html
from archiver.documents.pages.scripted import needs_browser

_APP = '<script src="/app.js"></script>'
_TEXT = (
    "The ferry to the northern shore was put off again, and the harbour office could not say for how long. "
)


def judged(body: str) -> bool:
    html = f"<html><head><title>A title of some words</title></head><body>{body}</body></html>"
    return needs_browser(parse_html(html.encode(), "text/html; charset=utf-8", "http://a.example/"))


@pytest.mark.parametrize(
    "body",
    [
        f'<div id="root"></div>{_APP}',
        f"<app-root></app-root>{_APP}",
        f'<header>{"Home About News " * 8}</header><div id="__next"></div>{_APP}',
        f'<nav>{"<a href=/>Home About News</a> and more " * 60}</nav><div id="__next"></div>{_APP}',
        f'<div class=menu>{"<a href=/>Home About News</a>" * 90}</div><div id="app"></div>{_APP}',
        f"<noscript>Please enable JavaScript to read this.</noscript><p>{'Menu ' * 30}</p>{_APP}",
        f"<p>Loading …</p><script>{'fetch(1);' * 30}</script>",
    ],
)
def test_applications_are_rendered(body: str) -> None:
    assert judged(body)


@pytest.mark.parametrize(
    "body",
    [
        "",
        '<div id="root"></div>',
        '<div id="root"></div><script type="application/ld+json">{"@type": "WebSite"}</script>',
        '<div id="root"></div><script>var x = 1;</script>',
        f'<div id="root"><p>{_TEXT * 10}</p></div>{_APP}',
        f'<main><p>{_TEXT * 10}</p></main><div id="app"></div>{_APP}',
        f"<ul>{'<li>A list of some things</li>' * 10}</ul>{_APP}",
    ],
)
def test_pages_that_say_something_or_run_nothing_are_not(body: str) -> None:
    assert not judged(body)
