"""Reads the prose files and composes articles from them.

A prose file holds lists (`%place: Skelbeck; Low Tarn`) and topics. A topic starts with `@ name`; its lines
are headlines (`!`), opening paragraphs (`=`) and further paragraphs in the order in which they may be told.
A paragraph line may begin with the kind of block that it is: `h2:`, `quote:`, `li:`, `code:`, `figure:`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, cast, get_args

from sample.grammar import Facts
from sample.model import Block, BlockKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sample.model import Blocks

_KINDS = get_args(BlockKind)


@dataclass(frozen=True, slots=True)
class Topic:
    """One subject that a site writes about."""

    name: str
    headlines: list[str] = field(default_factory=list)
    openings: list[str] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Pool:
    """All that one prose file holds."""

    lists: dict[str, list[str]] = field(default_factory=dict)
    topics: dict[str, Topic] = field(default_factory=dict)

    def subjects(self) -> list[str]:
        return [name for name, topic in self.topics.items() if topic.headlines]


@dataclass(frozen=True, slots=True)
class Draft:
    """A headline and a body, not yet published anywhere."""

    title: str
    blocks: Blocks


@cache
def load(name: str) -> Pool:
    pool, topic = Pool(), Topic("")
    pool.topics[""] = topic
    for line in Path(__file__).with_name(f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("%"):
            key, _, items = line[1:].partition(":")
            pool.lists[key.strip()] = [item.strip() for item in items.split(";")]
        elif line.startswith("@"):
            topic = pool.topics.setdefault(line[1:].strip(), Topic(line[1:].strip()))
        elif line.strip():
            _add(topic, line)
    return pool


def _add(topic: Topic, line: str) -> None:
    where = {"!": topic.headlines, "=": topic.openings}.get(line[0], topic.paragraphs)
    where.append(line if where is topic.paragraphs else line[1:].strip())


def compose(pool: Pool, subject: str, seed: str, *, extra: int = 0, **given: str) -> Draft:
    """The article that `seed` stands for; `extra` more paragraphs come from the topic named common."""
    rng = Random(seed)
    facts = Facts(rng, pool.lists, given)
    topic = pool.topics[subject]
    lines = [rng.choice(topic.openings), *_some(rng, topic.paragraphs)]
    if extra:
        common = pool.topics["common"].paragraphs
        lines += rng.sample(common, min(extra, len(common)))
    title = facts.fill(rng.choice(topic.headlines))
    return Draft(title, tuple(_block(facts, line) for line in lines))


def _some(rng: Random, lines: list[str]) -> list[str]:
    """At least four of the paragraphs, in their order; more often most of them."""
    if any(_kind(line) != "p" for line in lines):
        return lines  # lists, headings and figures only make sense together
    count = max(rng.randint(4, len(lines)), rng.randint(4, len(lines)))
    return [lines[index] for index in sorted(rng.sample(range(len(lines)), count))]


def _kind(line: str) -> BlockKind:
    head, colon, _ = line.partition(": ")
    return cast("BlockKind", head) if colon and head in _KINDS else "p"


def _block(facts: Facts, line: str) -> Block:
    kind = _kind(line)
    text = line if kind == "p" else line.partition(": ")[2]
    return Block(kind, facts.fill(text).replace("\\n", "\n") if kind != "code" else text.replace("\\n", "\n"))


@cache
def lines(name: str) -> list[str]:
    """A plain file of one sentence a line, such as the advertisements."""
    return [line for line in load(name).topics[""].paragraphs if line]


def fill(pool: Pool, template: str, seed: str, given: Mapping[str, str] | None = None) -> str:
    return Facts(Random(seed), pool.lists, given or {}).fill(template)
