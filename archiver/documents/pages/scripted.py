"""Whether a page is empty as it was served because its scripts fill it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.lexicon.applications import NEEDS_SCRIPTS, ROOT_IDS

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# Words outside of scripts, links and frames: with more of them a page says something. By
# bench/rendering_signs.py: 1 of 1,107 pages that were served whole would be rendered, and of applications
# with menus in plain elements 95 in 100 are.
_MOST_WORDS = 150
# Words in all: with fewer a page says nothing, whatever its markup is like. A guess on the safe side.
_NO_WORDS = 15
# Characters of an inline script that may be more than a setting.
_SHORT_SCRIPT = 100
_UNSEEN = frozenset({"script", "style", "noscript", "template", "head", "title"})
# What every page of a site has around what it says.
_FRAMES = frozenset({"header", "footer", "nav", "a", "form", "button"})
_DATA = ("json", "template", "text/x-")


def needs_browser(tree: Element) -> bool:
    """Return whether a page without an article is an application that its scripts make."""
    if not any(_is_program(one) for one in tree.iter("script")):
        return False
    if _count_words(tree, _UNSEEN | _FRAMES, _MOST_WORDS) > _MOST_WORDS:
        return False
    is_empty = _count_words(tree, _UNSEEN, _NO_WORDS) <= _NO_WORDS
    return is_empty or _has_empty_root(tree) or _asks_for_scripts(tree)


def _is_program(script: Element) -> bool:
    kind = (script.get("type") or "").lower()
    if any(one in kind for one in _DATA):
        return False
    return bool(script.get("src")) or len(script.text or "") > _SHORT_SCRIPT


def _count_words(tree: Element, skipped: frozenset[str], most: int) -> int:
    """Count the words that are seen, as far as they matter."""
    count, waiting = 0, [tree]
    while waiting and count <= most:
        element = waiting.pop()
        if isinstance(element.tag, str) and element.tag not in skipped:
            count += len((element.text or "").split())
            waiting += list(element)
        count += len((element.tail or "").split())
    return count


def _has_empty_root(tree: Element) -> bool:
    """Whether an element is there to be filled: by its name, or a tag that only a script gives a meaning."""
    roots = (one for one in tree.iter() if (one.get("id") or "").lower() in ROOT_IDS or "-" in str(one.tag))
    return any(not _text(one).strip() for one in roots)


def _asks_for_scripts(tree: Element) -> bool:
    return any(NEEDS_SCRIPTS.search(_text(one)) for one in tree.iter("noscript"))


def _text(element: Element) -> str:
    return str(element.xpath("string()"))
