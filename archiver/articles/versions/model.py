"""What an article's history is made of: fingerprints, changes, and what a comparison came to."""

from __future__ import annotations

from dataclasses import dataclass

# What can change in an article, in the order in which changes are named; the first version is `new`.
PARTS = ("title", "text", "links", "images")
# Of values that a field wrapper reads, where the same one read both.
FIELDS = "fields"
NEW = "new"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """Digests of the parts that make a version; empty where one was never noted."""

    title: str
    text: str
    whole: str  # of title and text: what objects carry
    links: str = ""
    images: str = ""
    # To find the same text under other addresses; empty where a text is too short to say.
    sketch: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """What made an article: the method with its version, and the wrapper where one served.

    Where none did, the captures that it was read with.
    """

    extractor: str
    wrapper: str | None = None
    siblings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is different from the version before: `new` for the first one."""

    kinds: tuple[str, ...]
    # Of the words, 1.0 where they are the same; None where they were not compared.
    similarity: float | None = None
    # Words.
    added: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A place between two blocks that stay, at which something else stands each time."""

    before: str  # digests of the blocks around it
    after: str
    paths: tuple[str, ...]  # the types of the elements in it
    # What stood there at the second of two looks a moment apart; if it stays, it was written. Empty once
    # it was seen to go.
    seen: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What two captures of one article come to; no change where only the page around it changed."""

    change: Change | None
    # The words stayed while the structure around them changed: older wrappers may no longer fit.
    is_template_change: bool = False
    # What differed and does not count, such as `stamp` or `related`.
    noise: tuple[str, ...] = ()
    # Where something else stands each time, as it is known now; None where nothing new is known of it.
    volatile: tuple[Spot, ...] | None = None
