"""Series of pages, such as those of a list: each in its order, to the first page that shows nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select, update

from archiver.acquisition.sites.traps.evidence import MOST_STALE, FamilyState, PageVerdict, ends_behind
from archiver.acquisition.sites.traps.forms import series_of
from archiver.batches import batches
from archiver.store.schema import families, visits
from archiver.store.whole_sites.families import ASKED, WAITS, family_of, record_of

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from archiver.acquisition.sites.traps.forms import NumberedAddress

_SERIES = "series"  # the kind of the row with what is known of all series of a site
_DOUBTED = MOST_STALE - 1  # how stale is what is behind a page that shows nothing, where that proves little


def is_behind_another(connection: Connection, family_id: int, place: NumberedAddress) -> bool:
    """Whether another page of a series comes first: what is behind that one may not be needed."""
    query = select(visits.c.id).where(_of(family_id, place), ASKED | WAITS).limit(1)
    return connection.execute(query).first() is not None


def go_on_with_series(connection: Connection, visit_id: int) -> None:
    """Ask for the next page of a series of which one was visited."""
    row = connection.execute(_VISIT_OF_GOOD, {"visit": visit_id}).first()
    place = series_of(row.url) if row is not None else None
    if row is None or place is None:
        return
    # What is asked for already comes first: there is nothing to do then.
    query = select(visits.c.id).where(_of(row.family_id, place), ASKED | WAITS)
    number = connection.execute(query.order_by(visits.c.state == "deferred", visits.c.id).limit(1)).scalar()
    if number is not None:
        connection.execute(update(visits).where(visits.c.id == number).values(state="pending"))


# Asked with every visit.
_VISIT_OF_GOOD = select(visits.c.url, visits.c.family_id).where(
    visits.c.id == bindparam("visit"),
    families.c.id == visits.c.family_id,
    families.c.state == FamilyState.GOOD,
)


def note_place(connection: Connection, row: Row[Any], verdict: PageVerdict, stale: int) -> None:
    """Note what a page of a series showed; with `stale`, for how long the series has shown nothing."""
    place = series_of(row.url)
    if place is None or verdict is PageVerdict.NEUTRAL:
        return
    if row.stale:
        _learn(connection, row, place, is_end=stale > 0)
    if stale >= MOST_STALE:
        known = record_of(family_of(connection, row.site_id, _SERIES, ""))
        behind = _behind(connection, row, place)
        _set_stale(connection, behind, MOST_STALE if ends_behind(known) else _DOUBTED)


def _learn(connection: Connection, row: Row[Any], place: NumberedAddress, *, is_end: bool) -> None:
    """A page behind one without anything new: whether it has something says what others are worth."""
    family = family_of(connection, row.site_id, _SERIES, "")
    column = families.c.same if is_end else families.c.differ
    connection.execute(update(families).where(families.c.id == family.id).values({column: column + 1}))
    if not is_end:
        waiting = _of(row.family_id, place) & (visits.c.state == "deferred")
        connection.execute(update(visits).where(waiting).values(stale=0))


def _behind(connection: Connection, row: Row[Any], place: NumberedAddress) -> list[int]:
    """What waits of a series behind a page, seen from the one that led to it."""
    origin = series_of(row.via) if row.via else None
    is_up = origin is None or origin.before != place.before or origin.place <= place.place
    query = select(visits.c.id, visits.c.url).where(_of(row.family_id, place), WAITS)
    found = ((one.id, series_of(one.url)) for one in connection.execute(query))
    return [
        number
        for number, other in found
        if other is not None and other.place != place.place and (other.place > place.place) == is_up
    ]


def _set_stale(connection: Connection, numbers: list[int], stale: int) -> None:
    for some in batches(numbers):
        connection.execute(update(visits).where(visits.c.id.in_(some)).values(stale=stale))


def _of(family_id: int, place: NumberedAddress) -> Any:  # noqa: ANN401 - a condition
    begins = visits.c.url.startswith(place.before, autoescape=True)
    return (visits.c.family_id == family_id) & begins & visits.c.url.endswith(place.after, autoescape=True)
