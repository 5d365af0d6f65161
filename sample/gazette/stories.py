"""The gazette's articles as they are first published."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from sample import clock, prose
from sample.gazette.edits import linked
from sample.gazette.model import Block, Story
from sample.markup import slug

if TYPE_CHECKING:
    from datetime import datetime

# Each section has a template of its own, and a feed.
SECTIONS = ("town", "farm", "arts", "live")
A_SECTION = 16
# So many of a section are there on day 0; of the others one comes every second day.
_FIRST = 10
_AUTHORS = ("Ottilie Marsh", "Hugo Penn", "Sabine Ardré", "Caspar Noël")
_LEAST_PARAGRAPHS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """An article at its first appearance; what happens to it is in the script."""

    name: str
    section: str
    number: int
    day: int
    published: datetime
    path: str
    author: str
    story: Story


@cache
def published() -> dict[str, Published]:
    """All articles by name, such as town-03."""
    made = (_published(section, number) for section in SECTIONS for number in range(1, A_SECTION + 1))
    return {one.name: one for one in made}


def _published(section: str, number: int) -> Published:
    name = f"{section}-{number:02}"
    # -1: what is on the front page on day 0 was written the day before.
    day = -1 if number <= _FIRST else 2 * (number - _FIRST)
    story = _story(name, SECTIONS.index(section) * A_SECTION + number)
    return Published(
        name=name,
        section=section,
        number=number,
        day=day,
        published=clock.moment(day, 6 * 60 + 41 * number),
        path=f"/{section}/{number:02}-{slug(story.title, 5)}",
        author=_AUTHORS[number % len(_AUTHORS)],
        story=story,
    )


@cache
def _subjects() -> list[tuple[str, str]]:
    """Pools and subjects whose articles are long enough without lists and figures."""
    found = [
        (pool, subject)
        for pool in ("newspaper", "weathercock", "wordpress", "blog")
        for subject in prose.load(pool).subjects()
    ]
    return [one for one in found if len(_paragraphs(*one, "try")) > _LEAST_PARAGRAPHS]


def _paragraphs(pool: str, subject: str, seed: str) -> list[str]:
    draft = prose.compose(prose.load(pool), subject, seed)
    return [block.text.replace("*", "").replace("^", "") for block in draft.blocks if block.kind == "p"]


def _story(name: str, number: int) -> Story:
    pool, subject = _subjects()[number * 5 % len(_subjects())]
    seed, rng = f"gazette {name}", Random(name)
    title = prose.compose(prose.load(pool), subject, seed).title
    lines = _paragraphs(pool, subject, seed)
    while len(lines) < _LEAST_PARAGRAPHS + 1:
        lines.append(rng.choice(_paragraphs(*rng.choice(_subjects()), f"{seed} {len(lines)}")))
    for place in (1, 3):
        lines[place] = linked(lines[place], f"/background/{slug(lines[place], 3)}")
    blocks = [Block(kind="p", text=line) for line in lines]
    return Story(title=title, blocks=tuple(_furnished(blocks, name, rng)))


def _furnished(blocks: list[Block], name: str, rng: Random) -> list[Block]:
    """With figures, a subheading, a quotation, a list and a table, not all of them in every article."""
    number = int(name[-2:])
    blocks.insert(5, Block(kind="figure", image=f"/img/{name}-b.gif"))
    if number % 4 == 0:
        blocks.insert(5, _table(rng))
    if number % 3 != 1:
        blocks.insert(4, Block(kind="list", items=tuple(_line(name, rng, rank) for rank in range(3))))
    if number % 3 != 0:
        blocks.insert(3, Block(kind="quote", text=f"“{_line(name, rng, 9)}”"))
    if number % 2 == 0:
        blocks.insert(2, Block(kind="h2", text=" ".join(_line(name, rng, 7).split()[:4])))
    blocks.insert(1, Block(kind="figure", image=f"/img/{name}-a.gif", text=_line(name, rng, 8)))
    return blocks


def _line(name: str, rng: Random, rank: int) -> str:
    paragraph = rng.choice(_paragraphs(*rng.choice(_subjects()), f"line {name} {rank}"))
    return paragraph.split(". ")[0].rstrip(".") + "."


def _table(rng: Random) -> Block:
    rows = [("Parish", "Before", "After")]
    names = rng.sample(("Low Tarn", "Netherby", "Fellside", "Ashgill", "Coldstone"), 3)
    rows += [(name, str(rng.randint(100, 900)), str(rng.randint(100, 900))) for name in names]
    return Block(kind="table", rows=tuple(rows))
