"""The second phase of a crawl by patterns: they are followed from the entry page, `+` without limit.

Where a page stands in patterns is a set of states, each a pattern and the step that comes next. A page that
is reached again in other ways is asked for once, and its links are followed in all of them.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.acquisition.sites.learning.graph import GraphLink, GraphPage, Labelling, SiteReader
    from archiver.acquisition.sites.learning.patterns import LinkStep, NavigationPattern

    PatternState = tuple[int, int]


def follow(
    reader: SiteReader,
    patterns: Sequence[NavigationPattern],
    labelling: Labelling,
    pages: dict[str, GraphPage],
) -> Iterator[str]:
    """Ask for what patterns lead to, and is not among the pages that are there; they are added."""
    walk = _Walk(patterns, labelling)
    waiting = deque([(reader.entry, frozenset((number, 0) for number in range(len(patterns))))])
    states: dict[str, set[PatternState]] = defaultdict(set)
    asked: set[str] = set()
    while waiting:
        link, given = waiting.popleft()
        new = given - states[link.key]
        states[link.key] |= new
        if link.key not in pages and link.key not in asked:
            asked.add(link.key)
            yield link.url
            page = reader.read(link.url)
            if page is not None:
                pages[link.key] = page
        if new and link.key in pages:
            waiting.extend(walk.after(pages[link.key], frozenset(new)))


class _Walk:
    def __init__(self, patterns: Sequence[NavigationPattern], labelling: Labelling) -> None:
        self._patterns = patterns
        self._labelling = labelling
        # By path and form: the states from which such a link is followed.
        self._taking: dict[tuple[str, str | None], list[PatternState]] = defaultdict(list)
        for number, pattern in enumerate(patterns):
            for place, step in enumerate(pattern.steps):
                self._taking[step.path, step.shape].append((number, place))

    def after(
        self, page: GraphPage, states: frozenset[PatternState]
    ) -> Iterator[tuple[GraphLink, frozenset[PatternState]]]:
        """Which links of a page are followed, and the states that they lead to."""
        for link in page.links:
            label = self._labelling(link)
            taken = [one for one in self._taking.get((label.path, label.shape), ()) if one in states]
            if taken:
                yield link, frozenset(state for one in taken for state in self._next(one))

    def _next(self, state: PatternState) -> Iterator[PatternState]:
        number, place = state
        yield number, place + 1
        if self._step(state).is_repeated:
            yield state

    def _step(self, state: PatternState) -> LinkStep:
        return self._patterns[state[0]].steps[state[1]]
