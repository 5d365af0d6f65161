"""What the gazette publishes, what can happen to it, and what is true of it afterwards."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from random import Random

BlockKind = Literal["p", "h2", "quote", "list", "table", "figure"]
Absence = Literal["not_found", "gone", "front_page", "soft_404"]
# A link in a text: [[its words|where it leads]].
LINK = re.compile(r"\[\[([^|\]]+)\|([^\]]+)\]\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block of an article; a figure's text is its caption."""

    kind: BlockKind
    text: str = ""
    items: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    image: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """An article as its author left it."""

    title: str
    blocks: tuple[Block, ...]


def plain(text: str) -> str:
    """The text without the marks of its links."""
    return LINK.sub(r"\1", text)


def texts(block: Block) -> list[str]:
    """What a reader sees of a block, piece by piece."""
    cells = [cell for row in block.rows for cell in row]
    return [plain(one) for one in (block.text, *block.items, *cells) if one]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of event: a real edit, which changes the story, an absence, or noise, which changes the page."""

    name: str
    what: str
    # What a real edit changes; where either would do, one of them.
    kinds: tuple[str, ...] = ()
    either: bool = False
    edit: Callable[[Story, Random], Story] | None = None
    absence: Absence | None = None

    @property
    def is_real(self) -> bool:
        return bool(self.kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A line of the script: what happens to which article on which day."""

    kind: str
    article: str
    day: int
    # The feed's own date moves with it.
    announced: bool = False
    # The day on which an absence is over.
    until: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueChange:
    """What is true of one event: a version with these kinds of change, or none."""

    day: int
    kind: str
    kinds: tuple[str, ...]
    either: bool = False
    announced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueAbsence:
    """An article that cannot be had from `day` on, until `back` if it ever comes back."""

    day: int
    how: Absence
    back: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueHistory:
    """What is true of an article on some day; `versions` counts the first one."""

    article: str
    link: str
    template: str
    published: datetime
    first_day: int
    title: str
    paragraphs: tuple[str, ...]
    versions: int
    changes: tuple[TrueChange, ...] = field(default=())
    absences: tuple[TrueAbsence, ...] = field(default=())
