"""The rows of a bench of whole sites as lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COLUMNS = (
    ("strategy", "strategy", 15),
    ("requests", "requests", 9),
    ("ratio", "× ideal", 8),
    ("requests_nearly_all", "to 99 %", 8),
    ("text", "text", 8),
    ("text_across", "across", 8),
    ("items", "items", 8),
    ("authors", "author", 8),
    ("times", "time", 8),
    ("comments", "comments", 9),
    ("comment_authors", "c.author", 9),
    ("comment_times", "c.time", 8),
    ("links", "links", 8),
    ("links_raw", "raw", 8),
    ("text_in_objects", "objects", 8),
    ("f1", "F1", 6),
)
# A share of nothing is not printed.
_OF = {"comments": "comments_wanted", "comment_authors": "comments_wanted", "links": "links_wanted"}
BARS = """\
requests   all HTTP requests but robots.txt; × ideal: against what a crawler that knows the application needs;
           to 99 %: requests until 99 % of the text was there
text       share of the truth's pairs of words on the pages, within blocks; across: over blocks as well
items      of a peer: their pages were fetched; of ours: their articles have at least 90 % of their words
comments   of a peer: their words are on a page; of ours: found below their item, author right, time right
           where it is known; c.author, c.time: by themselves
links      external links of items, comments and their pages, without those of the frame; raw: of all that any
           crawl here saw
objects    the truth's pairs of words in articles and contributions; F1: texts of articles against the items'
author, time   of articles that are items, where the pages say it"""


def lines_of(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        return
    ideal = rows[0]["ideal"]
    yield f"\n{rows[0]['app']}" + (f": {ideal} requests would do" if ideal else "")
    yield "".join(
        title.rjust(width) if at else title.ljust(width) for at, (_, title, width) in enumerate(COLUMNS)
    )
    for row in rows:
        if "problem" in row:
            yield f"{row['strategy']:<15} failed: {row['problem']}"
            continue
        cells = (_cell(name, row.get(name), width, row) for name, _, width in COLUMNS)
        yield "".join(cells)


def _cell(name: str, value: Any, width: int, row: dict[str, Any]) -> str:
    if name == "strategy":
        return f"{value:<{width}}"
    if value is None or not row.get(_OF.get(name, ""), 1):
        return "–".rjust(width)
    if name == "requests":
        return f"{'≥ ' if row.get('cut') else ''}{value:,}".rjust(width)
    if name == "requests_nearly_all":
        return f"{value:,}".rjust(width)
    if name in {"ratio", "f1"}:
        return f"{value:.2f}".rjust(width)
    return f"{_percent(value)} %".rjust(width)


def _percent(share: float) -> str:
    """One digit, and never 100 for what is not all."""
    return "100" if share == 1 else f"{min(99.9, 100 * share):.1f}"
