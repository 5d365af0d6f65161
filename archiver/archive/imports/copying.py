"""A WARC file of others taken into the archive: the same records under a name of the archive's own."""

from __future__ import annotations

import os
import re
import shutil
import zlib
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from archiver.archive.imports.records import STREAM_DAMAGE, check_source, stream_records
from archiver.archive.warc.checking import RecordCheck
from archiver.archive.warc.manifest import WARC_SUFFIX, add_to_manifest, file_digest, read_manifest
from archiver.archive.writers import IMPORTED
from archiver.errors import ArchiveError
from archiver.files import TEMPORARY_SUFFIX, sync_folder, whole_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from archiver.archive.imports.records import CheckedWarc
    from archiver.archive.imports.sources import SourceWarc

_PIECE = 1 << 20
_GZIP = zlib.MAX_WBITS | 16
_OTHERS = re.compile(r"[^A-Za-z0-9.]+")
_LONGEST_STEM = 60
_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenIn:
    """What became of a file."""

    file: str  # its name in the archive; empty: nothing of it could be kept
    records: int = 0
    flaws: tuple[str, ...] = ()
    is_known: bool = False  # it was there before


def take_in(source: SourceWarc, folder: Path, *, links: bool, done: Callable[[int], None]) -> TakenIn:
    """Check a file and have its whole records in the folder; when this returns, they are on disk."""
    checked = check_source(source, done)
    if source.stated and source.stated != checked.sha256:
        raise ArchiveError(
            f"{source.label}: its SHA-256 is {checked.sha256}, but its WACZ file states {source.stated}:"
            " it was damaged on its way. Fetch it again"
        )
    flaws = tuple(f"{source.label}:{offset}: {text}" for offset, text in checked.flaws)
    if not checked.records:
        return TakenIn(file="", flaws=flaws)
    path = folder / name_for(source, checked)
    if path.name in read_manifest(folder):
        return TakenIn(file=path.name, records=checked.records, flaws=flaws, is_known=True)
    folder.mkdir(parents=True, exist_ok=True)
    _write(source, checked, path, links=links)
    add_to_manifest(folder, path.name, file_digest(path))
    return TakenIn(file=path.name, records=checked.records, flaws=flaws)


def name_for(source: SourceWarc, checked: CheckedWarc) -> str:
    """The same name for the same bytes: what was imported once is known by it."""
    stem = _OTHERS.sub("-", source.stem).strip("-.")[:_LONGEST_STEM] or "warc"
    stamp = _date(checked.first_date).strftime("%Y%m%d%H%M%S%f")[:17].rjust(17, "0")
    return f"{stem}-{checked.sha256[:16]}-{stamp}-00000{IMPORTED.mark}{WARC_SUFFIX}"


def remove_unfinished(folder: Path) -> None:
    """What a crash left of copies that had not got their name."""
    for path in folder.glob(f"*{IMPORTED.mark}{WARC_SUFFIX}{TEMPORARY_SUFFIX}"):
        path.unlink()


def _date(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return _NO_DATE


def _write(source: SourceWarc, checked: CheckedWarc, path: Path, *, links: bool) -> None:
    is_whole = not checked.is_stream and not checked.flaws
    if links and is_whole and not source.member:
        _link(source.path, path)
        return
    with whole_file(path) as out:
        if checked.is_stream:
            _compress(source, out)
        else:
            _copy(source, checked, out)


def _link(source: Path, path: Path) -> None:
    unfinished = path.with_name(path.name + TEMPORARY_SUFFIX)
    unfinished.unlink(missing_ok=True)
    try:
        os.link(source, unfinished)
    except OSError as error:
        raise ArchiveError(f"{source} cannot be linked ({error.strerror}): leave --link out") from error
    unfinished.replace(path)
    sync_folder(path.parent)


def _copy(source: SourceWarc, checked: CheckedWarc, out: BinaryIO) -> None:
    with source.open() as file:
        if not checked.flaws:
            shutil.copyfileobj(file, out, _PIECE)
            return
        for start, end in checked.ranges:
            file.seek(start)
            out.writelines(file.read(size) for size in _sizes(end - start))


def _sizes(length: int) -> Iterator[int]:
    while length > 0:
        yield min(length, _PIECE)
        length -= _PIECE


def _compress(source: SourceWarc, out: BinaryIO) -> None:
    """Each whole record as a gzip member of its own."""
    end = 0
    with suppress(*STREAM_DAMAGE):  # told when it was checked
        for _, pieces in stream_records(source):
            check, member = RecordCheck(payloads=False), zlib.compressobj(wbits=_GZIP)
            for piece in pieces:
                check.feed(piece)
                out.write(member.compress(piece))
            out.write(member.flush())
            if check.finish().flaws:
                out.seek(end)
            end = out.tell()
    out.seek(end)
    out.truncate()
