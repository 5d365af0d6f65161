"""Seeds as OPML, the list of subscriptions that every feed reader exports."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lxml import etree

from archiver.acquisition.seeds.address import is_mail, shown
from archiver.acquisition.seeds.model import Flaw, SeedRow
from archiver.errors import SeedError

if TYPE_CHECKING:
    from collections.abc import Iterator

# htmlUrl and url lead to a site on which the feeds are then discovered.
_ADDRESSES = ("xmlurl", "url", "htmlurl")
_NEWSLETTERS = ("newsletter", "email", "mail")


def read_opml(body: bytes, source: str) -> Iterator[SeedRow | Flaw]:
    root = _parse(body, source)
    if _name(root) != "opml":
        raise SeedError(f"{source} is not OPML: it opens with <{_name(root)}>. {_advice(root)}")
    for element in root.iter("*"):
        if _name(element) == "outline" and not _is_commented(element):
            yield from _read_outline(element)


def _parse(body: bytes, source: str) -> etree._Element:
    # The bytes, not text: an XML file declares its own encoding, and UTF-8 is the default.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(body, parser)
    except etree.XMLSyntaxError as error:
        raise SeedError(f"{source}:{error.lineno or 1}: {_broken(error)}") from error
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and dtd.entities():  # type: ignore[union-attr]  # missing from the stubs of lxml
        raise SeedError(
            f"{source} declares XML entities, which can hide a bomb: remove its <!ENTITY …> lines"
        )
    return root


def _broken(error: etree.XMLSyntaxError) -> str:
    reason = shown(error.msg or "")
    if "encoding" in reason:
        return f"not UTF-8, nor what its XML declaration says: save it as UTF-8 ({reason})"
    return f"broken XML, nothing was read from it: {reason}"


def _advice(root: etree._Element) -> str:
    if _name(root) in ("rss", "rdf", "feed"):
        return "A feed is named by its URL: write that on a line of a .txt file"
    return "Export the list of feeds again, as OPML"


def _read_outline(outline: etree._Element) -> Iterator[SeedRow | Flaw]:
    # The stubs of lxml leave sourceline untyped.
    line, values = cast("int", outline.sourceline), _values(outline)
    kind = values.get("type", "").lower()
    url = next((values[name] for name in _ADDRESSES if values.get(name)), None)
    title = values.get("title") or values.get("text") or None
    text = " ".join((kind, url or "", title or ""))
    if kind == "include":
        reason = "another OPML file is included: download it and name it as a seeds file"
        yield Flaw(line=line, reason=reason, text=text)
    elif _is_newsletter(kind, values):
        reason = f"{shown(title or 'a newsletter')} comes by e-mail and has no feed"
        yield Flaw(line=line, reason=reason, text=text, is_harmless=True)
    elif url:
        yield SeedRow(line=line, url=url, labels=(*_folders(outline), *_categories(values)), title=title)
    elif kind in ("rss", "atom", "link"):
        yield Flaw(line=line, reason=f"an outline of type {kind} without xmlUrl", text=text)


def _is_newsletter(kind: str, values: dict[str, str]) -> bool:
    """What readers list beside feeds: letters that they receive. Some of them make a real feed of those."""
    address = values.get("xmlurl") or values.get("url", "")
    return is_mail(address) or (kind in _NEWSLETTERS and not _is_on_the_web(address))


def _is_on_the_web(address: str) -> bool:
    return address.lower().startswith(("http://", "https://"))


def _folders(outline: etree._Element) -> tuple[str, ...]:
    """Names of the outlines around this one, from outer to inner."""
    around = [_values(parent) for parent in outline.iterancestors() if _name(parent) == "outline"]
    return tuple(values.get("text") or values.get("title", "") for values in reversed(around))


def _categories(values: dict[str, str]) -> tuple[str, ...]:
    # OPML 2.0 writes "/Boston/Weather,Tech": paths between commas.
    return tuple(path.strip().strip("/") for path in values.get("category", "").split(","))


def _is_commented(outline: etree._Element) -> bool:
    """Whether OPML's isComment hides this outline or one around it."""
    chain = (outline, *outline.iterancestors())
    return any(_values(element).get("iscomment", "").lower() == "true" for element in chain)


def _values(element: etree._Element) -> dict[str, str]:
    return {str(name).lower(): str(value).strip() for name, value in element.attrib.items()}


def _name(element: etree._Element) -> str:
    return etree.QName(element).localname.lower()
