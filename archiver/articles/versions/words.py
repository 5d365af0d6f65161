"""Two texts word by word: what stayed, what was added and what was removed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from archiver.articles.versions.sequences import common_pairs
from archiver.digests import folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Kind = Literal["same", "added", "removed"]

# Scripts without spaces between words, whose characters are compared one by one.
_UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
# A word with the white space behind it; line ends are apart, so that no piece goes over one.
_TOKEN = re.compile(rf"[^\S\n]*(?:\n\s*|(?:[{_UNSPACED}]|[^\s{_UNSPACED}]+)[^\S\n]*)|[^\S\n]+")
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_LETTERS = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordRun:
    """A run of words with one fate. It never goes over the end of a line, and may be that end alone."""

    kind: Kind
    text: str


def words_of(text: str) -> list[str]:
    """The words as they are compared: with their punctuation, without what is only typography."""
    return _WORD.findall(folded(text))


def plain_words(text: str) -> list[str]:
    """The words without case and punctuation."""
    return folded_words(folded(text))


def folded_words(text: str) -> list[str]:
    """The same of a text that is folded."""
    return _LETTERS.findall(text.casefold())


def diff_words(before: str, now: str) -> list[WordRun]:
    """What became of the words: without the added ones the old text, without the removed ones the new."""
    return list(_joined(_pieces(_TOKEN.findall(before), _TOKEN.findall(now))))


def count_changes(before: Sequence[str], now: Sequence[str]) -> tuple[int, int]:
    """How many words were added, and how many removed; the same for both directions."""
    swap = list(before) > list(now)
    common = len(common_pairs(now, before) if swap else common_pairs(before, now))
    return len(now) - common, len(before) - common


def _pieces(before: Sequence[str], now: Sequence[str]) -> Iterator[WordRun]:
    known = {token: _key(token) for token in {*before, *now}}
    keys = [[known[token] for token in tokens] for tokens in (before, now)]
    old = new = 0
    for left, right in (*common_pairs(*keys), (len(before), len(now))):
        yield from (WordRun(kind="removed", text=token) for token in before[old:left])
        yield from (WordRun(kind="added", text=token) for token in now[new:right])
        if right < len(now):
            yield from _stayed(before[left], now[right])
        old, new = left + 1, right + 1


def _stayed(before: str, now: str) -> Iterator[WordRun]:
    """A word that stayed; the space behind it is another piece where only one of the texts has it."""
    word = now.rstrip() or now
    was_apart, is_apart = before[-1:].isspace(), now[-1:].isspace()
    if was_apart == is_apart:
        word = now
    yield WordRun(kind="same", text=word)
    if was_apart != is_apart:
        yield WordRun(kind="removed", text=" ") if was_apart else WordRun(kind="added", text=now[len(word) :])


def _key(token: str) -> str:
    """Line ends are alike however far apart they set two lines."""
    word = folded(token)
    return word or ("\n" if "\n" in token else " ")


def _joined(pieces: Iterator[WordRun]) -> Iterator[WordRun]:
    run: list[str] = []
    kind: Kind = "same"
    for piece in pieces:
        if run and (piece.kind != kind or "\n" in piece.text or "\n" in run[-1]):
            yield WordRun(kind=kind, text="".join(run))
            run = []
        kind = piece.kind
        run.append(piece.text)
    if run:
        yield WordRun(kind=kind, text="".join(run))
