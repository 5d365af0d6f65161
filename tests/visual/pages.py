"""Pages written for these tests: an article between a menu and a column of other stories."""

from __future__ import annotations

from archiver.articles.methods.extraction import parse_page
from archiver.articles.model import ParsedPage
from archiver.documents.pages.model import Announcement, RawPage

TITLE = "Harbour master finds the bell of the lost ferry"
PARAGRAPHS = [
    f"The {word} day of the search brought nothing but mud and rope, and divers had begun to talk of going "
    f"home, when the harbour master saw a green rim below the old landing stage, {word} from the left."
    for word in ("first", "second", "third", "fourth", "fifth")
]
STYLE = "<style>.side { float: right; width: 25%; font-size: 11px } .main { width: 70% }</style>"


def markup(images: str = "", head: str = "") -> str:
    links = "".join(
        f"<li><a href=/{name}>{name.title()}</a></li>" for name in ("news", "sport", "tide", "post")
    )
    side = "".join(f"<p><a href=/s{n}>Another story of the town, number {n}</a></p>" for n in range(6))
    text = "".join(f"<p>{one}</p>" for one in PARAGRAPHS)
    return (
        f"<html><head><title>{TITLE} - Gazette</title>{head}{STYLE}</head><body>"
        f"<img src=/img/logo.png width=120 height=40><ul>{links}</ul>"
        f"<div class=side><h3>More</h3>{side}</div>"
        f"<div class=main><h1>{TITLE}</h1><p>3 March 2026</p>{images}{text}</div>"
        "<div>Published by the Gazette, Quay 1. All rights reserved.</div></body></html>"
    )


def page(html: str, *, anchors: tuple[str, ...] = (), title: str | None = None) -> ParsedPage:
    said = Announcement(title=title, anchors=anchors)
    raw = RawPage(
        url="https://gazette.test/bell", body=html.encode(), content_type="text/html", announcement=said
    )
    found = parse_page(raw)
    assert isinstance(found, ParsedPage)
    return found
