"""Style sheets, as far as they place text: simple selectors, few properties, within limits."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from archiver.articles.layout.model import SCREEN_WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# What an estimate reads; every other declaration is passed over.
PROPERTIES = frozenset({
    "display", "float", "position", "visibility", "opacity", "width", "max-width", "height", "font-size",
    "font-weight", "font-style", "font", "text-decoration", "text-decoration-line", "line-height", "margin",
    "margin-top", "margin-right", "margin-bottom", "margin-left", "padding", "padding-top", "padding-right",
    "padding-bottom", "padding-left", "flex-direction", "flex-wrap", "grid-template-columns", "clear",
})  # fmt: skip
# A page with more is styled by what a browser does without styles: 50 ms would be gone. Both are guesses.
MOST_RULES = 5_000
MOST_CHARACTERS = 200_000

_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_PART = re.compile(r"([^{}]*+)([{}])")
_DECLARATION = re.compile(r"([a-z-]++)\s*+:\s*+([^;]++)")
_WIDTH = re.compile(r"\(\s*(min|max)-width\s*:\s*([\d.]+)(px|em|rem)\s*\)")
# One step of a selector: a tag, then classes and an id; pseudo-classes and attributes are not followed.
_STEP = re.compile(r"(?P<tag>[a-z][\w-]*|\*)?(?P<names>(?:[.#][\w-]+)*)", re.IGNORECASE)
_NAME = re.compile(r"[.#][\w-]+")
_COMBINATOR = re.compile(r"\s*[>\s]\s*")

Declarations = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SelectorStep:
    """What an element must be for a step of a selector: its tag, where one is named, and its names."""

    tag: str
    names: frozenset[str]

    def holds(self, tag: str, names: frozenset[str]) -> bool:
        return (not self.tag or self.tag == tag) and self.names <= names


@dataclass(frozen=True, slots=True)
class StyleRule:
    """A selector's last step and those around it, how much it counts, and what it declares."""

    step: SelectorStep
    above: tuple[SelectorStep, ...]
    # As CSS counts: ids, classes, tags; then the place in the sheets.
    rank: tuple[int, int, int, int]
    declared: Declarations
    # All names and tags that the steps above ask for.
    needed: frozenset[str]


@dataclass(frozen=True, slots=True)
class Sheets:
    """All rules of a page by the name or tag that their last step asks for."""

    rules: Mapping[str, Sequence[StyleRule]] = field(default_factory=dict)

    def for_element(self, tag: str, names: frozenset[str]) -> Iterator[StyleRule]:
        """Rules whose last step holds; the steps above are still to be checked."""
        for key in ("", tag, *names):
            for rule in self.rules.get(key, ()):
                if rule.step.holds(tag, names):
                    yield rule


def read_sheets(texts: Sequence[str]) -> Sheets:
    """The rules of all sheets together; none where they are too many."""
    if sum(map(len, texts)) > MOST_CHARACTERS:
        return Sheets()
    rules: dict[str, list[StyleRule]] = {}
    count = 0
    for text in texts:
        for selectors, declared in _blocks(text):
            for selector in selectors.split(","):
                rule = _rule(selector, declared, count)
                count += 1
                if rule is not None:
                    rules.setdefault(_key(rule.step), []).append(rule)
        if count > MOST_RULES:
            return Sheets()
    return Sheets(rules)


def declarations(text: str) -> Declarations:
    """The declarations that matter of a block or of a `style` attribute."""
    found = _DECLARATION.findall(text.lower())
    return tuple((name, value.split("!")[0].strip()) for name, value in found if name in PROPERTIES)


def _blocks(text: str) -> Iterator[tuple[str, Declarations]]:
    """Selectors with what is declared for them, on the screen that is meant."""
    is_on, head = [True], "@"
    for match in _PART.finditer(_COMMENT.sub("", text)):
        before, brace = match[1], match[2]
        if brace == "{":
            is_on.append(is_on[-1] and _is_meant(before.strip()))
            head = before
            continue
        if is_on[-1] and not head.strip().startswith("@"):
            declared = declarations(before)
            if declared:
                yield head.rpartition(";")[2].strip(), declared
        head = "@"  # what closes next is a group, not a rule
        if len(is_on) > 1:
            is_on.pop()


def _is_meant(head: str) -> bool:
    """Whether a block counts on the screen; a rule always, a group by what it asks for."""
    head = head.rpartition(";")[2].strip().lower()
    if not head.startswith("@"):
        return True
    if head.startswith(("@supports", "@layer", "@container")):
        return True
    return head.startswith("@media") and any(map(_is_screen, head[6:].split(",")))


def _is_screen(query: str) -> bool:
    if "print" in query or "not " in query or "prefers" in query or "landscape" in query:
        return False
    for side, number, unit in _WIDTH.findall(query):
        width = float(number) * (1 if unit == "px" else 16)
        if (side == "min") is (width > SCREEN_WIDTH) and width != SCREEN_WIDTH:
            return False
    return True


def _rule(selector: str, declared: Declarations, place: int) -> StyleRule | None:
    parts = [_STEP.fullmatch(one) for one in _COMBINATOR.split(selector.strip())]
    steps = [_step(one) for one in parts if one is not None and one[0]]
    if not steps or len(steps) < len(parts):
        return None
    names = [name for step in steps for name in step.names]
    ids = sum(name[0] == "#" for name in names)
    rank = (ids, len(names) - ids, sum(bool(step.tag) for step in steps), place)
    above = tuple(reversed(steps[:-1]))
    needed = frozenset(name for step in above for name in (step.tag, *step.names) if name)
    return StyleRule(steps[-1], above, rank, declared, needed)


def _step(match: re.Match[str]) -> SelectorStep:
    tag = (match["tag"] or "").lower()
    return SelectorStep("" if tag == "*" else tag, frozenset(_NAME.findall(match["names"])))


def _key(step: SelectorStep) -> str:
    """An id before a class before a tag: the rarest that it asks for. Rules for all elements are under ''."""
    return min(step.names, key=lambda name: (name[0] != "#", name), default=step.tag)
