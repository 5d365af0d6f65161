"""Real edits: what authors and editors do to an article after it was published."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from sample import prose
from sample.gazette.model import LINK, Block, Story
from sample.markup import slug

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from sample.gazette.model import BlockKind

_NUMBER = re.compile(r"\b[1-9]\d*\b")
_PLAIN_WORD = re.compile(r"\b[a-z]{6,}\b")
_SENTENCE_END = re.compile(r"(?<=[.!?”]) (?=[A-Z“])")
_LETTERS = "aeiourstln"


def letter(story: Story, rng: Random) -> Story:
    def misspelt(text: str) -> str:
        word = rng.choice(_PLAIN_WORD.findall(text))
        place = rng.randrange(1, len(word))
        other = rng.choice([one for one in _LETTERS if one != word[place]])
        return text.replace(word, word[:place] + other + word[place + 1 :], 1)

    return _rewrite(story, rng, misspelt, needs=_PLAIN_WORD)


def number(story: Story, rng: Random) -> Story:
    return _rewrite(
        story, rng, lambda text: _NUMBER.sub(lambda one: str(int(one[0]) + 3), text, count=1), needs=_NUMBER
    )


def word(story: Story, rng: Random) -> Story:
    def replaced(text: str) -> str:
        old = rng.choice(_PLAIN_WORD.findall(text))
        return text.replace(old, rng.choice(("certain", "curious", "distant", "ordinary")), 1)

    return _rewrite(story, rng, replaced, needs=_PLAIN_WORD)


def small_word(story: Story, rng: Random) -> Story:
    """A word of three letters that turns the sense round."""
    verb = re.compile(r"\b(was|were|had|would|could|is|are|has|have|will)\b (?!not)")
    return _rewrite(story, rng, lambda text: verb.sub(r"\1 not ", text, count=1), needs=verb)


def sentence_added(story: Story, rng: Random) -> Story:
    return _rewrite(story, rng, lambda text: f"{text} {_sentence(rng)}")


def sentence_removed(story: Story, rng: Random) -> Story:
    return _rewrite(story, rng, lambda text: _SENTENCE_END.split(text)[0], needs=_SENTENCE_END)


def paragraph_added(story: Story, rng: Random) -> Story:
    place = rng.choice(_places(story, "p"))
    return _with(story, place + 1, place + 1, Block(kind="p", text=_paragraph(rng)))


def paragraph_removed(story: Story, rng: Random) -> Story:
    place = rng.choice(_unlinked(story)[1:])
    return _with(story, place, place + 1)


def paragraph_replaced(story: Story, rng: Random) -> Story:
    return _rewrite(story, rng, lambda _: _paragraph(rng))


def paragraphs_reordered(story: Story, rng: Random) -> Story:
    first, second = rng.sample(_unlinked(story), 2)
    blocks = list(story.blocks)
    blocks[first], blocks[second] = blocks[second], blocks[first]
    return replace(story, blocks=tuple(blocks))


def rewritten(story: Story, rng: Random) -> Story:
    """Every paragraph without a link is another."""
    for place in _unlinked(story):
        story = _with(story, place, place + 1, Block(kind="p", text=_paragraph(rng)))
    return story


def quotation(story: Story, rng: Random) -> Story:
    place = _places(story, "quote")[0]
    return _with(story, place, place + 1, replace(story.blocks[place], text=f"“{_sentence(rng)}”"))


def list_item_added(story: Story, rng: Random) -> Story:
    return _with_items(story, lambda items: (*items, _sentence(rng)))


def list_item_removed(story: Story, rng: Random) -> Story:
    gone = rng.randrange(3)
    return _with_items(story, lambda items: (*items[:gone], *items[gone + 1 :]))


def table_cell(story: Story, rng: Random) -> Story:
    place = _places(story, "table")[0]
    rows = [list(row) for row in story.blocks[place].rows]
    rows[rng.randrange(1, len(rows))][1] = str(rng.randint(1000, 9999))
    return _with(story, place, place + 1, replace(story.blocks[place], rows=tuple(map(tuple, rows))))


def subheading(story: Story, rng: Random) -> Story:
    place = _places(story, "h2")[0]
    return _with(story, place, place + 1, Block(kind="h2", text=" ".join(_sentence(rng).split()[:5])))


def correction(story: Story, rng: Random) -> Story:
    """A word is put right, and a note at the end says so."""
    note = Block(
        kind="p",
        text="Correction: an earlier version of this article gave a wrong name in the second paragraph.",
    )
    corrected = word(story, rng)
    return replace(corrected, blocks=(*corrected.blocks, note))


def note(story: Story, rng: Random) -> Story:
    """A note alone, for what was changed before."""
    day = rng.choice(("Monday", "Tuesday", "Friday"))
    text = f"This article was amended on {day} to make clear who had been asked, and when."
    return replace(story, blocks=(*story.blocks, Block(kind="p", text=text)))


def live_entries(story: Story, rng: Random) -> Story:
    """Two entries more above the others, as live reports grow."""
    entries = [Block(kind="p", text=f"{hour}.{rng.randint(10, 59)}: {_paragraph(rng)}") for hour in (17, 16)]
    return replace(story, blocks=(*entries, *story.blocks))


def headline_word(story: Story, rng: Random) -> Story:
    words = story.title.split()
    place = max(range(len(words)), key=lambda one: len(words[one]))
    words[place] = rng.choice(("Quarrelsome", "Unexpected", "Forgotten"))
    return replace(story, title=" ".join(words))


def headline_rewritten(story: Story, rng: Random) -> Story:
    pool = prose.load("newspaper")
    return replace(
        story, title=prose.compose(pool, rng.choice(pool.subjects()), f"headline {rng.random()}").title
    )


def link_target(story: Story, rng: Random) -> Story:
    return _relinked(story, rng, lambda match: f"[[{match[1]}|/elsewhere/{rng.randint(100, 999)}]]")


def link_removed(story: Story, rng: Random) -> Story:
    return _relinked(story, rng, lambda match: match[1])


def link_added(story: Story, rng: Random) -> Story:
    return _rewrite(story, rng, lambda text: linked(text, f"/background/{rng.randint(100, 999)}"))


def image_swapped(story: Story, rng: Random) -> Story:
    place = rng.choice(_places(story, "figure"))
    return _with(story, place, place + 1, replace(story.blocks[place], image=_image(rng)))


def image_added(story: Story, rng: Random) -> Story:
    place = rng.choice(_unlinked(story)[1:])
    return _with(story, place, place, Block(kind="figure", image=_image(rng)))


def image_removed(story: Story, rng: Random) -> Story:  # noqa: ARG001 - there is one only
    place = next(one for one in _places(story, "figure") if not story.blocks[one].text)
    return _with(story, place, place + 1)


def caption(story: Story, rng: Random) -> Story:
    place = next(one for one in _places(story, "figure") if story.blocks[one].text)
    return _with(story, place, place + 1, replace(story.blocks[place], text=_sentence(rng)))


def in_turn(*edits: Callable[[Story, Random], Story]) -> Callable[[Story, Random], Story]:
    """Several edits at once."""

    def apply(story: Story, rng: Random) -> Story:
        for edit in edits:
            story = edit(story, rng)
        return story

    return apply


# What they share.


def linked(text: str, target: str) -> str:
    """The text with a link on three of its words."""
    words = text.split(" ")
    middle = len(words) // 2
    return " ".join(
        [*words[:middle], f"[[{' '.join(words[middle : middle + 3])}|{target}]]", *words[middle + 3 :]]
    )


def _rewrite(
    story: Story, rng: Random, change: Callable[[str], str], *, needs: re.Pattern[str] | None = None
) -> Story:
    """With another text in one of the paragraphs that have no link."""
    places = [one for one in _unlinked(story) if needs is None or needs.search(story.blocks[one].text)]
    place = rng.choice(places)
    return _with(story, place, place + 1, Block(kind="p", text=change(story.blocks[place].text)))


def _relinked(story: Story, rng: Random, change: Callable[[re.Match[str]], str]) -> Story:
    place = rng.choice([one for one in _places(story, "p") if LINK.search(story.blocks[one].text)])
    return _with(
        story, place, place + 1, Block(kind="p", text=LINK.sub(change, story.blocks[place].text, count=1))
    )


def _with_items(story: Story, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Story:
    place = _places(story, "list")[0]
    return _with(
        story, place, place + 1, replace(story.blocks[place], items=change(story.blocks[place].items))
    )


def _with(story: Story, start: int, end: int, *blocks: Block) -> Story:
    return replace(story, blocks=(*story.blocks[:start], *blocks, *story.blocks[end:]))


def _places(story: Story, kind: BlockKind) -> list[int]:
    return [place for place, block in enumerate(story.blocks) if block.kind == kind]


def _unlinked(story: Story) -> list[int]:
    return [place for place in _places(story, "p") if not LINK.search(story.blocks[place].text)]


def _paragraph(rng: Random) -> str:
    pool = prose.load("newspaper")
    draft = prose.compose(pool, rng.choice(pool.subjects()), f"more {rng.random()}")
    return rng.choice([block.text for block in draft.blocks]).replace("*", "").replace("^", "")


def _sentence(rng: Random) -> str:
    return _SENTENCE_END.split(_paragraph(rng))[0]


def _image(rng: Random) -> str:
    return f"/img/{slug(_sentence(rng), 3)}-{rng.randint(100, 999)}.gif"
