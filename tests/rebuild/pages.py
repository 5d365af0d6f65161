"""Articles and captured pages for the tests of rebuilding."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from lxml import html

from archiver.inspection.rebuild.frames import FramePage, from_home
from archiver.inspection.rebuild.model import Grounds, Origin, Rebuilt, RebuiltArticle, WordSource
from archiver.inspection.rebuild.page import html_of
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Collection

    from archiver.inspection.rebuild.frames import Frame

AT = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
SITE = "http://a.example"
ORIGIN = Origin(url=f"{SITE}/", record_id="<urn:uuid:home>", captured=datetime(2026, 3, 5, tzinfo=UTC))


def article(name: str = "new", **other: Any) -> RebuiltArticle:
    values: dict[str, Any] = {
        "url": f"{SITE}/{name}",
        "title": f"The story of {name}",
        "lead": f"What is told first in the story of {name}, at some length.",
        "image": f"{SITE}/{name}.jpg",
        "published": datetime(2026, 3, 1, 8, 30, tzinfo=UTC),
        "grounds": Grounds.SHOWN,
        "source": WordSource.VERSION,
        "object_id": f"object-{name}",
        "version": 2,
        "origin": Origin(url=f"{SITE}/{name}", record_id=f"<urn:uuid:{name}>", captured=AT),
    }
    return RebuiltArticle(**values | other)


def rebuilt(*articles: RebuiltArticle, **other: Any) -> Rebuilt:
    values: dict[str, Any] = {"channel": f"{SITE}/feed", "title": "A paper", "link": f"{SITE}/", "at": AT}
    return Rebuilt(**values | {"last_look": AT, "articles": articles} | other)


def captured(markup: str, url: str = f"{SITE}/") -> FramePage:
    return FramePage(url=url, body=markup.encode(), content_type="text/html; charset=utf-8", origin=ORIGIN)


def known(*names: str) -> Any:
    """What the state store says of links: these lead to articles."""
    keys = {same_page_key(f"{SITE}/{name}") for name in names}

    def ask(asked: Collection[str]) -> set[str]:
        return keys & set(asked)

    return ask


def home(markup: str, *articles: RebuiltArticle, names: str = "abc") -> Frame | None:
    """A page on which the articles `a`, `b` and `c` are known, with these in their place."""
    return from_home(captured(markup), rebuilt(*articles), known(*names))


def drawn(markup: str, *articles: RebuiltArticle, names: str = "abc") -> html.HtmlElement:
    """The same as a file, read again."""
    frame = home(markup, *articles, names=names)
    assert frame is not None
    return html.fromstring(html_of(frame, rebuilt(*articles)))


def cards(page: html.HtmlElement) -> list[html.HtmlElement]:
    return page.xpath("//*[@data-archiver='rebuilt']")


def text_of(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())
