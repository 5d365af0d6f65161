"""Examples by the hundred until the time is over; each kind of failure is made small and kept once."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from archiver.articles.methods.registry import OURS
from tests.fuzz.cases import Case, named, write_case
from tests.fuzz.checks import check
from tests.fuzz.minimise import minimised
from tests.fuzz.mutations import changes, mutated
from tests.fuzz.sources import some_of
from tests.fuzz.trees import sites

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from archiver.documents.pages.model import RawPage
    from tests.fuzz.mutations import Change

_EXAMPLES = 50
_SECONDS_TO_MINIMISE = 120
# What learns and remembers has most that can go wrong.
_METHODS = ["article"] * 4 + [name for name in OURS if name != "article"]
_QUIET = settings(
    max_examples=_EXAMPLES,
    deadline=None,
    database=None,
    phases=[Phase.generate],  # made small by ours, which knows what pages are
    suppress_health_check=list(HealthCheck),
)

Failure = tuple[str, ...]


@dataclass(kw_only=True)
class Rounds:
    """What was tried, and what failed."""

    sources: Sequence[tuple[RawPage, ...]]
    findings: Path
    # The case that is being tried, for whoever finds this process dead.
    under_way: Path
    end: float
    chance: Random
    cases: int = 0
    pages: int = 0
    found: dict[Failure, Path] = field(default_factory=dict)

    def run(self) -> None:
        while time.monotonic() < self.end:
            for strategy in (_generated(), _mutated(self.sources)):
                _QUIET(seed(self.chance.getrandbits(64))(given(strategy)(self._try)))()

    def _try(self, case: Case) -> None:
        if time.monotonic() > self.end:
            return
        self.cases += 1
        self.pages += len(case.pages) + len(case.before)
        write_case(self.under_way, case, "the process died")
        failure = failure_of(case)
        if failure and failure not in self.found:
            least = minimised(case, lambda one: failure_of(one) == failure, _SECONDS_TO_MINIMISE)
            path = write_case(self.findings, least, " ".join(failure))
            self.found[failure] = path
            print(f"{path}: {' '.join(failure)}", flush=True)
        for path in self.under_way.iterdir():
            path.unlink()


def failure_of(case: Case) -> Failure | None:
    """In which way a case fails: the error, and where in the archiver it was."""
    try:
        check(case)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        places = [
            place for place in traceback.extract_tb(error.__traceback__) if "archiver" in place.filename
        ]
        where = f"{places[-1].filename.rpartition('archiver/')[2]}:{places[-1].name}" if places else ""
        said = str(error).splitlines()[0] if isinstance(error, AssertionError) and str(error) else ""
        return (type(error).__name__, *filter(None, (said, where)))
    return None


def _generated() -> st.SearchStrategy[Case]:
    return st.builds(_case, st.sampled_from(_METHODS), sites(), sites(), changes, st.booleans())


def _mutated(sources: Sequence[tuple[RawPage, ...]]) -> st.SearchStrategy[Case]:
    chosen = st.integers(0, 2**32).map(lambda number: some_of(sources, Random(number)))
    return st.builds(_split, st.sampled_from(_METHODS), chosen, changes, st.booleans())


def _case(
    method: str,
    pages: tuple[RawPage, ...],
    others: tuple[RawPage, ...],
    wanted: Sequence[Change],
    is_same: bool,
) -> Case:
    """Pages of one template, learned from those of the same one or of another."""
    before = named(pages if is_same else others, "before-")
    return Case(method=method, pages=named(mutated(pages, wanted)), before=before)


def _split(method: str, pages: tuple[RawPage, ...], wanted: Sequence[Change], learns: bool) -> Case:
    half = len(pages) // 2 if learns else 0
    return Case(
        method=method, pages=named(mutated(pages[half:], wanted)), before=named(pages[:half], "before-")
    )
