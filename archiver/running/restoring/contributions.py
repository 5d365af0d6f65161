"""Contributions and posts as the state store knows them, made again from the lines written for them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import msgspec

from archiver.archive.objects.kinds import object_files
from archiver.archive.objects.writer import LinePlace
from archiver.articles.contributions.schema import ContributionObjects
from archiver.articles.posts.schema import PostObjects
from archiver.digests import sha256_digest
from archiver.running.restoring.lines import whole_lines
from archiver.store.content.contributions import restore_contributions
from archiver.store.content.posts import restore_posts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.store.database import Database

Made = TypeVar("Made")
_AT_ONCE = 500


async def restore_all(folder: Path, database: Database) -> tuple[int, int]:
    """Note every contribution of the objects files; how many there are, and how many lines are none."""
    restored = unreadable = 0
    restorers = ((ContributionObjects(), restore_contributions), (PostObjects(), restore_posts))
    for kind, restore in restorers:
        for path in object_files(folder, [kind.name]):
            lines = _read(path, kind.model)
            while some := list(islice(lines, _AT_ONCE)):
                sound = [one for one in some if one is not None]
                unreadable += len(some) - len(sound)
                restored += await database.run_async(restore, sound)  # type: ignore[arg-type] # of one kind
    return restored, unreadable


def _read(path: Path, model: type[Made]) -> Iterator[tuple[Made, LinePlace] | None]:
    decoder = msgspec.json.Decoder(model)
    for offset, line in whole_lines(path):
        try:
            made = decoder.decode(line)
        except msgspec.DecodeError:
            yield None
            continue
        yield made, LinePlace(file=path.name, offset=offset, digest=sha256_digest(line))
