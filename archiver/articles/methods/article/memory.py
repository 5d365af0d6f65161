"""The wrappers of a channel: those known before, what a group's pages add to them, and what they end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from archiver.articles.methods.article.learning import WELL_KNOWN, joined, learn
from archiver.articles.methods.article.wrappers import ENOUGH_SAMPLES
from archiver.digests import fraction_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from archiver.articles.methods.article.learning import Lesson
    from archiver.articles.model import Wrapper
    from archiver.documents.pages.blocks import Outline

# The frame of a page: the elements that hold at least this share of its blocks.
_FRAME_SHARE = 0.04
_MOST_TYPES = 60
ALIKE = 0.5
Signature = frozenset[str]

# One page in so many is studied although a wrapper fits it, to see whether both still agree; more of them
# as long as few pages have shown the wrapper.
CHECKED, CHECKED_AT_FIRST = 0.02, 0.15
# A wrapper of pages on which hardly two voters agreed is not used.
SURE = 0.5
_MOST_KINDS = 2


class Memory:
    """What is known of a channel's templates."""

    def __init__(self, known: Sequence[Wrapper]) -> None:
        self._known = {wrapper.id: wrapper for wrapper in known}
        self._learned: dict[str, Wrapper] = {}
        self._outdated: set[str] = set()
        # Wrappers that served a page of this group.
        self._served: set[str] = set()
        self._usable: list[Wrapper] | None = None

    @property
    def learned(self) -> list[Wrapper]:
        return [self._learned[name] for name in sorted(self._learned)]

    @property
    def outdated(self) -> list[str]:
        return sorted(self._outdated)

    def usable(self) -> list[Wrapper]:
        """Those that may be used alone, the best known first."""
        if self._usable is None:
            found = filter(is_usable, self._all())
            self._usable = sorted(found, key=lambda one: (-len(one.samples), one.id))
        return self._usable

    def served(self, wrapper: Wrapper) -> None:
        self._served.add(wrapper.id)

    def learn(self, templates: Sequence[Sequence[Lesson]]) -> None:
        """From one template after the other, each with a look at the pages of the others."""
        every = [lesson for template in templates for lesson in template]
        for template in templates:
            left = template
            # What the first wrapper is not borne out by may be pages of another kind with the same frame.
            for _ in range(_MOST_KINDS):
                new = learn(left, [one for one in every if one not in left]) if left else None
                if new is None:
                    break
                self._remember(new, {lesson.page for lesson in every})
                left = [one for one in left if one.page not in new.samples]

    def confirm(self, wrapper: Wrapper, lesson: Lesson) -> None:
        """One more page has shown a wrapper, and teaches nothing else."""
        for known in self._all():
            if known.xpath == wrapper.xpath:
                more = joined(known, replace(known, samples=(lesson.page,), confidence=lesson.confidence))
                self._replace(known, more)

    def _replace(self, known: Wrapper, new: Wrapper) -> None:
        if new.id != known.id:
            self.drop(known)
            self._learned[new.id] = new

    def _remember(self, new: Wrapper, pages: set[str]) -> None:
        """Add it to what was known."""
        for known in self._all():
            if known.xpath == new.xpath:
                new = joined(known, new)
                self.drop(known)
            elif self._is_replaced(known, new, pages):
                self.drop(known)
        # What it says may be what was known: then nothing was learned.
        self._outdated.discard(new.id)
        if new.id not in self._known:
            self._learned[new.id] = new
        self._usable = None

    def _is_replaced(self, known: Wrapper, new: Wrapper, pages: set[str]) -> bool:
        """Whether the frame is the same, enough pages have their article elsewhere in it, and none there."""
        if not is_usable(new) or known.id in self._served or not pages.isdisjoint(known.samples):
            return False
        return likeness(known.signature, new.signature) >= ALIKE

    def drop(self, wrapper: Wrapper) -> None:
        """It is no longer believed."""
        if self._learned.pop(wrapper.id, None) is None:
            self._outdated.add(wrapper.id)
        self._usable = None

    def _all(self) -> list[Wrapper]:
        known = {**self._known, **self._learned}
        return [one for name, one in known.items() if name not in self._outdated]


def is_usable(wrapper: Wrapper) -> bool:
    """Whether enough pages have shown it, and surely enough."""
    return len(wrapper.samples) >= ENOUGH_SAMPLES and wrapper.confidence >= SURE


def is_checked(wrapper: Wrapper, page: str) -> bool:
    """Whether a page is one of those on which a wrapper is compared with the full consensus."""
    share = CHECKED if len(wrapper.samples) >= WELL_KNOWN else CHECKED_AT_FIRST
    return fraction_of(page) < share


def signature_of(outline: Outline) -> Signature:
    """The types of the elements that make the frame of a page."""
    least = max(2, _FRAME_SHARE * len(outline.blocks))
    found = dict.fromkeys(node.type for node in outline.nodes if node.end - node.start >= least)
    return frozenset(list(found)[:_MOST_TYPES])


def likeness(one: Iterable[str], other: Iterable[str]) -> float:
    first, second = frozenset(one), frozenset(other)
    return len(first & second) / len(first | second) if first or second else 1.0


def clusters_of(signatures: Sequence[Signature]) -> list[list[int]]:
    """The pages of each template, by their places; the first of them stands for it."""
    clusters: list[list[int]] = []
    for place, signature in enumerate(signatures):
        near = ((likeness(signature, signatures[cluster[0]]), cluster) for cluster in clusters)
        best, cluster = max(near, key=lambda pair: pair[0], default=(0.0, []))
        if best >= ALIKE:
            cluster.append(place)
        else:
            clusters.append([place])
    return clusters
