"""The knowledge base in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.sites.knowledge.model import ENOUGH
from archiver.display.tables import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.acquisition.sites.knowledge.explaining import PageExplanation
    from archiver.acquisition.sites.knowledge.loading import KnowledgeBase
    from archiver.acquisition.sites.knowledge.model import (
        AvoidRule,
        ExtractAction,
        Level,
        ListSource,
        SameRule,
        SiteType,
        TypePattern,
    )
    from archiver.documents.expressions.model import Expression

_KINDS = {"intermediate": "links to other pages", "terminal": "content"}
_ORDERS = {"newest": ", the newest first", "oldest": ", the oldest first"}


def type_rows(base: KnowledgeBase) -> list[tuple[str, ...]]:
    """A row for each type: its name, category, parent, levels, and on what it was tried."""
    return [
        (
            name,
            one.title,
            one.category or "",
            next(iter(base.ancestry[name][1:]), ""),
            ", ".join(level.name for level in one.levels),
            _tested(one) or "untried",
        )
        for name, one in base.types.items()
    ]


def _tested(one: SiteType) -> str:
    return ", ".join(dict.fromkeys(trial.version or trial.on for trial in one.tested))


def type_lines(name: str, base: KnowledgeBase) -> Iterator[str]:
    """Everything that is known of a type, with what it has from those above it."""
    one = base.types[name]
    yield f"{one.title} ({' < '.join(base.ancestry[name])}), {one.category}"
    yield f"  from {base.files[name]}"
    for trial in one.tested:
        told = " ".join(filter(None, [trial.version, trial.theme and f"with {trial.theme}", trial.on]))
        yield f"  tried on {told}"
    if not one.tested:
        yield "  untried"
    if one.site:
        yield f"  only on {', '.join(one.site)}"
    yield from _section("Detected by", [_pattern(pattern) for pattern in one.detect])
    yield from _section("Never followed", [line for rule in one.avoid for line in _avoided(rule)])
    yield from _section("Same page", list(_same(one.same)))
    yield from _section("Lists", [_list(source) for source in one.lists])
    for level in one.levels:
        yield from _section(f"Level {level.name}: {_kind(level)}", list(_level(level)))


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield title
        yield from (f"  {line}" for line in lines)


def _kind(level: Level) -> str:
    return _KINDS.get(level.kind or "", "") + _ORDERS.get(level.order or "", "")


def _pattern(pattern: TypePattern) -> str:
    weight = f" (counts {pattern.weight} of {ENOUGH})" if pattern.weight < ENOUGH else ""
    version = f", version in {pattern.version}" if pattern.version else ""
    return " and ".join(map(str, pattern.all)) + weight + version


def _avoided(rule: AvoidRule) -> Iterator[str]:
    for name, values in (("parameters", rule.query), ("paths", rule.path), ("shapes", rule.shape)):
        if values:
            yield f"{name} {', '.join(values)}"


def _same(rule: SameRule) -> Iterator[str]:
    if rule.canonical:
        yield "canonical links are trusted"
    if rule.drop:
        yield f"without the parameters {', '.join(rule.drop)}"


def _list(source: ListSource) -> str:
    to = f" → {source.to}" if source.to else ""
    if source.sitemap is not None:
        only = f", only {source.sitemap.only}" if source.sitemap.only else ""
        return f"sitemap {source.sitemap.at or 'that robots.txt names'}{only}{to}"
    if source.api is not None:
        return f"API {source.api.at}{to}"
    return f"page {source.page}{to}" if source.page is not None else f"paged feed{to}"


def _level(level: Level) -> Iterator[str]:
    for pattern in level.detect:
        yield f"detected by {_pattern(pattern)}"
    for follow in level.follow:
        more = ", page after page" if follow.repeat else ""
        more += ", when crawled again" if follow.when == "stale" else ""
        yield f"follow {follow.id} → {follow.to}{more}: {_paths(follow.path)}"
    yield from (_extract(action) for action in level.extract)
    for part in level.parts:
        yield f"each {part.kind}: {_paths(part.each)}"
        for name, paths in (("key", part.key), ("parent", part.parent)):
            if paths:
                yield f"  {name}: {_paths(paths)}"
        yield from (f"  {_extract(action)}" for action in part.extract)


def _extract(action: ExtractAction) -> str:
    reading = "" if action.reading == "text" else f" as {action.reading}"
    form = f" ({' or '.join(action.form)})" if action.form else ""
    return f"take {action.key}{reading}{form}: {_paths(action.path)}"


def _paths(paths: Sequence[Expression]) -> str:
    return ", else ".join(map(str, paths))


def explanation_lines(told: PageExplanation) -> Iterator[str]:
    """A page, as the knowledge base sees it."""
    if not told.type:
        ambiguous = "Too many patterns could match, so not all were tried. " if told.is_ambiguous else ""
        yield f"{ambiguous}No type in the knowledge base matches this page."
        return
    yield f"{told.name} {told.version}".rstrip() + f" ({told.type})"
    for firing in told.fired:
        yield f"  {firing.pattern}"
        yield f"    on {printable(firing.on)}"
    if told.tied:
        yield f"  Equally likely: {', '.join(told.tied)}"
    if others := [name for name in told.also if name not in told.tied]:
        yield f"  Also: {', '.join(others)}"
    yield ""
    if not told.level:
        yield f"No level of {told.name} matches this page."
        return
    yield f"Level {told.level}: {_KINDS.get(told.kind, '')}"
    for firing in told.level_fired:
        yield f"  {firing.pattern}"
        yield f"    on {printable(firing.on)}"
    if told.actions:
        yield ""
        yield "Actions"
    for action in told.actions:
        note = "  FAILED" if action.failed else ""
        yield f"  {action.action}: {action.found}{f' by {action.path}' if action.path else ''}{note}"
        yield from (f"    {printable(example)}" for example in action.examples if example)
