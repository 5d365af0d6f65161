"""How many channels a seeds file may drop at a time before that is taken for an accident."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DropRule:
    """Refuses when more than this share of the listed channels would be dropped, and at least so many."""

    share: float = 0.2
    fewest: int = 5

    def refuses(self, dropped: int, listed: int) -> bool:
        return dropped >= self.fewest and dropped > self.share * listed


# What a person asked for.
ANY_NUMBER = DropRule(share=1.0)
# Of a file that has nothing in it any more.
NONE_AT_ALL = DropRule(share=0.0, fewest=1)


def dropped_in_words(urls: Sequence[str], files: Sequence[str]) -> str:
    if len(urls) == 1:
        return f"1 channel is no longer polled, since {_names(files)} no longer name it: {_some(urls)}"
    return (
        f"{len(urls)} channels are no longer polled, since {_names(files)} no longer name them: {_some(urls)}"
    )


def refused_in_words(urls: Sequence[str], listed: int, files: Sequence[str]) -> str:
    return (
        f"{len(urls)} of {listed} channels are missing from {_names(files)}: {_some(urls)}."
        " None was dropped, all of them are polled."
        " If they are meant to go, crawl once with -a drop=1; if not, restore the file"
    )


def kept_in_words(urls: Sequence[str], files: Sequence[str]) -> str:
    is_one = len(urls) == 1
    told = "1 channel is" if is_one else f"{len(urls)} channels are"
    was, it = ("it was", "it") if is_one else ("they were", "them")
    return (
        f"{told} still polled, since {was} also added by hand, although {_names(files)} no longer name {it}:"
        f" {_some(urls)}. `scrapy channels remove URL` ends that"
    )


def stays_in_words(files: Sequence[str]) -> str:
    """Of a channel that a hand adds, and that files named already."""
    return f"was there already; from now on it is polled even if {', '.join(files)} no longer names it"


def _names(files: Sequence[str]) -> str:
    return "the seeds" if not files else f"the seeds in {', '.join(files)}"


def _some(urls: Sequence[str]) -> str:
    shown = ", ".join(redact(url) for url in urls[:_SHOWN])
    return shown if len(urls) <= _SHOWN else f"{shown} and {len(urls) - _SHOWN} more"
