"""Families of addresses of a site: what their pages gave, which of them wait, and what is skipped."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, insert, or_, select, update

from archiver.acquisition.sites.traps.evidence import (
    MOST_STALE,
    FamilyRecord,
    FamilyState,
    PageVerdict,
    after,
    is_gated,
    is_kin_barren,
    is_kin_suspected,
)
from archiver.acquisition.sites.traps.forms import Rank, SkipReason, is_copying, labels_of
from archiver.batches import batches
from archiver.store.schema import families, visits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection, Row

    from archiver.acquisition.sites.traps.forms import Labels

FAMILY, KIN, PARAMETER, FORM = "family", "kin", "parameter", "form"
MUTE = "mute"  # the state of a parameter that says nothing
# Of a site; what comes later is one family.
MOST_FAMILIES = 5000
_REST = "~"
MOST_EXAMPLES = 3
_SLEEPS = FamilyState.ASLEEP
# The kin of addresses that end in the path of another page: links that miss a stroke make them.
TAILS = "~/…"
# Parameters that two paths have in common, where what one of them gave tells of the other.
_LEAST_SHARED = 2
WAITS = (visits.c.state == "deferred") & (visits.c.stale < MOST_STALE)
# What failed is asked for again some time: others do not wait for it.
ASKED = (visits.c.state == "pending") & (visits.c.tries == 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedFamily:
    """Addresses that were not asked for, for one reason."""

    reason: str
    family: str
    count: int
    examples: tuple[str, ...]


def record_of(row: Row[Any]) -> FamilyRecord:
    return FamilyRecord(
        state=FamilyState.TRIED if row.state == MUTE else FamilyState(row.state),
        fresh=row.fresh,
        listed=row.listed,
        barren=row.barren,
        run=row.run,
        same=row.same,
        differ=row.differ,
    )


def families_named(
    connection: Connection, site_id: int, kind: str, names: Iterable[str]
) -> dict[str, Row[Any]]:
    found: dict[str, Row[Any]] = {}
    for some in batches(sorted(set(names))):
        query = select(families).where(families.c.site_id == site_id, families.c.kind == kind)
        found |= {row.name: row for row in connection.execute(query.where(families.c.name.in_(some)))}
    return found


def family_of(connection: Connection, site_id: int, kind: str, name: str, **values: object) -> Row[Any]:
    """The family of this name; a new one where it is not known."""
    known = families_named(connection, site_id, kind, [name]).get(name)
    if known is not None:
        return known
    row = {"site_id": site_id, "kind": kind, "name": name, "state": FamilyState.TRIED, **values}
    return connection.execute(insert(families).values(**row).returning(*families.c)).one()


def new_family(connection: Connection, site_id: int, labels: Labels) -> Row[Any]:
    """A family for addresses of a form that was not seen; it sleeps where all that is like it does."""
    query = select(func.count()).select_from(families).where(families.c.site_id == site_id)
    if connection.execute(query).scalar_one() >= MOST_FAMILIES:
        return family_of(connection, site_id, FAMILY, _REST)
    state = _SLEEPS if _sleeps_already(connection, site_id, labels) else FamilyState.TRIED
    told = {"state": state, "kin": labels.kin, "parameters": _spaced(labels.parameters)}
    return family_of(connection, site_id, FAMILY, labels.family, **told)


def _sleeps_already(connection: Connection, site_id: int, labels: Labels) -> bool:
    if not labels.kin:
        return False
    asleep = families_named(connection, site_id, PARAMETER, labels.parameters).values()
    if any(row.state == _SLEEPS for row in asleep):
        return True
    kin = families_named(connection, site_id, KIN, [labels.kin]).values()
    return any(_is_barren(connection, row, record_of(row)) for row in kin)


def _spaced(names: Sequence[str]) -> str:
    return f" {' '.join(names)} " if names else ""


# ── What a page gave ─────────────────────────────────────────────────────────────────────────────────────


def note_verdict(
    connection: Connection, row: Row[Any], url: str, verdict: PageVerdict, settled: Iterable[str]
) -> None:
    """Note what a page gave; `settled` are the parameters without which its address was visited, too."""
    site_id, labels = row.site_id, labels_of(url)
    record = after(record_of(row), verdict, is_copy=labels.is_copy or row.kin == TAILS)
    if labels.random and record.state is FamilyState.GOOD and not _is_told_apart(connection, row, labels):
        record = replace(record, state=FamilyState.TRIED)
    _change(connection, row, record, url if verdict is PageVerdict.FRESH else row.last)
    if row.kin:
        _note_kin(connection, site_id, row.kin, verdict)
    names = labels.parameters if verdict is PageVerdict.FRESH else tuple(settled)
    for name in names:
        _note_parameter(connection, site_id, name, verdict)


def _is_told_apart(connection: Connection, row: Row[Any], labels: Labels) -> bool:
    """Whether what looks like the id of a session was seen to choose the page."""
    known = families_named(connection, row.site_id, PARAMETER, labels.random)
    return any(one.differ for one in known.values())


def _change(connection: Connection, row: Row[Any], record: FamilyRecord, last: str) -> None:
    state = row.state if row.state == MUTE else record.state
    values = {name: getattr(record, name) for name in ("fresh", "listed", "barren", "run")} | {"last": last}
    mine = families.c.id == row.id
    connection.execute(update(families).where(mine).values(state=state, **values))
    if row.kind != FAMILY:
        return
    if record.state is FamilyState.GOOD and row.state != FamilyState.GOOD:
        _release(connection, row.id)
    elif record.state is not FamilyState.GOOD and row.state == FamilyState.GOOD:
        defer(connection, [row.id])
    if record.listed and not row.listed and record.state is FamilyState.TRIED:
        _put_behind(connection, row.id)


def _put_behind(connection: Connection, family_id: int) -> None:
    """Lists that are no series are asked for when what is known of was read: most of them show it again."""
    mine = (visits.c.family_id == family_id) & (visits.c.state == "deferred") & (visits.c.rank < Rank.AGAIN)
    connection.execute(update(visits).where(mine).values(rank=Rank.AGAIN))


def _note_kin(connection: Connection, site_id: int, name: str, verdict: PageVerdict) -> None:
    row = family_of(connection, site_id, KIN, name)
    record = after(record_of(row), verdict)
    _change(connection, row, record, row.last)
    if not _is_barren(connection, row, record):
        return
    # What one path shows may decide on another one with the same parameters.
    for one in families_of_kind(connection, site_id, KIN):
        if _is_barren(connection, one, record_of(one)):
            _put_to_sleep(connection, site_id, families.c.kin == one.name)


def _is_barren(connection: Connection, row: Row[Any], record: FamilyRecord) -> bool:
    """Whether nothing comes of any parameters on a path, by what the same ones gave on others as well."""
    if is_kin_barren(record) or not is_kin_suspected(record):
        return is_kin_barren(record)
    mine = _parameters_of(connection, row.site_id, row.name)
    elsewhere = sum(
        one.run
        for one in families_of_kind(connection, row.site_id, KIN)
        if one.name != row.name
        and is_kin_suspected(record_of(one))
        and len(mine & _parameters_of(connection, row.site_id, one.name)) >= _LEAST_SHARED
    )
    return is_kin_barren(record, elsewhere=elsewhere)


def families_of_kind(connection: Connection, site_id: int, kind: str) -> Sequence[Row[Any]]:
    query = select(families).where(families.c.site_id == site_id, families.c.kind == kind)
    return connection.execute(query).all()


def _parameters_of(connection: Connection, site_id: int, kin: str) -> set[str]:
    mine = (families.c.site_id == site_id) & (families.c.kind == FAMILY) & (families.c.kin == kin)
    found = connection.execute(select(families.c.parameters).where(mine)).scalars()
    return {name for names in found for name in names.split()}


def _note_parameter(connection: Connection, site_id: int, name: str, verdict: PageVerdict) -> None:
    row = family_of(connection, site_id, PARAMETER, name)
    record = after(record_of(row), verdict, is_copy=is_copying(name))
    _change(connection, row, record, row.last)
    if record.state is _SLEEPS and row.state != _SLEEPS:
        _put_to_sleep(connection, site_id, families.c.parameters.contains(f" {name} ", autoescape=True))


def _put_to_sleep(connection: Connection, site_id: int, which: Any) -> None:  # noqa: ANN401 - a condition
    """Have families sleep that never gave anything."""
    mine = (families.c.site_id == site_id) & (families.c.kind == FAMILY) & (families.c.fresh == 0) & which
    numbers = list(connection.execute(select(families.c.id).where(mine)).scalars())
    for some in batches(numbers):
        connection.execute(update(families).where(families.c.id.in_(some)).values(state=_SLEEPS))
        defer(connection, some)


def defer(connection: Connection, family_ids: Sequence[int]) -> None:
    """Ask for nothing of these families until more is known."""
    mine = visits.c.family_id.in_(family_ids) & (visits.c.state == "pending")
    connection.execute(update(visits).where(mine).values(state="deferred"))


def _release(connection: Connection, family_id: int) -> None:
    mine = (visits.c.family_id == family_id) & WAITS
    connection.execute(update(visits).where(mine).values(state="pending"))


def go_on_with_family(connection: Connection, visit_id: int) -> None:
    """Ask for the next of a family of which one was visited, where they are asked for one at a time."""
    row = connection.execute(_FAMILY_OF_VISIT, {"visit": visit_id}).first()
    if row is None or not (row.kin or is_gated(FamilyState(row.state))):
        return
    if is_asked(connection, row):
        return
    waits = select(visits.c.id).join_from(visits, families).where(_alike(connection, row), WAITS)
    # After one that gave nothing, one from the other end: its neighbours may be what another family has
    # shown, and the rest of them not. A series goes on in its order.
    is_last = row.run > 0 and not labels_of(row.url).is_ordered
    order = visits.c.id.desc() if is_last else visits.c.id
    # Several parameters that give nothing tell more of a path than one.
    number = connection.execute(waits.order_by(visits.c.rank, families.c.barren > 0, order).limit(1)).scalar()
    if number is not None:
        connection.execute(update(visits).where(visits.c.id == number).values(state="pending"))


# Asked with every visit.
_FAMILY_OF_VISIT = select(families, visits.c.url).where(
    visits.c.id == bindparam("visit"), families.c.id == visits.c.family_id
)


def go_on_with_all(connection: Connection, site_id: int) -> bool:
    """Where nothing of a site is asked for, ask for one of each family that waits; whether there is any."""
    mine = (visits.c.site_id == site_id) & WAITS
    gated = families.c.state.in_((FamilyState.TRIED, FamilyState.DOUBTED, FamilyState.GOOD))
    query = select(func.min(visits.c.id)).join_from(visits, families).where(mine, gated)
    numbers = list(connection.execute(query.group_by(visits.c.family_id)).scalars())
    for some in batches(numbers):
        connection.execute(update(visits).where(visits.c.id.in_(some)).values(state="pending"))
    return bool(numbers)


def is_asked(connection: Connection, family: Row[Any]) -> bool:
    """Whether one of a family, or of those that are like it, is asked for."""
    return _has(connection, family, ASKED)


def is_taken(connection: Connection, family: Row[Any]) -> bool:
    """Whether another one of a family, or of those that are like it, comes first."""
    # What only differs in parameters takes its turn by rank, whatever page it was found on.
    return _has(connection, family, ASKED | WAITS if family.kin else ASKED)


def _has(connection: Connection, family: Row[Any], which: Any) -> bool:  # noqa: ANN401 - a condition
    query = select(visits.c.id).where(_alike(connection, family), which).limit(1)
    return connection.execute(query).first() is not None


def _alike(connection: Connection, family: Row[Any]) -> Any:  # noqa: ANN401 - a condition
    """The visits of a family, and of those on trial on the same path or for the same parameter."""
    if not family.kin:
        return visits.c.family_id == family.id
    like = [
        families.c.parameters.contains(f" {name} ", autoescape=True) for name in unproven(connection, family)
    ]
    mine = (families.c.site_id == family.site_id) & or_(families.c.kin == family.kin, *like)
    gated = families.c.state.in_((FamilyState.TRIED, FamilyState.DOUBTED))
    return visits.c.family_id.in_(select(families.c.id).where(mine, gated))


def unproven(connection: Connection, family: Row[Any]) -> list[str]:
    """The parameters of a family that have not led to anything new, on any path."""
    names = family.parameters.split()
    known = families_named(connection, family.site_id, PARAMETER, names) if names else {}
    return [name for name in names if name not in known or not known[name].fresh]


# ── What is skipped ──────────────────────────────────────────────────────────────────────────────────────


def count_skipped(connection: Connection, family_id: int, urls: Sequence[str]) -> None:
    """Count addresses of a family that are not asked for, and keep a few of them."""
    query = select(families.c.skipped, families.c.examples).where(families.c.id == family_id)
    row = connection.execute(query).one()
    examples = (*(row.examples or ()), *urls)[:MOST_EXAMPLES]
    values = {"skipped": row.skipped + len(urls), "examples": examples}
    connection.execute(update(families).where(families.c.id == family_id).values(**values))


def give_up_waiting(connection: Connection, site_id: int) -> None:
    """Skip what waits, with its count: the site is done."""
    waiting = (visits.c.site_id == site_id) & (visits.c.state == "deferred")
    query = select(visits.c.family_id, func.count().label("many")).where(waiting).group_by(visits.c.family_id)
    for row in connection.execute(query).all():
        urls = select(visits.c.url).where(waiting, visits.c.family_id == row.family_id).limit(MOST_EXAMPLES)
        examples = tuple(connection.execute(urls).scalars())
        values = {"skipped": families.c.skipped + row.many, "examples": examples}
        connection.execute(update(families).where(families.c.id == row.family_id).values(**values))
    values = {"state": "skipped", "outcome": SkipReason.NOTHING_NEW}
    connection.execute(update(visits).where(waiting).values(**values))


def skipped_of(connection: Connection, site_id: int) -> list[SkippedFamily]:
    """What was not asked for, with the reasons, most of all first."""
    query = select(families).where(families.c.site_id == site_id, families.c.skipped > 0)
    rows = connection.execute(query.order_by(families.c.skipped.desc(), families.c.id))
    return [
        SkippedFamily(
            reason=row.name if row.kind == FORM else SkipReason.NOTHING_NEW,
            family=row.name,
            count=row.skipped,
            examples=row.examples or (),
        )
        for row in rows
    ]
