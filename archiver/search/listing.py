"""What was found, in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.display.tables import many, printable, shortened, size_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from archiver.search.model import Hit, SearchRequest, SearchResult

    Paint = Callable[[str, str], str]

INDENT = " " * 18
_LONGEST_TITLE = 200


def lines_of(hit: Hit, paint: Paint, *, with_snippet: bool) -> Iterator[str]:
    """When and what; where; the words around. Addresses are whole, to be copied."""
    title = shortened(printable(_title(hit)), _LONGEST_TITLE)
    yield f"{hit.published or hit.captured:%Y-%m-%d %H:%M}  {paint(title, 'bold')}{_notes(hit)}"
    yield f"{INDENT}{printable(hit.own_url or hit.url)}{paint(_channel(hit), 'grey')}"
    words = "".join(
        paint(printable(piece.text), "green") if piece.marked else _with_spaces(piece.text)
        for piece in hit.snippet
    )
    if with_snippet and words.strip():
        yield f"{INDENT}{words.strip()}"


def _title(hit: Hit) -> str:
    """Of what readers wrote: what it is, by whom, and on what. A post of a network is on nothing."""
    title = hit.title or "(without a title)"
    if not hit.contribution:
        return title
    by = f" by {hit.authors[0]}" if hit.authors else ""
    on = f" on {title}" if hit.article else f": {hit.title}" if hit.title else ""
    return f"{hit.kind.capitalize()}{by}{on}"


def _with_spaces(text: str) -> str:
    """Printable, with the spaces around it that part it from its neighbours."""
    before, after = (" " if one.isspace() else "" for one in (text[:1], text[-1:]))
    return f"{before}{printable(text)}{after}" if text.strip() else " "


def _notes(hit: Hit) -> str:
    told = [] if hit.newest else ["an earlier version"]
    told += [f"version {hit.version}"] if hit.version > 1 else []
    told += ["gone"] if hit.gone else []
    return f"  ({', '.join(told)})" if told else ""


def _channel(hit: Hit) -> str:
    if hit.channel is None:
        return ""
    return f"  ({hit.channel.number}  {shortened(printable(hit.channel.title or hit.channel.url), 60)})"


def count_in_words(result: SearchResult, shown: int) -> str:
    """How many there are, and what the index lacks."""
    more = "" if result.total_is_exact else "more than "
    told = f"{more}{result.total:,} found" if result.total else "Nothing was found"
    if shown < result.total or not result.total_is_exact:
        told += f", {shown} shown"
    if result.ranked_among:
        told += f"; ranked among the newest {result.ranked_among:,}"
    return f"{told[0].upper()}{told[1:]}. All times are UTC."


def lag_in_words(result: SearchResult) -> str:
    return (
        f"{size_in_words(result.behind)} of objects are not in the search index yet:"
        " the next crawl takes them in, or `scrapy search --build`"
    )


def built_in_words(fed: int, unreadable: int, papers: int, contributed: int = 0) -> str:
    told = f"The search index has {many(fed, 'version')} of articles"
    told += f", {many(contributed, 'version')} of what readers wrote" if contributed else ""
    told += f" and {many(papers, 'PDF document')}" if papers else ""
    return told + (f"; {many(unreadable, 'object')} could not be read" if unreadable else "") + "."


def request_in_words(request: SearchRequest) -> str:
    """`ferry; by Smith; since 2026-03-02`: what a selection is called."""
    named = (
        ("channel", ", ".join(request.channel)),
        ("label", ", ".join(request.label)),
        ("by", request.author),
        ("category", request.category),
        ("in", request.language),
        ("since", f"{request.since:%Y-%m-%d %H:%M}" if request.since else ""),
        ("until", f"{request.until:%Y-%m-%d %H:%M}" if request.until else ""),
        ("", request.change),
        ("confidence", f"{request.confidence:g}" if request.confidence else ""),
        ("only", request.kind),
        ("", "all versions" if request.all_versions else ""),
    )
    told = [request.words.strip(), *(f"{name} {value}".strip() for name, value in named if value)]
    return "; ".join(part for part in told if part) or "All articles"
