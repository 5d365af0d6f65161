"""Two versions as one HTML file that loads nothing, runs nothing and leads nowhere."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.clock import rfc3339
from archiver.display.page import STYLE, html_page, safe
from archiver.inspection.history.diff_html import columns_html, inline_html, lists_html, title_html
from archiver.inspection.history.difference import words_in
from archiver.inspection.history.model import UNKNOWN_KIND
from archiver.inspection.history.spoken import bracket, kinds_in_words, second, words_counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.inspection.history.difference import Difference
    from archiver.inspection.history.model import ArticleHistory, VersionNote

# Colours are not all: what came is underlined, what went is struck through, and both are said to who listens.
_STYLE = """
:root { --added: #0b5b26; --added-paper: #d9f2df; --removed: #8c1c13; --removed-paper: #fbe0dd; }
@media (prefers-color-scheme: dark) { :root { --added: #9fe3b1; --added-paper: #12351d; --removed: #f5b0a8;
  --removed-paper: #431712; } }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt, summary { color: var(--soft); }
dd { margin: 0; }
ins { color: var(--added); background: var(--added-paper); text-decoration: underline; }
del { color: var(--removed); background: var(--removed-paper); text-decoration: line-through; }
ins::before, ins::after, del::before, del::after { position: absolute; width: 1px; height: 1px;
  overflow: hidden; clip-path: inset(100%); white-space: nowrap; }
ins::before { content: " [added: "; }
del::before { content: " [removed: "; }
ins::after, del::after { content: "] "; }
pre { overflow-x: auto; }
.columns { width: 100%; table-layout: fixed; border-collapse: collapse; }
.columns th, .columns td { padding: 0 .75rem; text-align: start; vertical-align: top; }
.columns td { border-top: 1px solid var(--line); }
"""
_BODY = """<main><h1>{title}</h1>
<dl>{facts}</dl>
{parts}
<p class="soft">All times are UTC.</p>
</main>"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Two versions of an article, and what is different."""

    article: ArticleHistory
    before: VersionNote
    now: VersionNote
    difference: Difference
    language: str | None = None
    program: str = "scrapy"  # as it was typed, for the commands that are named


def page_of(compared: Compared, *, in_columns: bool = False) -> str:
    article = compared.article
    title = f"{article.title or article.url}: version {compared.before.version} and {compared.now.version}"
    facts = "".join(f"<dt>{safe(name)}</dt><dd>{safe(text)}</dd>" for name, text in facts_of(compared))
    parts = "\n".join(_parts(compared, in_columns=in_columns))
    return html_page(title, _BODY.format(title=safe(title), facts=facts, parts=parts), style=STYLE + _STYLE)


def facts_of(compared: Compared) -> Iterator[tuple[str, str]]:
    """What is to be known before reading: of which versions, when the change came, how much of it."""
    article, before, now, difference = (
        compared.article, compared.before, compared.now, compared.difference,
    )  # fmt: skip
    yield "Address", article.url
    for note in (before, now):
        yield f"Version {note.version}", f"captured {second(note.captured)}"
    if now.version == before.version + 1:
        kinds = "" if now.kinds == (UNKNOWN_KIND,) else f"{kinds_in_words(now.kinds)}, "
        yield "Changed", kinds + bracket(now.unchanged_until or before.captured, now.captured)
    counted = words_counted(*(words_in(difference.text, kind) for kind in ("added", "removed")))
    yield "Text", counted or "the same words"
    for name in ("published", "modified"):
        if moment := getattr(now, name):
            yield name.capitalize(), second(moment)


def nothing_differs(compared: Compared) -> Iterator[str]:
    """A sentence where extraction shows no difference; where there is one all the same, how to see it."""
    earlier, later = sorted((compared.before, compared.now), key=lambda note: note.version)
    kinds = [kind for kind in later.kinds if kind != UNKNOWN_KIND]
    if later.version != earlier.version + 1 or not kinds:
        yield "There is no difference."
        return
    told = kinds_in_words(kinds)
    yield f"What changed ({told}) is in a part of the page that extraction left out. Both captures:"
    for note in (earlier, later):
        # Addresses may hold what a shell takes for orders.
        url = shlex.quote(compared.article.url)
        yield f"{compared.program} extract-record {url} --at {rfc3339(note.captured)} --payload"


def _parts(compared: Compared, *, in_columns: bool) -> Iterator[str]:
    language = f' lang="{safe(compared.language)}"' if compared.language else ""
    difference = compared.difference
    if not difference:
        told, *ways = nothing_differs(compared)
        yield f"<p>{safe(told)}</p>"
        if ways:
            yield f"<pre>{safe(chr(10).join(ways))}</pre>"
    yield f"<article{language}>"
    yield from title_html(difference)
    yield '<h2 lang="en">Text</h2>'
    if in_columns:
        heads = (f"Version {compared.before.version}", f"Version {compared.now.version}")
        yield from columns_html(difference, heads)
    else:
        yield from inline_html(difference, is_foldable=True)
    yield from lists_html(difference)
    yield "</article>"
