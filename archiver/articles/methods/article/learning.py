"""How a wrapper is learned: drafted from the pages of a template, and proven on all pages at hand."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from msgspec.structs import replace

from archiver.articles.methods.article.paths import paths_to
from archiver.articles.methods.article.selection import common_node, overlap, pairs_of
from archiver.articles.methods.article.wrappers import outside, text_key, tried_on
from archiver.articles.model import LearnedWrapper, Wrapper

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.methods.article.hints import Hints
    from archiver.articles.methods.article.memory import Signature
    from archiver.documents.pages.blocks import Node, Outline

_MOST_SAMPLES = 20
_MOST_FURNITURE = 500
# From here on, pages that teach nothing else are no reason for another wrapper.
WELL_KNOWN = 6
# A type is kept where that was so for nearly all of its words, and dropped where it was for most.
_CLEARLY, _MOSTLY_NOT = 0.9, 0.5
# How far a wrapper must find the same as the full consensus did, for a page to count for it.
PROVEN = 0.92
# A page on which it finds something else weighs as much as so many on which it does not.
_AGAINST = 4
# The article's element, and so many around it, in which types alone tell what is of the article.
_LEVELS = 3
_MOST_TRIALS = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class Lesson:
    """One page of a template whose article was found: what a wrapper is learned from."""

    page: str
    outline: Outline
    kept: Sequence[int]
    signature: Signature
    shared: frozenset[str]
    hints: Hints
    confidence: float

    @cached_property
    def nodes(self) -> dict[Element, Node]:
        return {node.element: node for node in self.outline.nodes}

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        return pairs_of(self.outline, self.kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """A wrapper, the pages that bear it out, and those that it would have got wrong."""

    wrapper: Wrapper
    good: Mapping[str, float]
    bad: Sequence[str]

    @property
    def is_proven(self) -> bool:
        return bool(self.good) and _AGAINST * len(self.bad) <= len(self.good)

    @property
    def worth(self) -> float:
        return sum(self.good.values()) - _AGAINST * len(self.bad)


def learn(lessons: Sequence[Lesson], others: Sequence[Lesson] = ()) -> Wrapper | None:
    """The wrapper of one template's pages; None where none of them bears it out.

    `others` are pages of other templates: it must find nothing there, or what was found without it.
    """
    best: _Trial | None = None
    for xpath, places in _candidates(lessons):
        tried = _refined(xpath, places, lessons, others)
        if tried.is_proven and (best is None or tried.worth > best.worth):
            best = tried
        if best is not None and len(best.good) >= len(lessons):
            break
    return _named(_with_samples(best, [*lessons, *others])) if best else None


def _candidates(lessons: Sequence[Lesson]) -> list[tuple[str, dict[int, Node]]]:
    """XPaths with the nodes that they lead to, by lesson: those of most lessons first, then the closest."""
    found: dict[str, dict[int, Node]] = {}
    nearness: dict[str, int] = {}
    for place, lesson in enumerate(lessons):
        for level, node in enumerate(_around(common_node(lesson.outline, lesson.kept))):
            for path in paths_to(node):
                found.setdefault(path, {}).setdefault(place, node)
                nearness[path] = min(level, nearness.get(path, level))
    order = sorted(found, key=lambda path: (-len(found[path]), nearness[path], -len(path), path))
    # Of those that lead to the same elements one is enough.
    different = {tuple(found[path].items()): path for path in reversed(order)}
    return [(path, found[path]) for path in order if path in different.values()][:_MOST_TRIALS]


def _around(node: Node) -> Iterable[Node]:
    if node.tag == "body":
        return [node]
    return takewhile(lambda above: above.tag != "body", islice(node.upwards(), _LEVELS))


def _refined(
    xpath: str, places: Mapping[int, Node], lessons: Sequence[Lesson], others: Sequence[Lesson]
) -> _Trial:
    """Drafted from all pages; where it is wrong on some, from the rest, so that it does not know those."""
    every = [*lessons, *others]
    first = _trial(_drafted(xpath, [(lessons[place], node) for place, node in places.items()]), every)
    good = [(lessons[place], node) for place, node in places.items() if lessons[place].page in first.good]
    if not first.bad or not good:
        return first
    second = _trial(_drafted(xpath, good), every)
    return max(first, second, key=lambda one: one.worth)


def _drafted(xpath: str, agreeing: Sequence[tuple[Lesson, Node]]) -> Wrapper:
    kept, dropped, mixed = _types(agreeing)
    texts = {text for lesson, _ in agreeing for text in lesson.shared}
    used = {lesson.outline.blocks[place].text for lesson, _ in agreeing for place in lesson.kept}
    return LearnedWrapper(
        id="",
        xpath=xpath,
        signature=tuple(sorted(frozenset[str]().union(*(lesson.signature for lesson, _ in agreeing)))),
        kept=kept,
        dropped=dropped,
        mixed=mixed,
        outside=round(max(outside(node.element) for _, node in agreeing), 3),
        furniture=tuple(sorted(map(text_key, texts - used))[:_MOST_FURNITURE]),
        samples=(),
        confidence=0.0,
    )


def _types(agreeing: Sequence[tuple[Lesson, Node]]) -> tuple[tuple[str, ...], ...]:
    """The types of blocks in the article's node: clearly of it, mostly not, and now this, now that."""
    kept: Counter[str] = Counter()
    every: Counter[str] = Counter()
    plain_items: set[str] = set()
    for lesson, node in agreeing:
        chosen = set(lesson.kept)
        for place in range(node.start, node.end):
            block = lesson.outline.blocks[place]
            if block.text not in lesson.shared:
                every[block.node.type] += len(block.words)
                kept[block.node.type] += len(block.words) * (place in chosen)
            if place not in chosen and (block.node.tag != "li" or 2 * block.linked < len(block.words)):
                plain_items.add(block.node.type)
    clearly_kept = sorted(kind for kind in every if kept[kind] >= _CLEARLY * every[kind])
    # A type of which only lists of links were dropped: a list without links is another matter.
    dropped = sorted(kind for kind in plain_items & every.keys() if kept[kind] <= _MOSTLY_NOT * every[kind])
    mixed = sorted(every.keys() - {*clearly_kept, *dropped})
    return tuple(clearly_kept), tuple(dropped), tuple(mixed)


def _trial(wrapper: Wrapper, lessons: Sequence[Lesson]) -> _Trial:
    good, bad = {}, []
    for lesson in lessons:
        agreed = agreement(wrapper, lesson)
        if agreed is not None and agreed >= PROVEN:
            good[lesson.page] = agreed
        elif agreed is not None:
            bad.append(lesson.page)
    return _Trial(wrapper=wrapper, good=good, bad=bad)


def agreement(wrapper: Wrapper, lesson: Lesson) -> float | None:
    """How far a wrapper finds on a page what was found on it without; None where it does not fit the page."""
    applied = tried_on(wrapper, lesson.outline, lesson.nodes, lesson.hints)
    return None if isinstance(applied, str) else overlap(pairs_of(lesson.outline, applied.kept), lesson.pairs)


def _with_samples(tried: _Trial, lessons: Sequence[Lesson]) -> Wrapper:
    good = tried.good
    sure = sum(lesson.confidence * good[lesson.page] for lesson in lessons if lesson.page in good)
    samples = sorted(good)[:_MOST_SAMPLES]
    return replace(tried.wrapper, samples=tuple(samples), confidence=round(sure / len(good), 4))


def joined(old: Wrapper, new: Wrapper) -> Wrapper:
    """What two lessons of one template taught, together; the old one, if that is no more than it knew."""
    mixed = {*old.mixed, *new.mixed} | ({*old.kept} & {*new.dropped}) | ({*old.dropped} & {*new.kept})
    kept, dropped = {*old.kept, *new.kept} - mixed, {*old.dropped, *new.dropped} - mixed
    both = replace(
        new,
        signature=tuple(sorted({*old.signature, *new.signature})),
        kept=tuple(sorted(kept)),
        dropped=tuple(sorted(dropped)),
        mixed=tuple(sorted(mixed)),
        outside=max(old.outside, new.outside),
        furniture=tuple(sorted({*old.furniture, *new.furniture})[:_MOST_FURNITURE]),
        samples=tuple(sorted({*old.samples, *new.samples})[-_MOST_SAMPLES:]),
        confidence=_mean_confidence(old, new),
    )
    return old if _says_as_much(old, both) else _named(both)


def _mean_confidence(old: Wrapper, new: Wrapper) -> float:
    total = old.confidence * len(old.samples) + new.confidence * len(new.samples)
    return round(total / (len(old.samples) + len(new.samples)), 4)


def _says_as_much(old: Wrapper, both: Wrapper) -> bool:
    """Whether only the number of samples would grow, of which there are many."""
    same = (old.kept, old.dropped, old.mixed, old.outside) == (
        both.kept,
        both.dropped,
        both.mixed,
        both.outside,
    )
    return same and len(old.samples) >= WELL_KNOWN


def _named(wrapper: Wrapper) -> Wrapper:
    """With a name that only depends on what it says."""
    said = "\n".join(
        (
            wrapper.xpath,
            *wrapper.kept,
            "",
            *wrapper.dropped,
            "",
            *wrapper.mixed,
            "",
            *wrapper.furniture,
            "",
            *wrapper.samples,
        )
    )
    return replace(wrapper, id=hashlib.blake2b(said.encode(errors="replace"), digest_size=8).hexdigest())
