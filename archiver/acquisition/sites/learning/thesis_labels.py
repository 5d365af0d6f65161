"""The labels of chapter 5 of Faheem's thesis: root-to-link paths with identifiers, classes or both.

    /html/body/div#wrapper.*/div#post-/a

`#post-` stands for `contains(@id, "post-")`, `.*` for `[@class]`: of classes only counts that there are some.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from archiver.acquisition.sites.learning.labels import ElementPaths
from archiver.acquisition.sites.learning.patterns import LinkStep

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.acquisition.sites.learning.graph import GraphLink, Labelling

Attributes = Literal["id", "class", "both"]
# Digits tell things of one kind apart; strokes, points and the like are marks of our own.
_DIGITS = re.compile(r"\d+")
_OTHERS = re.compile(r"[^\w-]")
_LETTER = re.compile(r"[^\W\d_]")
_CLASS = ".*"
_IDENTIFIER = re.compile(r"#[\w-]+")


class ThesisPaths(ElementPaths):
    """Paths with all attributes."""

    def __init__(self) -> None:
        super().__init__(_step)


def _step(element: Element) -> str:
    name = _OTHERS.sub("_", _DIGITS.sub("", element.get("id") or ""))
    own = f"#{name}" if _LETTER.search(name) else ""
    return f"{element.tag}{own}{_CLASS if (element.get('class') or '').strip() else ''}"


def thesis_labelling(attributes: Attributes) -> Labelling:
    """Labels of the thesis with some attributes."""
    labels: dict[str, LinkStep] = {}

    def labelled(link: GraphLink) -> LinkStep:
        path = link.thesis_path
        if path not in labels:
            labels[path] = LinkStep(_with(attributes, path))
        return labels[path]

    return labelled


def _with(attributes: Attributes, path: str) -> str:
    if attributes == "id":
        return path.replace(_CLASS, "")
    return _IDENTIFIER.sub("", path) if attributes == "class" else path


def named_labelling(link: GraphLink) -> LinkStep:
    """Labels of this crawler: steady names, and the form of addresses."""
    return LinkStep(link.label.path, link.label.shape)
