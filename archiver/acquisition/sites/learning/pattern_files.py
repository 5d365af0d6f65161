"""Patterns of a site as a file: for people to read, and for sites of the same template to begin with."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

import msgspec
import yaml

from archiver.acquisition.sites.learning.labels import LinkLabel, label_of
from archiver.acquisition.sites.learning.patterns import NavigationPattern, read_pattern
from archiver.documents.yaml_values.nodes import MOST_BYTES, MOST_NODES, FileFlaw, FilePlace
from archiver.documents.yaml_values.structs import YamlRead, read_yaml
from archiver.errors import ConfigurationError, FileFlaws, advice_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from archiver.acquisition.sites.learning.patterns import LinkStep

FORMAT = 1
# More pairs of words than any page has.
_MOST_GAIN = 1e6
# Pages without gain that are believed of what did not pay: as many as put a kind of links to sleep, whatever
# else is hoped of it.
_WITHOUT_GAIN = 4
# What the reader takes: keys and values of one pattern, and what stands before the first one.
_NODES, _HEAD = 20, 40


class FilePattern(msgspec.Struct, frozen=True, kw_only=True):
    """A pattern in a file."""

    path: NavigationPattern
    role: Literal["content", "list", "aside"]
    gain: float  # new pairs of words a request
    pages: int = 0  # that this was seen on
    state: Literal["active", "sleeping"] = "active"
    example: str = ""
    wrapper: str | None = None  # what its pages are read with


class PatternOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """When and from how much patterns were learned."""

    on: str
    requests: int
    seed: int = 0


class PatternFile(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    site: str
    learned: PatternOrigin
    patterns: tuple[FilePattern, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BelievedLabel:
    """What a file says of links of one kind."""

    name: LinkLabel
    source: LinkLabel | None  # of the pages on which they stand
    gains: tuple[float, ...]  # of pages that are believed to have been fetched
    is_series: bool
    target: str  # path and query of an address that they may lead to


# ── Writing ──────────────────────────────────────────────────────────────────────────────────────────────


def write_patterns(file: PatternFile) -> tuple[str, int]:
    """The text of a file, and how many patterns it has: as many as can be read again, the first ones."""
    head = {"format": file.format, "site": file.site, "learned": msgspec.to_builtins(file.learned)}
    text = _yaml(head)
    items = list(_items(file, MOST_BYTES - len(text.encode()) - _HEAD))
    return f"{text}patterns:{''.join(items) or ' []'}\n".replace("\n\n", "\n"), len(items)


def _items(file: PatternFile, room: int) -> Iterator[str]:
    for one in file.patterns[: (MOST_NODES - _HEAD) // _NODES]:
        item = f"\n{_yaml([_plain(one)])}"
        room -= len(item.encode())
        if room < 0:
            return
        yield item


def _plain(one: FilePattern) -> dict[str, object]:
    own = {key: value for key, value in msgspec.structs.asdict(one).items() if value not in ("", None)}
    return own | {"path": str(one.path), "gain": round(one.gain, 1)}


def _yaml(value: object) -> str:
    return str(yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=math.inf))


# ── Reading ──────────────────────────────────────────────────────────────────────────────────────────────


def load_patterns(path: Path) -> tuple[BelievedLabel, ...]:
    """What a file says; FileFlaws where it cannot be used."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        message = f"The file cannot be read: {error.strerror or error}{advice_on(error)}"
        raise FileFlaws([FileFlaw(place=FilePlace(str(path)), message=message)]) from error
    return believed_of(content, str(path))


def believed_of(content: bytes, file: str) -> tuple[BelievedLabel, ...]:
    read = read_yaml(content, file, PatternFile, _READERS)
    if flaws := list(_flaws(read)):
        raise FileFlaws(flaws)
    telling = [one for one in read.value.patterns if _is_telling(one)]
    found = {one.name: one for one in map(_believed, reversed(telling))}
    return tuple(reversed(found.values()))


def _is_telling(one: FilePattern) -> bool:
    """Content that stopped paying, and what was tried too little, is better learned anew.

    A list that stopped paying was read to its end.
    """
    return one.role == "list" or (one.role == "aside") == (one.state == "sleeping")


def _flaws(read: YamlRead[PatternFile]) -> Iterator[FileFlaw]:
    if read.value.format != FORMAT:
        place = read.place(read.value, "format")
        yield FileFlaw(place=place, message=f"Format {read.value.format} is not known", suggestion="write 1")
    for one in read.value.patterns:
        if _name(one.path.steps[-1], one.example) is None:
            yield FileFlaw(
                place=read.place(one, "path"),
                message="The last step has no form of address, and there is no example",
                suggestion="add one, such as (/html/body/a /page/#), or the key example",
            )


def _believed(one: FilePattern) -> BelievedLabel:
    *before, last = one.path.steps
    name = _name(last, one.example) or LinkLabel(last.path, "")
    return BelievedLabel(
        name=name,
        source=_name(before[-1], "") if before else None,
        gains=(0.0,) * _WITHOUT_GAIN if one.role == "aside" else (one.gain,),
        is_series=last.is_repeated,
        target=_target(one.example) if one.example else _target_of(name.shape),
    )


def _name(step: LinkStep, example: str) -> LinkLabel | None:
    if step.shape is not None:
        return LinkLabel(step.path, step.shape)
    return label_of(step.path, example) if example else None


def _target(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"


def _target_of(shape: str) -> str:
    """An address of a form: what it is worth to ask for goes by its words and the names of its parameters."""
    path, _, names = shape.partition(" ")[0].partition("?")
    query = "&".join(f"{name}=1" for name in names.split("&") if name)
    return f"/{path.replace('#', '1').replace('*', 'w')}{f'?{query}' if query else ''}"


def _pattern(text: str) -> NavigationPattern:
    try:
        return read_pattern(text)
    except ConfigurationError as error:
        raise ValueError(str(error)) from error


def _gain(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number <= _MOST_GAIN:
        raise ValueError(f"{text} is not a number from 0 to {_MOST_GAIN:.0f}")
    return number


_READERS: Mapping[type, Callable[[str], object]] = {NavigationPattern: _pattern, float: _gain}
