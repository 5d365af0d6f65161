"""How far a crawl is, in one line: pages, channels, rate, time left, and what fails."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from archiver.display.tables import display_width
from archiver.display.when import length, when

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from archiver.acquisition.sites.curve import TextSeen

_SECONDS = 30.0  # over which the rate is taken: hosts with long delays answer in bursts
_FEW = 3  # hosts, for whose answers a run is held up
_SLOWEST = 1e-6  # pages a second, a page in twelve days: what is left would take for ever
_FEWEST_SECONDS = 2.0  # a rate of less than that would jump


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What is known of a run while it goes on."""

    pages: int  # done, whatever they came to
    pages_known: int
    channels: int
    channels_known: int
    pages_a_second: float = 0.0
    unread: int = 0
    failing: int = 0
    next_poll: datetime | None = None  # where the run waits for it
    ending: str = ""  # what it does at its end
    hosts: Sequence[str] = ()  # that are asked for something at the moment
    waits_for_others: bool = False  # other workers on the same store ask for all that is due
    # Of a run that crawls sites: how many requests it may make, and the text that it has seen.
    limit: int | None = None
    seen: TextSeen | None = None
    # Of a run that fetches for campaigns: requests of their budgets.
    spent: int = 0
    budget: int = 0

    @property
    def left(self) -> int:
        """Pages that this run is going to ask for."""
        left = self.pages_known - self.pages
        return left if self.limit is None else max(0, min(left, self.limit - self.pages))


class Rate:
    """Pages a second, over the last half minute."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def note(self, seconds: float, pages: int) -> float:
        """Take the number of pages at a moment, and return the rate up to it; 0 where none can be told."""
        if not pages:
            self._seen.clear()  # the time before the first one tells nothing
        self._seen.append((seconds, pages))
        while self._seen[0][0] < seconds - _SECONDS:
            self._seen.popleft()
        passed = seconds - self._seen[0][0]
        return (pages - self._seen[0][1]) / passed if passed >= _FEWEST_SECONDS else 0.0


class _Part(NamedTuple):
    text: str
    rank: int  # the lowest is taken first; what then has no room is left out


def progress_line(progress: Progress, now: datetime, width: int) -> str:
    """The line, with as many of its parts as fit."""
    parts = _parts(progress, now)
    kept: list[_Part] = []
    for part in sorted(parts, key=lambda part: part.rank):
        more = [one for one in parts if one in (*kept, part)]
        if not kept or display_width(_joined(more)) <= width:
            kept = more
    return _joined(kept)


def _joined(parts: list[_Part]) -> str:
    line = ", ".join(part.text for part in parts)
    return line[:1].upper() + line[1:]


def _counts(progress: Progress) -> list[_Part]:
    parts = []
    if progress.pages_known:
        parts.append(_Part(f"pages {progress.pages} of {progress.pages_known}", 0))
    if progress.limit is not None:
        parts.append(_Part(f"requests {progress.pages} of {progress.limit}", 5))
    if progress.budget:
        parts.append(_Part(f"requests {progress.spent} of {progress.budget}", 2))
    if progress.channels_known:
        parts.append(_Part(f"channels {progress.channels} of {progress.channels_known}", 3))
    return parts


def _parts(progress: Progress, now: datetime) -> list[_Part]:
    left = progress.left
    speed = progress.pages_a_second
    parts = _counts(progress)
    if progress.waits_for_others:
        parts.append(_Part("waiting for other workers", 1))
    if not parts and progress.next_poll is None:
        parts.append(_Part("starting", 0))
    if progress.ending:
        return [_Part(progress.ending, 0), *(part._replace(rank=part.rank + 1) for part in parts)]
    if progress.next_poll is not None:
        return [*parts, _Part(f"next poll {when(progress.next_poll, now)}", 1), *_failing(progress)]
    if speed > _SLOWEST and left:
        parts += [_Part(_speed(speed), 4), _Part(f"about {length(left / speed)} left", 1)]
    elif progress.unread and not left:
        parts.append(_Part(f"{progress.unread} to read", 1))
    elif 0 < len(progress.hosts) <= _FEW and not left and progress.pages_known:
        # The line would stand still for as long as a server may take, and not say why.
        more = f" and {len(progress.hosts) - 1} more" if progress.hosts[1:] else ""
        parts.append(_Part(f"waiting for {progress.hosts[0]}{more}", 2))
    return parts + _seen(progress.seen) + _failing(progress)


def _seen(seen: TextSeen | None) -> list[_Part]:
    """How much text there is, and whether more of it still comes."""
    if seen is None or not seen.pairs:
        return []
    parts = [_Part(f"{seen.pairs:,} pairs of words", 6)]
    if seen.share is not None:
        parts.append(_Part(f"{seen.share:.1%} new in {seen.requests} pages".replace("%", " %"), 3))
    return parts


def _failing(progress: Progress) -> list[_Part]:
    return [_Part(f"{progress.failing} failing", 2)] if progress.failing else []


def _speed(pages_a_second: float) -> str:
    if pages_a_second < 1:
        return f"{pages_a_second * 60:.0f}/min"
    return f"{pages_a_second:.1f}/s" if pages_a_second < 10 else f"{pages_a_second:.0f}/s"
