"""A view: an address, what may be asked there, and what answers: as a page, and as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import NoneType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from archiver.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.datastructures import QueryParams

    from archiver.web.opened import OpenedArchive

Parameters = TypeVar("Parameters", bound=msgspec.Struct)
Answer = TypeVar("Answer")


class NothingAsked(msgspec.Struct, frozen=True):
    """Of a view that shows one thing only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebView(Generic[Parameters, Answer]):
    """One address. Its answer is a value: what is in it is told to programs, and shown by its template."""

    name: str  # the name of its template, too
    path: str  # such as /channels/{number}; the same with .json behind it answers with JSON
    about: str  # what it shows, in a line, for the description of the interface
    parameters: type[Parameters]
    answer: type[Answer]
    read: Callable[[OpenedArchive, Parameters], Answer]
    # The part of the application that its link in the navigation stands for.
    part: str = ""
    # What its template needs besides the answer.
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def json_path(self) -> str:
        return "/index.json" if self.path == "/" else f"{self.path}.json"


def parameters_from(kind: type[Parameters], query: QueryParams, path: Mapping[str, str]) -> Parameters:
    """What was asked, checked. What a form leaves empty is not asked. Raises ConfigurationError."""
    given: dict[str, Any] = dict(path)
    for name, hint in get_type_hints(kind).items():
        values = [value for value in query.getlist(name) if value]
        if "null" in values and NoneType in get_args(hint):
            # msgspec would take it for nothing.
            raise ConfigurationError(f"{name}='null' cannot be meant: leave it out")
        if values:
            given[name] = values if get_origin(hint) is tuple else values[-1]
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise ConfigurationError(_in_words(str(error), given)) from error


def _in_words(problem: str, given: Mapping[str, Any]) -> str:
    told, _, place = problem.partition(" - at `$.")
    name = place.rstrip("`").partition("[")[0]
    value = f"{name}={given[name]!r}: " if name in given else ""
    return f"{value}{told}"
