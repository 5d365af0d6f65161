"""What objects remember of the fields of pages: the values of older versions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.objects.kinds import read_part
from archiver.errors import RecordError
from archiver.fields.model import ObjectField  # noqa: TC001 - read at run time
from archiver.fields.remembered import KnownValue
from archiver.running.workers.repairing import RememberedPage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from archiver.archive.warc.records import Capture
    from archiver.store.field_values.field_pages import RememberedVersion, WrappedPage

KnownFields = dict[str, tuple[KnownValue, ...]]
FailingSince = Mapping[str, datetime]  # by the names of fields


class _FieldsPart(msgspec.Struct, frozen=True, kw_only=True):
    """Of an object, its fields."""

    fields: dict[str, ObjectField | None] = {}  # msgspec copies it


def remembered(folder: Path, page: WrappedPage, failing: FailingSince) -> RememberedPage:
    """A page as it is, with the values of the newest older version that has each field."""
    known: KnownFields = {}
    for _, values in _known_versions(folder, page, failing):
        for name, one in values.items():
            known.setdefault(name, one)
    return _page(page.url, page.capture, known)


def as_they_were(folder: Path, pages: Sequence[WrappedPage], failing: FailingSince) -> list[RememberedPage]:
    """Of each page the newest version that has a value of the fields that fail now, as it was read there."""
    found = []
    for page in pages:
        for version, values in _known_versions(folder, page, failing, also_now=True):
            if any(name in values for name in failing):
                found.append(_page(page.url, version.capture, values))
                break
    return found


def _known_versions(
    folder: Path, page: WrappedPage, failing: FailingSince, *, also_now: bool = False
) -> Iterator[tuple[RememberedVersion, KnownFields]]:
    """What versions say of fields. What was captured since a field fails may be wrong, and is left out."""
    for version in page.versions:
        if also_now or version.capture.capture_id != page.capture.capture_id:
            try:
                part = read_part(folder, version.object_file, version.object_offset, _FieldsPart)
            except RecordError:
                continue  # `scrapy verify` tells of it
            captured = version.capture.date
            yield (
                version,
                {
                    name: _values(one)
                    for name, one in part.fields.items()
                    if one is not None and (name not in failing or captured < failing[name])
                },
            )


def _values(field: ObjectField) -> tuple[KnownValue, ...]:
    values, texts = _tuple(field.value), _tuple(field.text)
    return tuple(KnownValue(value=value, text=text) for value, text in zip(values, texts, strict=False))


def _tuple(one: str | tuple[str, ...]) -> tuple[str, ...]:
    return (one,) if isinstance(one, str) else one


def _page(url: str, capture: Capture, known: KnownFields) -> RememberedPage:
    return RememberedPage(url=url, file=capture.file, offset=capture.offset, known=known)
