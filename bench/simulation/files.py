"""Files of posting histories, and which part of them is replayed."""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from archiver.errors import ArchiverError
from archiver.inspection.simulation.histories import APART, Histories, History, histories_of
from archiver.inspection.simulation.lockstep import COLD, DAY, ReplaySpan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

_GZIP = b"\x1f\x8b"


class HistoriesError(ArchiverError):
    """A file of histories that cannot be read."""


def read_histories(path: Path) -> Histories:
    """A file of one JSON object for each feed: `published` (seconds), `window` and `kind`; gzip or not."""
    try:
        found = histories_of(_rows(path))
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise HistoriesError(f"{path} cannot be read: {error}") from error
    if not len(found.published):
        raise HistoriesError(f"{path} has no feed with entries")
    return found


def _rows(path: Path) -> Iterator[History]:
    with path.open("rb") as beginning:
        is_gzip = beginning.read(2) == _GZIP
    with gzip.open(path, "rt", encoding="utf-8") if is_gzip else path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield _row(line, f"{path}, line {number}")


def _row(line: str, where: str) -> History:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise HistoriesError(f"{where} is no JSON: {error}") from error
    if not isinstance(row, dict):
        raise HistoriesError(f"{where} is no JSON object")
    window, kind = row.get("window"), row.get("kind", "other")
    if isinstance(window, bool) or not isinstance(window, int) or window < 1:
        raise HistoriesError(f"{where}: `window` must be a whole number from 1, not {json.dumps(window)}")
    if not isinstance(kind, str):
        raise HistoriesError(f"{where}: `kind` must be a text, not {json.dumps(kind)}")
    return History(published=_moments(row.get("published"), where), window=window, kind=kind)


def _moments(found: object, where: str) -> NDArray[np.float64]:
    if not isinstance(found, list):
        raise HistoriesError(f"{where}: `published` must be a list of moments")
    strays = [one for one in found if isinstance(one, bool) or not isinstance(one, int | float)]
    moments = np.asarray([] if strays else found, np.float64)
    if strays or not (np.abs(moments) < APART / 10).all():
        raise HistoriesError(f"{where}: `published` must be seconds since 1970, all of them")
    return moments


def with_windows(histories: Histories, kind: str, size: int) -> Histories:
    """The same with other windows for the feeds of a kind."""
    is_kind = np.array([one == kind for one in histories.kind], bool)
    return replace(histories, window=np.where(is_kind, size, histories.window))


def part(histories: Histories, remainder: int, of: int) -> Histories:
    """Every so-manieth feed."""
    return histories_of(
        History(published=histories.of(feed), window=int(histories.window[feed]), kind=histories.kind[feed])
        for feed in range(remainder, len(histories), of)
    )


def default_span(histories: Histories) -> ReplaySpan:
    """All that can be replayed.

    It begins a week after nine feeds of ten have, so that there is something to know at first, and ends with
    the day of the last entry.
    """
    begins = [
        histories.published[place] for place in histories.first[:-1] if place < len(histories.published)
    ]
    last = float(np.ceil(histories.published.max() / DAY) * DAY)
    start = float(np.percentile(begins, 90) // DAY * DAY + COLD)
    # Of what is shorter than that, half is replayed.
    first = float(histories.published.min())
    return ReplaySpan(start=start if start < last - DAY else (first + last) / 2, end=last)
