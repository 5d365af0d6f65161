"""Sites at a terminal: a table of all, and all that is known of one."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from archiver.acquisition.sites.model import SiteState
from archiver.display.tables import Coloured, TableColumn, folded, table_lines
from archiver.display.when import when

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.display.tables import Paint
    from archiver.inspection.sites.model import CountOf, SiteDetails, SiteList, SiteNote

_COLUMNS = (
    TableColumn(title="site", narrowest=36),
    TableColumn(title="state"),
    TableColumn(title="software", is_optional=True),
    TableColumn(title="strategy", is_optional=True),
    TableColumn(title="visited", is_number=True),
    TableColumn(title="waiting", is_number=True),
    TableColumn(title="skipped", is_number=True, is_optional=True),
    TableColumn(title="failed", is_number=True, is_optional=True),
    TableColumn(title="articles", is_number=True),
    TableColumn(title="contributions", is_number=True, is_optional=True),
    TableColumn(title="new text", is_number=True, is_optional=True),
)
_COLOURS = {SiteState.DONE: "green", SiteState.PAUSED: "yellow", SiteState.STOPPED: "yellow"}
_LABEL_WIDTH = 15
_LEVELS = (
    TableColumn(title="level"),
    TableColumn(title="visited", is_number=True),
    TableColumn(title="waiting", is_number=True),
    TableColumn(title="with content", is_number=True),
)


def site_table(found: SiteList, *, width: int | None, paint: Paint) -> Iterator[str]:
    rows = [_cells(one) for one in found.sites]
    return table_lines(_COLUMNS, rows, width=width, paint=paint)


def _cells(one: SiteNote) -> Sequence[str | Coloured]:
    return (
        one.url,
        Coloured(one.state, _COLOURS.get(one.state, "")),
        one.type or "–",
        one.way or one.strategy,
        str(one.visited),
        str(one.waiting),
        str(one.skipped),
        str(one.failed),
        str(one.articles),
        str(one.contributions),
        _share(one) or "–",
    )


def _share(one: SiteNote) -> str:
    """How much of the text came with the last requests."""
    if not one.text or one.text_new >= one.text:
        return ""
    return f"{100 * one.text_new / one.text:.1f} %"


def site_lines(found: SiteDetails, *, width: int | None, paint: Paint) -> Iterator[str]:
    for label, text in _facts(found):
        yield from _wrapped(f"{label:<{_LABEL_WIDTH}}{text}", width)
    if found.levels:
        yield ""
        rows = [_level(one.level, one.visited, one.waiting, one.content) for one in found.levels]
        yield from table_lines(_LEVELS, rows, width=width, paint=paint)
    yield from _broken(found, width)
    yield from _skipped(found, width)
    yield from _actions(found, width)
    yield from _adapted(found, width)


def _wrapped(line: str, width: int | None) -> list[str]:
    if width is None:
        return [line]
    # Addresses stay whole, to be copied.
    return textwrap.wrap(
        line,
        max(width, 3 * _LABEL_WIDTH),
        subsequent_indent=" " * _LABEL_WIDTH,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _level(level: str, *counts: int) -> Sequence[str]:
    return (level or "unknown", *map(str, counts))


def _facts(found: SiteDetails) -> Iterator[tuple[str, str]]:
    one = found.site
    yield "Site", one.url
    ordered = f"; {one.ordered} requested: the next run follows" if one.ordered else ""
    yield "State", f"{one.state}{f': {one.why}' if one.why else ''}{ordered}"
    yield "Software", one.type or "unknown"
    yield "Strategy", f"{one.way} (requested: {one.strategy})" if one.way else f"{one.strategy}, not started"
    if one.plan:
        yield "Plan", one.plan
    yield "Requests", f"{one.requests}{f' of {one.limit}' if one.limit else ''}"
    held = f", {one.held} held back" if one.held else ""
    deferred = f", {one.deferred} deferred" if one.deferred else ""
    yield "Documents", f"{one.visited} visited, {one.waiting} waiting{held}{deferred}"
    if one.skips:
        yield "Skipped", _counts(one.skips)
    if one.failures:
        yield "Failed", _counts(one.failures)
    yield "Articles", str(one.articles)
    yield "Contributions", str(one.contributions)
    if one.text:
        yield "Text", text_in_words(one)
    if found.patterns:
        yield "Patterns", f"{len(found.patterns)} pay: `scrapy site patterns {one.number}` shows them"
    yield "Started", when(one.added, found.now)
    if one.last_visit:
        yield "Last visit", when(one.last_visit, found.now)
    if one.ended:
        yield "Ended", when(one.ended, found.now)


def text_in_words(one: SiteNote) -> str:
    """`82,000 pairs of words after 279 requests, 0.3 % of them new in the last 50`."""
    told = f"{one.text:,} distinct pairs of words after {one.requests:,} requests"
    share = _share(one)
    return f"{told}, {share} of them new in the last {one.text_requests}" if share else told


def _counts(counts: Sequence[CountOf]) -> str:
    return ", ".join(f"{one.count} {one.words}" for one in counts)


def _broken(found: SiteDetails, width: int | None) -> Iterator[str]:
    if not found.broken:
        return
    yield ""
    yield "Broken links"
    for one in found.broken:
        yield folded(f"{one.url}: {one.words}, on", width)
        for page in one.pages:
            yield f"    {page}"
        if one.has_more:
            yield "    and perhaps more"
    if found.broken_total > len(found.broken):
        yield f"and {found.broken_total - len(found.broken)} more"


def _skipped(found: SiteDetails, width: int | None) -> Iterator[str]:
    if not found.skipped:
        return
    yield ""
    yield "Skipped addresses"
    for one in found.skipped:
        such = f", such as {one.examples[0]}" if one.examples else ""
        yield folded(f"{one.count} {one.words}{such}", width)


def _actions(found: SiteDetails, width: int | None) -> Iterator[str]:
    if not found.actions:
        return
    yield ""
    yield "Failed actions of the knowledge base"
    for one in found.actions:
        on = f"on {one.pages} pages" if one.pages != 1 else "on 1 page"
        yield folded(f"{one.action} ({one.level or 'no level'}): {on}, such as {one.example}", width)


def _adapted(found: SiteDetails, width: int | None) -> Iterator[str]:
    if not found.adapted:
        return
    yield ""
    yield "Actions learned on this site"
    for one in found.adapted:
        past = ", no longer used" if one.outdated else ""
        on = f"learned {when(one.learned, found.now)} from {len(one.pages)} pages, tried on {one.tried}"
        yield folded(f"{one.action} ({one.level}): {one.path}; {on}{past}", width)
