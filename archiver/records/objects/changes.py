"""What an answer changes of the records that are known: which are new, edited, or as they were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.records.objects.model import RecordVersion, values_digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from archiver.records.model import ListedRecord

# A digest of the values of each origin: a list and a page of its own show different parts of a record.
# Excerpts have none, since they depend on what was asked for.
OriginDigests = dict[str, str]
_ORIGINS = ("list", "detail")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownRecord:
    """The last version of a record."""

    key: str
    version: int
    digests: OriginDigests
    wrapper: str
    first_seen: datetime
    last_seen: datetime
    is_of_run: bool = False  # whether the present run has seen it


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenRecord:
    """A record that gets a line."""

    record: ListedRecord
    version: RecordVersion
    digests: OriginDigests


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenRecord:
    """A record that is as it was."""

    key: str
    version: int
    digests: OriginDigests
    last_seen: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordChanges:
    """What an answer came to."""

    written: tuple[WrittenRecord, ...] = ()
    seen: tuple[SeenRecord, ...] = ()


def compare_records(
    records: Iterable[ListedRecord],
    known: Mapping[str, KnownRecord],
    wrapper: str,
    captured: datetime,
    recorded: datetime,
) -> RecordChanges:
    """What is to be noted of the records of an answer; of two with one key, the first counts."""
    written, seen, there = [], [], set()
    for record in records:
        if record.key in there:
            continue
        there.add(record.key)
        before, digests = known.get(record.key), digests_of(record)
        change = _change(before, digests, wrapper, captured)
        if before is not None and not change:
            seen.append(_seen(before, digests, captured))
            continue
        kept = before.digests if before else {}
        version = _version(before, change, recorded)
        written.append(WrittenRecord(record=record, version=version, digests=kept | digests))
    return RecordChanges(written=tuple(written), seen=tuple(seen))


def digests_of(record: ListedRecord) -> OriginDigests:
    origins = {value.origin for values in record.attributes.values() for value in values}
    return {origin: values_digest(record.attributes, origin) for origin in _ORIGINS if origin in origins}


def _change(before: KnownRecord | None, digests: OriginDigests, wrapper: str, captured: datetime) -> str:
    """Why a record gets a version; empty where it gets none: what an older capture shows is not news."""
    if before is None:
        return "new"
    if all(before.digests.get(origin) == digest for origin, digest in digests.items()):
        return ""
    if wrapper != before.wrapper:
        return "wrapper"
    if captured <= before.last_seen:
        return ""
    if all(digests.get(origin, digest) == digest for origin, digest in before.digests.items()):
        return "detail"
    # Excerpts around the words asked for differ from answer to answer: the first one of a run counts.
    return "" if before.is_of_run and digests.keys() <= before.digests.keys() else "values"


def _seen(before: KnownRecord, digests: OriginDigests, captured: datetime) -> SeenRecord:
    return SeenRecord(
        key=before.key,
        version=before.version,
        digests=before.digests | digests if _is_newer(before, captured) else before.digests,
        last_seen=max(before.last_seen, captured),
    )


def _is_newer(before: KnownRecord, captured: datetime) -> bool:
    return captured >= before.last_seen and not before.is_of_run


def _version(before: KnownRecord | None, change: str, recorded: datetime) -> RecordVersion:
    if before is None:
        return RecordVersion(number=1, change=change, first_seen=recorded)
    return RecordVersion(
        number=before.version + 1,
        change=change,
        first_seen=before.first_seen,
        unchanged_until=before.last_seen,
    )
