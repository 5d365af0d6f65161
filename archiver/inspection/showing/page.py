"""A page of the archive to look at: nothing of it runs, and what it shows comes from the archive.

The policy that it is served with forbids the same; here it is made so that little has to be forbidden, and
that the page looks as it did.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from archiver.documents.pages.dom import absolute_url, base_url, decode, parse_markup
from archiver.documents.pages.images import LATE_SOURCES, candidates, source_sets
from archiver.inspection.rebuild.trees import drop
from archiver.inspection.showing.styles import rewritten_style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.etree import _Element as Element

# They act, play, or hold what is shown in place of that. What is in them is shown: in a tree of libxml2, that
# may be all of the page that stands behind an element which is never closed.
_UNWRAPPED = (
    "animate", "animatemotion", "animatetransform", "applet", "base", "bgsound", "embed", "fencedframe",
    "frameset", "keygen", "listener", "noembed", "noframes", "noscript", "object", "param", "portal", "set",
    "source", "track",
)  # fmt: skip
_AS_TEXT = frozenset({"xmp", "plaintext", "listing"})
_FRAMES = frozenset({"iframe", "frame"})
_LINKS = frozenset({"a", "area"})
_SVG_IMAGES = frozenset({"image", "feimage"})
_SHOWN_META = frozenset({"viewport", "color-scheme", "theme-color"})
# Addresses, and what would ask for something, send something, or stop a style that was changed.
_ADDRESSES = frozenset({
    "action", "archive", "attributionsrc", "autofocus", "background", "classid", "code", "codebase",
    "crossorigin", "csp", "data", "download", "dynsrc", "formaction", "href", "http-equiv", "imagesrcset",
    "imagesizes", "integrity", "is", "longdesc", "lowsrc", "manifest", "nonce", "ping", "poster", "profile",
    "sizes", "src", "srcdoc", "srcset", "target", "xlink:href",
})  # fmt: skip
_NAME = re.compile(r"[a-zA-Z_][-\w:.]*", re.ASCII)
_ID = re.compile(r"[\w\s/:.-]{1,200}", re.ASCII)
NOT_KEPT = "Not in the archive"


class PagePlaces(NamedTuple):
    """Where the archive has what a page names: what it shows, and where its links lead. None: not kept."""

    shown: Callable[[str], str | None]
    linked: Callable[[str], str | None]


def shown_page(body: bytes, content_type: str | None, url: str, places: PagePlaces) -> str:
    """The page as HTML without scripts. Addresses in it are those that `places` gives."""
    tree = parse_markup(decode(body, content_type))
    return shown_tree(tree, url, places) if tree is not None else ""


def shown_tree(tree: Element, url: str, places: PagePlaces) -> str:
    """The same of a page that is parsed; takes its tree apart."""
    rewriter = _PageRewriter(base_url(tree, url), url, places)
    etree.strip_elements(tree, "script", "handler", with_tail=False)
    etree.strip_tags(tree, *_UNWRAPPED)
    for element in list(tree.iter("*")):
        rewriter.rewrite(element)
    text = etree.tostring(tree, method="html", encoding="unicode")
    return f"{_doctype(tree)}\n{text}"


def _doctype(tree: Element) -> str:
    """Without one, browsers lay a page out as in the last century; as it was, so it is."""
    # libxml2 gives a page that has none an old one, with which browsers do the same.
    info = tree.getroottree().docinfo
    if (info.root_name or "").lower() != "html":
        return ""
    known = info.public_id if info.public_id and _ID.fullmatch(info.public_id) else None
    # What it is called is all that browsers look at.
    return f'<!DOCTYPE html PUBLIC "{known}" "">' if known else "<!DOCTYPE html>"


class _PageRewriter:
    def __init__(self, base: str, url: str, places: PagePlaces) -> None:
        self._base = base
        self._url = url
        self._places = places

    def rewrite(self, element: Element) -> None:
        tag = str(element.tag).lower()
        if tag in _FRAMES:
            self._frame(element)
        elif not self._is_kept(element, tag):
            drop(element)
        else:
            if tag == "style":
                self._style(element)
            elif tag in _AS_TEXT:
                element.tag = "pre"
            self._attributes(element, tag)

    def _is_kept(self, element: Element, tag: str) -> bool:
        if tag == "link":
            is_style = "stylesheet" in element.get("rel", "").lower().split()
            return is_style and self._shown(element.get("href", "")) is not None
        return tag != "meta" or element.get("name", "").lower() in _SHOWN_META

    def _attributes(self, element: Element, tag: str) -> None:
        kept = dict(self._addresses(element, tag))
        for name in element.attrib:
            lower = str(name).lower()
            if lower in _ADDRESSES or lower.startswith("on") or not _NAME.fullmatch(str(name)):
                del element.attrib[name]
        if style := element.get("style"):
            element.set("style", rewritten_style(style, self._shown))
        for name, value in kept.items():
            element.set(name, value)

    def _addresses(self, element: Element, tag: str) -> Iterator[tuple[str, str]]:
        """The attributes that lead somewhere, as they lead into the archive."""
        if tag in _LINKS:
            yield from self._led(element.get("href"))
        elif tag == "img" or (tag == "input" and element.get("type", "").lower() == "image"):
            yield from _at("src", self._image(element))
        elif tag in _SVG_IMAGES or tag == "use":
            yield from self._svg(element, tag)
        elif tag == "video":
            yield from _at("poster", self._shown(element.get("poster", "")))
        elif tag == "link":
            yield from _at("href", self._shown(element.get("href", "")))
        elif background := element.get("background"):
            yield from _at("background", self._shown(background))

    def _led(self, href: str | None) -> Iterator[tuple[str, str]]:
        address = (href or "").strip()
        if not address:
            return
        if address.startswith("#"):
            yield "href", address
            return
        absolute = absolute_url(self._base, address)
        found = self._places.linked(absolute) if absolute else None
        if found:
            yield "href", found + ("#" + address.partition("#")[2] if "#" in address else "")
        elif absolute:
            yield "title", f"{NOT_KEPT}: {absolute}"

    def _image(self, element: Element) -> str | None:
        """The first of its addresses that was kept: its own, a late one, the largest of its sets."""
        own = [element.get(name, "") for name in ("src", *LATE_SOURCES)]
        offered = [one for source_set in source_sets(element) for one in candidates(source_set)]
        largest = [address for address, _ in sorted(offered, key=lambda one: -one[1])]
        inside = next((one for one in own if one[:11].lower() == "data:image/"), None)
        return next(filter(None, map(self._shown, (*own, *largest))), inside)

    def _svg(self, element: Element, tag: str) -> Iterator[tuple[str, str]]:
        for name in ("href", "xlink:href"):
            address = element.get(name, "").strip()
            if address.startswith("#"):
                yield name, address
            elif address and tag in _SVG_IMAGES:
                yield from _at(name, self._shown(address))

    def _style(self, element: Element) -> None:
        is_css = element.get("type", "").partition(";")[0].strip().lower() in {"", "text/css"}
        text = "".join(map(str, element.itertext())) if is_css else ""
        for child in list(element):
            element.remove(child)
        element.text = rewritten_style(text, self._shown)

    def _frame(self, element: Element) -> None:
        """A page within the page becomes a link to it."""
        address = absolute_url(self._base, element.get("src", "")) if element.get("src") else None
        found = self._places.linked(address) if address else None
        tail = element.tail
        element.clear()
        element.tail = tail
        element.tag = "a" if found else "span"
        element.text = f"Frame: {address}" if found else ""
        if found:
            element.set("href", found)

    def _shown(self, address: str) -> str | None:
        if not address.strip() or address.lstrip()[:5].lower() == "data:":
            return None
        absolute = absolute_url(self._base, address)
        return self._places.shown(absolute) if absolute else None


def _at(name: str, value: str | None) -> Iterator[tuple[str, str]]:
    if value:
        yield name, value
