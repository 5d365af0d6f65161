"""A knowledge base that knows less: without the paths that serve one theme of an application."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from archiver.acquisition.sites.adaptation.slots import slots_of
from archiver.acquisition.sites.adaptation.values import values_of
from archiver.acquisition.sites.reading import VisitedDocument, site_page
from archiver.acquisition.sites.typed_page import TypedPage, virtual_of
from archiver.archive.warc.reader import read_response
from archiver.archive.warc.records import Capture
from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.model import Condition, Expression, PathStep, Route
from archiver.documents.expressions.selecting import select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from archiver.acquisition.sites.adaptation.slots import ActionSlot
    from archiver.acquisition.sites.knowledge.model import Level, PartRule, SiteType

    Changed = Callable[[str, str, tuple[Expression, ...]], tuple[Expression, ...]]

# The level, the action and the path.
Used = set[tuple[str, str, str]]
_NODES = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPage:
    """A page that a crawl captured, of a level that is known."""

    known: TypedPage
    level: Level


def pages_of(archive: Path, kind: SiteType) -> Iterator[ReadPage]:
    """Read the pages of an archive that has one site."""
    with closing(sqlite3.connect(f"file:{archive / 'state.sqlite'}?mode=ro", uri=True)) as state:
        (scope,) = state.execute("SELECT scope FROM sites").fetchone()
        mine = "state = 'settled' AND outcome = 'read' AND reading = 'page'"
        rows = state.execute(f"SELECT url, capture FROM visits WHERE {mine} ORDER BY id").fetchall()
    for url, written in rows:
        capture = msgspec.json.decode(written, type=Capture)
        stored = read_response(archive / "warc", capture.file, capture.offset)
        page = site_page(
            VisitedDocument(
                url=url,
                content=stored.content,
                content_type=stored.content_type,
                status=stored.status,
                headers=stored.headers,
                scope=scope,
            )
        )
        if page is not None:
            known = TypedPage(page=page, type=kind, virtual=virtual_of(page), budget=Budget(_NODES))
            if (level := known.level) is not None:
                yield ReadPage(known=known, level=level)


def used_paths(archive: Path, kind: SiteType) -> Used:
    """Return the paths that find something on the pages of an archive."""
    used: Used = set()
    for page in pages_of(archive, kind):
        for slot in slots_of(page.level):
            places = page.known.first(slot.part.each) if slot.part and slot.is_within else [None]
            for path in slot.paths:
                place = (page.level.name, slot.name, str(path))
                if place not in used and any(_finds(page.known, path, one) for one in places):
                    used.add(place)
    return used


def _finds(known: TypedPage, path: Expression, place: object) -> bool:
    return bool(select(path, known.virtual if place is None else place, known.budget))  # type: ignore[arg-type]


def without_paths(kind: SiteType, used: Used) -> SiteType:
    """Take these paths out; the only one of an action stays: it is not of one theme."""

    def change(level: str, action: str, paths: tuple[Expression, ...]) -> tuple[Expression, ...]:
        return tuple(path for path in paths if (level, action, str(path)) not in used) or paths

    return _changed(kind, change)


def renamed(kind: SiteType) -> SiteType:
    """Give all names in the paths of actions another one, as if every class and id of a theme were new."""

    def change(level: str, action: str, paths: tuple[Expression, ...]) -> tuple[Expression, ...]:
        del level, action
        return tuple(Expression(tuple(map(_route, path.routes))) for path in paths)

    return _changed(kind, change)


def _route(route: Route) -> Route:
    return Route(steps=tuple(map(_step, route.steps)), absolute=route.absolute)


def _step(step: PathStep) -> PathStep:
    predicates = tuple(
        Condition(one.test, one.subject, one.name, f"{one.literal}-of-old", one.negated)
        if isinstance(one, Condition) and one.name in {"class", "id"}
        else one
        for one in step.predicates
    )
    return PathStep(axis=step.axis, tag=step.tag, predicates=predicates, pick=step.pick)


def _changed(kind: SiteType, change: Changed) -> SiteType:
    """Change what is taken from content, and how it goes on; the ways to it stay, or nothing is crawled."""
    levels = []
    for level in kind.levels:
        name = level.name
        if not level.is_terminal:
            levels.append(level)
            continue
        extract = tuple(replace(one, path=change(name, one.key, one.path)) for one in level.extract)
        follow = tuple(
            replace(one, path=change(name, one.id, one.path)) if one.repeat else one for one in level.follow
        )
        parts = tuple(_changed_part(name, part, change) for part in level.parts)
        levels.append(replace(level, extract=extract, follow=follow, parts=parts))
    return replace(kind, levels=tuple(levels))


def _changed_part(level: str, part: PartRule, change: Changed) -> PartRule:
    extract = (replace(one, path=change(level, f"{part.name}/{one.key}", one.path)) for one in part.extract)
    return replace(part, each=change(level, part.name, part.each), extract=tuple(extract))


def found_by(page: ReadPage, slot: ActionSlot, full: ActionSlot) -> list[object]:
    """Return what an action finds; of one within parts, in each part that the full base finds."""
    known = page.known
    if slot.part is None:
        return list(values_of(known, slot, slot.paths))
    if not slot.is_within:
        found = (one for one in known.first(slot.paths) if not isinstance(one, str))
        return [one.getroottree().getpath(one) for one in found]
    elements = [one for one in known.first(full.part.each if full.part else ()) if not isinstance(one, str)]
    every = frozenset(elements)
    return [tuple(values_of(known, slot, slot.paths, one, every - {one})) for one in elements]
