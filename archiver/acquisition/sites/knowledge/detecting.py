"""Which application is behind a page, and which level of it the page is."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.acquisition.sites.knowledge.anchors import anchors_of
from archiver.acquisition.sites.knowledge.index import LiteralIndex
from archiver.acquisition.sites.knowledge.model import ENOUGH
from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.selecting import select
from archiver.errors import OverBudget

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from archiver.acquisition.sites.knowledge.loading import KnowledgeBase
    from archiver.acquisition.sites.knowledge.model import Level, SiteType, TypePattern
    from archiver.documents.expressions.document import VirtualDocument

# Patterns that are verified on a page: more of them are ambiguous.
MOST_CANDIDATES = 200
_VERSION = re.compile(r"\d+(?:\.\d+)+|\d+")
_SHOWN = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing:
    """A pattern that fired, and on what."""

    pattern: str
    on: str
    weight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectedType:
    """A type that a page is of, by what was found on it."""

    type: str
    weight: int
    fired: tuple[Firing, ...] = ()
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """What a page is of: the most special type first, then by weight."""

    types: tuple[DetectedType, ...] = ()
    # Others that are as special and as heavy as the first.
    tied: tuple[str, ...] = ()
    # More patterns could have fired than are verified on a page.
    is_ambiguous: bool = False

    @property
    def type(self) -> str | None:
        return self.types[0].type if self.types else None

    @property
    def version(self) -> str:
        return self.types[0].version if self.types else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectedLevel:
    """The level of its type that a page is on."""

    level: Level
    fired: tuple[Firing, ...] = ()


class Detector:
    """Knows all types of a base by the literals of their patterns: made once for each process."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base
        self._index: LiteralIndex[tuple[str, int]] = LiteralIndex(
            ((name, number), anchors_of(pattern))
            for name, one in base.types.items()
            for number, pattern in enumerate(one.detect)
        )
        self._by_host = _by_host(base.types)

    def detect(
        self, document: VirtualDocument, budget: Budget | None = None, *, thorough: bool = False
    ) -> Detection:
        """The types that a page is of, with what says so; `thorough`, with everything that says so."""
        sited = self._sited(document)
        candidates = list(self._index.candidates(document))
        if not sited and not candidates:
            return Detection()
        verifying = _Verifying(self._base.types, document, budget or Budget())
        by_type: defaultdict[str, list[TypePattern]] = defaultdict(list)
        for name, number in candidates[:MOST_CANDIDATES]:
            one = self._base.types[name]
            if not one.site or name in sited:
                by_type[name].append(one.detect[number])
        enough = None if thorough or len(by_type) > 1 else ENOUGH
        found = [verifying.found(name, patterns, enough) for name, patterns in by_type.items()]
        found += [
            DetectedType(type=name, weight=ENOUGH) for name in sited if not self._base.types[name].detect
        ]
        types = self._ranked([one for one in found if one is not None])
        return Detection(types=types, tied=self._tied(types), is_ambiguous=len(candidates) > MOST_CANDIDATES)

    def _sited(self, document: VirtualDocument) -> list[str]:
        """The types that are of this site alone."""
        places = self._by_host.get(document.address.get("host", ""), ())
        return [name for name, path in places if document.address.get("path", "").startswith(path)]

    def _ranked(self, found: Sequence[DetectedType]) -> tuple[DetectedType, ...]:
        return tuple(sorted(found, key=lambda one: (-self._depth(one), -one.weight, one.type)))

    def _depth(self, one: DetectedType) -> int:
        return len(self._base.ancestry[one.type])

    def _tied(self, types: Sequence[DetectedType]) -> tuple[str, ...]:
        if not types:
            return ()
        rank = (self._depth(types[0]), types[0].weight)
        return tuple(one.type for one in types[1:] if (self._depth(one), one.weight) == rank)


@lru_cache(maxsize=2)
def detector_of(base: KnowledgeBase) -> Detector:
    """The detector of a base, made once."""
    return Detector(base)


def known_type(document: VirtualDocument, base: KnowledgeBase) -> SiteType | None:
    """The type that a page is of, if it is of one that is known."""
    found = detector_of(base).detect(document).type
    return base.types[found] if found else None


def level_of(one: SiteType, document: VirtualDocument, budget: Budget | None = None) -> DetectedLevel | None:
    """The first level, in the order of the file, whose patterns fire."""
    verifying = _Verifying({one.type: one}, document, budget or Budget())
    for level in one.levels:
        fired = verifying.fired(level.detect)
        if sum(firing.weight for firing in fired) >= ENOUGH:
            return DetectedLevel(level=level, fired=tuple(fired))
    return None


@dataclass(frozen=True, slots=True)
class _Verifying:
    """Patterns, tried on a page."""

    types: Mapping[str, SiteType]
    document: VirtualDocument
    budget: Budget

    def found(self, name: str, patterns: Iterable[TypePattern], enough: int | None) -> DetectedType | None:
        fired = self.fired(patterns, enough)
        weight = sum(firing.weight for firing in fired)
        if weight < ENOUGH:
            return None
        return DetectedType(type=name, weight=weight, fired=tuple(fired), version=self._version(name))

    def fired(self, patterns: Iterable[TypePattern], enough: int | None = None) -> list[Firing]:
        """The patterns that fire, until they weigh enough."""
        found: list[Firing] = []
        for pattern in patterns:
            if (on := self._first(pattern)) is not None:
                text = " and ".join(map(str, pattern.all))
                found.append(Firing(pattern=text, on=on, weight=pattern.weight))
            if enough is not None and sum(firing.weight for firing in found) >= enough:
                break
        return found

    def _first(self, pattern: TypePattern) -> str | None:
        """What the first expression of a pattern finds, where all of them find something."""
        try:
            found = [select(expression, self.document, self.budget) for expression in pattern.all]
        except OverBudget:
            return None
        return _shown(found[0][0]) if found and all(found) else None

    def _version(self, name: str) -> str:
        for pattern in self.types[name].detect:
            try:
                values = select(pattern.version, self.document, self.budget) if pattern.version else ()
            except OverBudget:
                return ""
            for value in values:
                text = value if isinstance(value, str) else "".join(map(str, value.itertext()))
                if found := _VERSION.search(text):
                    return found[0]
        return ""


def _shown(found: object) -> str:
    """What was found, as it would be written on the page."""
    if isinstance(found, str):
        return found[:_SHOWN]
    names = "".join(f' {name}="{value}"' for name, value in found.attrib.items())  # type: ignore[attr-defined]
    return f"<{found.tag}{names[:_SHOWN]}>"  # type: ignore[attr-defined]


def _by_host(types: Mapping[str, SiteType]) -> dict[str, list[tuple[str, str]]]:
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, one in types.items():
        for site in one.site:
            parts = urlsplit(site if "//" in site else f"//{site}")
            found[parts.hostname or ""].append((name, parts.path))
    return found
