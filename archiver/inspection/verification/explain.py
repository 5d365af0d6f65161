"""Why a reference leads nowhere, found by looking again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from archiver.archive.warc.members import DamagedMember
from archiver.archive.warc.writer import OPEN_SUFFIX
from archiver.errors import RecordError
from archiver.inspection.verification.model import RESTORE_BOTH, RESTORE_THAT, Problem
from archiver.inspection.verification.objects import pointers_at
from archiver.inspection.verification.references import WantedReference, key_of, pointer_key
from archiver.inspection.verification.warc import record_at

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.objects.kinds import ObjectKind, WarcPointer
    from archiver.inspection.verification.references import MissingReference


def explain(missing: MissingReference, file: Path, warc_folder: Path, kind: ObjectKind[Any]) -> Problem:
    """What is missing, so that it can be brought back; `kind`: of the objects, where the file has some."""
    if missing.wanted is WantedReference.RECORD:
        text = _dangling(missing, file)
    elif missing.wanted is WantedReference.PAYLOAD:
        text = _other_payload(missing, file)
    elif missing.wanted is WantedReference.CAPTURE:
        capture_id = _pointer(missing, file, kind).capture_id
        text = f"the capture {capture_id} of this object is in no WARC file: bring back the one that had it"
    else:
        text = _bad_pointer(_pointer(missing, file, kind), warc_folder)
    return Problem(file=str(file), offset=missing.offset, text=text)


def _pointer(missing: MissingReference, file: Path, kind: ObjectKind[Any]) -> WarcPointer:
    """The one that leads nowhere, of those that the object has."""
    found = pointers_at(file, missing.offset, kind)
    meant = (one for one in found if missing.key in _keys(one))
    return next(meant, found[0])


def _keys(pointer: WarcPointer) -> tuple[bytes, bytes]:
    return (
        pointer_key(pointer.file, pointer.offset, pointer.record_id),
        key_of(pointer.capture_id),
    )


def _dangling(missing: MissingReference, file: Path) -> str:
    record = record_at(file.parent, file.name.removesuffix(OPEN_SUFFIX), missing.offset)
    for header, target in record.references:
        if key_of(target) == missing.key:
            return f"its {header} is {target}, which is not in the archive: bring back the file that had it"
    return "it refers to a record that is not in the archive: bring back the file that had it"


def _other_payload(missing: MissingReference, file: Path) -> str:
    record = record_at(file.parent, file.name.removesuffix(OPEN_SUFFIX), missing.offset)
    target = record.headers.get("warc-refers-to", "another record")
    return (
        f"it says that {target} holds the payload {record.payload_digest}, which it does not:"
        " what was captured here is lost unless a backup has it"
    )


def _bad_pointer(pointer: WarcPointer, folder: Path) -> str:
    place = f"{pointer.file}:{pointer.offset}"
    try:
        record = record_at(folder, pointer.file, pointer.offset)
    except RecordError:
        return f"this object points to {place}, but {pointer.file} is not in {folder}: {RESTORE_THAT}"
    except DamagedMember:
        return f"this object points to {place}, where no whole record is: {RESTORE_BOTH}"
    if record.id != pointer.record_id:
        found = record.id or "no record"
        return f"this object points to {place} for {pointer.record_id}, but {found} is there: {RESTORE_BOTH}"
    return f"this object points to {place}, whose record is not a sound response: {RESTORE_THAT}"
