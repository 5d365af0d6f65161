"""What a type has from those above it: category, application, site. Its own words win, by name and id."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from archiver.acquisition.sites.knowledge.model import Level, SameRule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from archiver.acquisition.sites.knowledge.model import SiteType

_T = TypeVar("_T")


def parent_of(one: SiteType, types: Mapping[str, SiteType]) -> str:
    """The type above: the parent that it names, or else the type that its category is, if there is one."""
    if one.parent:
        return one.parent
    return one.category if one.category and one.category != one.type and one.category in types else ""


def ancestry(name: str, types: Mapping[str, SiteType]) -> tuple[str, ...]:
    """The type and those above it, itself first; up to where a cycle closes."""
    found: list[str] = []
    while name and name in types and name not in found:
        found.append(name)
        name = parent_of(types[name], types)
    return tuple(found)


def inherited(name: str, types: Mapping[str, SiteType]) -> SiteType:
    """The type with everything from those above it."""
    own, *above = (types[one] for one in ancestry(name, types))
    for parent in above:
        own = _joined(own, parent)
    return own


def _joined(own: SiteType, parent: SiteType) -> SiteType:
    # Not how it is detected: every page of a type would be one of all types below it.
    return replace(
        own,
        category=own.category or parent.category,
        avoid=own.avoid + tuple(one for one in parent.avoid if one not in own.avoid),
        same=_same(own.same, parent.same),
        lists=own.lists or parent.lists,
        levels=tuple(_merged(own.levels, parent.levels, lambda level: level.name, _joined_level)),
    )


def _same(own: SameRule, parent: SameRule) -> SameRule:
    drop = tuple(dict.fromkeys(own.drop + parent.drop))
    return SameRule(drop=drop, canonical=parent.canonical if own.canonical is None else own.canonical)


def _joined_level(own: Level, parent: Level) -> Level:
    return Level(
        name=own.name,
        kind=own.kind or parent.kind,
        detect=own.detect + tuple(one for one in parent.detect if one not in own.detect),
        follow=tuple(_merged(own.follow, parent.follow, lambda action: action.id)),
        extract=tuple(_merged(own.extract, parent.extract, lambda action: action.key)),
        parts=tuple(_merged(own.parts, parent.parts, lambda part: part.name)),
        order=own.order or parent.order,
    )


def _merged(
    own: Sequence[_T],
    parent: Sequence[_T],
    key: Callable[[_T], str],
    join: Callable[[_T, _T], _T] | None = None,
) -> list[_T]:
    """Own ones first; those of the parent behind them, unless they have the name of an own one."""
    above = {key(one): one for one in parent}
    found = [join(one, above[key(one)]) if join and key(one) in above else one for one in own]
    names = {key(one) for one in own}
    return found + [one for one in parent if key(one) not in names]
