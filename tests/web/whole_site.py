"""A small site to crawl as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.crawl.documents import prose, stories
from tests.crawl.site import html

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.crawl.site import Answer, Site

LOST = "/lost"


def gazette_site(site: Site, count: int = 5) -> list[str]:
    """A front page with stories; the first two link to a page that is not there. The paths of the stories."""
    told = stories(count)
    for number, one in enumerate(told):
        site.add(one.path, _story(one.title, one.paragraphs, [LOST] if number < 2 else []))
    site.add("/", _story("The Harbour Gazette", prose(99, 2), [one.path for one in told]))
    return [one.path for one in told]


def _story(title: str, paragraphs: Sequence[str], links: Sequence[str]) -> Answer:
    words = "".join(f"<p>{text}</p>" for text in paragraphs)
    listed = "".join(f'<li><a href="{path}">{path.strip("/")}</a></li>' for path in links)
    return html(
        f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>{words}</article>"
        f"<ul>{listed}</ul></body></html>"
    )
