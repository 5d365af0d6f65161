"""The characters of a feed or a page, whatever its encoding is said to be."""

from __future__ import annotations

import re
from dataclasses import dataclass

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, to_unicode

# The first two characters of a document without byte order mark: "<" and another one, or "{".
_WIDE = (
    (re.compile(rb"[<{]\x00\x00\x00"), "utf-32-le"),
    (re.compile(rb"\x00\x00\x00[<{]"), "utf-32-be"),
    (re.compile(rb"[<{]\x00[^\x00]\x00"), "utf-16-le"),
    (re.compile(rb"\x00[<{]\x00[^\x00]"), "utf-16-be"),
)
# These use ASCII bytes for other characters: such a document is valid UTF-8, and says something else.
_SEVEN_BIT = re.compile(r"iso2022|hz")
# A document whose declaration can be read is not UTF-16, whatever it says. The others are encodings only to
# Python: on the Web they are mischief.
_NOT_HERE = re.compile(r"utf-16|utf-32|utf-7|idna|punycode|.*unicode.escape|undefined")
_LAST_RESORT = "cp1252"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    text: str
    # What was wrong with the encoding, in words.
    problem: str | None = None


def decode(body: bytes, content_type: str | None) -> Decoded:
    """Byte order mark, then UTF-8 if it fits, then what the header says, then what the document says.

    UTF-8 comes first because text in another encoding is hardly ever valid UTF-8, and declarations often lie.
    """
    if encoding := _wide_encoding(body):
        return Decoded(text=body.decode(encoding, "replace").removeprefix("\ufeff"))
    body = body.removeprefix(b"\xef\xbb\xbf")
    declared = _declared(body, content_type)
    attempts = declared if any(map(_SEVEN_BIT.match, declared)) else ["utf-8", *declared]
    for encoding in attempts:
        if decoded := _strictly(body, encoding, declared) or _with_gaps(body, encoding, declared):
            return decoded
    return Decoded(text=to_unicode(body, _LAST_RESORT), problem=_mismatch(_LAST_RESORT, declared))


def _wide_encoding(body: bytes) -> str | None:
    encoding, _ = read_bom(body)
    if encoding and encoding != "utf-8":
        return encoding
    return next((name for start, name in _WIDE if start.match(body)), None)


def _declared(body: bytes, content_type: str | None) -> list[str]:
    names = (http_content_type_encoding(content_type), html_body_declared_encoding(body))
    return [name for name in names if name and not _NOT_HERE.match(name)]


def _strictly(body: bytes, encoding: str, declared: list[str]) -> Decoded | None:
    try:
        text = body.decode(encoding)
    except (UnicodeError, LookupError):
        return None
    return Decoded(text=text, problem=None if text.isascii() else _mismatch(encoding, declared))


def _with_gaps(body: bytes, encoding: str, declared: list[str]) -> Decoded | None:
    """UTF-8 that was cut within a character here and there, as by a careless excerpt."""
    if encoding != "utf-8" or (declared and "utf-8" not in declared):
        return None
    text = body.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    sound = len(text) - len(text.encode("ascii", "ignore")) - broken
    return Decoded(text=text, problem=f"broken characters in utf-8: {broken}") if sound > broken else None


def _mismatch(encoding: str, declared: list[str]) -> str | None:
    said = declared[0] if declared else "utf-8"
    return None if said == encoding else f"declared as {said}, but read as {encoding}"
