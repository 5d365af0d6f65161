"""Links of records to entities of other sources, as `scrapy forms align NAME --keep` leaves them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime  # noqa: TC003 - msgspec reads annotations when it runs
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import msgspec

from archiver.documents.pages.forms.description import is_property
from archiver.files import write_text
from archiver.records.objects.model import RecordLink

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from archiver.records.alignment.links import Alignment, PartLink
    from archiver.records.objects.model import ArchivedRecord

_FOLDER = "links"
_PART = 0.5  # of its facts, from which an attribute is taken for a relation
_NAMELESS = re.compile(r"col-\d+")


class RecordLinks(msgspec.Struct, frozen=True, kw_only=True):
    """What the records of a form were found to be, and which relations their attributes are."""

    form: str
    file: str  # that they were aligned with
    made: datetime
    floor: float
    records: dict[str, tuple[RecordLink, ...]]  # by their keys
    relations: dict[str, str] = {}  # attribute → the relation that it is most surely part of
    # Attributes that nothing on the site names → the relation that says what they are.
    properties: dict[str, str] = {}


def links_of(form: str, found: Alignment, file: str, made: datetime, floor: float) -> RecordLinks:
    """The links from a confidence on, with what attributes were aligned with."""
    records: dict[str, tuple[RecordLink, ...]] = {}
    for one in found.links:
        if one.confidence >= floor:
            key = one.left.rpartition(":")[2]
            link = RecordLink(id=one.right, confidence=round(one.confidence, 3))
            records[key] = (*records.get(key, ()), link)
    best = _best_parts(form, found.relations)
    relations = {name: part.right for name, part in best.items()}
    return RecordLinks(
        form=form,
        file=file,
        made=made,
        floor=floor,
        records=records,
        relations=relations,
        properties=_properties(best),
    )


def _best_parts(form: str, parts: Sequence[PartLink]) -> dict[str, PartLink]:
    """By attributes; those that the form's file calls otherwise in RDF are known by that already."""
    own = f"urn:archiver:{quote(form, safe='')}:"
    best: dict[str, PartLink] = {}
    for part in parts:
        name = unquote(part.left.removeprefix(own))
        is_own = part.left.startswith(own)
        if is_own and (name not in best or part.left_in_right > best[name].left_in_right):
            best[name] = part
    return best


def _properties(best: Mapping[str, PartLink]) -> dict[str, str]:
    """Of attributes called col-N, where it is a single relation; one for each relation, the surest."""
    found: dict[str, str] = {}
    for name, part in sorted(best.items(), key=lambda one: (-one[1].left_in_right, one[0])):
        is_sure = part.left_in_right >= _PART and is_property(part.right)
        if is_sure and _NAMELESS.fullmatch(name) and part.right not in found.values():
            found[name] = part.right
    return found


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
