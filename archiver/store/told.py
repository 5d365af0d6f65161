"""Bad lines of seeds files: which of them were told before."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from archiver.store.schema import told_lines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.seeds import SeedProblem


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
