"""A selection as one HTML file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.display.page import STYLE, html_page, safe
from archiver.display.tables import many
from archiver.inspection.selection.markup import article_markup

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from archiver.inspection.selection.model import ChosenArticle

_STYLE = STYLE + "article { border-top: 1px solid var(--line); margin-top: 2rem; }\n"


def selection_page(title: str, articles: Sequence[ChosenArticle], made: datetime) -> str:
    """The articles one after the other, with a list of them before."""
    listed = "".join(
        f'<li><a href="#a{number}">{safe(one.title)}</a></li>' for number, one in enumerate(articles, 1)
    )
    body = "".join(
        f'<section id="a{number}">{article_markup(one)}</section>' for number, one in enumerate(articles, 1)
    )
    told = f"{many(len(articles), 'article')}, taken from the archive on {made:%Y-%m-%d}"
    return html_page(
        title,
        f'<main><h1>{safe(title)}</h1><p class="soft">{told}</p><nav><ol>{listed}</ol></nav>{body}</main>',
        style=_STYLE,
    )
