"""What was learned on a site, as an entry of the knowledge base for a person to take over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.acquisition.sites.adaptation.slots import adapted_type
from archiver.acquisition.sites.knowledge.model import Level, SiteType
from archiver.acquisition.sites.knowledge.writing import yaml_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.acquisition.sites.adaptation.model import LearnedAction

_LONGEST_NAME = 60
_NOT_OF_NAMES = re.compile(r"[^a-z0-9]+")
_SOURCES = {"earlier": "earlier captures", "page": "what pages say of themselves"}


def entry_of(kind: SiteType, scope: str, learned: Sequence[LearnedAction]) -> str:
    """The YAML of a type for this site alone, below its application; comments tell where it comes from."""
    adapted = adapted_type(kind, learned)
    levels = (_own(level, learned) for level in adapted.levels)
    entry = SiteType(
        type=f"{kind.type}-{_NOT_OF_NAMES.sub('-', scope.lower()).strip('-')}"[:_LONGEST_NAME],
        parent=kind.type,
        site=(_place(scope),),
        levels=tuple(level for level in levels if level is not None),
    )
    return "\n".join(_provenance(scope, learned)) + "\n" + yaml_of(entry)


def _place(scope: str) -> str:
    """The host and path, without a port: that is how sites are named in the base."""
    parts = urlsplit(f"//{scope}")
    path = parts.path.rstrip("/")
    return f"{parts.hostname}{path}/" if path else parts.hostname or ""


def _own(level: Level, learned: Sequence[LearnedAction]) -> Level | None:
    """A level with the actions alone that something was learned of; each of them whole, as it replaces."""
    mine = {one.action for one in learned if one.level == level.name}
    parts = {name.partition("/")[0] for name in mine}
    own = Level(
        name=level.name,
        follow=tuple(one for one in level.follow if one.id in mine),
        extract=tuple(one for one in level.extract if one.key in mine),
        parts=tuple(one for one in level.parts if one.name in parts),
    )
    return own if own.follow or own.extract or own.parts else None


def _provenance(scope: str, learned: Sequence[LearnedAction]) -> Iterator[str]:
    yield f"# Learned on {scope}, and tried on pages beyond those that it was learned from."
    for one in learned:
        source = _SOURCES[one.learned_from]
        yield f"# {one.level} {one.action}: {one.path}"
        yield f"#   by {source}, cost {one.cost:g}, {one.passed} of {one.tried} pages as expected, from"
        yield from (f"#     {_one_line(page)}" for page in one.pages)


def _one_line(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)
