"""XML feed documents before they are parsed: where the feed begins, which dialect it is, and first aid."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import partial
from html.entities import html5
from typing import TYPE_CHECKING

from archiver.errors import FeedBrokenOff, FeedParseError

if TYPE_CHECKING:
    from collections.abc import Mapping

# Before a feed come a declaration, style sheets, comments, perhaps a warning of the server: not a novel.
_PROLOG_LENGTH = 65_536
# The last tag of a document, with blanks around it.
_LAST_TAG_LENGTH = 1000
# No alphabet needs entities made of entities; an entity bomb does.
_MAX_NESTED_ENTITIES = 1
# Longer ones could blow a small document up as well.
_MAX_ENTITY_LENGTH = 32

# Unclosed ones take all the rest, so that the search stays linear.
_TOKEN = re.compile(
    r"""<\?[^>]*>?
    | <!--(?:.*?-->|.*)
    | <(?P<name>[A-Za-z_][\w.:-]*)(?P<attributes>(?:[^<>"']|"[^"]*"|'[^']*')*+)>""",
    re.DOTALL | re.VERBOSE,
)
_BEFORE_DECLARATION = re.compile(r"\s*(?!<[!?])\S")
_COMMENT = re.compile(r"<!--(?:.*?-->|.*)", re.DOTALL)
# Where tags are text.
_QUOTED = r"<!\[CDATA\[(?:.*?\]\]>|.*)|<!--(?:.*?-->|.*)"
# Nothing but a prolog, or the beginning of a tag.
_CUT_TAG = re.compile(r"\s*(?:<[^<>]*)?")
_ROOTS = frozenset({"rss", "feed", "rdf", "channel"})
_HTML_TAGS = frozenset({"html", "head", "body", "title", "meta", "link"})
# What a server's own messages are made of, when they come before the document.
_MESSAGE_TAGS = frozenset({"a", "b", "br", "div", "em", "font", "i", "p", "pre", "script", "span", "strong"})

_ENTITY = re.compile(r"""<!ENTITY\s+(?:%\s+)?([\w.-]+)\s+(?:"([^"]*)"|'([^']*)')""")
_NESTED = re.compile(r"[&%](?!(?:lt|gt|amp|quot|apos);)[A-Za-z_][\w.-]*;")
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# What is not "&lt;" and its like; CDATA and comments are matched in order to be left alone.
_REFERENCE = re.compile(
    r"""<!\[CDATA\[.*?(?:\]\]>|\Z)
    | <!--.*?(?:-->|\Z)
    | &(?!(?:lt|gt|amp|quot|apos);)
      (?:\#(?P<decimal>[0-9]{1,7});|\#[xX](?P<hex>[0-9a-fA-F]{1,6});|(?P<name>[A-Za-z][\w.-]*+);|)""",
    re.DOTALL | re.VERBOSE,
)

_VERSION = re.compile(r"""\bversion\s*=\s*["']\s*([\d.]+)""", re.IGNORECASE)
_RSS_VERSIONS = {"0.90": "rss090", "0.91": "rss091", "0.92": "rss092", "0.93": "rss093", "0.94": "rss094"}
_NAMESPACES = (
    ("http://purl.org/rss/1.0", "rss10"),
    ("http://my.netscape.com/rdf/simple/0.9", "rss090"),
    ("http://www.w3.org/2005/Atom", "atom10"),
    ("http://purl.org/atom/ns#", "atom03"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class XmlDocument:
    # As in ParsedFeed; "rss" and "atom" where the version cannot be told.
    format: str
    # From the root element to its end: no declaration, no DTD, no control characters, no undefined entities.
    text: str
    # It ends before its entries do.
    broken_off: bool = False
    problems: tuple[str, ...] = ()


def open_document(text: str) -> XmlDocument:
    """Find the feed in a document, and mend what can be mended without guessing."""
    root = _find_root(text)
    prolog = text[: root.start()]
    body, epilog = _without_epilog(text[root.start() :], root["name"])
    is_open = epilog is None and not root["attributes"].endswith("/")
    legible = _FORBIDDEN.sub("", body)
    mended = _escape_strays(legible, _declared_entities(prolog))
    problems = {
        "text before the XML declaration": _BEFORE_DECLARATION.match(prolog),
        "text after the end": _COMMENT.sub("", epilog or "").strip(),
        "control characters": legible != body,
        "unescaped ampersands or undefined entities": mended != legible,
        "the document is cut off": is_open,
    }
    found = tuple(problem for problem, is_there in problems.items() if is_there)
    broken_off = is_open and not _has_all_entries(body, root["name"])
    return XmlDocument(format=_format(root, text), text=mended, broken_off=broken_off, problems=found)


def _find_root(text: str) -> re.Match[str]:
    window, end = text[:_PROLOG_LENGTH], 0
    for token in _TOKEN.finditer(window):
        name = token["name"]
        if name is None:
            end = token.end()
        if name is None or name.lower() in _MESSAGE_TAGS:
            continue
        if name.lower() in _HTML_TAGS:
            raise FeedParseError("HTML page, not a feed")
        if _local(name) not in _ROOTS:
            raise FeedParseError(f"XML, but not RSS or Atom: root is <{name[:50]}>")
        return token
    if "<" in window and _CUT_TAG.fullmatch(text[end:]):
        raise FeedBrokenOff("the document breaks off before anything is said")
    raise FeedParseError("HTML page, not a feed" if "<" in window else "plain text, not a feed")


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()


def _without_epilog(body: str, name: str) -> tuple[str, str | None]:
    """The document up to its last end tag, and what follows: None if there is no such tag."""
    close = _end_of(body, name)
    return (body, None) if close is None else (body[:close], body[close:])


def _end_of(body: str, name: str) -> int | None:
    """Where the last end tag of this name ends, in whatever case it is written."""
    tag = rf"</{re.escape(name)}\s*>"
    # Mostly nothing follows; a comment that was never closed does not hide it either.
    if re.search(rf"{tag}\s*\Z", body[-_LAST_TAG_LENGTH:], re.IGNORECASE):
        return len(body.rstrip())
    found = re.finditer(rf"{_QUOTED}|(?P<end>{tag})", body, re.DOTALL | re.IGNORECASE)
    return max((match.end() for match in found if match["end"]), default=None)


def _has_all_entries(body: str, root: str) -> bool:
    """A channel that ends is whole, although the end tag of the RSS document around it is missing."""
    return _local(root) == "rss" and _end_of(body, "channel") is not None


def _declared_entities(prolog: str) -> dict[str, str]:
    entities = {name: double or single for name, double, single in _ENTITY.findall(prolog)}
    nested = [name for name, value in entities.items() if _NESTED.search(value)]
    if len(nested) > _MAX_NESTED_ENTITIES:
        raise FeedParseError(
            f"refused: entities made of entities ({', '.join(nested[:3])}), as in an entity bomb"
        )
    return {
        n: html.unescape(v) for n, v in entities.items() if n not in nested and len(v) <= _MAX_ENTITY_LENGTH
    }


def _escape_strays(text: str, entities: Mapping[str, str]) -> str:
    return _REFERENCE.sub(partial(_escape, entities), text)


def _escape(entities: Mapping[str, str], match: re.Match[str]) -> str:
    if match[0].startswith("<"):
        return match[0]
    if name := match["name"]:
        meant = entities.get(name) or html5.get(f"{name};")
        return html.escape(meant) if meant else f"&amp;{name};"
    if match["decimal"] or match["hex"]:
        code = int(match["decimal"] or match["hex"], 10 if match["decimal"] else 16)
        return "" if code > 0x10FFFF or _FORBIDDEN.match(chr(code)) else match[0]
    return "&amp;"


def _format(root: re.Match[str], text: str) -> str:
    name, version = _local(root["name"]), _VERSION.search(root["attributes"])
    number = version[1] if version else ""
    if name == "rss":
        return "rss20" if number.startswith("2") else _RSS_VERSIONS.get(number, "rss")
    if name == "channel":
        return "rss"
    return _format_by_namespace(root, text, family="atom" if name == "feed" else "rss")


def _format_by_namespace(root: re.Match[str], text: str, *, family: str) -> str:
    for namespace, dialect in _NAMESPACES:
        if dialect.startswith(family) and namespace in root["attributes"]:
            return dialect
    # RDF and <feed> serve other purposes, too: without the namespace, entries tell.
    if not re.search(r"<(?:\w+:)?(?:entry|channel|item)\b", text):
        raise FeedParseError(f"XML, but not RSS or Atom: root is <{root['name']}>")
    return "rss10" if family == "rss" else "atom"
