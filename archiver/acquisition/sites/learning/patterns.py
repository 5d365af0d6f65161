r"""Navigation patterns: kinds of links to follow from the entry page, as values and as readable text.

    (/html/body/nav.pages/a /page/#)+ (/html/body/main/article/h2/a /#/#/*)

One step stands for the links with one path, where a form of address follows for those to such addresses
alone. `+` repeats a step for as long as it leads on, `{3}` up to three times. Round brackets and backslashes
in names have a backslash before them, and so has a space in a path.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# One step: what stands in its brackets, and how often.
_STEP = re.compile(r"\(((?:[^()\\]|\\.)*)\)(\+|\{[1-9][0-9]{0,8}\})?", re.DOTALL)
# Path and form of address, with a space between that has no backslash before it.
_PARTS = re.compile(r"((?:[^ \\]|\\.)+)(?: /(.*))?", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SPECIAL = re.compile(r"[()\\]")
_SPECIAL_IN_PATH = re.compile(r"[() \\]")


@dataclass(frozen=True, slots=True)
class LinkStep:
    """Links of one kind, and how often they are followed in a row."""

    path: str  # as labels have it
    shape: str | None = None  # the form of the addresses they lead to; None: any
    most: int | None = 1  # None: as long as they lead on

    def __str__(self) -> str:
        form = "" if self.shape is None else f" /{_SPECIAL.sub(_escape, self.shape)}"
        often = {None: "+", 1: ""}.get(self.most, f"{{{self.most}}}")
        return f"({_SPECIAL_IN_PATH.sub(_escape, self.path)}{form}){often}"

    def fits(self, path: str, shape: str) -> bool:
        return self.path == path and self.shape in {None, shape}

    @property
    def is_repeated(self) -> bool:
        return self.most != 1


@dataclass(frozen=True, slots=True)
class NavigationPattern:
    """Steps that lead from the entry page of a site to pages of one kind."""

    steps: tuple[LinkStep, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.steps))

    def begins_with(self, other: NavigationPattern) -> bool:
        return self.steps[: len(other.steps)] == other.steps


def read_pattern(text: str) -> NavigationPattern:
    """The pattern that a text is. Raises ConfigurationError for a text that is not one."""
    steps = tuple(_steps(text))
    if not steps:
        raise ConfigurationError("A pattern needs at least one step, such as (/html/body/a)")
    return NavigationPattern(steps)


def pattern_text(patterns: Sequence[NavigationPattern]) -> str:
    """One line for each."""
    return "".join(f"{pattern}\n" for pattern in patterns)


def _steps(text: str) -> Iterator[LinkStep]:
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        parts = _PARTS.fullmatch(found[1]) if found else None
        if found is None or parts is None or (found.end() < len(text) and text[found.end()] != " "):
            raise ConfigurationError(f"Not a step of a pattern, at character {at + 1}: {text[at:]}")
        shape = None if parts[2] is None else _ESCAPED.sub(r"\1", parts[2])
        yield LinkStep(_ESCAPED.sub(r"\1", parts[1]), shape, _often(found[2]))
        at = found.end() + 1


def _often(text: str | None) -> int | None:
    if text is None:
        return 1
    return None if text == "+" else int(text[1:-1])


def _escape(found: re.Match[str]) -> str:
    return f"\\{found[0]}"
