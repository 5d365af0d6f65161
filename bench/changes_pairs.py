"""Two captures of a foreign page: what happens between them is chosen by a seed, and checked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from html import unescape
from random import Random
from typing import TYPE_CHECKING
from zlib import crc32

import changes_edits
import changes_markup
import changes_noise
import changes_parts
from changes_kinds import EDITS, NOISES, Expected
from changes_source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from changes_kinds import Kind
    from extraction_sets import Page

# They register their kinds.
REGISTERED = (changes_edits, changes_parts, changes_noise, changes_markup)
# So many of the real edits come with noise, and of the noise with more of it.
_EDIT_WITH_NOISE = 0.35
_NOISE_WITH_NOISE = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A page before and after; `kind` is what is measured, `beside` the noise that came with it."""

    page: str
    url: str
    title: str
    kind: str
    beside: tuple[str, ...]
    expected: Expected
    before: bytes
    after: bytes
    encoding: str

    @property
    def is_real(self) -> bool:
        return self.expected != Expected()


class Chooser:
    """Gives every kind as many pages as can be: the one that was used least comes next."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._used: Counter[str] = Counter()

    def pairs(self, page: Page) -> Iterator[Pair]:
        """A real edit and a noise, where the page has a place for them."""
        source = Source(html=page.html, gold=page.gold, url=page.url, title=page.title)
        for kinds, share in ((EDITS, _EDIT_WITH_NOISE), (NOISES, _NOISE_WITH_NOISE)):
            # Of its own for each page, so that a page added or left out changes no other.
            rng = Random(f"{self._seed} {page.id} {share}")
            pair = self._first(page, source, self._in_turn(list(kinds.values()), rng), rng, share)
            if pair is not None:
                self._used[pair.kind] += 1
                self._used.update(pair.beside)
                yield pair

    def _in_turn(self, kinds: list[Kind], rng: Random) -> list[Kind]:
        rng.shuffle(kinds)
        return sorted(kinds, key=lambda kind: self._used[kind.name])

    def _first(
        self, page: Page, source: Source, kinds: Sequence[Kind], rng: Random, share: float
    ) -> Pair | None:
        for kind in kinds:
            seed = rng.random()
            moments = _moments([kind], source, seed)
            if moments is None:
                continue
            others = [one for one in self._in_turn(list(NOISES.values()), rng) if one.name != kind.name]
            beside = others[0] if rng.random() < share else None
            both = _moments([kind, beside], source, seed) if beside else None
            if beside and both:
                return _pair(page, [kind, beside], both)
            return _pair(page, [kind], moments)
        return None


def _moments(kinds: Sequence[Kind], source: Source, seed: float) -> tuple[str, str] | None:
    """The page at both moments; None where it cannot be done, or came to something else than was meant."""
    made = []
    for moment in (0, 1):
        page: Source | None = source
        for kind in kinds:
            html = kind.mutate(page, moment, Random(f"{seed} {kind.name}")) if page else None
            page = replace(source, html=html) if html is not None else None
        if page is None:
            return None
        made.append(page)
    return (made[0].html, made[1].html) if _is_meant(kinds, *made) else None


def _is_meant(kinds: Sequence[Kind], before: Source, after: Source) -> bool:
    """Noise leaves the article's words alone, an edit of words does not; and something is different."""
    expected = kinds[0].expected
    words = [[one.words for one in page.article] for page in (before, after)]
    if not kinds[0].is_real:
        is_other = before.html != after.html or any(kind.encoding != "utf-8" for kind in kinds)
        return words[0] == words[1] and is_other
    shown = [[one.words for one in page.segments] for page in (before, after)]
    only_elsewhere = expected.kinds <= {"links", "images"}
    return before.html != after.html and (only_elsewhere or shown[0] != shown[1])


def _pair(page: Page, kinds: Sequence[Kind], moments: tuple[str, str]) -> Pair:
    encoding = next((kind.encoding for kind in kinds if kind.encoding != "utf-8"), "utf-8")
    return Pair(
        page=page.id,
        url=page.url,
        title=_announced(page, kinds[0], moments[1]),
        kind=kinds[0].name,
        beside=tuple(kind.name for kind in kinds[1:]),
        expected=kinds[0].expected,
        before=moments[0].encode("utf-8", "replace"),
        # As servers do that have to: what the encoding lacks becomes a reference.
        after=moments[1].encode(encoding, "replace" if encoding == "utf-8" else "xmlcharrefreplace"),
        encoding=encoding,
    )


def _announced(page: Page, kind: Kind, after: str) -> str:
    """What the feed calls the page: a new headline as a rule, on some sites still the old one."""
    if "title" not in kind.expected.kinds or crc32(page.id.encode()) % 3 == 0:
        return page.title
    now = Source(html=after, gold=page.gold, url=page.url)
    shown = [one for one in now.segments if one.tag == "h1"]
    return " ".join(unescape(after[shown[0].start : shown[0].end]).split()) if len(shown) == 1 else page.title
