"""Which captured pages are read together, and when: decided from counts, sizes and times."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - a dataclass may be asked for its types
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRules:
    """How many pages of a scope are read together, and how long they wait for each other."""

    pages: int = 20
    size: int = 8 << 20
    wait: timedelta = timedelta(seconds=30)
    # Earlier pages that a few new ones are read with, where nothing was learned that fits them.
    siblings: int = 5
    # From so many captured pages on, groups are read at once, and fetching stops until they are.
    backlog: int = 5000


# For methods that look at one page at a time: no page waits for another.
ALONE = GroupRules(pages=1, wait=timedelta(), siblings=0, backlog=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """The captured pages of a scope, counted."""

    scope: int
    pages: int
    size: int
    since: datetime | None  # when the first of them was captured


@dataclass(frozen=True, slots=True, kw_only=True)
class Busy:
    """Those of them that are being read."""

    pages: int = 0
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Triage:
    """What becomes of the scopes that have captured pages."""

    # All of their pages are read now.
    whole: frozenset[int]
    # So much as fills groups is read now.
    full: frozenset[int]
    # These wait until their other pages are in, and not longer than until then.
    waiting: Mapping[int, datetime]


def triage(
    loads: Sequence[Load],
    busy: Mapping[int, Busy],
    taught: Collection[int] | None,
    rules: GroupRules,
    now: datetime,
) -> Triage:
    """Decide by what is known without asking which pages are still to come.

    `taught` are the scopes of which a group was read before; None where nothing is learned.
    """
    whole, full, waiting = set(), set(), {}
    hurry = sum(load.pages for load in loads) >= max(1, rules.backlog // 2)
    for load in loads:
        reading = busy.get(load.scope, Busy())
        until = (load.since or datetime.min.replace(tzinfo=UTC)) + rules.wait
        if reading.pages:
            # The first group teaches what the others are read by.
            if (taught is None or load.scope in taught) and _is_full(load, reading, rules):
                full.add(load.scope)
        elif hurry or not load.scope or until <= now:
            whole.add(load.scope)
        elif _is_full(load, reading, rules):
            full.add(load.scope)
        else:
            waiting[load.scope] = until
    return Triage(whole=frozenset(whole), full=frozenset(full), waiting=waiting)


def _is_full(load: Load, reading: Busy, rules: GroupRules) -> bool:
    return load.pages - reading.pages >= rules.pages or load.size - reading.size >= rules.size


class Groupable(Protocol):
    """What must be known of a page to put it into a group."""

    @property
    def size(self) -> int: ...

    @property
    def identity_keys(self) -> frozenset[str]:
        """What no two pages of a group may share: they would take each other's article for the template."""
        ...


Page = TypeVar("Page", bound=Groupable)


@dataclass(slots=True, kw_only=True)
class _Group(Generic[Page]):
    pages: list[Page] = field(default_factory=list)
    size: int = 0
    identity_keys: set[str] = field(default_factory=set)
    is_full: bool = False

    def takes(self, page: Page, rules: GroupRules) -> bool:
        if self.is_full or self.identity_keys & page.identity_keys:
            return False
        self.is_full = bool(self.pages) and self.size + page.size > rules.size
        return not self.is_full

    def add(self, page: Page, rules: GroupRules) -> None:
        self.pages.append(page)
        self.size += page.size
        self.identity_keys |= page.identity_keys
        self.is_full = len(self.pages) >= rules.pages or self.size >= rules.size


def cut(pages: Sequence[Page], rules: GroupRules, *, whole: bool) -> list[tuple[Page, ...]]:
    """Groups of these pages, in their order; without `whole`, only those that are full, and at least one."""
    groups: list[_Group[Page]] = []
    for page in pages:
        group = next((one for one in groups if one.takes(page, rules)), None)
        if group is None:
            group = _Group()
            groups.append(group)
        group.add(page, rules)
    wanted = groups if whole else [one for one in groups if one.is_full] or groups[:1]
    return [tuple(one.pages) for one in wanted]
