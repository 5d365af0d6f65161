"""Terms as they are written, with articles that are about them; without boilerplate and repetition."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from archiver.archive.storage import open_archived
from archiver.inspection.terms.model import TermArticle
from archiver.inspection.terms.wording import forms_of, number_of, terms_of
from archiver.search.lines import IndexedLine, LineReader, moment_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from archiver.inspection.terms.counting import ArticleTerms
    from archiver.inspection.terms.model import TermNote

# guess: what so large a share of a channel's articles have, from so many articles on, is part of its frame...
_FRAME, _LEAST = 0.8, 5
# ...if so much of what is said of it, that channel says.
_MOSTLY = 0.5
# A word is not listed beside a pair of words that this part of its articles have.
_SAME = 0.8
# So many articles tell how a term is written.
_READ = 5


def without_boilerplate(articles: ArticleTerms, terms: Sequence[int]) -> list[int]:
    """Without terms that one channel has in nearly all of its articles."""
    size = int(articles.channels.max(initial=0)) + 1
    published = np.bincount(articles.channels, minlength=size)
    kept = []
    for term in terms:
        said = np.bincount(articles.channels[articles.about(term)], minlength=size)
        is_frame = (said >= _FRAME * published) & (published >= _LEAST) & (said > _MOSTLY * said.sum())
        if not is_frame.any():
            kept.append(term)
    return kept


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spoken:
    """A term with its words, the places of all its articles, and some of these."""

    note: TermNote
    term: str
    form: str
    where: frozenset[int]
    read: Sequence[tuple[int, IndexedLine]]

    def is_within(self, other: _Spoken) -> bool:
        """Whether the other is a pair of words with this one in it, of nearly the same articles."""
        is_part = " " not in self.term and self.term in other.term.split(" ") and " " in other.term
        return is_part and len(self.where & other.where) >= _SAME * len(self.where)

    def repeats(self, other: _Spoken) -> bool:
        """Whether both have a word in common, and most articles."""
        is_near = not {*self.term.split(" ")}.isdisjoint(other.term.split(" "))
        least = min(len(self.where), len(other.where))
        return is_near and len(self.where & other.where) >= _SAME * least


class TermReader:
    """Reads articles, to tell how terms are written, and which articles are about them."""

    def __init__(self, index: sqlite3.Connection, objects: Path) -> None:
        self._files = dict(index.execute("SELECT id, name FROM files").fetchall())
        self._objects = objects
        self._lines: dict[tuple[int, int], IndexedLine | None] = {}
        self._terms: dict[str, dict[int, str]] = {}

    def told(
        self, articles: ArticleTerms, notes: Iterable[tuple[int, TermNote]], limit: int, examples: int
    ) -> Iterator[TermNote]:
        """The first terms that say something of their own, with their words and articles."""
        every = [one for number, note in notes if (one := self._spoken(articles, number, note))]
        told: list[_Spoken] = []
        for one in every:
            if len(told) == limit:
                return
            if any(map(one.is_within, every)) or any(map(one.repeats, told)):
                continue
            told.append(one)
            shown = tuple(_article(line, articles, place) for place, line in one.read[:examples])
            yield msgspec.structs.replace(one.note, term=one.form, examples=shown)

    def _spoken(self, articles: ArticleTerms, number: int, note: TermNote) -> _Spoken | None:
        """None where no article can be read that would tell the words."""
        about = [int(place) for place in articles.about(number)]
        # The newest of them: they were counted last.
        read = [
            (place, line) for place in about[::-1][:_READ] if (line := self._line(articles.places[place]))
        ]
        term = next((term for _, line in read if (term := self._terms_of(line).get(number))), None)
        if term is None:
            return None
        forms: Counter[tuple[str, str]] = Counter()
        for _, line in read:
            forms += forms_of(line.title, line.text, line.language, {term})
        form = forms.most_common(1)[0][0][1] if forms else term
        return _Spoken(note=note, term=term, form=form, where=frozenset(about), read=read)

    def _terms_of(self, line: IndexedLine) -> dict[int, str]:
        if line.id not in self._terms:
            said = terms_of(line.title, line.text, line.language)
            self._terms[line.id] = {number_of(term): term for term in said}
        return self._terms[line.id]

    def _line(self, where: tuple[int, int]) -> IndexedLine | None:
        file, offset = where
        if where not in self._lines:
            try:
                with open_archived(self._objects / self._files[file]) as source:
                    self._lines[where] = LineReader(source, IndexedLine).read(offset)
            except OSError:
                self._lines[where] = None
        return self._lines[where]


def _article(line: IndexedLine, articles: ArticleTerms, place: int) -> TermArticle:
    return TermArticle(
        id=line.id,
        url=line.url,
        title=line.title,
        published=moment_of(line),
        channel=int(articles.channels[place]),
    )
