"""What a page needs to be shown as it was: which of its elements and attributes ask for something.

Of an image: `src`, the first late source (`data-src` and its like), and the largest candidate of its sets,
those of the `<picture>` around it included. An image of one pixel shows nothing and counts visitors: it is
left out. So are templates, scripts for browsers without modules, and alternate styles.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from archiver.documents.pages.dom import base_url, decode, parse_markup
from archiver.documents.pages.images import LATE_SOURCES, SOURCE_SETS, candidates, counts_visitors
from archiver.documents.pages.not_html import why_not_html
from archiver.documents.requisites.css import attribute_references, may_import, sheet_references
from archiver.documents.requisites.gather import Gathering, is_fetchable
from archiver.documents.requisites.model import MOST_PER_PAGE, WANTED, Kind, Reference

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.requisites.model import Requisite, Scope

# Late images of the style: an address, or already a `url()`.
LATE_BACKGROUNDS = ("data-bg", "data-background", "data-background-image")
MOST_SOURCES = 20
WITH_BACKGROUND = frozenset({"body", "table", "thead", "tbody", "tfoot", "tr", "td", "th"})
PRELOADED: dict[str, Kind] = {"font": "font", "image": "image", "script": "script", "style": "style"}
SCRIPT_TYPES = frozenset(
    {"", "module", "text/javascript", "application/javascript", "text/ecmascript", "application/ecmascript",
     "application/x-javascript"}
)  # fmt: skip
# A template that has it is shown where it stands, as the root of a shadow tree.
_SHADOW = "shadowrootmode"


def page_requisites(
    body: bytes,
    *,
    url: str,
    content_type: str | None,
    scope: Scope,
    article_images: Sequence[str] = (),
    limit: int = MOST_PER_PAGE,
    kinds: Collection[Kind] = WANTED,
    parsed: Element | None = None,
) -> list[Requisite]:
    """What a browser needs besides the page at `url`, at most `limit`, the most important first.

    `article_images` are the addresses that the article names: the best candidate of each image and no other.
    With the scope "article" they are all there is, and the page is not even parsed; with "look" there are its
    style sheets too, for which the tree will do that others have `parsed`: it stays as it is.
    """
    tree = parsed if scope == "look" else None
    if tree is None and scope != "article" and not why_not_html(body, content_type):
        tree = parse_markup(decode(body, content_type))
    base = url if tree is None else base_url(tree, url)
    gathering = Gathering(url=url, base_url=base, limit=limit, kinds=kinds)
    gathering.add_article_images(article_images)
    if tree is not None:
        gathering.add(references_in(tree) if scope == "page" else styles_in(tree))
    return gathering.requisites()


def references_in(tree: Element) -> Iterator[Reference]:
    """What the page asks for, in the order of the document. Takes the templates out of the tree."""
    _strip_templates(tree)
    # Not XPath: it sorts what it finds, and takes minutes for a long page.
    for element in tree.iter("*"):
        read = _READERS.get(element.tag)
        if read is not None:
            yield from read(element)
        if element.attrib:
            yield from _backgrounds(element)


def styles_in(tree: Element) -> Iterator[Reference]:
    """The style sheets that the page asks for, in the order of the document."""
    for element in tree.iter("link", "style"):
        is_inert = any(above.get(_SHADOW) is None for above in element.iterancestors("template"))
        if not is_inert and (element.tag == "link" or may_import(element.text or "")):
            yield from (one for one in _READERS[str(element.tag)](element) if one.kind == "style")


def _strip_templates(tree: Element) -> None:
    """Without templates, but for those that are shown where they stand, as the root of a shadow tree."""
    for template in tree.iter("template"):
        if template.get(_SHADOW) is not None:
            template.tag = "div"
    etree.strip_elements(tree, "template", with_tail=False)


def _images(img: Element) -> Iterator[Reference]:
    if counts_visitors(img):
        return
    late = [name for name in LATE_SOURCES if img.get(name)]
    yield from _at(img, "image", "src", *late[:1])
    yield from _largest(_source_sets(img))


def _source_sets(img: Element) -> Iterator[str]:
    others = list(islice(_sources(img), MOST_SOURCES))
    for holder in (img, *reversed(others)):
        yield from (holder.get(name, "") for name in SOURCE_SETS)


def _sources(img: Element) -> Iterator[Element]:
    """The sources of a `<picture>` before its image: siblings, or around it, as libxml2 leaves them open."""
    element: Element | None = img
    while element is not None:
        previous = element.getprevious()
        element = previous if previous is not None and previous.tag == "source" else element.getparent()
        if element is None or element.tag != "source":
            return
        yield element


def _largest(source_sets: Iterable[str]) -> Iterator[Reference]:
    """The first of the largest: those of the `<img>` itself come before those of the `<picture>`."""
    every = (one for source_set in source_sets for one in candidates(source_set) if is_fetchable(one[0]))
    best = max(every, key=lambda one: one[1], default=None)
    if best:
        yield Reference("image", best[0])


def _backgrounds(element: Element) -> Iterator[Reference]:
    if element.tag in WITH_BACKGROUND:
        yield from _at(element, "image", "background")
    style = element.get("style", "")
    if "(" in style:
        yield from attribute_references(style)
    for value in filter(None, map(element.get, LATE_BACKGROUNDS)):
        if "(" in value:
            yield from attribute_references(value)
        elif "." in value or "/" in value:  # and not the name of a colour or of a theme
            yield Reference("image", value)


def _link(link: Element) -> Iterator[Reference]:
    relations = frozenset(link.get("rel", "").lower().split())
    if "stylesheet" in relations and "alternate" not in relations and _is_css(link):
        yield from _at(link, "style", "href")
    elif "preload" in relations:
        yield from _preload(link)
    elif "modulepreload" in relations:
        yield from _at(link, "script", "href")
    elif "icon" in relations:
        yield from _at(link, "icon", "href")


def _preload(link: Element) -> Iterator[Reference]:
    kind = PRELOADED.get(link.get("as", "").strip().lower())
    if kind:
        yield from _at(link, kind, "href")
    if kind == "image":
        yield from _largest([link.get("imagesrcset", "")])


def _is_css(element: Element) -> bool:
    return _type(element) in ("", "text/css")


def _type(element: Element) -> str:
    return element.get("type", "").partition(";")[0].strip().lower()


def _style(style: Element) -> Iterator[Reference]:
    if _is_css(style) and style.text:
        yield from sheet_references(style.text)


def _script(script: Element) -> Iterator[Reference]:
    if _type(script) in SCRIPT_TYPES and script.get("nomodule") is None:
        yield from _at(script, "script", "src")


def _input(element: Element) -> Iterator[Reference]:
    if _type(element) == "image":
        yield from _at(element, "image", "src")


def _video(video: Element) -> Iterator[Reference]:
    yield from _at(video, "image", "poster", "data-poster")
    yield from _media(video)


def _media(element: Element) -> Iterator[Reference]:
    yield from _at(element, "media", "src", "data-src")


def _svg_image(element: Element) -> Iterator[Reference]:
    # A parser of pages makes <image src> an <img>.
    yield from _at(element, "image", "href", "xlink:href", "src")


def _object(element: Element) -> Iterator[Reference]:
    yield from _at(element, _kind_of_object(element), "data" if element.tag == "object" else "src")


def _kind_of_object(element: Element) -> Kind:
    main, _, sub = _type(element).partition("/")
    kinds: dict[str, Kind] = {"image": "image", "audio": "media", "video": "media"}
    return "frame" if "html" in sub else kinds.get(main, "object")


def _frame(frame: Element) -> Iterator[Reference]:
    yield from _at(frame, "frame", "src", *LATE_SOURCES)


def _at(element: Element, kind: Kind, *names: str) -> Iterator[Reference]:
    for value in map(element.get, names):
        if value:
            yield Reference(kind, value)


_READERS: dict[str, Callable[[Element], Iterator[Reference]]] = {
    "amp-img": _images,
    "audio": _media,
    "embed": _object,
    "feimage": _svg_image,
    "frame": _frame,
    "iframe": _frame,
    "image": _svg_image,
    "img": _images,
    "input": _input,
    "link": _link,
    "object": _object,
    "script": _script,
    "source": _media,
    "style": _style,
    "use": _svg_image,
    "video": _video,
}
