"""The pages of an article after its first."""

from __future__ import annotations

from dataclasses import dataclass, replace

from archiver.archive.warc.records import Capture  # noqa: TC001

UNJOINED = "it has further pages, which could not be joined with the first"


@dataclass(frozen=True, slots=True, kw_only=True)
class Further:
    """The pages of a version after its first, in order, and what is not there of it."""

    captures: tuple[Capture, ...] = ()
    lacks: str | None = None
    # Whether the failure may pass soon.
    may_pass: bool = False

    def as_read(self, used: int, *, is_unjoined: bool) -> Further:
        """How many of these pages are in a text that was read anew; or none, which it then lacks."""
        if is_unjoined:
            return Further(lacks=UNJOINED)
        return replace(self, captures=self.captures[:used])

    def shares_payloads(self, other: Further) -> bool:
        """Whether each page has the very bytes that it has in the other."""
        if len(self.captures) != len(other.captures):
            return False
        pairs = zip(self.captures, other.captures, strict=True)
        return all(mine.shares_payload(theirs) for mine, theirs in pairs)


NONE = Further()
