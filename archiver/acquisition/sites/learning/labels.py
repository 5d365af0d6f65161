"""What links of one kind have in common: the elements around them, and the form of their addresses."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from archiver.acquisition.sites.traps.forms import labels_of
from archiver.documents.pages.names import is_steady
from archiver.lexicon.elements import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element as Element

# The paths of what stands on no page: the first one, what a sitemap names, lists that are looked at again,
# and further pages of these.
ENTRY, SITEMAP, AGAIN, ONWARD = "entry", "sitemap", "again", "again+"
LOOKED_AT_AGAIN = frozenset({AGAIN, ONWARD})
# That of links to addresses that end in the path of another page, and of all links where there are too many.
TAIL, REST = "~/…", "~"
# What is added to the path of a link to a further page that stands on what looks like the last page.
BEYOND = "~"
# Of a class attribute; further names say how something looks.
_MOST_NAMES = 2
# An identifier of so many words is made from a title: it is that of one thing.
_MOST_WORDS = 3
# Of a path; what is cut off is the part that all links of a page share.
LONGEST_PATH = 400


class LinkLabel(NamedTuple):
    """The kind of a link."""

    path: str  # root to link, each step an element with its steady names
    shape: str  # the form of the address that it leads to

    def __str__(self) -> str:
        return f"{self.path} {self.shape}"


def label_of(path: str, url: str) -> LinkLabel:
    return LinkLabel(path, labels_of(url).family)


class ElementPaths:
    """The paths of the elements of a page from its root, each made once."""

    def __init__(self, step: Callable[[Element], str]) -> None:
        self._step = step
        self._paths: dict[Element, str] = {}

    def path_of(self, element: Element) -> str:
        line: list[Element] = []
        one: Element | None = element
        while one is not None and one not in self._paths:
            line.append(one)
            one = one.getparent()
        for each in reversed(line):
            around = each.getparent()
            self._paths[each] = f"{'' if around is None else self._paths[around]}/{self._step(each)}"
        return self._paths[element]


class LabelPaths(ElementPaths):
    """Paths by names that hold for other pages as well."""

    def __init__(self) -> None:
        super().__init__(step_of)

    def path_of(self, element: Element) -> str:
        return super().path_of(element)[-LONGEST_PATH:]


def step_of(element: Element) -> str:
    """An element by its tag, its identifier and its first classes, as far as other pages have the same."""
    return _step(element.tag, element.get("id") or "", element.get("class") or "")


# Templates have few kinds of elements, and each of them many times.
@lru_cache(maxsize=10_000)
def _step(tag: str, identifier: str, classes: str) -> str:
    own = f"#{identifier}" if _is_of_template(tag, identifier) else ""
    names = [name for name in classes.split() if is_steady(name)]
    return f"{tag}{own}{''.join(f'.{name}' for name in sorted(names[:_MOST_NAMES]))}"


def _is_of_template(tag: str, identifier: str) -> bool:
    if not identifier or tag in HEADINGS or " " in identifier:
        return False
    words = identifier.replace("_", "-").count("-") + 1
    return words <= _MOST_WORDS and is_steady(identifier)
