"""Ways to damage an archive, and its records one by one."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, NamedTuple

from archiver.archive.warc.manifest import file_digest, manifest_of
from archiver.archive.warc.writer import gzip_member
from archiver.archive.writers import host_name
from archiver.inspection.verification.archive import ArchiveVerification, Folders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from typing import Any

# Of the files of an archive that was made on this host.
MANIFEST = f"manifest-sha256-{host_name()}.txt"


class Member(NamedTuple):
    """A gzip member, and the record in it."""

    offset: int
    length: int
    record: bytes

    @property
    def kind(self) -> str:
        return header(self.record, "WARC-Type")


class InThisProcess:
    """Runs the checks where a test can see them fail."""

    def run(self, function: Callable[..., Any], tasks: Iterable[Any]) -> Iterator[Any]:
        return (function(task, lambda _: None) for task in tasks)


def problems(archive: Path, *, payloads: bool = True) -> list[str]:
    folders = Folders(
        archive=archive, warc=archive / "warc", index=archive / "index", objects=archive / "objects"
    )
    verification = ArchiveVerification(folders, payloads=payloads)
    return [str(found) for found in verification.problems(InThisProcess())]


def warcs(archive: Path) -> list[Path]:
    return sorted((archive / "warc").glob("*.warc.gz"))


def members(path: Path) -> list[Member]:
    data, offset, found = path.read_bytes(), 0, []
    while offset < len(data):
        unzip = zlib.decompressobj(zlib.MAX_WBITS | 16)
        record = unzip.decompress(data[offset:])
        length = len(data) - offset - len(unzip.unused_data)
        found.append(Member(offset, length, record))
        offset += length
    return found


def first(path: Path, kind: str) -> Member:
    return next(member for member in members(path) if member.kind == kind)


def last(path: Path, kind: str, having: bytes = b"") -> Member:
    found = [member for member in members(path) if member.kind == kind and having in member.record]
    return found[-1]


def header(record: bytes, name: str) -> str:
    head = record.partition(b"\r\n\r\n")[0].decode()
    pairs = (line.partition(": ") for line in head.split("\r\n")[1:])
    return next((value for key, _, value in pairs if key == name), "")


def replace_member(path: Path, member: Member, data: bytes) -> None:
    """Put other bytes in the place of a member."""
    whole = path.read_bytes()
    path.write_bytes(whole[: member.offset] + data + whole[member.offset + member.length :])


def flip(path: Path, offset: int) -> None:
    """Change one byte."""
    data = bytearray(path.read_bytes())
    data[offset] ^= 0xFF
    path.write_bytes(data)


def rewrite(path: Path, member: Member, old: bytes, new: bytes) -> None:
    """Change a record, so that gzip sees nothing wrong, nor the manifest."""
    assert old in member.record
    replace_member(path, member, gzip_member(member.record.replace(old, new), 5))
    update_manifest(path)


def update_manifest(path: Path) -> None:
    manifest = manifest_of(path.parent, path.name)
    lines = [line for line in manifest.read_text().splitlines() if not line.endswith(path.name)]
    manifest.write_text("\n".join([*lines, f"{file_digest(path)}  {path.name}\n"]))


def edit_line(path: Path, number: int, change: Callable[[bytes], bytes]) -> int:
    """Change one line of a file; where it begins."""
    lines = path.read_bytes().splitlines(keepends=True)
    lines[number] = change(lines[number])
    path.write_bytes(b"".join(lines))
    return len(b"".join(lines[:number]))


def edit_object(archive: Path, number: int, change: Callable[[dict[str, Any]], object]) -> str:
    """Change one object; the place of its line."""
    (path,) = (archive / "objects").glob("*.jsonl")

    def edit(line: bytes) -> bytes:
        value = json.loads(line)
        change(value)
        return json.dumps(value).encode() + b"\n"

    return f"{path}:{edit_line(path, number, edit)}"


def objects_without_record(archive: Path) -> list[str]:
    """The places of the objects whose record is not whole any more."""
    found = []
    for path in (archive / "objects").glob("*.jsonl"):
        offset = 0
        for line in path.read_bytes().splitlines(keepends=True):
            warc = json.loads(line)["warc"]
            if not is_whole(archive / "warc", warc["file"], warc["offset"]):
                found.append(f"{path}:{offset}")
            offset += len(line)
    return found


def is_whole(folder: Path, name: str, offset: int) -> bool:
    """Whether there is a gzip member at this place, read without any code of ours."""
    path = folder / name if (folder / name).exists() else folder / f"{name}.open"
    unzip = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        unzip.decompress(path.read_bytes()[offset:])
    except (FileNotFoundError, zlib.error):
        return False
    return unzip.eof
