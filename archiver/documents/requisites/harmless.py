"""Style sheets that load nothing and hide nothing: read token by token, and written anew.

Nothing of the original stands in what is written but names, strings and signs that were read and written
again in one plain way: no comment, no escape that is not needed, every block and string closed. So what a
browser reads is what was meant here, however strangely the original was put. What is left out: `@import` and
every other rule that is not known, fonts, every `url()` but those that a caller has something for, what older
browsers ran as script, and `z-index` beyond what a page needs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from archiver.documents.pages.dom import writable
from archiver.documents.requisites.css import unescaped

if TYPE_CHECKING:
    from collections.abc import Callable

    # What stands for an address in a style: `data:` and the rest of it; None: nothing does.
    Replace = Callable[[str], str | None]

_ESCAPE = r"\\(?:[0-9a-fA-F]{1,6}(?:\r\n|[ \t\n\r\f])?|[^\n\r\f0-9a-fA-F])"
_TOKEN = re.compile(
    rf"""
    (?P<gap> (?:[ \t\n\r\f]++ | /\*[\s\S]*?(?:\*/|\Z) | <!-- | -->)++ )
    | (?P<string> "(?:[^"\\\n\r\f]|\\[\s\S])*+(?:"|\\?\Z|(?=[\n\r\f]))
        | '(?:[^'\\\n\r\f]|\\[\s\S])*+(?:'|\\?\Z|(?=[\n\r\f])) )
    | (?P<at>@?) (?P<name> (?:[-a-zA-Z0-9_\u0080-\U0010ffff]|{_ESCAPE})++ ) (?P<call>\(?)
    | (?P<sign> [\s\S] )
    """,
    re.VERBOSE,
)
# What is left of a bare address, up to its end.
_BARE = re.compile(r"[ \t\n\r\f]*+(?!['\"])((?:[^)\\]|\\[\s\S])*+)\)?")
_PLAIN = re.compile(r"[-a-zA-Z0-9_\u0080-\U0010ffff]")
_ODD_IN_STRING = re.compile(r'["\\<>\x00-\x1f\x7f]')
_SIGNS = frozenset(".,:;#*+>~=|^$%!/&<()[]{}")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}

_RULES = frozenset({"container", "keyframes", "layer", "media", "property", "scope", "supports"})
# An address, or strings that are addresses.
_LOADING = frozenset({
    "url", "src", "image", "image-set", "-webkit-image-set", "cross-fade", "-webkit-cross-fade", "element",
    "-moz-element", "paint", "expression", "format", "local", "url-prefix", "domain",
})  # fmt: skip
_ACTIVE = frozenset({"behavior", "-ms-behavior", "-moz-binding", "progid"})
_LAYERED = "z-index"
# Beyond it a page would cover what is written above it.
_HIGHEST = re.compile(r"[ ]*-?[0-9]{1,6}[ ]*(?:![ ]*important[ ]*)?", re.IGNORECASE)
# Apart from what follows, which would become a part of the name.
_NOTHING = "none "
# Of an import, what is not its media.
_NOT_MEDIA = re.compile(r"\b(?:layer|supports)\b(?:\((?:[^()]|\([^()]*\))*\))?", re.IGNORECASE)


class Import(NamedTuple):
    address: str
    media: str


def imports_in(css: str) -> list[Import]:
    """The styles that a sheet imports: before any rule, as browsers follow them."""
    found: list[Import] = []
    reader = _Writer(css, lambda _: None)
    while (rule := reader.leading_rule()) is not None:
        if rule == "import" and (address := reader.address()):
            found.append(Import(address, _NOT_MEDIA.sub("", reader.rest_of_rule()).strip()))
        else:
            reader.rest_of_rule()
    return found


def harmless_sheet(css: str, replace: Replace = lambda _: None) -> str:
    """A style sheet that can stand within a `style` element and within a block of another one."""
    return _Writer(css, replace).written()


def harmless_declarations(css: str, replace: Replace = lambda _: None) -> str:
    """The same for a `style` attribute, without `!important`."""
    return _Writer(css, replace, is_attribute=True).written()


class _Writer:
    """Goes through a sheet once, with what is open at each point."""

    def __init__(self, css: str, replace: Replace, *, is_attribute: bool = False) -> None:
        self._css = css
        self._replace = replace
        self._is_attribute = is_attribute
        self._at = 0
        self._out: list[str] = []
        self._open: list[str] = []

    def written(self) -> str:
        while (token := _TOKEN.match(self._css, self._at)) is not None:
            self._at = token.end()
            if token["gap"]:
                self._out.append(" ")
            elif token["string"]:
                self._out.append(_string(token["string"]))
            elif token["name"]:
                self._name(token)
            else:
                self._sign(token["sign"])
        self._out += (_CLOSERS[sign] for sign in reversed(self._open))
        return writable("".join(self._out)).strip()

    def _name(self, token: re.Match[str]) -> None:
        name = unescaped(token["name"])
        lower = name.lower()
        if token["at"]:
            self._rule(lower, is_call=bool(token["call"]))
        elif token["call"] and lower in _LOADING:
            self._out.append(self._loaded(lower))
        elif lower == _LAYERED and not token["call"]:
            self._out.append(_LAYERED)
            self._bound_layer()
        else:
            self._out.append("x-none" if lower in _ACTIVE else _written(name, token["name"]))
            if token["call"]:
                self._sign("(")

    def _rule(self, name: str, *, is_call: bool) -> None:
        if name.removeprefix("-webkit-") in _RULES and not self._is_attribute:
            self._out.append(f"@{name}")
            if is_call:
                self._out.append(" ")
                self._sign("(")
            return
        self._out.append(" ")
        self._skip("(" if is_call else "")

    # ── Of imports ───────────────────────────────────────────────────────────────────────────────────────

    def leading_rule(self) -> str | None:
        """The name of the next rule, if it may stand before imports or is one."""
        token = self._after_gap()
        name = unescaped(token["name"]).lower() if token is not None and token["at"] else ""
        if token is None or name not in {"import", "charset", "layer"} or token["call"]:
            return None
        self._at = token.end()
        return name

    def address(self) -> str:
        token = self._after_gap()
        if token is None:
            return ""
        self._at = token.end()
        if token["string"]:
            return _content(token["string"])
        if not token["call"] or unescaped(token["name"] or "").lower() != "url":
            return ""
        return self._address()

    def rest_of_rule(self) -> str:
        begin = self._at
        self._skip()
        return self._css[begin : self._at].rstrip(";")

    def _after_gap(self) -> re.Match[str] | None:
        token = _TOKEN.match(self._css, self._at)
        while token is not None and token["gap"]:
            self._at = token.end()
            token = _TOKEN.match(self._css, self._at)
        return token

    # ── What is left out ─────────────────────────────────────────────────────────────────────────────────

    def _skip(self, first: str = "") -> None:
        """Leave out what is left of a rule: up to its semicolon, or with its block."""
        inside = list(first)
        while (token := _TOKEN.match(self._css, self._at)) is not None:
            sign = "(" if token["call"] else token["sign"] or ""
            if not inside and sign == "}":
                return
            self._at = token.end()
            if not inside and sign == ";":
                return
            if sign in _CLOSERS:
                inside.append(sign)
            elif inside and sign == _CLOSERS[inside[-1]] and inside.pop() == "{" and not inside:
                return

    def _loaded(self, name: str) -> str:
        """What stands for an address; what is in the parentheses is left out."""
        address = self._address(may_be_bare=name == "url")
        found = self._replace(address) if name in {"url", "src"} else None
        return _NOTHING if found is None else f"url({_quoted(found)})"

    def _address(self, *, may_be_bare: bool = True) -> str:
        """The first string in the parentheses, or what stands there without quotes."""
        bare = _BARE.match(self._css, self._at) if may_be_bare else None
        if bare is not None:
            self._at = bare.end()
            return unescaped(bare[1].rstrip(" \t\n\r\f"))
        address, depth = "", 1
        while depth and (token := _TOKEN.match(self._css, self._at)) is not None:
            self._at = token.end()
            address = address or (_content(token["string"]) if token["string"] else "")
            depth += bool(token["call"]) + (token["sign"] == "(") - (token["sign"] == ")")
        return address

    def _bound_layer(self) -> None:
        """After `z-index`: nothing else than a number that is not too high."""
        start = self._after_gap()
        if start is None or start["sign"] != ":":
            return
        self._at = start.end()
        begin = len(self._out)
        self._value()
        value = "".join(self._out[begin:])
        allowed = _HIGHEST.fullmatch(value) is not None
        self._out[begin:] = [f":{value}" if allowed else ":auto"]

    def _value(self) -> None:
        """Read a declaration's value up to its end, without what follows."""
        depth = len(self._open)
        while (token := _TOKEN.match(self._css, self._at)) is not None:
            if len(self._open) <= depth and token["sign"] in {";", "}"}:
                return
            self._at = token.end()
            if token["name"]:
                self._name(token)
            elif token["sign"]:
                self._sign(token["sign"])
            else:
                self._out.append(" " if token["gap"] else _string(token["string"]))

    def _sign(self, sign: str) -> None:
        if sign == "!" and self._is_attribute:
            self._drop_importance()
        elif sign not in _SIGNS or (self._is_attribute and sign in "{}"):
            self._out.append(" ")
        elif sign in _CLOSERS:
            self._open.append(sign)
            self._out.append(sign)
        elif sign in ")]":
            if self._open and _CLOSERS[self._open[-1]] == sign:
                self._open.pop()
                self._out.append(sign)
        elif sign == "}":
            self._close_block()
        else:
            # Apart from what follows: two signs must not come to mean something else.
            self._out.append(f"{sign} " if sign in "/<" else sign)

    def _drop_importance(self) -> None:
        token = self._after_gap()
        if token is not None and unescaped(token["name"] or "").lower() == "important":
            self._at = token.end()

    def _close_block(self) -> None:
        while "{" in self._open:
            sign = self._open.pop()
            self._out.append(_CLOSERS[sign])
            if sign == "{":
                return


def _string(token: str) -> str:
    return _quoted(_content(token))


def _content(token: str) -> str:
    quote, inside = token[0], token[1:]
    # Not where the quote itself is escaped: then the string has no end.
    whole = inside[:-1] if re.fullmatch(rf"(?:[^\\]|\\[\s\S])*{quote}", inside) else inside
    return unescaped(whole)


def _quoted(text: str) -> str:
    return '"' + _ODD_IN_STRING.sub(lambda odd: f"\\{ord(odd[0]):x} ", text) + '"'


def _written(name: str, original: str) -> str:
    """A name in CSS syntax: characters that names cannot have are escaped."""
    text = "".join(one if _PLAIN.match(one) else f"\\{ord(one):x} " for one in name)
    # An escaped digit begins a name; a bare one would begin a number.
    if original.startswith("\\") and name[:1].isdigit():
        return f"\\{ord(name[0]):x} {text[1:]}"
    return text
