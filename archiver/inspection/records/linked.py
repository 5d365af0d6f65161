"""Links of records to entities of other sources, as `scrapy forms align NAME --keep` leaves them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime  # noqa: TC003 - msgspec reads annotations when it runs
from typing import TYPE_CHECKING

import msgspec

from archiver.files import write_text
from archiver.records.objects.model import RecordLink

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from archiver.records.alignment.links import Alignment, PartLink
    from archiver.records.objects.model import ArchivedRecord

_FOLDER = "links"


class RecordLinks(msgspec.Struct, frozen=True, kw_only=True):
    """What the records of a form were found to be, and which relations their attributes are."""

    form: str
    file: str  # that they were aligned with
    made: datetime
    floor: float
    records: dict[str, tuple[RecordLink, ...]]  # by their keys
    relations: dict[str, str] = {}  # attribute → the relation that it is most surely part of


def links_of(form: str, found: Alignment, file: str, made: datetime, floor: float) -> RecordLinks:
    """The links from a confidence on, with what attributes were aligned with."""
    records: dict[str, tuple[RecordLink, ...]] = {}
    for one in found.links:
        if one.confidence >= floor:
            key = one.left.rpartition(":")[2]
            link = RecordLink(id=one.right, confidence=round(one.confidence, 3))
            records[key] = (*records.get(key, ()), link)
    best: dict[str, PartLink] = {}
    for part in found.relations:
        name = part.left.rpartition(":")[2]
        if name not in best or part.left_in_right > best[name].left_in_right:
            best[name] = part
    relations = {name: part.right for name, part in best.items()}
    return RecordLinks(form=form, file=file, made=made, floor=floor, records=records, relations=relations)


def keep_links(folder: Path, links: RecordLinks) -> Path:
    """Write them into the archive, in place of earlier ones of the form."""
    path = _path(folder, links.form)
    path.parent.mkdir(exist_ok=True)
    write_text(path, msgspec.json.format(msgspec.json.encode(links), indent=1).decode())
    return path


def kept_links(folder: Path, form: str) -> RecordLinks | None:
    try:
        return msgspec.json.decode(_path(folder, form).read_bytes(), type=RecordLinks)
    except (OSError, msgspec.DecodeError):
        return None


def with_links(folder: Path, form: str, records: Sequence[ArchivedRecord]) -> list[ArchivedRecord]:
    """The records with what they are linked to."""
    links = kept_links(folder, form)
    if links is None:
        return list(records)
    return [replace(one, same_as=links.records.get(one.key, ())) for one in records]


def _path(folder: Path, form: str) -> Path:
    return folder / _FOLDER / f"{form}.json"
