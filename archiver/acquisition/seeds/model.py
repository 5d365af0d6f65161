"""What a seeds file says, whatever its format."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A feed to poll, or a site to find feeds on."""

    url: str
    labels: tuple[str, ...] = ()
    # How often to poll; None leaves it to the schedule.
    every: timedelta | None = None
    # What its file calls it; its feed may know better.
    title: str | None = None
    source: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedProblem:
    """A line that was not understood, and why."""

    source: str
    line: int
    reason: str
    # The file, and what stands there: the same problem at another line is not a new one.
    file: str = field(default="", compare=False)
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.source}:{self.line}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedList:
    seeds: tuple[Seed, ...] = ()
    problems: tuple[SeedProblem, ...] = ()
    # Lines that are in order, and have no feed.
    skipped: tuple[SeedProblem, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.seeds or self.problems or self.skipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRow:
    """A seed as its file wrote it, not yet checked."""

    line: int
    url: str
    labels: tuple[str, ...] = ()
    every: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """A part of a file that cannot be a seed."""

    line: int
    reason: str
    text: str = ""  # as it stands there
    # Something that its reader has and the Web has not, not a mistake.
    is_harmless: bool = False


# The source of channels that were added by hand.
BY_HAND = "scrapy channels add"
