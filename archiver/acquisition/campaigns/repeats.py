"""Addresses that repeat what was fetched: families without anything new, sessions, near-duplicates.

A family is all addresses of a host of one form, such as `/calendar/2026/6`. Where most of those that were
fetched failed or said what another page had said, the rest is not asked for.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from archiver.acquisition.sites.traps.forms import difference, family_of, labels_of, without
from archiver.articles.versions.fingerprints import bands, resemblance
from archiver.urls import host_of, same_page_key

if TYPE_CHECKING:
    from collections.abc import Sequence

# Fetched of a family before it is judged, and the share that must have said something new.
_LEAST_FETCHED, _LEAST_FRESH = 3, 0.4
# From here on, two pages of a host are one with other details: a date, a visitor, an advertisement.
_NEARLY_SAME = 0.8
# Pages whose sketches are remembered, some 1 kB each; families and hosts that are.
_MOST_SKETCHES, _MOST_FAMILIES = 20_000, 50_000


class RepeatedAddresses:
    """Remembers what came of the addresses of a campaign, in memory: it is learned again with all else."""

    def __init__(self) -> None:
        self._families: OrderedDict[tuple[str, str], tuple[int, int]] = OrderedDict()
        self._sessions: dict[str, frozenset[str]] = {}
        self._sketches: OrderedDict[int, tuple[str, tuple[int, ...]]] = OrderedDict()
        self._by_band: dict[int, int] = {}
        # Hosts of which something was learned that what waits was not held against.
        self._unswept: set[str] = set()

    def key(self, url: str) -> str:
        """Equal for addresses of one page, as far as is known of its host."""
        names = self._sessions.get(host_of(url)) if self._sessions else None
        return same_page_key(without(url, names) if names else url)

    @property
    def session_hosts(self) -> list[str]:
        """The hosts of which ids of sessions are known."""
        return sorted(self._sessions)

    def take_unswept(self) -> set[str]:
        """The hosts whose waiting addresses are to be looked through; each is told once."""
        found, self._unswept = self._unswept, set()
        return found

    def note(self, url: str, *, is_fresh: bool, same_as: str = "") -> None:
        """Take in what came of an address; one that says the same as another of its family counts twice."""
        family = family_of(url)
        was_stale = self.is_stale(url)
        fetched, fresh = self._families.pop(family, (0, 0))
        weight = 2 if same_as and family_of(same_as) == family else 1
        self._families[family] = (fetched + weight, fresh + is_fresh)
        if len(self._families) > _MOST_FAMILIES:
            self._families.popitem(last=False)
        if not was_stale and self.is_stale(url):
            self._unswept.add(family[0])

    def is_stale(self, url: str) -> bool:
        """Whether addresses like this one are known to say nothing new."""
        fetched, fresh = self._families.get(family_of(url), (0, 0))
        return fetched >= _LEAST_FETCHED and fresh < _LEAST_FRESH * fetched

    def note_same(self, url: str, other: str) -> None:
        """Learn from two addresses of one page: a random value in which they differ is that of a session."""
        host = host_of(url)
        told = difference(url, other) if host == host_of(other) else None
        known = self._sessions.get(host, frozenset())
        if told and len(told) == 1 and not told <= known and told <= {*_random(url), *_random(other)}:
            self._sessions[host] = known | told
            self._unswept.add(host)

    def note_sketch(self, number: int, url: str, sketch: Sequence[int]) -> None:
        if not sketch:
            return
        self._sketches[number] = (host_of(url), tuple(sketch))
        for band in bands(sketch):
            self._by_band[band] = number
        if len(self._sketches) > _MOST_SKETCHES:
            _, (_, gone) = self._sketches.popitem(last=False)
            for band in bands(gone):
                self._by_band.pop(band, None)

    def nearly_same(self, number: int, url: str, sketch: Sequence[int]) -> int | None:
        """The candidate of the same host whose page says nearly the same."""
        host = host_of(url)
        for band in bands(sketch) if sketch else ():
            found = self._by_band.get(band)
            if found is None or found == number or found not in self._sketches:
                continue
            its_host, known = self._sketches[found]
            if its_host == host and resemblance(sketch, known) >= _NEARLY_SAME:
                return found
        return None


def _random(url: str) -> tuple[str, ...]:
    return labels_of(url).random
