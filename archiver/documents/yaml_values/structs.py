"""From YAML to structs: the type that is wanted decides what a node means; all flaws are found at once."""

from __future__ import annotations

import re
import types
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, NoReturn, TypeVar, Union, get_args, get_origin

import msgspec

from archiver.documents.nearest import did_you_mean
from archiver.documents.yaml_values.nodes import FileFlaw, FilePlace, YamlList, YamlMapping, YamlText, compose
from archiver.errors import ExpressionFlaw, FileFlaws

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from archiver.documents.yaml_values.nodes import YamlNode

    # What makes a value of a text; ExpressionFlaw or ValueError where that is not possible.
    Readers = Mapping[type, Callable[[str], object]]

T = TypeVar("T", bound=msgspec.Struct)
_NUMBER = re.compile(r"[-+]?[0-9]{1,9}")
_NOTHING = ("", "null", "~")


@dataclass(frozen=True, kw_only=True)
class YamlRead(Generic[T]):
    """What a file says, and where it says it."""

    value: T
    file: str
    _nodes: Mapping[int, YamlNode]

    def place(self, struct: msgspec.Struct, key: str = "", number: int | None = None) -> FilePlace:
        """Where a struct of the file stands, or what one of its keys has, or an item of that."""
        node = self._nodes.get(id(struct))
        if isinstance(node, YamlMapping):
            node = next((value for name, value in node.pairs if name.text == key), node)
        if number is not None and isinstance(node, YamlList):
            node = node.items[number]
        return node.place if node else FilePlace(self.file)


def read_yaml(content: bytes, file: str, wanted: type[T], readers: Readers | None = None) -> YamlRead[T]:
    """The struct that a file means; FileFlaws, with all flaws of the file, where it means none.

    A list may be written without brackets where it has one item. A struct with a class variable `shorthand`
    may be written as that field alone.
    """
    reader = _Reader(readers or {})
    node = compose(content, file)
    value = reader.read(node, wanted)
    if reader.flaws:
        reader.flaws.sort(key=lambda flaw: (flaw.place.line, flaw.place.column))
        raise FileFlaws(reader.flaws)
    return YamlRead(value=value, file=file, _nodes=reader.nodes)


class _Refused(Exception):  # noqa: N818 - never leaves this module
    """A value cannot be made: its flaw is noted."""


@dataclass
class _Reader:
    readers: Readers
    flaws: list[FileFlaw] = field(default_factory=list)
    nodes: dict[int, YamlNode] = field(default_factory=dict)

    def read(self, node: YamlNode, wanted: Any) -> Any:  # noqa: ANN401 - types are values here
        """A value of the type that is wanted; None, and a flaw, where there is none."""
        try:
            return self._made(node, wanted)
        except _Refused:
            return None

    def _made(self, node: YamlNode, wanted: Any) -> Any:  # noqa: ANN401 - as above
        origin = get_origin(wanted)
        if wanted in self.readers:
            return self._by_reader(self._text(node), self.readers[wanted])
        if origin in (Union, types.UnionType):
            return self._optional(node, [one for one in get_args(wanted) if one is not type(None)])
        if origin in (tuple, dict):
            return self._several(node, get_args(wanted)) if origin is tuple else self._named(node, wanted)
        if origin is Literal:
            return self._one_of(self._text(node), get_args(wanted))
        if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
            return self._struct(node, wanted)
        return self._plain(self._text(node), wanted)

    def _optional(self, node: YamlNode, wanted: list[Any]) -> Any:  # noqa: ANN401 - as above
        if isinstance(node, YamlText) and node.is_plain and node.text in _NOTHING:
            return None
        return self._made(node, wanted[0])

    def _several(self, node: YamlNode, wanted: tuple[Any, ...]) -> tuple[Any, ...]:
        items = node.items if isinstance(node, YamlList) else (node,)
        return tuple(self.read(item, wanted[0]) for item in items)

    def _named(self, node: YamlNode, wanted: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
        """Values under names that people choose."""
        if not isinstance(node, YamlMapping):
            self._refuse(node.place, "Names with values must stand here", "write `name: …`, one a line")
        return {name.text: self.read(value, get_args(wanted)[1]) for name, value in node.pairs}

    def _by_reader(self, node: YamlText, reader: Callable[[str], object]) -> object:
        try:
            return reader(node.text)
        except ExpressionFlaw as flaw:
            # Behind the quote, where there is one.
            column = node.place.column + flaw.column - (1 if node.is_plain else 0)
            place = FilePlace(node.place.file, node.place.line, column)
            self._refuse(place, flaw.message, flaw.suggestion)
        except ValueError as error:
            self._refuse(node.place, str(error))

    def _one_of(self, node: YamlText, allowed: tuple[str, ...]) -> str:
        if node.text not in allowed:
            advice = did_you_mean(node.text, allowed) or f"write one of {', '.join(allowed)}"
            self._refuse(node.place, f"{node.text or 'Nothing'} is not possible here", advice)
        return node.text

    def _plain(self, node: YamlText, wanted: Any) -> Any:  # noqa: ANN401 - as above
        if wanted is str:
            return node.text
        if wanted is bool:
            if node.text.lower() not in ("true", "false"):
                self._refuse(node.place, f"{node.text} is neither true nor false", "write true or false")
            return node.text.lower() == "true"
        if wanted is int:
            if not _NUMBER.fullmatch(node.text):
                self._refuse(node.place, f"{node.text} is not a number")
            return int(node.text)
        raise TypeError(f"No YAML is read as {wanted}")

    def _struct(self, node: YamlNode, wanted: type[msgspec.Struct]) -> msgspec.Struct:
        shorthand = getattr(wanted, "shorthand", None)
        if not isinstance(node, YamlMapping) and shorthand is None:
            self._refuse(node.place, "Keys with values must stand here", f"such as {_keys(wanted)}")
        key = YamlText(node.place, str(shorthand), is_plain=True)
        pairs = node.pairs if isinstance(node, YamlMapping) else ((key, node),)
        before = len(self.flaws)
        values = self._fields(pairs, wanted)
        missing = [one.encode_name for one in msgspec.structs.fields(wanted) if one.required]
        missing = [name for name in missing if name not in {key.text for key, _ in pairs}]
        if missing:
            self._refuse(node.place, f"Missing here: {', '.join(missing)}")
        if len(self.flaws) > before:
            raise _Refused
        made = wanted(**values)
        self.nodes[id(made)] = node
        return made

    def _fields(
        self, pairs: tuple[tuple[YamlText, YamlNode], ...], wanted: type[msgspec.Struct]
    ) -> dict[str, Any]:
        known = {one.encode_name: one for one in msgspec.structs.fields(wanted)}
        found = {}
        for key, node in pairs:
            if key.text not in known:
                advice = did_you_mean(key.text, known) or f"keys here are {', '.join(known)}"
                self.flaws.append(
                    FileFlaw(
                        place=key.place, message=f"The key {key.text} is not known here", suggestion=advice
                    )
                )
            else:
                found[known[key.text].name] = self.read(node, known[key.text].type)
        return found

    def _text(self, node: YamlNode) -> YamlText:
        if not isinstance(node, YamlText):
            kind = "list" if isinstance(node, YamlList) else "mapping"
            self._refuse(node.place, f"A text must stand here, not a {kind}", "write quotes around it")
        return node

    def _refuse(self, place: FilePlace, message: str, suggestion: str = "") -> NoReturn:
        self.flaws.append(FileFlaw(place=place, message=message, suggestion=suggestion))
        raise _Refused


def _keys(wanted: type[msgspec.Struct]) -> str:
    return ", ".join(one.encode_name for one in msgspec.structs.fields(wanted)[:3])
