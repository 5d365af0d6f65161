"""Where WARC files of others are: plain ones, compressed ones, those in WACZ files, those of a folder."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from archiver.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

_GZIP, _ZIP, _PLAIN = b"\x1f\x8b", b"PK", b"WARC/"
_WARC_SUFFIXES = (".warc", ".warc.gz")
_SUFFIXES = (*_WARC_SUFFIXES, ".wacz")
_PAGE_LISTS = ("pages/pages.jsonl", "pages/extraPages.jsonl")
_DATA_PACKAGE = "datapackage.json"
# A list of pages or of digests that is larger is none.
_LARGEST_LIST = 1 << 28


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceWarc:
    """A WARC file that is to be imported, by itself or within a WACZ file."""

    path: Path
    member: str = ""  # its name within the WACZ file
    size: int
    # What the WACZ file states of it: its SHA-256, and the addresses that a person took for pages.
    stated: str = ""
    pages: frozenset[str] = frozenset()

    @property
    def label(self) -> str:
        return f"{self.path}: {self.member}" if self.member else str(self.path)

    @property
    def name(self) -> str:
        """What a line of an object says that its page came from."""
        return f"{self.path.name}/{self.member}" if self.member else self.path.name

    @property
    def stem(self) -> str:
        name = self.member.rpartition("/")[2] or self.path.name
        return name.removesuffix(".gz").removesuffix(".warc")

    def open(self) -> BinaryIO:
        if not self.member:
            return self.path.open("rb")
        return cast("BinaryIO", zipfile.ZipFile(self.path).open(self.member))

    def begins_with(self) -> bytes:
        with self.open() as file:
            return file.read(5)

    @property
    def is_plain(self) -> bool:
        return self.begins_with().startswith(_PLAIN)


def sources_of(paths: Iterable[Path]) -> list[SourceWarc]:
    """The WARC files behind what a person named: files, WACZ files, folders of them."""
    return [source for path in paths for file in _files(path) for source in _of_file(file)]


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(one for one in path.rglob("*") if one.name.endswith(_SUFFIXES) and one.is_file())
    if not found:
        raise ConfigurationError(f"{path} has no files ending in {', '.join(_SUFFIXES)}")
    return found


def _of_file(path: Path) -> list[SourceWarc]:
    if not path.is_file():
        raise ConfigurationError(f"{path}: there is no such file")
    with path.open("rb") as file:
        begin = file.read(5)
    if begin.startswith(_ZIP):
        return list(_of_wacz(path))
    if begin.startswith((_GZIP, _PLAIN)):
        return [SourceWarc(path=path, size=path.stat().st_size)]
    if begin == b"filed":
        raise ConfigurationError(f"{path} is an ARC file: convert it first, as `warcio recompress` does")
    raise ConfigurationError(f"{path} is neither a WARC nor a WACZ file")


def _of_wacz(path: Path) -> Iterator[SourceWarc]:
    try:
        with zipfile.ZipFile(path) as wacz:
            stated, pages = _stated_digests(wacz), _listed_pages(wacz)
            found = [one for one in wacz.infolist() if _is_warc(one.filename)]
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise ConfigurationError(f"{path} is not a whole WACZ file: {error}") from error
    if not found:
        raise ConfigurationError(f"{path} has no WARC files in archive/: it is not a WACZ file")
    for one in sorted(found, key=lambda one: one.filename):
        yield SourceWarc(
            path=path,
            member=one.filename,
            size=one.file_size,
            stated=stated.get(one.filename, ""),
            pages=pages,
        )


def _is_warc(name: str) -> bool:
    return name.startswith("archive/") and name.endswith(_WARC_SUFFIXES)


def _stated_digests(wacz: zipfile.ZipFile) -> dict[str, str]:
    """The SHA-256 that the data package states of each file; of a package that says nothing, none."""
    package = json.loads(_text(wacz, _DATA_PACKAGE) or "{}")
    resources = package.get("resources", []) if isinstance(package, dict) else []
    told = [one for one in resources if isinstance(one, dict)]
    digests = {str(one.get("path")): str(one.get("hash", "")) for one in told}
    return {
        path: digest.removeprefix("sha256:")
        for path, digest in digests.items()
        if digest.startswith("sha256:")
    }


def _listed_pages(wacz: zipfile.ZipFile) -> frozenset[str]:
    """The addresses that the file lists as pages; other documents in it are frames and the like."""
    found: set[str] = set()
    for name in _PAGE_LISTS:
        for line in _text(wacz, name).splitlines():
            page = json.loads(line) if line.strip() else None
            if isinstance(page, dict) and isinstance(page.get("url"), str):
                found.add(page["url"])
    return frozenset(found)


def _text(wacz: zipfile.ZipFile, name: str) -> str:
    if name not in wacz.namelist() or wacz.getinfo(name).file_size > _LARGEST_LIST:
        return ""
    return wacz.read(name).decode("utf-8", "replace")
