"""The gazette's pages: four templates, and another one for each section that is redesigned."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sample.gazette.model import LINK
from sample.gazette.spelling import respelt
from sample.markup import joined, render

if TYPE_CHECKING:
    from sample.gazette.model import Block
    from sample.gazette.surroundings import Around

# Behind so many blocks of an article stand an advertisement, a box of links, an invitation.
_AD, _READ_MORE, _NEWSLETTER = 3, 5, 6


def page_html(around: Around) -> str:
    section = around.article.section
    design = "new" if around.count("redesign") else "old"
    page = render(f"gazette_{section}_{design}.html", **_slots(around))
    return respelt(page, around)


def _slots(around: Around) -> dict[str, str]:
    bars = [
        around.links("most read", 5),
        around.ad("advertisement outside", "rail", 1),
        '<div class="weather"><h3>Weather</h3><p>Wind from the west, rain on the tops.</p></div>',
    ]
    if around.count("side bars") % 2:
        bars.reverse()
    charset = "iso-8859-1" if around.count("encoding") % 2 else "utf-8"
    return {
        "charset": charset,
        "head": around.head(),
        "banner": around.cookie_banner(),
        "ad_top": around.ad("advertisement outside", "top"),
        "title": escape(around.story.title),
        "author": escape(around.article.author),
        "share": around.share_line(),
        "dates": around.date_line(),
        "views": around.views(),
        "body": body_html(around),
        "author_box": around.author_box(),
        "related": around.links("related links", 4),
        "comments": around.comments(),
        "side_bars": joined(bars),
        "scripts": around.scripts(),
    }


def body_html(around: Around) -> str:
    """The blocks with what sites put between them."""
    pieces = [block_html(block) for block in around.story.blocks]
    pieces.insert(_NEWSLETTER, around.newsletter())
    pieces.insert(_READ_MORE, around.links("related inside", 2))
    pieces.insert(_AD, around.ad("advertisement inside", "inline", 2))
    return joined(piece for piece in pieces if piece)


def block_html(block: Block) -> str:
    if block.kind == "figure":
        words = f"<figcaption>{inline(block.text)}</figcaption>" if block.text else ""
        return f'<figure><img src="{block.image}" alt="" width="640" height="400">{words}</figure>'
    if block.kind == "list":
        return f"<ul>{''.join(f'<li>{inline(item)}</li>' for item in block.items)}</ul>"
    if block.kind == "table":
        rows = ("".join(f"<td>{inline(cell)}</td>" for cell in row) for row in block.rows)
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
    if block.kind == "quote":
        return f"<blockquote><p>{inline(block.text)}</p></blockquote>"
    return f"<{block.kind}>{inline(block.text)}</{block.kind}>"


def inline(text: str) -> str:
    return LINK.sub(r'<a href="\2">\1</a>', escape(text, quote=False))
