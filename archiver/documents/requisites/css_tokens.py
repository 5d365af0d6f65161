"""CSS as tokens, by the rules of CSS Syntax Level 3, but only those tokens that can lead to an address.

A tokenizer of our own, because a page of 5 MB may be nothing but style: tinycss2 takes nearly a second a
megabyte, and raises on a number of 5,000 digits. The tests hold the two equal.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

# Functions in which a string means something to us; any other is just a parenthesis.
FUNCTIONS = frozenset({"url", "image-set", "-webkit-image-set", "format"})

_ESCAPE = r"\\(?:[0-9a-fA-F]{1,6}[\ \t\n]?|[^\n0-9a-fA-F]|\Z)"
_QUOTED_ESCAPE = r"\\(?:[0-9a-fA-F]{1,6}[\ \t\n]?|[\x00-\U0010ffff])"
_NAME = rf"(?:[-\w]|[^\x00-\x7f]|{_ESCAPE})"
_NAME_START = rf"(?:--|-?(?:[a-zA-Z_]|[^\x00-\x7f]|{_ESCAPE}))"
_FLAGS = re.ASCII | re.VERBOSE

_TOKEN = re.compile(
    rf"""
    (?:                                        # what leads nowhere:
        [^-\w\\"'(){{}}\[\];@\#/<\x80-\U0010ffff]++
        | {_NAME}++ (?!\()                     # names and numbers; a unit before "(" is taken for a function
        | \#{_NAME}*+
        | @(?!{_NAME_START})
        | <(?:!--)?
        | /(?!\*) | /\*(?:[^*]++|\*(?!/))*+(?:\*/)?
        | \\(?=\n)
    )*+
    (?: @(?P<at>{_NAME_START}{_NAME}*+)
        | (?P<function>{_NAME}++)\(
        | "(?P<double>(?:[^"\\\n]++|{_QUOTED_ESCAPE})*+)(?:"|\\?\Z)
        | '(?P<single>(?:[^'\\\n]++|{_QUOTED_ESCAPE})*+)(?:'|\\?\Z)
        | ["'](?P<broken>(?:[^\\\n]++|{_QUOTED_ESCAPE})*+)
        | (?P<mark>[](){{}}[;])
        | \Z
    )""",
    _FLAGS,
)
_QUOTED_URL = re.compile(r"[ \t\n]*+[\"']")
_BARE_URL = re.compile(
    rf"""
    [\ \t\n]*+ (?P<address>(?:[^"'()\\\ \t\n\x00-\x08\x0b\x0e-\x1f\x7f]++|{_ESCAPE})*+) [\ \t\n]*+ (?:\)|\Z)
    """,
    _FLAGS,
)
_BROKEN_URL = re.compile(r"(?:[^)\\]++|\\[\x00-\U0010ffff]|\\\Z)*+\)?")
_ANY_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n]?|\n|([^\n])|\Z)")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}


class Token(NamedTuple):
    """Every `close` belongs to the last `open` that is not closed yet; what is open at the end stays open."""

    type: Literal["at", "string", "url", "open", "close", "semicolon"]
    # The name, the text, or the address; of an `open`: "{", "[", "(" or the name of one of FUNCTIONS.
    value: str


_MARKS = {
    ";": Token("semicolon", ";"),
    **{mark: Token("open", mark) for mark in "([{"},
    **{mark: Token("close", mark) for mark in ")]}"},
}
_NESTING = ("open", "close")


def tokens(css: str) -> Iterator[Token]:
    """The tokens of a style, of whatever is given."""
    css = _preprocessed(css)
    position, closers = 0, list[str]()
    while match := _TOKEN.match(css, position):
        position, group = match.end(), match.lastgroup
        if group is None:
            return
        if group == "function":
            token, position = _function(css, _unescaped(match[group]).lower(), position)
        else:
            token = _plain(group, match[group])
        if token is not None and (token.type not in _NESTING or _is_balanced(token, closers)):
            yield token


def _plain(group: str, value: str) -> Token | None:
    if group == "mark":
        return _MARKS[value]
    if group == "at":
        return Token("at", _unescaped(value).lower())
    return None if group == "broken" else Token("string", _unescaped(value))


def _function(css: str, name: str, position: int) -> tuple[Token | None, int]:
    """The token that begins with `name(`, and where it ends."""
    if name != "url" or _QUOTED_URL.match(css, position):
        return Token("open", name if name in FUNCTIONS else "("), position
    if bare := _BARE_URL.match(css, position):
        return Token("url", _unescaped(bare["address"])), bare.end()
    broken = _BROKEN_URL.match(css, position)
    return None, broken.end() if broken else len(css)


def _is_balanced(token: Token, closers: list[str]) -> bool:
    """False for a closing bracket that closes nothing."""
    if token.type == "open":
        closers.append(_CLOSERS.get(token.value, ")"))
    elif token.type == "close":
        if not closers or closers[-1] != token.value:
            return False
        closers.pop()
    return True


def _preprocessed(css: str) -> str:
    css = css.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    return css.replace("\0", "\ufffd")


def _unescaped(text: str) -> str:
    return _ANY_ESCAPE.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[2] or ("\ufffd" if len(escape[0]) == 1 else "")
    code = int(escape[1], 16)
    is_none = code == 0 or 0xD800 <= code <= 0xDFFF or code > 0x10FFFF
    return "\ufffd" if is_none else chr(code)
