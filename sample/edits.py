"""The ways in which authors change what they have published."""

from __future__ import annotations

from sample import clock
from sample.model import Block, Blocks, Edit

_HOUR = 15 * 60


def addition(day: int, text: str, *, at: int | None = None, announced: bool = True) -> Edit:
    """A paragraph more, at the end unless `at` says where."""

    def apply(blocks: Blocks) -> Blocks:
        place = len(blocks) if at is None else at
        return (*blocks[:place], Block("p", text), *blocks[place:])

    return Edit(when=clock.moment(day, _HOUR), day=day, apply=apply, announced=announced)


def correction(day: int, words: str) -> Edit:
    """A wrong word in the opening is put right, and a note at the end says so."""

    def apply(blocks: Blocks) -> Blocks:
        first = Block("p", blocks[0].text.replace(" on ", " late on ", 1))
        return (first, *blocks[1:], Block("p", words))

    return Edit(when=clock.moment(day, _HOUR), day=day, apply=apply)


def misspelt(blocks: Blocks, paragraph: int) -> Blocks:
    """The blocks with a typing mistake in one paragraph: its longest plain word has two letters swapped."""
    return _replaced(blocks, paragraph, _mistyped(blocks[paragraph].text))


def typo_fix(day: int, original: Blocks, paragraph: int, *, announced: bool = True) -> Edit:
    """The mistake that `misspelt` made is put right."""

    def apply(blocks: Blocks) -> Blocks:
        return _replaced(blocks, paragraph, original[paragraph].text)

    return Edit(when=clock.moment(day, _HOUR), day=day, apply=apply, announced=announced)


def _replaced(blocks: Blocks, index: int, text: str) -> Blocks:
    return (*blocks[:index], Block(blocks[index].kind, text), *blocks[index + 1 :])


def _mistyped(text: str) -> str:
    words = [word for word in text.split() if word.isalpha()]
    longest = max(words, key=len)
    middle = next(spot for spot in range(1, len(longest) - 1) if longest[spot] != longest[spot + 1])
    swapped = longest[:middle] + longest[middle + 1] + longest[middle] + longest[middle + 2 :]
    return text.replace(longest, swapped, 1)
