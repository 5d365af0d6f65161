"""The images of a page, and where they stand among its lines: one walk without styles, boxes or words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from archiver.articles.methods.visual.anchors import dice, terms_of
from archiver.articles.methods.visual.picture_names import file_name
from archiver.documents.pages.blocks import UNREAD
from archiver.documents.pages.images import IMAGES, counts_visitors, image_url
from archiver.documents.pages.text import one_line
from archiver.lexicon.elements import INLINE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

# A line this short may stand in a menu as well as in an article; in characters.
_TELLING = 40
# Lines between two texts of one article; a guess.
_WIDEST_GAP = 12
_SAME_TITLE = 0.8
# A line that is this many times longer or shorter does not say the title.
_LONGER = 2.5


class PlacedLine(NamedTuple):
    """A run of text that nothing but inline markup interrupts, and the element that it begins in."""

    text: str
    element: Element


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedImage:
    """An image that has an address."""

    element: Element
    source: str
    # The last step of its address.
    file: str
    # The words that stand for it.
    text: str
    # How many lines stand before it.
    before: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ImagePage:
    """The lines and the images of a page, in document order."""

    root: Element
    base_url: str
    lines: Sequence[PlacedLine]
    images: Sequence[PlacedImage]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticlePlace:
    """Where the article is among the lines of its page, and its title."""

    first: int
    last: int
    title: int
    words: str = ""


def image_page(tree: Element, base_url: str) -> ImagePage:
    """What no reader sees is passed over, as in an outline."""
    walk = _Walk()
    body = tree.find(".//body")
    walk.over(tree if body is None else body)
    found = (
        PlacedImage(
            element=element,
            source=source,
            file=file_name(source),
            text=one_line(element.get("alt") or ""),
            before=before,
        )
        for element, before in walk.images
        if not counts_visitors(element) and (source := image_url(element, base_url))
    )
    return ImagePage(root=tree, base_url=base_url, lines=walk.lines, images=list(found))


class _Walk:
    def __init__(self) -> None:
        self.lines: list[PlacedLine] = []
        self.images: list[tuple[Element, int]] = []
        self._parts: list[str] = []
        self._begun: Element | None = None

    def over(self, root: Element) -> None:
        """Depth first, and without recursion: pages are as deep as they like."""
        self._add(root.text, root)
        stack = [(root, iter(root))]
        while stack:
            element, children = stack[-1]
            for child in children:
                tag = child.tag
                if isinstance(tag, str) and tag not in UNREAD:
                    self._open(child, tag)
                    if len(child):
                        stack.append((child, iter(child)))
                        break
                    if self._begun is not None and tag not in INLINE:
                        self._end()
                if tail := child.tail:
                    self._add(tail, element)
            else:
                stack.pop()
                self._leave(element, stack[-1][0] if stack else None)

    def _open(self, element: Element, tag: str) -> None:
        if self._begun is not None and tag not in INLINE:
            self._end()
        if tag in IMAGES:
            self.images.append((element, len(self.lines) + bool(self._parts)))
        if text := element.text:
            self._add(text, element)

    def _leave(self, element: Element, parent: Element | None) -> None:
        if self._begun is not None and element.tag not in INLINE:
            self._end()
        if parent is not None and (tail := element.tail):
            self._add(tail, parent)

    def _add(self, text: str | None, element: Element) -> None:
        # White space only separates: where nothing has begun, there is nothing to separate.
        if text and (self._parts or not text.isspace()):
            self._parts.append(text)
            self._begun = element if self._begun is None else self._begun

    def _end(self) -> None:
        if self._begun is not None:
            self.lines.append(PlacedLine(" ".join("".join(self._parts).split()), self._begun))
            self._parts, self._begun = [], None


def article_place(page: ImagePage, text: str, title: str) -> ArticlePlace:
    """Where the article with this text and title is, by lines too long to stand elsewhere as well."""
    lines = page.lines
    whole = one_line(text)
    words = frozenset(whole.split())
    telling = (at for at, line in enumerate(lines) if len(line.text) >= _TELLING)
    kept = [at for at in telling if _is_in(lines[at].text, whole, words)]
    first, last = _densest(lines, kept) if kept else (0, max(0, len(lines) - 1))
    return ArticlePlace(first=first, last=last, title=_title_place(lines, title, first), words=title)


def _is_in(line: str, whole: str, words: frozenset[str]) -> bool:
    """Parts in the middle of a line may have been left out of the article."""
    ends = line[:_TELLING], line[-_TELLING:]
    # Most lines are told by their words, without a search of the whole text. The outer ones may be cut.
    return any(words.issuperset(end.split()[1:-1]) and end in whole for end in ends)


def _densest(lines: Sequence[PlacedLine], places: Sequence[int]) -> tuple[int, int]:
    """From the first to the last of those that stand together and have most text."""
    groups: list[list[int]] = [[]]
    for place in places:
        if groups[-1] and place - groups[-1][-1] > _WIDEST_GAP:
            groups.append([])
        groups[-1].append(place)
    best = max(groups, key=lambda group: sum(len(lines[one].text) for one in group))
    return best[0], best[-1]


def _title_place(lines: Sequence[PlacedLine], title: str, first: int) -> int:
    """The heading that says the title, the nearest to the text; else the last first heading before it."""
    wanted, length = frozenset(terms_of(title)), len(title)
    near = (
        [at for at, line in enumerate(lines) if length / _LONGER <= len(line.text) <= length * _LONGER]
        if wanted
        else []
    )
    same = [at for at in near if dice(frozenset(terms_of(lines[at].text)), wanted) >= _SAME_TITLE]
    found = [at for at in same if _heading(lines[at].element) in ("h1", "h2")] or same
    if found:
        return min(found, key=lambda at: (at > first, abs(at - first)))
    heads = [at for at in range(first) if _heading(lines[at].element) == "h1"]
    return heads[-1] if heads else first


def _heading(element: Element) -> str:
    """The element that holds a line: a link or a span in a heading is of the heading."""
    for one in (element, *element.iterancestors()):
        if one.tag not in INLINE:
            return str(one.tag)
    return ""
