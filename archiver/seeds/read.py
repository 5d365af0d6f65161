"""Reading seeds files into one list, in which each address stands once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.errors import SeedError
from archiver.seeds.address import sameness, shown, url_flaw
from archiver.seeds.interval import interval_text, parse_interval
from archiver.seeds.labels import unite_labels
from archiver.seeds.model import Flaw, Row, Seed, SeedList, SeedProblem
from archiver.seeds.opml import read_opml
from archiver.seeds.table import is_header, read_csv
from archiver.seeds.text import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


def split_paths(text: str) -> list[Path]:
    """Split "a.opml,b.txt" into its paths."""
    return [Path(part.strip()) for part in text.split(",") if part.strip()]


def read_seeds(paths: Sequence[Path]) -> SeedList:
    """Read every file; what cannot be understood in one is reported with its line, the rest is kept.

    Raises SeedError for a file that cannot be read, or holds nothing.
    """
    seeds: list[Seed] = []
    problems: list[SeedProblem] = []
    for path in paths:
        for found in _read_file(path):
            if isinstance(found, Seed):
                seeds.append(found)
            else:
                problems.append(found)
    merged, conflicts = _merge(seeds)
    return SeedList(seeds=merged, problems=(*problems, *conflicts))


def _read_file(path: Path) -> list[Seed | SeedProblem]:
    found = [_check(row, path.name) for row in _rows(path, _read_bytes(path))]
    if not found:
        raise SeedError(f"{path} holds no seeds: add the URL of a feed, or leave the file out")
    return found


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise SeedError(f"{path} does not exist: check the name of the seeds file") from error
    except IsADirectoryError as error:
        raise SeedError(f"{path} is a folder: name the seeds files in it") from error
    except PermissionError as error:
        raise SeedError(f"{path} may not be read: check its permissions") from error
    except (OSError, ValueError) as error:
        raise SeedError(f"{path} cannot be read: {error}") from error


def _rows(path: Path, body: bytes) -> Iterable[Row | Flaw]:
    # No other format begins with <, so a misnamed OPML file is read as well.
    if path.suffix.lower() == ".opml" or body.removeprefix(_BOM).lstrip().startswith(b"<"):
        return read_opml(body, str(path)) if body.removeprefix(_BOM).strip() else ()
    text = _decode(path, body)
    if path.suffix.lower() in (".csv", ".tsv") or (path.suffix.lower() != ".txt" and _looks_like_csv(text)):
        return read_csv(text, str(path))
    return read_text(text)


def _decode(path: Path, body: bytes) -> str:
    if body.startswith(_UTF16_BOMS):
        raise SeedError(f"{path} is UTF-16, not UTF-8: save it as UTF-8")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise SeedError(f"{path}:{line}: this is not UTF-8: save the file as UTF-8") from error


def _looks_like_csv(text: str) -> bool:
    lines = (line.strip() for line in text.splitlines())
    return is_header(next((line for line in lines if line and not line.startswith("#")), ""))


def _check(row: Row | Flaw, source: str) -> Seed | SeedProblem:
    if isinstance(row, Flaw):
        return SeedProblem(source=source, line=row.line, reason=row.reason)
    reason = url_flaw(row.url)
    if reason:
        return SeedProblem(source=source, line=row.line, reason=reason)
    try:
        every = parse_interval(row.every) if row.every else None
    except ValueError as error:
        return SeedProblem(source=source, line=row.line, reason=f"every={shown(row.every or '')} is {error}")
    return Seed(url=row.url, labels=unite_labels(row.labels), every=every, source=source, line=row.line)


def _merge(seeds: Iterable[Seed]) -> tuple[tuple[Seed, ...], list[SeedProblem]]:
    groups: dict[tuple[str | int | None, ...], list[Seed]] = {}
    for seed in seeds:
        groups.setdefault(sameness(seed.url), []).append(seed)
    merged = tuple(_unite(group) for group in groups.values())
    return merged, [conflict for group in groups.values() for conflict in _conflicts(group)]


def _unite(group: list[Seed]) -> Seed:
    labels = unite_labels(*(seed.labels for seed in group))
    every = next((seed.every for seed in group if seed.every), None)
    return replace(group[0], labels=labels, every=every)


def _conflicts(group: list[Seed]) -> Iterator[SeedProblem]:
    timed = [(seed, interval_text(seed.every)) for seed in group if seed.every]
    for seed, every in timed[1:]:
        first, stays = timed[0]
        if every != stays:
            reason = (
                f"every={every}, but {first.source}:{first.line} has every={stays} for this URL, which stays"
            )
            yield SeedProblem(source=seed.source, line=seed.line, reason=reason)
