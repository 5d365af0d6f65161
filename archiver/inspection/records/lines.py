"""Records of one form, as objects files have them: the last version of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from archiver.archive.objects.kinds import object_files
from archiver.archive.storage import open_archived
from archiver.errors import ConfigurationError
from archiver.records.objects.model import ArchivedRecord
from archiver.records.objects.schema import RecordObjects

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.archive.withheld import Withheld


class _Head(msgspec.Struct):
    """As much of a line as tells whose it is."""

    form: str
    key: str
    version: int


def all_versions(objects: Path, form: str) -> Iterator[ArchivedRecord]:
    """Each version of each record, in the order in which they were written."""
    heads, lines = msgspec.json.Decoder(_Head), msgspec.json.Decoder(ArchivedRecord)
    for path in object_files(objects, [RecordObjects.name]):
        with open_archived(path) as file:
            for line in file:
                # The last line of a growing file may be a part of one.
                if line.endswith(b"\n") and heads.decode(line).form == form:
                    yield lines.decode(line)


def form_names(objects: Path) -> list[str]:
    """The forms that records are from."""
    heads = msgspec.json.Decoder(_Head)
    found: set[str] = set()
    for path in object_files(objects, [RecordObjects.name]):
        with open_archived(path) as file:
            found.update(heads.decode(line).form for line in file if line.endswith(b"\n"))
    return sorted(found)


def last_versions(objects: Path, form: str, withheld: Withheld) -> list[ArchivedRecord]:
    """The last version of each record that may be shown; ConfigurationError where the form has none."""
    found: dict[str, ArchivedRecord] = {}
    for record in all_versions(objects, form):
        known = found.get(record.key)
        if known is None or record.version >= known.version:
            found[record.key] = record
    if not found:
        names = form_names(objects)
        told = f"those with records are {', '.join(names)}" if names else "no form has any yet"
        raise ConfigurationError(f"There are no records of {form}: {told}")
    return [record for record in found.values() if not withheld.hides_any(addresses_of(record))]


def addresses_of(record: ArchivedRecord) -> Iterator[str]:
    """The pages that a record stands on, and its own."""
    yield from (answer.url for answer in record.answers)
    if record.detail:
        yield record.detail.url
    if record.url:
        yield record.url


def one_record(records: list[ArchivedRecord], name: str) -> ArchivedRecord:
    """The record with this key, the beginning of one, or this address."""
    exact = [one for one in records if name in (one.key, one.id, one.url)]
    found = exact or [one for one in records if one.key.startswith(name)]
    if len(found) == 1:
        return found[0]
    told = f"{len(found)} records begin so" if found else "there is no such record"
    raise ConfigurationError(f"{name}: {told}; name a key, or the address of a record")
