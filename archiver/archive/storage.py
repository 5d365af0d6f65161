"""Files of an archive that are kept elsewhere: which they are, and how any reader opens them.

A closed WARC or objects file is copied to the storage, read back from there and held against its SHA-256;
then it is noted in `stored-sha256.txt`, and the local copy goes. Whenever this is cut off, one whole copy is
known.
"""

from __future__ import annotations

import hashlib
import io
import os
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from archiver.archive.warc.manifest import WARC_SUFFIX, append_line, file_digest, lines_of, read_manifest
from archiver.errors import ArchiveError, ConfigurationError, RecordError
from archiver.files import sync_folder, write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO

# In the archive folder: where its files are kept. In the folder of the files: those that are kept there.
STORAGE = "storage"
STORED = "stored-sha256.txt"
_PIECE = 1 << 20
# Of a file that is read at some places: as much as a record mostly takes.
_BLOCK = 1 << 18
_BUFFER = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A file that is kept elsewhere now, or the reason why it is not."""

    file: str
    size: int = 0
    problem: str = ""


def need_fsspec(url: str) -> None:
    """Say how to get what reads and writes a storage, where it is missing."""
    scheme = urlsplit(url).scheme
    needed = {"s3": "s3fs", "gs": "gcsfs"}.get(scheme)
    if not scheme:
        raise ConfigurationError(
            f"STORAGE_URL={url} is not an address: write s3://BUCKET/FOLDER, or file:///…"
        )
    if find_spec("fsspec") is None or (needed and find_spec(needed) is None):
        extra = 'pip install "archiver[storage]"'
        raise ConfigurationError(
            f"STORAGE_URL={url} needs fsspec{f' and {needed}' if needed else ''}: {extra}"
        )


# ── Reading ──────────────────────────────────────────────────────────────────────────────────────────────


def open_archived(path: Path) -> BinaryIO:
    """A file of the archive, wherever it is kept; FileNotFoundError where it is nowhere."""
    try:
        return path.open("rb")
    except FileNotFoundError:
        if path.name not in stored_digests(path.parent):
            raise
    return open_stored(path)


def open_stored(path: Path) -> BinaryIO:
    url = _url_of(path)
    try:
        files, place = _files_at(url)
        # fsspec's own files have no `readline` of so many bytes at most.
        return io.BufferedReader(files.open(place, "rb", block_size=_BLOCK), _BUFFER)
    except Exception as error:
        raise RecordError(f"{url} cannot be read: {error}. Is the storage reachable?") from error


def archived_size(path: Path) -> int:
    """How long a file of the archive is, wherever it is kept."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        with open_archived(path) as file:
            return file.seek(0, os.SEEK_END)


def archived_files(folder: Path, suffix: str = WARC_SUFFIX) -> list[Path]:
    """The closed files of a folder, also those that are kept elsewhere, in the order of their names."""
    names = {path.name for path in folder.glob(f"*{suffix}")}
    return sorted(folder / name for name in names | stored_digests(folder).keys())


def is_archived(path: Path) -> bool:
    return path.exists() or path.name in stored_digests(path.parent)


def stored_digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file of a folder that is kept elsewhere."""
    path = folder / STORED
    try:
        status = path.stat()
    except FileNotFoundError:
        return {}
    return _stored(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=16)
def _stored(path: Path, changed: int, size: int) -> dict[str, str]:  # noqa: ARG001 - read again when it changes
    return lines_of(path)


def storage_of(folder: Path) -> str:
    """Where an archive keeps its files besides its own folder; empty: nowhere."""
    try:
        return (folder / STORAGE).read_text("utf-8").strip()
    except FileNotFoundError:
        return ""


def _url_of(path: Path) -> str:
    base = storage_of(path.parent.parent)
    if not base:
        raise RecordError(
            f"{path} is kept elsewhere, and {path.parent.parent / STORAGE} is missing: set STORAGE_URL and"
            " run `scrapy store`"
        )
    return f"{base.rstrip('/')}/{path.parent.name}/{path.name}"


@lru_cache(maxsize=4)
def _file_system(scheme: str, process: int) -> Any:  # noqa: ANN401, ARG001 - fsspec has no types; after a fork it is made anew
    import fsspec  # noqa: PLC0415 - of an extra

    # What was listed or missed before must not be remembered: other processes write there.
    return (
        fsspec.filesystem(scheme, use_listings_cache=False) if scheme != "file" else fsspec.filesystem("file")
    )


def _files_at(url: str) -> tuple[Any, str]:
    need_fsspec(url)
    files = _file_system(urlsplit(url).scheme, os.getpid())
    return files, files._strip_protocol(url)  # noqa: SLF001 - there is no other way to name a place


# ── Moving ───────────────────────────────────────────────────────────────────────────────────────────────


def move_closed(
    folder: Path, url: str, is_mine: Callable[[str], bool], done: Callable[[int], None] = lambda _: None
) -> Iterator[Moved]:
    """Move the closed WARC files of a folder to the storage, one after the other; what became of each."""
    digests = read_manifest(folder)
    names = [path.name for path in sorted(folder.glob(f"*{WARC_SUFFIX}")) if path.name in digests]
    yield from move_files(folder, url, {name: digests[name] for name in names if is_mine(name)}, done)


def move_files(
    folder: Path, url: str, digests: Mapping[str, str], done: Callable[[int], None] = lambda _: None
) -> Iterator[Moved]:
    """Move files that are not written to any more, each with its SHA-256; "" where it is not known yet."""
    need_fsspec(url)
    _keep_address(folder.parent, url)
    for name, digest in digests.items():
        path = folder / name
        size = path.stat().st_size
        problem = _move(path, digest or file_digest(path))
        done(size)
        yield Moved(file=name, size=size, problem=problem)


def _keep_address(archive: Path, url: str) -> None:
    """Have the archive say where its files are; ArchiveError where that is another place."""
    before = storage_of(archive)
    if before not in ("", url) and any(archive.glob(f"*/{STORED}")):
        raise ArchiveError(
            f"The files of this archive are kept at {before}, and STORAGE_URL is {url}: copy them there,"
            f" write {url} into {archive / STORAGE}, and run `scrapy verify`"
        )
    if before != url:
        write_text(archive / STORAGE, f"{url}\n")


def _move(path: Path, digest: str) -> str:
    """Why a file could not be moved; empty where it was."""
    if stored_digests(path.parent).get(path.name) == digest and file_digest(path) == digest:
        path.unlink()  # an earlier move was cut off before this
        return ""
    url = _url_of(path)
    try:
        files, place = _files_at(url)
        if _digest_at(files, place) != digest:
            _upload(files, path, place)
            if _digest_at(files, place) != digest:
                return f"{url} does not have the SHA-256 of the manifest: {path} stays here"
    except ConfigurationError:
        raise
    except Exception as error:  # noqa: BLE001 - of any storage; it is told, and the file stays
        return f"{path} could not be copied to {url}: {error}. It stays here"
    append_line(path.parent / STORED, path.name, digest)
    path.unlink()
    sync_folder(path.parent)
    return ""


def _upload(files: Any, path: Path, place: str) -> None:  # noqa: ANN401 - fsspec has no types
    """Under another name first where the storage shows half a file: S3 and its like never do."""
    files.makedirs(files._parent(place), exist_ok=True)  # noqa: SLF001 - as above
    if files.protocol in ("file", ("file", "local")):
        files.put_file(str(path), f"{place}.tmp")
        files.mv(f"{place}.tmp", place)
    else:
        files.put_file(str(path), place)


def _digest_at(files: Any, place: str) -> str:  # noqa: ANN401 - fsspec has no types
    """The SHA-256 of what the storage gives back; empty where there is nothing."""
    try:
        found = hashlib.sha256()
        with files.open(place, "rb", block_size=8 * _PIECE) as file:
            while piece := file.read(_PIECE):
                found.update(piece)
    except FileNotFoundError:
        return ""
    return found.hexdigest()
