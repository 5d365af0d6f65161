"""How well entries that share a page are told apart, on pages composed of real articles.

A set is a file of JSON Lines as bench/extraction.py takes it. Of each site with several pages, up to five
articles are put on one page, each in the element that held it on its own; an entry is announced by title and
description. `page` is the article of the whole page, `zone` the zone of the entry as it is, `voted` what the
voters of `article` find in it.
"""

from __future__ import annotations

import argparse
import copy
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from extraction_metric import neighbours, score
from extraction_sets import SetError, channels, read_set, set_files, set_name
from lxml import etree
from options import whole_number

from archiver.articles.methods.extraction import extract, parse_page
from archiver.articles.methods.parts import part_of
from archiver.articles.model import Article, NoArticle, ParsedPage
from archiver.documents.pages.model import Announcement, RawPage
from archiver.documents.pages.text import text_of
from archiver.documents.parts import zone_part

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from extraction_sets import Page
    from lxml.etree import _Element as Element

_TYPE = "text/html; charset=utf-8"
_MOST_ARTICLES = 5
_LEAST_WORDS = 40
# So much of the article is in the element that is taken for its own.
_HELD = 0.9
_MENU = (
    "<ul><li><a href='/'>Home</a></li><li><a href='/about'>About</a></li><li><a href='/all'>All</a></li></ul>"
)
_FOOT = "<div class='foot'>Imprint, contact, privacy</div>"


def element_of(page: Page) -> Element | None:
    """The smallest element of a page that holds its article."""
    parsed = parse_page(RawPage(url=page.url, body=page.html.encode("utf-8", "replace"), content_type=_TYPE))
    wanted = neighbours(page.gold)
    if not isinstance(parsed, ParsedPage) or len(page.gold.split()) < _LEAST_WORDS:
        return None
    around: Element | None = None
    element = parsed.cleaned.find("body")
    while element is not None:
        around = element
        holding = (one for one in element if len(neighbours(text_of(one)) & wanted) >= _HELD * len(wanted))
        element = next(holding, None)
    return around


def composed(pages: Sequence[Page], *, titled: bool) -> tuple[bytes, list[Page]]:
    """One page with the articles of several, and which they are."""
    found = [(page, one) for page in pages if (one := element_of(page)) is not None]
    posts = "".join(_post(page, one, titled=titled) for page, one in found)
    body = f"<body>{_MENU}<div class='posts'>{posts}</div>{_FOOT}</body>"
    markup = f"<html><head><title>Notes</title></head>{body}</html>"
    return markup.encode(), [page for page, _ in found]


def _post(page: Page, element: Element, *, titled: bool) -> str:
    own = copy.deepcopy(element)
    own.tag, own.tail = "div", None
    heading = etree.Element("h2")
    heading.text = page.title
    head = etree.tostring(heading, encoding="unicode", method="html") if titled else ""
    return f"<div class='post'>{head}{etree.tostring(own, encoding='unicode', method='html')}</div>"


def readings(body: bytes, page: Page) -> dict[str, str]:
    """What each way finds for one entry."""
    said = Announcement(title=page.title or None, summary=page.description or None)
    raw = RawPage(url="https://page.invalid/notes", body=body, content_type=_TYPE, announcement=said)
    part = zone_part(page.id)
    found = {
        "page": extract([raw])[0],
        "zone": part_of(raw, part, method="sigfeed"),
        "voted": part_of(raw, part),
    }
    return {name: _text(one) for name, one in found.items()}


def _text(found: Article | NoArticle | None) -> str:
    return found.text if isinstance(found, Article) else ""


def scored(pages: Sequence[Page], limit: int | None, *, titled: bool) -> Iterator[tuple[str, float]]:
    several = (one[:_MOST_ARTICLES] for one in channels(pages) if len(one) > 1)
    for some in islice(several, limit):
        body, used = composed(some, titled=titled)
        for page in used if len(used) > 1 else ():
            for name, text in readings(body, page).items():
                yield name, score(page.gold, text).f1


def line(name: str, found: Sequence[tuple[str, float]]) -> str:
    told = [name]
    for way in ("page", "zone", "voted"):
        values = sorted(value for one, value in found if one == way)
        told.append(f"{sum(values) / len(values):.3f} ({values[len(values) // 10]:.3f})" if values else "-")
    return f"{told[0]:32}{len(found) // 3:8}" + "".join(f"{one:>16}" for one in told[1:])


def main() -> None:
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--data", type=Path, required=True, metavar="FILE", nargs="+", help="sets or folders")
    reader.add_argument("--limit", type=whole_number, metavar="N", help="only the first N sites of each set")
    options = reader.parse_args()
    print(f"{'':32}{'entries':>8}{'page':>16}{'zone':>16}{'voted':>16}")
    try:
        for file in set_files(options.data):
            pages = list(read_set(file))
            for titled in (True, False):
                found = list(scored(pages, options.limit, titled=titled))
                print(line(f"{set_name(file)}{'' if titled else ', no headings'}", found), flush=True)
    except SetError as error:
        reader.error(str(error))


if __name__ == "__main__":
    sys.exit(main())
