"""The rebuilt page as one file: harmless, readable offline, and honest about what is original."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from lxml import etree

from archiver.clock import rfc3339
from archiver.display.dressed import layered_styles
from archiver.display.page import head_fields
from archiver.documents.pages.dom import writable
from archiver.documents.requisites.dressing import Dressing, put_image
from archiver.inspection.rebuild.trees import ACTIVE, drop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.requisites.dressing import ImageFound
    from archiver.documents.requisites.model import Stored
    from archiver.inspection.rebuild.frames import Frame
    from archiver.inspection.rebuild.model import Rebuilt

# Nothing is run and nothing is loaded: what the Web has today is not what it had then.
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri http: https:; form-action 'none'"
)
# What tells browsers of this page that are not as they were; styles are put in anew.
_REMOVED = ACTIVE | {"base", "link", "meta", "source", "style"}
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]*")
_ADDRESSES = frozenset({"href", "src", "cite", "longdesc", "background", "poster", "action", "formaction"})
_UNSAFE = frozenset({"srcdoc", "srcset", "ping", "formaction", "action", "autofocus", "http-equiv", "target"})
_STYLE = """
.archiver-banner mark.archiver-rebuilt, [data-archiver="rebuilt"] { outline: 2px dashed #1a7f37 !important; }
.archiver-banner mark.archiver-original { outline: 1px solid #8a8a8a !important; }
.archiver-note { color: #1a7f37 !important; font-size: smaller; }
"""
_BANNER = """<div class="archiver-banner" data-archiver="note" role="note">
<b>Rebuilt:</b> {title} as of <time datetime="{at}">{at}</time>. {frame}<br/>
<mark class="archiver-rebuilt">Dashed in green</mark> is rebuilt: {articles} listed then{inferred};
everything else is <mark class="archiver-original">{original}</mark>.{late}
</div>"""


def html_of(frame: Frame, rebuilt: Rebuilt, stored: Stored = lambda _url, _kind: None) -> str:
    """The page of a frame; takes its tree apart. `stored` gives styles and images of the archive."""
    tree = frame.tree
    dressing = Dressing(stored)
    styles = dressing.styles_of(tree, frame.base)
    # While the other sources of a picture are still beside it.
    images = [(img, dressing.image(img, frame.base)) for img in tree.iter("img")]
    _make_harmless(tree)
    _dress(tree, frame.base, dressing, images)
    body = _body_of(tree)
    _mark_original(body, frame)
    body.insert(0, _banner(frame, rebuilt))
    head = tree.find("head")
    if head is None:
        head = etree.Element("head")
        tree.insert(0, head)
    _fill_head(head, frame, styles, rebuilt)
    markup = etree.tostring(tree, encoding="unicode", method="html")
    return f"<!DOCTYPE html>\n{markup}\n"


def _body_of(tree: Element) -> Element:
    body = tree.find("body")
    return etree.SubElement(tree, "body") if body is None else body


def _mark_original(body: Element, frame: Frame) -> None:
    """Whatever is not marked itself is what the nearest element above it is."""
    if frame.origin is None:
        body.set("data-archiver", "rebuilt-page")
        return
    body.set("data-archiver", "original")
    body.set("data-archiver-record", frame.origin.record_id)
    body.set("data-archiver-captured", f"{frame.origin.captured:%Y-%m-%dT%H:%M:%SZ}")
    body.set("data-archiver-url", writable(frame.origin.url))


# ── Harmless ─────────────────────────────────────────────────────────────────────────────────────────────


def _make_harmless(tree: Element) -> None:
    for element in list(tree.iter("*")):
        if element.tag in _REMOVED:
            drop(element)
            continue
        if not _NAME.fullmatch(str(element.tag)):
            element.tag = "div"
        kept: dict[str | bytes, str | bytes] = {
            name: writable(str(value))
            for name, value in element.attrib.items()
            if _NAME.fullmatch(str(name)) and _is_harmless(str(name).lower(), str(value))
        }
        element.attrib.clear()
        element.attrib.update(kept)
    for other in list(tree.iter(etree.Comment, etree.ProcessingInstruction, etree.Entity)):
        drop(other)


def _is_harmless(name: str, value: str) -> bool:
    if name.startswith("on") or name in _UNSAFE:
        return False
    if name in _ADDRESSES:
        scheme = re.sub(r"[\x00-\x20]", "", value).lower()
        return re.match(r"(?!https?:|mailto:)[a-z][a-z0-9+.-]*:", scheme) is None
    return True


# ── Offline ──────────────────────────────────────────────────────────────────────────────────────────────


def _dress(
    tree: Element, base: str, dressing: Dressing, images: Sequence[tuple[Element, ImageFound]]
) -> None:
    """Images of the archive are put into the page; of others, only what stands for them is shown."""
    for img, found in images:
        put_image(img, found)
        if found.url:
            img.set("data-archiver-src", writable(found.url))
    for element in tree.iter("*"):
        if css := element.get("style"):
            element.set("style", dressing.attribute(css, base))


# ── What is told ─────────────────────────────────────────────────────────────────────────────────────────


def _fill_head(head: Element, frame: Frame, styles: list[str], rebuilt: Rebuilt) -> None:
    title = head.find("title")
    if title is None:
        title = etree.SubElement(head, "title")
        title.text = writable(rebuilt.title or rebuilt.channel)
    first = [
        *(etree.Element("meta", attributes) for attributes in head_fields(_POLICY)),
        etree.Element("base", {"href": writable(frame.base)}),
    ]
    head[0:0] = first
    for style in layered_styles(styles, _STYLE):
        etree.SubElement(head, "style").text = style


def _banner(frame: Frame, rebuilt: Rebuilt) -> Element:
    inferred = sum(article.grounds.is_inferred for article in rebuilt.articles)
    count = len(rebuilt.articles)
    words = _BANNER.format(
        title=escape(writable(rebuilt.title or rebuilt.channel)),
        at=rfc3339(rebuilt.at)[:19] + "Z",
        frame=_frame_in_words(frame),
        articles="one article" if count == 1 else f"{count} articles",
        inferred=f" ({inferred} of them inferred)" if inferred else "",
        original=_original_in_words(frame),
        late=_late_in_words(rebuilt),
    )
    return etree.fromstring(words)


def _frame_in_words(frame: Frame) -> str:
    if frame.kind == "home":
        return "This page itself was not captured then: the list stands in a capture of another time."
    if frame.kind == "article":
        return "This page itself was never captured: the list stands in what pages of its articles share."
    return "Neither this page nor a page of its articles was captured."


def _original_in_words(frame: Frame) -> str:
    if frame.origin is None:
        return "this note"
    captured = f"{frame.origin.captured:%Y-%m-%dT%H:%M:%SZ}"
    return f"original, captured at {captured}, record {escape(frame.origin.record_id)}"


def _late_in_words(rebuilt: Rebuilt) -> str:
    if rebuilt.at <= rebuilt.last_look:
        return ""
    return f" The feed was last looked at {rfc3339(rebuilt.last_look)[:19]}Z: this is the last that is known."
