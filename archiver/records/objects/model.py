"""The object that is written for each version of a record."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime  # noqa: TC003 - msgspec reads annotations when it runs
from typing import TYPE_CHECKING

from archiver.archive.objects.kinds import WarcPointer
from archiver.digests import folded, text_digest
from archiver.records.model import RecordValue  # noqa: TC001 - as above
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from archiver.archive.warc.records import Capture
    from archiver.records.model import ListedRecord

SCHEMA = "record/1"
EXTRACTOR = "records/1"
_DESIGNED = "f"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordAnswer:
    """A page on which the record stands: what was asked for it, its bytes, and where in them."""

    url: str
    inputs: dict[str, str] = field(default_factory=dict)
    page: int = 1  # of the answer
    place: int = 1  # on the page
    xpath: str  # of the record's first element; paths of values begin there
    warc: WarcPointer


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordLink:
    """An entity of another source that is the same."""

    id: str
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedRecord:
    """One version of a record. All times are RFC 3339 in UTC."""

    schema: str
    id: str  # form and key
    form: str
    key: str
    url: str | None = None  # of its own page
    version: int
    change: str  # new, values, or wrapper
    attributes: dict[str, list[RecordValue]]
    # The page that listed it; none where it is known by its own page alone.
    answers: tuple[RecordAnswer, ...] = ()
    # Its own page, where values with the origin `detail` stand.
    detail: RecordAnswer | None = None
    same_as: tuple[RecordLink, ...] = ()
    digest: str
    first_seen: datetime
    # When the version before was last seen as it was.
    unchanged_until: datetime | None = None
    captured: datetime
    wrapper: str
    extractor: str = EXTRACTOR


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordVersion:
    """What makes one version of a record."""

    number: int
    change: str
    first_seen: datetime
    unchanged_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordOrigin:
    """What showed records: a form, what was submitted, and the capture of the answer."""

    form: str
    wrapper: str
    url: str
    inputs: Mapping[str, str]
    page: int
    capture: Capture


def designed_name(digest: str) -> str:
    """What records that were read by a field wrapper name as their wrapper."""
    return f"{_DESIGNED}{digest}"


def is_designed(record: ArchivedRecord) -> bool:
    """True for a record that was read by what a person wrote."""
    return record.wrapper.startswith(_DESIGNED)


def record_id(form: str, key: str) -> str:
    return f"{form}/{key}"


def values_digest(attributes: Mapping[str, Sequence[RecordValue]], origin: str | None = None) -> str:
    """Equal for records that say the same, in whatever order; of one origin, or of all."""
    said = sorted(
        f"{name}={folded(value.value)}{value.currency}"
        for name, values in attributes.items()
        for value in values
        if origin in (None, value.origin)
    )
    return text_digest("\n".join(said))


def pointer_to(capture: Capture) -> WarcPointer:
    return WarcPointer(
        file=capture.file,
        offset=capture.offset,
        record_id=capture.record_id,
        capture_id=capture.capture_id,
    )


def answer_of(record: ListedRecord, origin: RecordOrigin) -> RecordAnswer:
    return RecordAnswer(
        url=redact(origin.url),
        inputs=dict(origin.inputs),
        page=origin.page,
        place=record.place,
        xpath=record.xpath,
        warc=pointer_to(origin.capture),
    )


def make_record(
    record: ListedRecord,
    origin: RecordOrigin,
    version: RecordVersion,
    detail: RecordAnswer | None = None,
) -> ArchivedRecord:
    """The object of a version of what a page listed, or of what its own page shows."""
    answer = answer_of(record, origin)
    is_listed = any(value.origin != "detail" for values in record.attributes.values() for value in values)
    return ArchivedRecord(
        schema=SCHEMA,
        id=record_id(origin.form, record.key),
        form=origin.form,
        key=record.key,
        url=redact(record.detail_url) if record.detail_url else None,
        version=version.number,
        change=version.change,
        attributes=record.attributes,
        answers=(answer,) if is_listed else (),
        detail=detail or (None if is_listed else answer),
        digest=values_digest(record.attributes),
        first_seen=version.first_seen,
        unchanged_until=version.unchanged_until,
        captured=origin.capture.date,
        wrapper=origin.wrapper,
    )
