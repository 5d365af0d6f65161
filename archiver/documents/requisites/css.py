"""What a style asks for: imported styles, fonts, and images.

Found by expressions and not by the grammar, as other crawlers do: rather too much than too little. So an
`@import` counts wherever it stands, although browsers follow it only before any rule. Images: `url()` in any
declaration, of custom properties too, and the strings of `image-set()`, all of them. What only names
something, as `@namespace` and `@supports` do, is not fetched.

Of the files of a font, one is kept for each `@font-face`. The last `src` of a face counts, as in browsers. Of
its files the WOFF2 is taken, else the WOFF, else the first that is neither EOT nor SVG, else the first: every
browser of today shows the first three, and falls back to them if another file is missing. Where the face
itself holds a file, as `data:`, none is needed. What a file is, its `format("…")` says, or else the end of
its name. `unicode-range` is not looked at: that would need the text of every page that uses the style.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from w3lib.encoding import http_content_type_encoding

from archiver.documents.pages.dom import decode
from archiver.documents.requisites.gather import Gathering
from archiver.documents.requisites.model import MOST_PER_PAGE, WANTED, Reference

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from archiver.documents.requisites.model import Kind, Requisite

# Exactly these bytes, or it is no declaration: so says CSS Syntax.
_CHARSET = re.compile(rb'@charset "([\x21\x23-\x7e]{1,60})";')

_ENDED = r"(?:[\"']|\\?\Z|(?=[\n\r\f]))"  # a string ends with its line at the latest
STRING = rf"(?:\"(?:[^\"\\\n\r\f]++|\\[\s\S])*+{_ENDED}|'(?:[^'\\\n\r\f]++|\\[\s\S])*+{_ENDED})"
COMMENT = r"/\*[\s\S]*?(?:\*/|\Z)"
# Not as the end of a longer name.
_URL_HEAD = r"[uU][rR][lL](?<![-\w#]...)\(\s*+"
_URL = rf"{_URL_HEAD}(?P<url>{STRING}|(?:[^\"'()\\\s]++|\\[\s\S])*+(?=\s*(?:\)|\Z)))"
# Each alternative begins with a letter of its own, so that what leads nowhere is passed by quickly.
_ADDRESS = re.compile(
    rf"""
    {COMMENT} | {STRING} | {_URL}
    | @(?i:import)\b (?:\s|{COMMENT})*+ (?:{_URL_HEAD}(?P<bare>(?:[^"'()\\\s]++|\\[\s\S])++)
        | (?:{_URL_HEAD})?(?P<import>{STRING})) [^;{{}}]*+
    | @(?i:font-face)\s*+\{{ (?P<face>[^}}]*+)
    | @(?i:namespace|supports|-moz-document)\b [^;{{]*+
    | [iI](?i:mage-set)\( (?P<set>(?:[^()]++|\([^()]*+\)?)*+)
    """,
    re.VERBOSE,
)
_IN_SET = re.compile(rf"{_URL}|(?i:type)\([^)]*+|(?P<string>{STRING})")
_IN_FACE = re.compile(
    rf"{COMMENT}|(?P<src>(?i:\bsrc)\s*+:)|{_URL}\s*+\)?(?:\s*+(?i:format)\(\s*+[\"']?(?P<format>[-\w]++))?"
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|\s)?|(?:\r\n|[\n\r\f])|([\s\S])|\Z)")
_ESCAPED_LETTER = re.compile(r"\\0{0,4}([46][1-9a-fA-F]|[57][0-9aA])(?![0-9a-fA-F])\s?")
_FONT_FORMATS = (
    re.compile(r"woff2(?:-variations)?"),
    re.compile(r"woff(?:-variations)?"),
    re.compile(r"(?!(?:eot|embedded-opentype|svgz?)$).*"),
)
_EXTENSION = re.compile(r"\.(\w+)(?:[?#]|$)")


def sheet_references(css: str) -> Iterator[Reference]:
    """The addresses in a style sheet or a `<style>` element."""
    for found in _ADDRESS.finditer(_with_letters(css)):
        match found.lastgroup:
            case "url":
                yield Reference("image", address_text(found["url"]))
            case "import" | "bare":
                yield Reference("style", address_text(found[found.lastgroup]))
            case "set":
                inside = (one["url"] or one["string"] for one in _IN_SET.finditer(found["set"]))
                yield from (Reference("image", address_text(one)) for one in inside if one)
            case "face":
                yield from _font(found["face"])


def may_import(css: str) -> bool:
    """Whether a style may ask for another one; most hold long rules and ask for none."""
    return "@import" in _with_letters(css).lower()


def _with_letters(css: str) -> str:
    """A name may be written with escapes, such as `u\\72l`; letters end nothing wherever they stand."""
    if "\\" not in css:
        return css
    return _ESCAPED_LETTER.sub(lambda escape: chr(int(escape[1], 16)), css)


def attribute_references(css: str) -> Iterator[Reference]:
    """The addresses in a `style` attribute: declarations without a rule around them."""
    return (one for one in sheet_references(css) if one.kind == "image")


def _font(face: str) -> Iterator[Reference]:
    """The file to keep, of all that one face names."""
    sources: list[tuple[str, str]] = []
    for found in _IN_FACE.finditer(face):
        if found["src"]:
            sources.clear()
        elif found["url"]:
            sources.append((address_text(found["url"]), (found["format"] or "").lower()))
    if sources:
        yield Reference("font", min(sources, key=lambda one: _rank(*one))[0])


def _rank(address: str, font_format: str) -> int:
    extension = _EXTENSION.search(address)
    name = font_format or (extension[1].lower() if extension else "")
    ranks = (rank for rank, pattern in enumerate(_FONT_FORMATS) if pattern.fullmatch(name))
    rank = next(ranks, len(_FONT_FORMATS))
    is_held = address[:5].lower() == "data:" and rank < len(_FONT_FORMATS)
    return -1 if is_held else rank


def address_text(written: str) -> str:
    """An address without its quotes and escapes."""
    if written[:1] in {'"', "'"}:
        written = written[1:].removesuffix(written[0])
    return unescaped(written)


def unescaped(written: str) -> str:
    """What a name or the inside of a string means."""
    return _ESCAPE.sub(_character, written) if "\\" in written else written


def _character(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[2] or ""
    code = int(escape[1], 16)
    is_none = code == 0 or 0xD800 <= code <= 0xDFFF or code > 0x10FFFF
    return "\ufffd" if is_none else chr(code)


def style_requisites(
    css: bytes,
    *,
    url: str,
    content_type: str | None,
    limit: int = MOST_PER_PAGE,
    kinds: Collection[Kind] = WANTED,
) -> list[Requisite]:
    """What the style at `url` needs, at most `limit`: imports, then images, then fonts, each in its order."""
    gathering = Gathering(url=url, base_url=url, limit=limit, kinds=kinds)
    gathering.add(sheet_references(decode_style(css, content_type)))
    return gathering.requisites()


def decode_style(css: bytes, content_type: str | None) -> str:
    """The text of a style: by its BOM, header or `@charset`, unless the bytes contradict them; else UTF-8."""
    charset = _CHARSET.match(css)
    if charset and http_content_type_encoding(content_type) is None:
        content_type = f"text/css; charset={charset[1].decode('ascii')}"
    return decode(css, content_type)
