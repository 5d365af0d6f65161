"""Searches under a name: a file for each in the archive folder, so that saving one needs no lock."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import msgspec

from archiver.errors import ArchiveError, ConfigurationError
from archiver.files import whole_file
from archiver.search.choosing import check
from archiver.search.model import SearchRequest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FOLDER = "searches"
_SUFFIX = ".json"
_LONGEST_NAME = 200  # bytes, in the name of a file


def save_search(folder: Path, name: str, request: SearchRequest) -> None:
    """Save a search, in the place of one that has this name."""
    check(request)
    path = _path(folder, name)
    path.parent.mkdir(exist_ok=True)
    with whole_file(path) as file:
        file.write(msgspec.json.encode(msgspec.structs.replace(request, after="")) + b"\n")


def saved_search(folder: Path, name: str) -> SearchRequest:
    """Raises ArchiveError where there is none of this name."""
    path = _path(folder, name)
    try:
        return _read(path)
    except FileNotFoundError as error:
        raise ArchiveError(f"No search is saved as {name}: `scrapy search --saved` lists them") from error


def saved_searches(folder: Path) -> Mapping[str, SearchRequest]:
    """All of them, by name."""
    paths = sorted((folder / FOLDER).glob(f"*{_SUFFIX}"))
    return {unquote(path.name.removesuffix(_SUFFIX)): _read(path) for path in paths}


def forget_search(folder: Path, name: str) -> None:
    try:
        _path(folder, name).unlink()
    except FileNotFoundError as error:
        raise ArchiveError(f"No search is saved as {name}: `scrapy search --saved` lists them") from error


def _read(path: Path) -> SearchRequest:
    try:
        return msgspec.json.decode(path.read_bytes(), type=SearchRequest)
    except msgspec.DecodeError as error:
        raise ArchiveError(f"{path} is not a saved search ({error}): remove it") from error


def _path(folder: Path, name: str) -> Path:
    quoted = quote(name.strip(), safe=" ", errors="replace").replace(".", "%2E")
    if not name.strip() or len(quoted) > _LONGEST_NAME:
        raise ConfigurationError("The name of a search is empty or too long: use a few words")
    return folder / FOLDER / f"{quoted}{_SUFFIX}"
