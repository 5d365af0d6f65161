"""Style sheets of the archive: what they ask for comes from the archive, or is not asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archiver.documents.requisites.css import COMMENT, STRING, address_text

if TYPE_CHECKING:
    from collections.abc import Callable

    # From an address as it is written to where the archive has it; None where it was not kept.
    Locate = Callable[[str], str | None]

_BARE = r"(?:[^\"'()\\\s]++|\\[\s\S])*+"
_TOKEN = re.compile(
    rf"""
    (?P<comment>{COMMENT})
    | @(?P<import>import)(?![-\w])(?:\s|{COMMENT})*+
        (?:url\(\s*+(?P<by_url>{STRING}|{_BARE})\s*+\)?|(?P<by_string>{STRING}))?(?P<rest>[^;{{}}]*+);?
    | @(?P<names>namespace|charset)(?![-\w])[^;{{}}]*+;?
    | (?<![-\w])(?:url|src)\(\s*+(?P<url>{STRING}|{_BARE})\s*+\)?
    | (?P<set>(?:-webkit-)?image-set\((?:[^()]++|\((?:[^()]++|\([^()]*+\)?)*+\)?)*+\)?)
    | (?P<string>{STRING})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_IN_SET = re.compile(
    rf"(?P<type>type\([^)]*+\)?)|(?:url|src)\(\s*+(?P<url>{STRING}|{_BARE})\s*+\)?|(?P<string>{STRING})",
    re.IGNORECASE,
)
# A name may be written with escapes, such as `u\72l`; letters end nothing wherever they stand.
_ESCAPED_LETTER = re.compile(r"(\\\\)|\\0{0,4}([46][1-9a-fA-F]|[57][0-9aA])(?![0-9a-fA-F])\s?|\\([g-zG-Z])")
_UNSAFE = re.compile(r"[\"\\\n\r\f<>()']")
# An image that is none: nothing is asked for.
_NOTHING = 'url("data:,")'


def rewritten_style(css: str, locate: Locate) -> str:
    """The style with each address where the archive has it; what was not kept is not asked for."""
    if "\\" in css:
        css = _ESCAPED_LETTER.sub(_letter, css)
    # The end of a style element cannot stand in it; in a style, an escaped slash is a slash.
    return _TOKEN.sub(lambda token: _written(token, locate), css).replace("</", "<\\/")


def _letter(escape: re.Match[str]) -> str:
    return escape[1] or escape[3] or chr(int(escape[2], 16))


def _written(token: re.Match[str], locate: Locate) -> str:
    if token["import"]:
        named = token["by_url"] or token["by_string"]
        found = locate(address_text(named)) if named else None
        return f"@import {_url(found)}{token['rest']};" if found else ""
    if token["url"] is not None:
        return _located(token["url"], locate)
    if token["set"]:
        head, _, rest = token["set"].partition("(")
        return f"{head}({_IN_SET.sub(lambda one: _in_set(one, locate), rest)}"
    return token[0]


def _in_set(one: re.Match[str], locate: Locate) -> str:
    return one[0] if one["type"] else _located(one["url"] or one["string"] or "", locate)


def _located(written: str, locate: Locate) -> str:
    address = address_text(written).strip()
    if address.startswith("#") or address[:5].lower() == "data:":
        return _url(address)
    found = locate(address) if address else None
    return _url(found) if found else _NOTHING


def _url(address: str) -> str:
    return f'url("{_UNSAFE.sub(_escaped, address)}")'


def _escaped(found: re.Match[str]) -> str:
    return f"\\{ord(found[0]):x} "
