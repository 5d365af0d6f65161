"""What a site has shown: which text of a page is new, and which other page shows the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, insert, select

from archiver.acquisition.sites.traps.evidence import PageVerdict
from archiver.acquisition.sites.traps.novelty import hashes_of, judged
from archiver.store.schema import marks, visits

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from archiver.acquisition.sites.traps.novelty import Novelty

# Of a site. With more, whatever is not among them counts as new: nothing is lost by it.
MOST_MARKS = 5_000_000
_LOOK_EVERY = 10_000


def judge(
    connection: Connection, site_id: int, visit_id: int, novelty: Novelty, *, within: str = ""
) -> PageVerdict:
    """What a page adds to its site; `within`: to the series that it is one of. It is known then."""
    if novelty.digest and same_page(connection, site_id, visit_id, novelty.digest):
        return PageVerdict.SAME
    hashes = hashes_of(novelty.marks)
    inner = hashes_of(novelty.marks, within) if within else []
    numbers = {number for pair in (*hashes, *inner) for number in pair}
    known = set(connection.execute(_KNOWN, {"site": site_id, "marks": list(numbers)}).scalars())
    new = [{"site_id": site_id, "mark": number} for number in sorted(numbers - known)]
    if new and _has_room(connection, site_id, visit_id):
        connection.execute(insert(marks), new)
    return judged(novelty.marks, inner or hashes, known, is_series=bool(within))


def same_page(connection: Connection, site_id: int, visit_id: int, digest: str) -> str | None:
    """The address of another page that shows the same."""
    return connection.execute(_SAME, {"site": site_id, "digest": digest, "visit": visit_id}).scalar()


# Asked with every visit: to put them together each time would take longer than to answer them.
_KNOWN = select(marks.c.mark).where(
    marks.c.site_id == bindparam("site"), marks.c.mark.in_(bindparam("marks", expanding=True))
)
_SAME = (
    select(visits.c.url)
    .where(
        visits.c.site_id == bindparam("site"),
        visits.c.digest == bindparam("digest"),
        visits.c.id != bindparam("visit"),
    )
    .order_by(visits.c.id)
    .limit(1)
)


def _has_room(connection: Connection, site_id: int, visit_id: int) -> bool:
    """Counted now and then: that takes a while."""
    if visit_id % _LOOK_EVERY:
        return True
    query = select(func.count()).select_from(marks).where(marks.c.site_id == site_id)
    return connection.execute(query).scalar_one() < MOST_MARKS
