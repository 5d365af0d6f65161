"""Why a page is taken for what it is by the knowledge base, and what each action finds on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.sites.knowledge.detecting import Detection, Firing, detector_of, level_of
from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.selecting import select
from archiver.documents.pages.links import text_within
from archiver.documents.pages.text import one_line
from archiver.errors import OverBudget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.acquisition.sites.knowledge.loading import KnowledgeBase
    from archiver.acquisition.sites.knowledge.model import Expect, ExtractAction, Level, PartRule
    from archiver.documents.expressions.document import VirtualDocument
    from archiver.documents.expressions.model import Expression

# Of what an action finds: enough to see what it is.
_EXAMPLES = 3
_SHOWN = 70


class FoundByAction(msgspec.Struct, frozen=True, kw_only=True):
    """What an action finds on a page."""

    action: str
    # The first of its paths that finds anything; empty where none does.
    path: str = ""
    found: int = 0
    examples: tuple[str, ...] = ()
    # It was expected to find something, and did not, or more than one.
    failed: bool = False


class PageExplanation(msgspec.Struct, frozen=True, kw_only=True):
    """What the knowledge base makes of a page."""

    type: str = ""
    name: str = ""
    version: str = ""
    fired: tuple[Firing, ...] = ()
    # Other types that it is as well, and those that are as special and as heavy.
    also: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    is_ambiguous: bool = False
    level: str = ""
    kind: str = ""
    level_fired: tuple[Firing, ...] = ()
    actions: tuple[FoundByAction, ...] = ()


def explain_page(document: VirtualDocument, base: KnowledgeBase) -> PageExplanation:
    """The type, the level, and what every action of the level finds."""
    found = detector_of(base).detect(document, thorough=True)
    if found.type is None:
        return PageExplanation(is_ambiguous=found.is_ambiguous)
    one, budget = base.types[found.type], Budget()
    level = level_of(one, document, budget)
    return PageExplanation(
        type=one.type,
        name=one.title,
        version=found.version,
        fired=found.types[0].fired,
        also=_also(found),
        tied=found.tied,
        is_ambiguous=found.is_ambiguous,
        level=level.level.name if level else "",
        kind=level.level.kind or "" if level else "",
        level_fired=level.fired if level else (),
        actions=tuple(_Trying(document, budget).actions(level.level)) if level else (),
    )


def _also(found: Detection) -> tuple[str, ...]:
    return tuple(one.type for one in found.types[1:])


class _Trying:
    """The actions of a level, tried on a page."""

    def __init__(self, document: VirtualDocument, budget: Budget) -> None:
        self._document = document
        self._budget = budget

    def actions(self, level: Level) -> Iterator[FoundByAction]:
        for follow in level.follow:
            name = f"follow {follow.id} → {follow.to}"
            yield self._tried(name, follow.path, follow.expect, self._on_page)
        for extract in level.extract:
            yield self._tried(f"extract {extract.key}", extract.path, extract.expect, self._on_page)
        for part in level.parts:
            yield from self._part(part)

    def _part(self, part: PartRule) -> Iterator[FoundByAction]:
        found = self._tried(f"parts {part.name}", part.each, "any", self._on_page)
        yield found
        each = [one for path in part.each[:] if str(path) == found.path for one in self._on_page(path)]
        elements = [one for one in each if not isinstance(one, str)]
        if not elements:
            return
        own = [("key", part.key), ("parent", part.parent)]
        fields: list[tuple[str, Sequence[Expression], ExtractAction | None]] = [
            *((name, paths, None) for name, paths in own if paths),
            *((action.key, action.path, action) for action in part.extract),
        ]
        for name, paths, action in fields:
            expect: Expect = action.expect if action else "any"
            within = self._within(elements)
            yield self._tried(f"parts {part.name} · {name}", paths, expect, within, most=len(elements))

    def _tried(
        self,
        name: str,
        paths: Sequence[Expression],
        expect: Expect,
        find: Callable[[Expression], list[Element | str]],
        most: int = 1,
    ) -> FoundByAction:
        for path in paths:
            if found := find(path):
                return FoundByAction(
                    action=name,
                    path=str(path),
                    found=len(found),
                    examples=tuple(_shown(one) for one in found[:_EXAMPLES]),
                    failed=expect == "one" and len(found) > most,
                )
        return FoundByAction(action=name, failed=expect != "any")

    def _on_page(self, path: Expression) -> list[Element | str]:
        return self._selected(path, self._document)

    def _within(self, elements: Sequence[Element]) -> Callable[[Expression], list[Element | str]]:
        """The first that a path finds in each, without what is in another of them."""
        every = frozenset(elements)

        def find(path: Expression) -> list[Element | str]:
            found = (self._selected(path, one, every - {one}) for one in elements)
            return [one[0] for one in found if one]

        return find

    def _selected(
        self, path: Expression, place: Element | VirtualDocument, outside: frozenset[Element] = frozenset()
    ) -> list[Element | str]:
        try:
            return select(path, place, self._budget, outside=outside)
        except OverBudget:
            return []


def _shown(found: Element | str) -> str:
    text = one_line(found) if isinstance(found, str) else text_within(found)
    return f"{text[: _SHOWN - 1]}…" if len(text) > _SHOWN else text
