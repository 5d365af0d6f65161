"""Seeds become channels: the store made to agree with seeds files, and the bad lines in them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import case, delete, exists, insert, select, update

from archiver.acquisition.channels.merging import place
from archiver.acquisition.seeds.dropping import ANY_NUMBER
from archiver.acquisition.seeds.model import BY_HAND
from archiver.store.polling.channels import known_as, sources_of
from archiver.store.polling.due import channels_of
from archiver.store.schema import channels, listings, told_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.acquisition.seeds import Seed
    from archiver.acquisition.seeds.dropping import DropRule

    _Listed = Row[Any, Any, Any, Any]
    from archiver.acquisition.seeds import SeedProblem

# Of the channels that a vanished file listed, at least this share is named by the file in its place.
_SAME_FILE = 0.5
_POLLED = ("active", "retired")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCounts:
    added: int = 0
    known: int = 0
    unlisted: int = 0
    # The addresses of channels that are polled no more or, where that was refused, that would not be.
    dropped: tuple[str, ...] = field(default=(), compare=False)
    refused: bool = field(default=False, compare=False)
    # The addresses of those that these files no longer name, and that are polled since a hand added them.
    kept: tuple[str, ...] = field(default=(), compare=False)
    # How many channels these files listed before.
    listed: int = field(default=0, compare=False)
    # Files that are not there any more, in whose place these came.
    replaced: tuple[str, ...] = field(default=(), compare=False)


def import_seeds(
    connection: Connection,
    seeds: Sequence[Seed],
    sources: Sequence[str],
    now: datetime,
    *,
    drops: DropRule = ANY_NUMBER,
    vanished: Sequence[str] = (),
) -> ImportCounts:
    """Make the store agree with these files; importing them again changes nothing.

    What they drop is dropped unless `drops` refuses it: then it stays listed. Of the files that `vanished`,
    those that were renamed or moved give their listings to these.
    """
    named: dict[int, list[Seed]] = {}
    added = 0
    for seed in seeds:
        channel_id, is_new = _channel_of(connection, seed, now)
        named.setdefault(channel_id, []).append(seed)
        added += is_new
    for channel_id, its_seeds in named.items():
        _agree(connection, channel_id, its_seeds)
    listed = {(channel_id, seed.source) for channel_id, its_seeds in named.items() for seed in its_seeds}
    replaced = _replaced(connection, named, sources, vanished)
    mine = [*sources, *replaced]
    before, dropped = _before(connection, mine), _to_drop(connection, named, mine)
    kept = _kept(connection, named, mine)
    refused = drops.refuses(len(dropped), before)
    if refused:
        listed |= _listed_before(connection, dropped, sources, mine)
    _replace_listings(connection, listed, mine)
    return ImportCounts(
        added=added,
        known=len(named) - added,
        unlisted=stop_unlisted(connection),
        dropped=tuple(row.url for row in dropped),
        refused=refused,
        kept=tuple(kept),
        listed=before,
        replaced=tuple(replaced),
    )


def other_sources(connection: Connection, sources: Sequence[str]) -> list[str]:
    """The files besides these that list channels."""
    query = select(listings.c.source).where(listings.c.source.not_in([*sources, BY_HAND])).distinct()
    return list(connection.execute(query.order_by(listings.c.source)).scalars())


def _replaced(
    connection: Connection, named: Collection[int], sources: Sequence[str], vanished: Sequence[str]
) -> list[str]:
    """Those of the vanished files in whose place these are: new to the archive, with the same channels."""
    known = connection.execute(select(listings.c.source).where(listings.c.source.in_(sources)).distinct())
    if set(known.scalars()) >= set(sources):
        return []
    found = []
    for source in vanished:
        listed = set(connection.execute(channels_of([source])).scalars())
        if listed and len(listed.intersection(named)) >= _SAME_FILE * len(listed):
            found.append(source)
    return found


def _before(connection: Connection, sources: Sequence[str]) -> int:
    """How many channels were polled because these files list them."""
    query = select(channels.c.id).where(
        channels.c.id.in_(channels_of(sources)), channels.c.status.in_(_POLLED)
    )
    return len(connection.execute(query).all())


def _listed_before(
    connection: Connection, rows: Sequence[_Listed], sources: Sequence[str], mine: Sequence[str]
) -> set[tuple[int, str]]:
    """Which of these files listed these channels; a file that is no longer there is the first of them."""
    wanted = {row.id for row in rows}
    found = connection.execute(select(listings).where(listings.c.source.in_(mine)))
    return {
        (row.channel_id, row.source if row.source in sources else sources[0])
        for row in found
        if row.channel_id in wanted
    }


def _to_drop(connection: Connection, named: Collection[int], sources: Sequence[str]) -> list[_Listed]:
    """The channels that are polled because these files list them, and are named by none of them now."""
    sites = channels.alias()
    elsewhere = exists().where(listings.c.channel_id == channels.c.id, listings.c.source.not_in(sources))
    query = (
        select(channels.c.id, channels.c.url, channels.c.site_id, sites.c.status.label("site_status"))
        .outerjoin(sites, sites.c.id == channels.c.site_id)
        .where(channels.c.id.in_(channels_of(sources)), channels.c.status.in_(_POLLED), ~elsewhere)
        .order_by(channels.c.id)
    )
    rows = [row for row in connection.execute(query) if row.id not in named]
    gone = {row.id for row in rows}
    # A feed that was found on a site is polled with that site.
    return [
        row
        for row in rows
        if row.site_id is None or row.site_id in gone or row.site_status in (None, "unlisted")
    ]


def _kept(connection: Connection, named: Collection[int], sources: Sequence[str]) -> list[str]:
    """The channels that these files listed, and that stay without them since a hand added them as well."""
    query = select(channels.c.id, channels.c.url).where(
        channels.c.id.in_(channels_of(sources)),
        channels.c.id.in_(channels_of([BY_HAND])),
        channels.c.status.in_(_POLLED),
    )
    return [row.url for row in connection.execute(query.order_by(channels.c.id)) if row.id not in named]


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What became of a channel that was added by hand."""

    is_new: bool
    # The files that named it alone until now; it stays polled if they drop it.
    also_in: tuple[str, ...] = ()


def add_seed(connection: Connection, seed: Seed, now: datetime) -> Added:
    """Add one channel to those that its source lists already."""
    channel_id, is_new = _channel_of(connection, seed, now)
    named_by = sources_of(connection, channel_id)
    # What is not said is left as a file, or a hand, said it before.
    _agree(connection, channel_id, [seed], is_whole=not named_by)
    known = connection.execute(channels_of([seed.source])).scalars()
    listed = {(one, seed.source) for one in (channel_id, *known)}
    _replace_listings(connection, listed, [seed.source])
    # A site that was removed brings its feeds back with it.
    stop_unlisted(connection)
    return Added(is_new=is_new, also_in=() if seed.source in named_by else tuple(sorted(named_by)))


def _channel_of(connection: Connection, seed: Seed, now: datetime) -> tuple[int, bool]:
    """The number of the channel that a seed means, and whether it is new."""
    known = known_as(connection, seed.url)
    if known is not None:
        return known, False
    values: dict[str, object] = {"seed_url": seed.url, "kind": "unknown", "status": "active"}
    values |= {"added": now, "next_poll": now, "why": "never polled", "labels": ()}
    inserted = connection.execute(insert(channels).values(**values, **place(seed.url))).inserted_primary_key
    return int(inserted[0]), True  # type: ignore[index] # one row was inserted


def _agree(connection: Connection, channel_id: int, seeds: Sequence[Seed], *, is_whole: bool = True) -> None:
    """Make a channel what its seeds say; several are seeds of one that moved, or that had a twin.

    Where they are not the whole of what is said of it, labels and an interval that they do not give stay.
    """
    labels = tuple(dict.fromkeys(label for seed in seeds for label in seed.labels))
    title = next((seed.title for seed in seeds if seed.title), None)
    every = next((seed.every.total_seconds() for seed in seeds if seed.every), None)
    returned = case((channels.c.status == "unlisted", "active"), else_=channels.c.status)
    why = case((channels.c.status == "unlisted", "named again"), else_=channels.c.why)
    values: dict[str, object] = {"status": returned, "why": why}
    said = {"labels": labels, "every": every}
    values |= said if is_whole else {name: value for name, value in said.items() if value}
    if title is not None:
        # What a feed calls itself counts more.
        unsaid = channels.c.title.is_(None) | channels.c.last_success.is_(None)
        values["title"] = case((unsaid, title), else_=channels.c.title)
    connection.execute(update(channels).where(channels.c.id == channel_id).values(**values))


def _replace_listings(
    connection: Connection, listed: Collection[tuple[int, str]], sources: Sequence[str]
) -> None:
    connection.execute(delete(listings).where(listings.c.source.in_(sources)))
    if listed:
        rows = [{"channel_id": channel_id, "source": source} for channel_id, source in listed]
        connection.execute(insert(listings), rows)


def stop_unlisted(connection: Connection) -> int:
    """A channel that is listed nowhere any more is not polled; feeds found on a site follow the site."""
    listed = exists().where(listings.c.channel_id == channels.c.id)
    own = connection.execute(
        update(channels)
        .where(channels.c.site_id.is_(None), channels.c.status.in_(("active", "retired")), ~listed)
        .values(status="unlisted", why="no seeds file names it any more")
    )
    sites = channels.alias()
    site_status = select(sites.c.status).where(sites.c.id == channels.c.site_id).scalar_subquery()
    for found, wanted in (("active", "unlisted"), ("retired", "unlisted"), ("unlisted", "active")):
        connection.execute(
            update(channels)
            .where(
                channels.c.site_id.is_not(None), channels.c.status == found, ~listed, site_status == wanted
            )
            .values(status=wanted)
        )
    return own.rowcount


def tell(
    connection: Connection,
    problems: Sequence[SeedProblem],
    sources: Sequence[str],
    now: datetime,
    *,
    replaced: Sequence[str] = (),
) -> list[SeedProblem]:
    """Note that these lines of these files are told; the ones that were not told before.

    A line that was mended is forgotten: broken again, it is told again. `replaced` are earlier names of the
    files.
    """
    mine = told_lines.c.source.in_([*sources, *replaced])
    known = {row.digest: row.told for row in connection.execute(select(told_lines).where(mine))}
    connection.execute(delete(told_lines).where(mine))
    rows = {
        (problem.file, digest): {"source": problem.file, "digest": digest, "told": known.get(digest, now)}
        for problem in problems
        if (digest := _digest(problem))
    }
    if rows:
        connection.execute(insert(told_lines), list(rows.values()))
    return [problem for problem in problems if _digest(problem) not in known]


def _digest(problem: SeedProblem) -> str:
    # A line may hold a password: what is kept tells nothing of it.
    return hashlib.sha256(problem.text.encode("utf-8", "replace")).hexdigest()[:32]
