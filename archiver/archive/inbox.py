"""What readers want to be written: left as small files, for the run or the command that may write.

`inbox/STAMP-ID.json` waits. Once it is part of the state store, it is a line of `inbox/taken-KIND.jsonl`:
what people decided cannot be made again from WARC files, and so survives the loss of a state store.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import uuid4

import msgspec

from archiver.errors import ArchiveError, advice_on
from archiver.files import sync_folder, whole_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

FOLDER = "inbox"
_SUFFIX = ".json"
_UNREADABLE = ".unreadable"


class InboxRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to write: its kind says what `what` is, and what is done with it."""

    id: str
    kind: str
    made: datetime
    what: msgspec.Raw


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """What waits, the oldest first, and the names of files that are not requests."""

    requests: tuple[InboxRequest, ...] = ()
    unreadable: tuple[str, ...] = ()


def leave(archive: Path, kind: str, what: msgspec.Struct, made: datetime) -> InboxRequest:
    """Have something written by whatever writes next. Once this returns, a power cut does not lose it."""
    # The moment first: the order of names is that in which things were asked for.
    name = f"{made.astimezone(UTC):%Y%m%dT%H%M%S%fZ}-{uuid4().hex}"
    request = InboxRequest(id=name, kind=kind, made=made, what=msgspec.Raw(msgspec.json.encode(what)))
    folder = archive / FOLDER
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise ArchiveError(f"{folder} cannot be made: {error.strerror}{advice_on(error)}") from error
    with whole_file(folder / f"{name}{_SUFFIX}") as file:
        file.write(msgspec.json.encode(request) + b"\n")
    return request


def waiting(archive: Path) -> Waiting:
    """What was left and not taken up yet. Costs little where nothing was."""
    try:
        names = sorted(one.name for one in os.scandir(archive / FOLDER) if one.name.endswith(_SUFFIX))
    except FileNotFoundError:
        return Waiting()
    requests, unreadable = [], []
    for name in names:
        try:
            requests.append(_request((archive / FOLDER / name).read_bytes()))
        except FileNotFoundError:  # taken up meanwhile
            continue
        except (msgspec.DecodeError, UnicodeDecodeError):
            unreadable.append(name)
    return Waiting(requests=tuple(requests), unreadable=tuple(unreadable))


def taken(archive: Path, kind: str) -> list[InboxRequest]:
    """What was taken up of a kind, in order, each once; a line that was cut off by a crash comes again."""
    try:
        lines = (archive / FOLDER / _journal(kind)).read_bytes().splitlines()
    except FileNotFoundError:
        return []
    found: dict[str, InboxRequest] = {}
    for line in lines:
        try:
            request = _request(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        found.setdefault(request.id, request)
    return list(found.values())


def count_taken(archive: Path, kind: str) -> int:
    """How many lines that has: at least as many as there are requests in it."""
    try:
        return (archive / FOLDER / _journal(kind)).read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def set_down(archive: Path, requests: Sequence[InboxRequest]) -> None:
    """Note what is in the state store now, and take the files away. A crash in between repeats a line."""
    for request in requests:
        path = archive / FOLDER / _journal(request.kind)
        with path.open("ab") as file:
            # Behind a line that was cut off, this one begins anew.
            file.write(b"\n" * _is_cut(path) + msgspec.json.encode(request) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    if requests:
        sync_folder(archive / FOLDER)
    for request in requests:
        (archive / FOLDER / f"{request.id}{_SUFFIX}").unlink(missing_ok=True)


def set_aside(archive: Path, names: Iterable[str]) -> None:
    """What cannot be read is kept, where it is not looked at again."""
    for name in names:
        path = archive / FOLDER / name
        with suppress(FileNotFoundError):
            path.rename(path.with_name(path.name + _UNREADABLE))


def _request(data: bytes) -> InboxRequest:
    return msgspec.json.decode(data, type=InboxRequest)


def _journal(kind: str) -> str:
    return f"taken-{kind}.jsonl"


def _is_cut(path: Path) -> bool:
    with path.open("rb") as file:
        if not file.seek(0, os.SEEK_END):
            return False
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"
