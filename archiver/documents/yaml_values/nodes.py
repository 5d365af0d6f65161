"""A YAML document as nodes that know their places; what is too large, too deep or too clever is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import yaml

from archiver.errors import FileFlaws

if TYPE_CHECKING:
    from collections.abc import Iterator

# No file that a person writes comes near.
MOST_BYTES = 256 * 1024
MOST_DEPTH = 24
MOST_NODES = 20_000


@dataclass(frozen=True, slots=True)
class FilePlace:
    """Where something stands in a file: lines and columns begin with 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFlaw:
    """Why a file cannot be used, where, and what to write instead."""

    place: FilePlace
    message: str
    suggestion: str = ""

    def __str__(self) -> str:
        advice = f": {self.suggestion}" if self.suggestion else ""
        return f"{self.place}: {self.message}{advice}"


@dataclass(frozen=True, slots=True)
class YamlText:
    """A scalar, as it is written; its place is that of its first character."""

    place: FilePlace
    text: str
    # Without quotes: it may mean a number, a truth or nothing.
    is_plain: bool


@dataclass(frozen=True, slots=True)
class YamlList:
    place: FilePlace
    items: tuple[YamlNode, ...]


@dataclass(frozen=True, slots=True)
class YamlMapping:
    place: FilePlace
    pairs: tuple[tuple[YamlText, YamlNode], ...]


YamlNode = YamlText | YamlList | YamlMapping


def compose(content: bytes, file: str) -> YamlNode:
    """The one document of a file; FileFlaws where there is none, or not one that is safe to read."""
    if len(content) > MOST_BYTES:
        _refuse(FilePlace(file), f"The file has {len(content)} bytes: {MOST_BYTES} are the most")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        _refuse(FilePlace(file, line), "The file is not in UTF-8", "save it as UTF-8")
    try:
        return _Composer(text, file).document()
    except yaml.YAMLError as error:
        raise FileFlaws([_flaw_of(error, file)]) from error


def _flaw_of(error: yaml.YAMLError, file: str) -> FileFlaw:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    place = FilePlace(file, mark.line + 1, mark.column + 1) if mark else FilePlace(file)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    return FileFlaw(place=place, message=f"This is not YAML: {problem}", suggestion=_ADVICE.get(problem, ""))


# What people run into most often with expressions.
_ADVICE = {
    "found character that cannot start any token": "write quotes around a text that begins with @ or `",
    "did not find expected alphabetic or numeric character": "write quotes around a text that begins with *",
    "mapping values are not allowed in this context": "write quotes around a text with a colon in it",
    "did not find expected <document start>": "write quotes around a text that begins with a bracket",
    "did not find expected ',' or ']'": "write quotes around a text with brackets in it",
    "did not find expected ',' or '}'": "write quotes around a text with braces or brackets in it",
}


def _refuse(place: FilePlace, message: str, suggestion: str = "") -> NoReturn:
    raise FileFlaws([FileFlaw(place=place, message=message, suggestion=suggestion)])


class _Composer:
    """Makes nodes of events, one after another: what is too deep is refused before it is read."""

    def __init__(self, text: str, file: str) -> None:
        self._events: Iterator[yaml.Event] = iter(yaml.parse(text, Loader=yaml.CSafeLoader))
        self._file = file
        self._count = 0

    def document(self) -> YamlNode:
        next(self._events)  # the stream
        if isinstance(next(self._events), yaml.StreamEndEvent):
            _refuse(FilePlace(self._file), "The file is empty")
        node = self._node(next(self._events), 0)
        next(self._events)  # the document's end
        event = next(self._events)
        if not isinstance(event, yaml.StreamEndEvent):
            _refuse(self._place(event), "The file has a second document", "write one file for each")
        return node

    def _node(self, event: yaml.Event, depth: int) -> YamlNode:
        self._check(event, depth)
        place = self._place(event)
        if isinstance(event, yaml.ScalarEvent):
            return YamlText(place, event.value, event.style in (None, ""))
        if isinstance(event, yaml.SequenceStartEvent):
            return YamlList(place, tuple(self._items(yaml.SequenceEndEvent, depth)))
        return self._mapping(place, depth)

    def _mapping(self, place: FilePlace, depth: int) -> YamlMapping:
        pairs: dict[str, tuple[YamlText, YamlNode]] = {}
        nodes = self._items(yaml.MappingEndEvent, depth)
        for key in nodes:
            if not isinstance(key, YamlText):
                _refuse(key.place, "A key is a word")
            if key.text in pairs:
                first = pairs[key.text][0].place.line
                _refuse(key.place, f"The key {key.text} stands here twice, first in line {first}")
            pairs[key.text] = (key, next(nodes))
        return YamlMapping(place, tuple(pairs.values()))

    def _items(self, end: type[yaml.Event], depth: int) -> Iterator[YamlNode]:
        while not isinstance(event := next(self._events), end):
            yield self._node(event, depth + 1)

    def _check(self, event: yaml.Event, depth: int) -> None:
        place = self._place(event)
        self._count += 1
        if depth > MOST_DEPTH:
            _refuse(place, f"Values are nested more than {MOST_DEPTH} deep")
        if self._count > MOST_NODES:
            _refuse(place, f"The file has more than {MOST_NODES} values")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            sign = "*" if isinstance(event, yaml.AliasEvent) else "&"
            _refuse(
                place,
                f"Anchors and aliases are not used here: {sign}{event.anchor}",  # type: ignore[attr-defined]
                "write quotes around a text that begins with * or &",
            )
        if getattr(event, "tag", None) not in (None, "!"):
            _refuse(place, "Tags of YAML are not used here", "write quotes around a text that begins with !")

    def _place(self, event: yaml.Event) -> FilePlace:
        mark = event.start_mark
        return FilePlace(self._file, mark.line + 1, mark.column + 1) if mark else FilePlace(self._file)
