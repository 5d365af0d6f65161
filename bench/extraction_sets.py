"""Sets of pages whose article is known: read, checked, and brought together into channels."""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

ENDINGS = (".jsonl.gz", ".jsonl")
_NEEDED = ("id", "site", "gold", "html")
# A page that was saved from nowhere, or without a title, has null there.
_OPTIONAL = ("url", "title", "description")


class SetError(Exception):
    """A set that cannot be used; the message says which line of which file, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    id: str
    site: str
    gold: str
    html: str
    url: str
    title: str
    description: str


def set_files(paths: Iterable[Path]) -> list[Path]:
    """The files of sets, those in folders included."""
    return [file for path in paths for file in (_sets_in(path) if path.is_dir() else [path])]


def _sets_in(folder: Path) -> list[Path]:
    files = sorted(path for path in folder.iterdir() if path.name.endswith(ENDINGS))
    if not files:
        raise SetError(f"{folder} has no set in it: no file ends in {' or '.join(ENDINGS)}")
    return files


def set_name(path: Path) -> str:
    return next((path.name.removesuffix(end) for end in ENDINGS if path.name.endswith(end)), path.name)


def read_set(path: Path, limit: int | None = None) -> Iterator[Page]:
    """The pages of a set in their order, the first `limit` of them."""
    known: set[str] = set()
    for page in islice(_pages(path), limit):
        if page.id in known:
            raise SetError(f"{path} has two pages with the id {page.id!r}")
        known.add(page.id)
        yield page
    if not known:
        raise SetError(f"{path} holds no pages")


def _pages(path: Path) -> Iterator[Page]:
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _page(line, f"{path}, line {number}")
    except FileNotFoundError:
        raise SetError(f"{path} is not there") from None
    except (OSError, EOFError, zlib.error) as error:
        raise SetError(f"{path} cannot be read: {error}") from error


def _page(line: bytes, where: str) -> Page:
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise SetError(f"{where}: this is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise SetError(f"{where}: a page is a JSON object, this is not one")
    needed = {name: _text(fields, name, where) for name in _NEEDED}
    optional = {name: _text({name: "", **fields}, name, where, null="") for name in _OPTIONAL}
    # Links are read against the address, so a page without one gets one that leads nowhere.
    optional["url"] = optional["url"] or "https://page.invalid/"
    return Page(**needed, **optional)


def _text(fields: dict[str, Any], name: str, where: str, null: str | None = None) -> str:
    value = fields.get(name)
    value = null if value is None else value
    if not isinstance(value, str):
        raise SetError(f"{where}: {name!r} is {'missing' if value is None else 'not a string'}")
    return value


def channels(pages: Iterable[Page], *, alone: bool = False) -> list[list[Page]]:
    """The pages that are seen together: those of a site, or each alone."""
    sites: dict[str, list[Page]] = {}
    for page in pages:
        sites.setdefault(page.id if alone else page.site, []).append(page)
    return list(sites.values())
