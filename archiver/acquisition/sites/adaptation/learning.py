"""Which actions of a level fail, and what does in their place: located, relaxed, tried."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from archiver.acquisition.sites.adaptation.candidates import paths_to
from archiver.acquisition.sites.adaptation.checks import is_plausible
from archiver.acquisition.sites.adaptation.lessons import Marks, lesson_of
from archiver.acquisition.sites.adaptation.model import Adapted, LearnedAction
from archiver.acquisition.sites.adaptation.relaxing import Relaxing
from archiver.acquisition.sites.adaptation.slots import adapted_type, slots_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.acquisition.sites.adaptation.lessons import ActionLesson, SamplePage
    from archiver.acquisition.sites.adaptation.relaxing import Vocabulary
    from archiver.acquisition.sites.adaptation.slots import ActionSlot
    from archiver.acquisition.sites.knowledge.model import SiteType
    from archiver.documents.expressions.model import Expression

# Pages that an action is learned from, and pages beyond these that it is tried on.
FEWEST_LEARNED, MOST_LEARNED, TRIED = 3, 5, 3
# Of the values on the pages, so many must be found, and of what is found so many be right.
_GOOD = 0.9
# An action that finds fewer of them has failed.
_FAILED = 0.5
# Of each page, so many places are looked at for paths.
_MOST_SPOTS = 40
_MOST_CANDIDATES = 3000
# Of pages without what is looked for, so many may show something by the path.
_STRAY = 0.2


def adapt(kind: SiteType, level: str, pages: Sequence[SamplePage], words: Vocabulary) -> Adapted:
    """Learn what fails on a level of a type: as it is on the site, with what was learned there before."""
    learned: list[LearnedAction] = []
    failed: list[str] = []
    seen: list[Sequence[ActionLesson]] = []
    for name in [slot.name for slot in _slots(kind, level)]:
        # What was learned just now finds the elements that others look into.
        slot = next(one for one in _slots(adapted_type(kind, learned), level) if one.name == name)
        lessons = [lesson_of(page, slot) for page in pages]
        is_apart = not any(_are_alike(lessons, others) for others in seen)
        seen.append(lessons)
        if is_apart and has_failed(slot, lessons):
            failed.append(name)
            found = _learned(slot, level, lessons, Relaxing(slot, words))
            learned += [found] if found is not None else []
    return Adapted(learned=tuple(learned), failed=tuple(failed))


def _slots(kind: SiteType, level: str) -> Iterator[ActionSlot]:
    found = kind.level(level)
    return slots_of(found) if found is not None else iter(())


def has_failed(slot: ActionSlot, lessons: Sequence[ActionLesson]) -> bool:
    """Whether an action misses what stands on pages; what is not there any more is not missed."""
    telling = [lesson for lesson in lessons if lesson.is_telling]
    missing = [lesson for lesson in telling if lesson.marks(slot.paths).recall < _FAILED]
    return len(missing) >= FEWEST_LEARNED and 2 * len(missing) >= len(telling)


def _are_alike(lessons: Sequence[ActionLesson], others: Sequence[ActionLesson]) -> bool:
    """Whether two actions have the same values on all pages: nothing tells then which one a path finds."""
    if lessons[0].slot.part is not others[0].slot.part or lessons[0].slot.kind is not others[0].slot.kind:
        return False
    pairs = [(one, other) for one, other in zip(lessons, others, strict=True) if one.is_telling]
    return bool(pairs) and all(
        [case.wanted for case in one.cases] == [case.wanted for case in other.cases] for one, other in pairs
    )


def _learned(
    slot: ActionSlot, level: str, lessons: Sequence[ActionLesson], relaxing: Relaxing
) -> LearnedAction | None:
    """The path that is right on the pages it is learned from, nearest to those known, and right on others."""
    telling = [lesson for lesson in lessons if lesson.is_telling][: MOST_LEARNED + TRIED]
    number = len(telling) - TRIED
    if number < FEWEST_LEARNED:
        return None
    taught, unseen = telling[:number], telling[number:]
    others = [lesson for lesson in lessons if not lesson.is_telling]
    for path, cost in _good_paths(taught, relaxing):
        if all(_is_good(lesson.marks([path])) for lesson in unseen) and _is_silent(path, others):
            return LearnedAction(
                level=level,
                action=slot.name,
                path=str(path),
                learned_from=telling[0].page.witnesses.learned_from,
                cost=cost,
                pages=tuple(lesson.page.url for lesson in taught),
                tried=len(unseen),
                passed=len(unseen),
            )
    return None


def _good_paths(taught: Sequence[ActionLesson], relaxing: Relaxing) -> Iterator[tuple[Expression, float]]:
    """Paths that are right on these pages, the best first, then those nearest to what is known."""
    common = _common_paths(taught)
    by_class = taught[0].page.known.virtual.by_class
    costs: dict[Expression, float] = {}
    for path, is_outer in common.items():
        counts = [len(by_class.get(name, ())) for name in _classes(path)]
        costs[path] = relaxing.cost(path, is_outer=is_outer, common=counts)
    good: list[tuple[float, float, Expression]] = []
    for path in sorted(costs, key=lambda one: (costs[one], str(one)))[:_MOST_CANDIDATES]:
        marks = sum((lesson.marks([path]) for lesson in taught), Marks())
        if marks.f1 == 1.0:
            yield path, costs[path]
        elif _is_good(marks):
            good.append((-marks.f1, costs[path], path))
    yield from ((path, cost) for _, cost, path in sorted(good, key=lambda one: (*one[:2], str(one[2]))))


def _common_paths(taught: Sequence[ActionLesson]) -> dict[Expression, bool]:
    """Paths that lead to what is wanted on nearly all of the pages; whether to what is around it."""
    counts: Counter[Expression] = Counter()
    inner: set[Expression] = set()
    for lesson in taught:
        found = list(islice(lesson.spots(), _MOST_SPOTS))
        around = {one.getparent() for _, (one, _) in found}
        mine: set[Expression] = set()
        for case, (element, name) in found:
            paths = set(paths_to(element, name, case.place))
            mine |= paths
            inner |= set() if element in around else paths
        counts.update(mine)
    return {path: path not in inner for path, pages in counts.items() if pages >= _GOOD * len(taught)}


def _classes(path: Expression) -> list[str]:
    return [one.literal for step in path.steps for one in step.conditions if one.is_class]


def _is_good(marks: Marks) -> bool:
    return marks.precision >= _GOOD and marks.recall >= _GOOD


def _is_silent(path: Expression, others: Sequence[ActionLesson]) -> bool:
    """Whether a path finds nothing where nothing is believed to be, or only what may be right."""
    found = [lesson for lesson in others if lesson.marks([path]).wrong]
    wrong = [lesson for lesson in found if not is_plausible(lesson, path)]
    return len(wrong) <= _STRAY * len(others)
