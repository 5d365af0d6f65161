"""Reading seeds files, text, CSV and OPML, into one list, in which each address stands once."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.acquisition.seeds.address import sameness, shown, url_flaw, web_address
from archiver.acquisition.seeds.model import (
    Flaw,
    Seed,
    SeedList,
    SeedProblem,
    SeedRow,
    interval_text,
    parse_interval,
)
from archiver.acquisition.seeds.opml import read_opml
from archiver.errors import SeedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_COLUMNS = {"url": "url", "label": "label", "labels": "label", "every": "every"}

# Lines as an editor counts them; str.splitlines would also split at form feeds and U+2028.
_NEWLINE = re.compile(r"\r\n|\r|\n")
_WORD = re.compile(r'(?:"[^"]*"|[^\s"])+')

# A comma between quotes belongs to the label.
_LABEL = re.compile(r'(?:"[^"]*"|[^,])+')

_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


def split_paths(text: str) -> list[Path]:
    """Split "a.opml,b.txt" into its paths."""
    return [Path(part.strip()) for part in text.split(",") if part.strip()]


def read_seeds(paths: Sequence[Path], *, may_be_empty: bool = False) -> SeedList:
    """Read every file; what cannot be understood in one is reported with its line, the rest is kept.

    Raises SeedError for a file that cannot be read, or that holds nothing unless it may.
    """
    files = [_read_file(path, may_be_empty=may_be_empty) for path in paths]
    merged, conflicts = _merge([seed for file in files for seed in file.seeds])
    names = {path.name: str(path.resolve()) for path in paths}
    conflicts = [replace(problem, file=names[problem.source]) for problem in conflicts]
    problems = (problem for file in files for problem in file.problems)
    skipped = (problem for file in files for problem in file.skipped)
    return SeedList(seeds=merged, problems=(*problems, *conflicts), skipped=tuple(skipped))


def no_seeds(path: Path) -> SeedError:
    return SeedError(f"{path} holds no seeds: add the URL of a feed, or leave the file out")


def _read_file(path: Path, *, may_be_empty: bool) -> SeedList:
    rows = list(_rows(path, _read_bytes(path)))
    if not rows and not may_be_empty:
        raise no_seeds(path)
    harmless = [row for row in rows if isinstance(row, Flaw) and row.is_harmless]
    found = [_check(row, path) for row in rows if not (isinstance(row, Flaw) and row.is_harmless)]
    return SeedList(
        seeds=tuple(one for one in found if isinstance(one, Seed)),
        problems=tuple(one for one in found if isinstance(one, SeedProblem)),
        skipped=tuple(_problem(path, row.line, row.reason, row.text) for row in harmless),
    )


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


def _rows(path: Path, body: bytes) -> Iterable[SeedRow | Flaw]:
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


def _check(row: SeedRow | Flaw, path: Path) -> Seed | SeedProblem:
    if isinstance(row, Flaw):
        return _problem(path, row.line, row.reason, row.text or row.reason)
    url, text = web_address(row.url), f"{row.url} {row.every}"
    reason = url_flaw(url)
    if reason:
        return _problem(path, row.line, reason, text)
    try:
        every = parse_interval(row.every) if row.every else None
    except ValueError as error:
        return _problem(path, row.line, f"every={shown(row.every or '')} is {error}", text)
    labels = unite_labels(row.labels)
    return Seed(url=url, labels=labels, every=every, title=row.title, source=path.name, line=row.line)


def _problem(path: Path, line: int, reason: str, text: str) -> SeedProblem:
    return SeedProblem(source=path.name, line=line, reason=reason, file=str(path.resolve()), text=text)


def _merge(seeds: Iterable[Seed]) -> tuple[tuple[Seed, ...], list[SeedProblem]]:
    groups: dict[tuple[str | int | None, ...], list[Seed]] = {}
    for seed in seeds:
        groups.setdefault(sameness(seed.url), []).append(seed)
    merged = tuple(_unite(group) for group in groups.values())
    return merged, [conflict for group in groups.values() for conflict in _conflicts(group)]


def _unite(group: list[Seed]) -> Seed:
    labels = unite_labels(*(seed.labels for seed in group))
    every = next((seed.every for seed in group if seed.every), None)
    title = next((seed.title for seed in group if seed.title), None)
    return replace(group[0], labels=labels, every=every, title=title)


def _conflicts(group: list[Seed]) -> Iterator[SeedProblem]:
    timed = [(seed, interval_text(seed.every)) for seed in group if seed.every]
    for seed, every in timed[1:]:
        first, stays = timed[0]
        if every != stays:
            reason = (
                f"every={every}, but {first.source}:{first.line} has every={stays} for this URL, which stays"
            )
            text = f"{seed.url} {every} {stays}"
            yield SeedProblem(source=seed.source, line=seed.line, reason=reason, text=text)


def split_labels(text: str) -> list[str]:
    """Split `world,"arts, culture"` into its two labels."""
    return [label.replace('"', "") for label in _LABEL.findall(text)]


def unite_labels(*groups: Iterable[str]) -> tuple[str, ...]:
    """Every label once, in the order of first mention, with its white space tidied."""
    tidy = (" ".join(label.split()) for group in groups for label in group)
    return tuple(dict.fromkeys(label for label in tidy if label))


def read_text(text: str) -> Iterator[SeedRow | Flaw]:
    for number, line in enumerate(_NEWLINE.split(text), start=1):
        url, _, rest = line.strip().replace("\t", " ").partition(" ")
        if url and not url.startswith("#"):
            # The address first: a blank inside one makes its tail look like an option.
            reason = url_flaw(web_address(url))
            text = line.strip()
            yield Flaw(line=number, reason=reason, text=text) if reason else _read_line(number, url, rest)


def _read_line(number: int, url: str, rest: str) -> SeedRow | Flaw:
    try:
        options = list(_options(rest))
    except ValueError as error:
        return Flaw(line=number, reason=str(error), text=f"{url} {rest}")
    labels = [label for key, value in options if key == "label" for label in split_labels(value)]
    every = [value for key, value in options if key == "every"]
    if len(every) > 1:
        return Flaw(line=number, reason="every= is given twice", text=f"{url} {rest}")
    return SeedRow(line=number, url=url, labels=tuple(labels), every=every[0] if every else None)


def _options(rest: str) -> Iterator[tuple[str, str]]:
    position = 0
    while (rest := rest[position:].lstrip()) and not rest.startswith("#"):
        word = _WORD.match(rest)
        # A quote that is never closed ends the word early, or lets none begin.
        if word is None or rest[word.end() :].startswith('"'):
            raise ValueError('a quote (") is not closed')
        yield _option(word[0])
        position = word.end()


def _option(word: str) -> tuple[str, str]:
    key, equals, value = word.partition("=")
    if not equals or key not in ("label", "every"):
        raise ValueError(f"unknown option {shown(word)}: after the URL come label=… and every=…")
    if not value.strip('", '):
        raise ValueError(f"{key}= has no value")
    return key, value if key == "label" else value.strip('"')


def is_header(line: str) -> bool:
    return "url" in _names(line.split(_delimiter(line)))


def read_csv(text: str, source: str) -> Iterator[SeedRow | Flaw]:
    lines = _cells(text)
    number, header = next(((n, cells) for n, cells in lines if not isinstance(cells, Flaw)), (1, []))
    names = _names(header)
    if header and "url" not in names:
        raise SeedError(f"{source}:{number}: the first line is not a header: it names no column url")
    for name in sorted({name for name in names if name and names.count(name) > 1}):
        reason = f"column {name} stands twice in the header: the first is read"
        yield Flaw(line=number, reason=reason, text=" ".join(header))
    for number, cells in lines:
        yield cells if isinstance(cells, Flaw) else _read_row(number, cells, names)


def _read_row(number: int, cells: list[str], names: list[str]) -> SeedRow | Flaw:
    if len(cells) > len(names):
        counts = f"{len(cells)} cells under {len(names)} columns"
        reason = f'{counts}: put "quotes" around a cell that holds the delimiter'
        return Flaw(line=number, reason=reason, text=" ".join(cells))
    # In reverse, so that of two columns with one name the first is read.
    row = dict(reversed(list(zip(names, (cell.strip() for cell in cells), strict=False))))
    if not row.get("url"):
        return Flaw(line=number, reason="the url cell is empty", text=" ".join(cells))
    labels = split_labels(row.get("label", ""))
    return SeedRow(line=number, url=row["url"], labels=tuple(labels), every=row.get("every") or None)


def _cells(text: str) -> Iterator[tuple[int, list[str] | Flaw]]:
    """Each row that is not blank, with the physical line it begins on."""
    first = next((line for line in io.StringIO(text) if line.strip()), "")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(first), strict=True)
    while True:
        number = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield number, Flaw(line=number, reason=f"broken CSV: {error}")
        else:
            if any(cell.strip() for cell in cells):
                yield number, cells


def _delimiter(line: str) -> str:
    return max((",", ";", "\t"), key=line.count)


def _names(header: list[str]) -> list[str]:
    """Columns by their known names; one that we do not read is an empty name."""
    return [_COLUMNS.get(name.strip().strip('"').lower(), "") for name in header]
