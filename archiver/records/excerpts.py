"""Columns that depend on what was asked for: text around the words of a query, a rank, a relevance."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import structs

from archiver.digests import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.records.model import ListedRecord, RecordWrapper

# Records that differ from one answer to another; and of all that several answers show, their share. Short
# texts are shown as a whole whatever was asked for.
_FEWEST, _SHARE = 3, 0.2


def with_excerpts(wrapper: RecordWrapper, answers: Sequence[Sequence[ListedRecord]]) -> RecordWrapper:
    """The wrapper, with its columns marked that show other values of the same record on other answers.

    Those that are marked stay so: a few answers may not show it.
    """
    if not wrapper.key:
        return wrapper  # all values make the key: a record with another one is another record
    shown: dict[str, list[dict[str, list[str]]]] = {}
    for records in answers:
        # Of two with one key on a page, the first counts.
        for key, values in {one.key: _values(one) for one in reversed(records)}.items():
            shown.setdefault(key, []).append(values)
    several = [found for found in shown.values() if len(found) > 1]
    differing = Counter(
        column.name
        for found in several
        for column in wrapper.columns
        if any(before.get(column.name) != after.get(column.name) for before, after in pairwise(found))
    )
    excerpts = {
        name
        for name, many in differing.items()
        if many >= max(_FEWEST, _SHARE * len(several)) and name not in wrapper.key
    }
    columns = tuple(
        structs.replace(one, is_excerpt=one.is_excerpt or one.name in excerpts) for one in wrapper.columns
    )
    return structs.replace(wrapper, columns=columns)


def _values(record: ListedRecord) -> dict[str, list[str]]:
    """In one order, as another one makes no version."""
    return {
        name: sorted(folded(value.value) for value in values) for name, values in record.attributes.items()
    }
