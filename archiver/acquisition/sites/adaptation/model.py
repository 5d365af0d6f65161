"""What is learned of a site: an action that the knowledge base lacks, with where it comes from."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from archiver.digests import name_digest

if TYPE_CHECKING:
    from collections.abc import Sequence


class LearnedFrom(StrEnum):
    """Where the values came from by which an action was learned."""

    EARLIER = "earlier"  # captures of the same pages, which the actions could read at that time
    PAGE = "page"  # what the page says of itself to any reader


class LearnedAction(msgspec.Struct, frozen=True, kw_only=True):
    """A path that does on a site what those of the knowledge base do elsewhere."""

    level: str
    # As `slots.py` names it: `title`, `comment`, `comment/author`.
    action: str
    path: str
    learned_from: LearnedFrom
    # How far it is from the paths of the knowledge base.
    cost: float
    pages: tuple[str, ...]  # that it was learned from
    tried: int  # pages beyond these on which it was tried
    passed: int  # of them, how many it read as expected


def digest_of(learned: Sequence[LearnedAction]) -> str:
    """What names a set of learned actions; empty where nothing was learned."""
    return (
        name_digest("\n".join(f"{one.level} {one.action} {one.path}" for one in learned)) if learned else ""
    )


class Adapted(msgspec.Struct, frozen=True, kw_only=True):
    """What came of looking at the actions of a level that find nothing."""

    learned: tuple[LearnedAction, ...] = ()
    # Actions that fail although what they look for is there, learned or not.
    failed: tuple[str, ...] = ()
    problem: str = ""
