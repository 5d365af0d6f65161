"""The places of a level that hold paths: what can fail, be learned, and be put in place."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec.structs import replace

from archiver.documents.expressions.parsing import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from archiver.acquisition.sites.adaptation.model import LearnedAction
    from archiver.acquisition.sites.knowledge.model import (
        ExtractAction,
        FollowAction,
        Level,
        PartRule,
        SiteType,
    )
    from archiver.documents.expressions.model import Expression

    Paths = Mapping[str, tuple[Expression, ...]]


class SlotValue(StrEnum):
    """As what a value is compared."""

    TEXT = "text"
    DATE = "date"
    LINK = "link"
    BODY = "body"  # a long text, of which most must agree
    PART = "part"  # an element that holds one contribution


# Of these fields a page has one value: the first that is found is taken.
_SINGLE = frozenset({"title", "published", "modified", "body"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionSlot:
    """One action of a level, and its paths."""

    name: str
    kind: SlotValue
    paths: tuple[Expression, ...]
    field: str = ""
    # Only the first value that is found counts.
    is_single: bool = False
    follow: FollowAction | None = None
    extract: ExtractAction | None = None
    # The part whose elements it finds, or within which it looks.
    part: PartRule | None = None

    @property
    def is_within(self) -> bool:
        """Whether it looks within the elements of a part."""
        return self.part is not None and self.extract is not None


def slots_of(level: Level) -> Iterator[ActionSlot]:
    """All actions of a level; those within a part behind the one that finds its elements."""
    for action in level.extract:
        yield _extracting(action.key, action)
    for follow in level.follow:
        yield ActionSlot(
            name=follow.id, kind=SlotValue.LINK, paths=follow.path, field=follow.id, follow=follow
        )
    for part in level.parts:
        yield ActionSlot(name=part.name, kind=SlotValue.PART, paths=part.each, field=part.kind, part=part)
        for action in part.extract:
            yield _extracting(f"{part.name}/{action.key}", action, part)


def _extracting(name: str, action: ExtractAction, part: PartRule | None = None) -> ActionSlot:
    kind = SlotValue.TEXT
    if action.field == "body":
        kind = SlotValue.BODY
    elif action.reading == "date" or action.field in {"published", "modified"}:
        kind = SlotValue.DATE
    return ActionSlot(
        name=name,
        kind=kind,
        paths=action.path,
        field=action.field,
        is_single=action.field in _SINGLE or part is not None,
        extract=action,
        part=part,
    )


def adapted_type(kind: SiteType, learned: Iterable[LearnedAction]) -> SiteType:
    """The type as a site has it: what was learned there is looked for before what is known of others."""
    by_level: defaultdict[str, defaultdict[str, tuple[Expression, ...]]] = defaultdict(
        lambda: defaultdict(tuple)
    )
    for one in learned:
        by_level[one.level][one.action] += (parse(one.path),)
    if not by_level:
        return kind
    levels = (_adapted(level, by_level[level.name]) for level in kind.levels)
    return replace(kind, levels=tuple(levels))


def _adapted(level: Level, paths: Paths) -> Level:
    return replace(
        level,
        extract=_with_paths(level.extract, paths),
        follow=tuple(replace(one, path=_first(paths.get(one.id, ()), one.path)) for one in level.follow),
        parts=tuple(_adapted_part(part, paths) for part in level.parts),
    )


def _adapted_part(part: PartRule, paths: Paths) -> PartRule:
    return replace(
        part,
        each=_first(paths.get(part.name, ()), part.each),
        extract=_with_paths(part.extract, paths, f"{part.name}/"),
    )


def _with_paths(
    actions: Sequence[ExtractAction], paths: Paths, prefix: str = ""
) -> tuple[ExtractAction, ...]:
    return tuple(replace(one, path=_first(paths.get(prefix + one.key, ()), one.path)) for one in actions)


def _first(learned: tuple[Expression, ...], known: tuple[Expression, ...]) -> tuple[Expression, ...]:
    return learned + tuple(one for one in known if one not in learned)
