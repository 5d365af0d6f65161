"""What pages of articles share: header, navigation, footer, around a list where the article stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.pages.dom import UNSEEN, base_url, writable
from archiver.documents.pages.text import one_line
from archiver.inspection.rebuild.cards import links_on
from archiver.inspection.rebuild.frames import Frame, plain_list, tree_of
from archiver.inspection.rebuild.trees import all_text, drop
from archiver.lexicon.elements import BLOCKS, HEADLINES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.inspection.rebuild.frames import FramePage, Known
    from archiver.inspection.rebuild.model import Rebuilt

# So much of an article's text lies in the element that is its place.
_MOST_OF_IT = 0.75
# Paragraphs by which that element is found: shorter ones stand anywhere.
_LEAST_PARAGRAPH = 40
# What is furniture on a page that has no sibling to compare it with.
_FURNITURE = frozenset({"header", "nav", "footer"})
# What says something by being empty.
_EMPTY = frozenset({"body", "br", "hr", "td", "th"})


def from_articles(
    page: FramePage, text: str, siblings: Sequence[FramePage], rebuilt: Rebuilt, known: Known
) -> Frame | None:
    """What a page of an article shares with its siblings, and the list where the article stood."""
    tree = tree_of(page)
    if tree is None:
        return None
    base = base_url(tree, page.url)
    _drop_unseen(tree)
    node = _place_of(tree, text)
    if node is None:
        return None
    others = [_told_by(other) for other in map(tree_of, siblings) if other is not None]
    _leave_shared(tree, node, others)
    _drop_articles(tree, base, known)
    _drop_empty(tree, {node, *node.iterancestors()})
    _replace(node, rebuilt)
    _rename(tree, rebuilt)
    return Frame(tree=tree, base=base, origin=page.origin, kind="article")


def _place_of(tree: Element, text: str) -> Element | None:
    """The smallest element that holds most of the article's words."""
    wanted = {line for line in map(one_line, text.splitlines()) if len(line) >= _LEAST_PARAGRAPH}
    sizes: dict[Element, int] = {}
    leaves = set(_leaves(tree))
    for block in leaves:
        line = one_line(all_text(block))
        if line in wanted:
            for above in (block, *block.iterancestors()):
                sizes[above] = sizes.get(above, 0) + len(line)
    total = max(sizes.values(), default=0)
    large = [element for element, size in sizes.items() if size >= _MOST_OF_IT * total]
    node = max(large, key=lambda one: sum(1 for _ in one.iterancestors()), default=None)
    # A single paragraph is not the place of an article, but what it stands in.
    if node is not None and node in leaves:
        node = node.getparent()
    return None if node is None or node.tag == "html" else node


# ── What only this page says ─────────────────────────────────────────────────────────────────────────────


def _leave_shared(tree: Element, node: Element, siblings: Sequence[set[str]]) -> None:
    """Take out what not all of them say; without siblings, all but its furniture."""
    inside = set(node.iter("*"))
    leaves = [one for one in _leaves(tree) if one not in inside and not _is_in_head(one)]
    for holder in _holders(tree) - inside:
        _leave_shared_words(holder, siblings)
    for element in leaves:
        if not _is_shared(element, _telling(element), siblings):
            drop(element)


def _leave_shared_words(holder: Element, siblings: Sequence[set[str]]) -> None:
    """The same for words that stand among blocks."""
    if not _is_shared(holder, _words(holder.text), siblings):
        holder.text = None
    for child in holder:
        if not _is_shared(child, _words(child.tail), siblings):
            child.tail = None


def _is_shared(element: Element, told: set[str], siblings: Sequence[set[str]]) -> bool:
    if siblings:
        return all(told <= other for other in siblings)
    return not told or any(one.tag in _FURNITURE for one in (element, *element.iterancestors()))


def _told_by(tree: Element) -> set[str]:
    """Everything that a page says, block by block."""
    _drop_unseen(tree)
    bare = (text for one in _holders(tree) for text in (one.text, *(child.tail for child in one)))
    found = {told for element in _leaves(tree) for told in _telling(element)}
    return found.union(*map(_words, bare))


def _telling(element: Element) -> set[str]:
    """What a block says: its words, its links, its images."""
    links = {f"a {one.get('href')}" for one in element.iter("a")}
    return _words(all_text(element)) | links | {f"img {one.get('src')}" for one in element.iter("img")}


def _drop_unseen(tree: Element) -> None:
    """Without what no reader sees, but for the style of what is seen."""
    for element in list(tree.iter(*(UNSEEN - {"style"}))):
        drop(element)


def _words(text: str | None) -> set[str]:
    return {one_line(text or "")} - {""}


def _leaves(tree: Element) -> list[Element]:
    """Blocks that hold no other block, and what stands among blocks without one of its own."""
    holders = _holders(tree)
    return [
        element
        for element in tree.iter("*")
        if element not in holders and (element.tag in BLOCKS or element.getparent() in holders)
    ]


def _holders(tree: Element) -> set[Element]:
    """Elements with blocks in them."""
    holders: set[Element] = set()
    for block in tree.iter(*BLOCKS):
        for above in block.iterancestors():
            if above in holders:
                break
            holders.add(above)
    return holders


def _is_in_head(element: Element) -> bool:
    return any(one.tag == "head" for one in (element, *element.iterancestors()))


# ── What is of another time ──────────────────────────────────────────────────────────────────────────────


def _drop_articles(tree: Element, base: str, known: Known) -> None:
    """Links to articles of the channel, such as what was read most, are those of the capture's time.

    So are their words without a link: the heading of the article that the page was about.
    """
    links = links_on(tree, base)
    articles = known(set(links.values()))
    words = {one_line(all_text(link)) for link, key in links.items() if key in articles} - {""}
    for link in [link for link, key in links.items() if key in articles]:
        drop(_alone_with(link))
    for heading in list(tree.iter(*HEADLINES)):
        if one_line(all_text(heading)) in words:
            drop(heading)


def _alone_with(link: Element) -> Element:
    """The largest element that says nothing but the link."""
    words = one_line(all_text(link))
    above: Iterator[Element] = link.iterancestors()
    largest = link
    for one in above:
        if one.tag in {"body", "html"} or one_line(all_text(one)) != words:
            break
        largest = one
    return largest


def _drop_empty(tree: Element, kept: Collection[Element]) -> None:
    for element in reversed(list(tree.iter(*(BLOCKS - _EMPTY)))):
        if len(element) == 0 and not one_line(element.text or "") and element not in kept:
            drop(element)


def _replace(node: Element, rebuilt: Rebuilt) -> None:
    for child in list(node):
        node.remove(child)
    node.text = None
    node.append(plain_list(rebuilt))


def _rename(tree: Element, rebuilt: Rebuilt) -> None:
    title = tree.find(".//title")
    if title is not None:
        title.text = writable(rebuilt.title or rebuilt.channel)
        title.set("data-archiver", "rebuilt")
