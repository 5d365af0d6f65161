"""What a style asks for: imported styles, fonts, and images.

Imports: `@import` with an address in quotes or in `url()`, whatever its media, layer or `supports()`, where
it may stand, before any rule. Images: `url()` in any declaration, of custom properties too, and the strings
of `image-set()`, all of them. What only names something, as `@namespace` and `@supports` do, is not fetched.
Fonts: see `fonts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.requisites.css_tokens import tokens
from archiver.documents.requisites.fonts import Source, best_source
from archiver.documents.requisites.model import Reference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.documents.requisites.css_tokens import Token

# What opens a block of rules or declarations; the second is the block of a `@font-face`.
_BRACE = "{"
_FACE = "@font-face {"
_BRACES = (_BRACE, _FACE)
_HOLDS_ADDRESSES = ("url", "image-set", "-webkit-image-set")


def sheet_references(css: str) -> Iterator[Reference]:
    """The addresses in a style sheet or a `<style>` element."""
    return _Reader(declarations_only=False).references(css)


def attribute_references(css: str) -> Iterator[Reference]:
    """The addresses in a `style` attribute: declarations without a rule around them."""
    return _Reader(declarations_only=True).references(css)


class _Reader:
    """Follows the rules of a style as far as an address depends on where it stands."""

    def __init__(self, *, declarations_only: bool) -> None:
        self._open_blocks: list[str] = []
        # How many of them are braces.
        self._depth = 1 if declarations_only else 0
        self._may_import = not declarations_only
        # The name of the at-rule whose block or end has not come yet; empty once an import has its address.
        self._at_rule: str | None = None
        # The files of the face that is being read.
        self._sources: list[Source] | None = None

    def references(self, css: str) -> Iterator[Reference]:
        for token in tokens(css):
            match token.type:
                case "open":
                    self._open(token.value)
                case "close":
                    yield from self._close()
                case "semicolon":
                    self._end_statement()
                case "at":
                    self._begin_at_rule(token.value)
                case _:
                    yield from self._address(token)
        # As in browsers, the end closes what is open.
        yield from best_source(self._sources or ())

    def _is_between_rules(self) -> bool:
        return not self._open_blocks or self._open_blocks[-1] in _BRACES

    def _begin_at_rule(self, name: str) -> None:
        if self._is_between_rules():
            self._at_rule = name
            self._may_import &= name != "namespace"

    def _open(self, opener: str) -> None:
        if opener == _BRACE:
            opener = self._open_brace()
        self._open_blocks.append(opener)

    def _open_brace(self) -> str:
        self._depth += 1
        if not self._is_between_rules():
            return _BRACE
        is_face = self._at_rule == "font-face" and self._sources is None
        self._at_rule = None
        self._may_import = False
        if is_face:
            self._sources = []
        return _FACE if is_face else _BRACE

    def _close(self) -> Iterator[Reference]:
        opener = self._open_blocks.pop()
        if opener in _BRACES:
            self._depth -= 1
            self._end_statement()
        if opener == _FACE:
            yield from best_source(self._sources or ())
            self._sources = None

    def _end_statement(self) -> None:
        if self._is_between_rules():
            self._at_rule = None
            if self._sources:
                self._sources[-1] = self._sources[-1]._replace(ends_declaration=True)

    def _address(self, token: Token) -> Iterator[Reference]:
        """The token as a reference, if it is an address where it stands."""
        function = self._open_blocks[-1] if self._open_blocks else ""
        if self._at_rule is not None:
            yield from self._import(token, function)
        elif function == "format" and self._sources:
            self._sources[-1] = self._sources[-1]._replace(format=token.value.lower())
        elif self._depth and (token.type == "url" or function in _HOLDS_ADDRESSES):
            yield from self._declared(token.value)

    def _import(self, token: Token, function: str) -> Iterator[Reference]:
        is_first = len(self._open_blocks) == (1 if function == "url" else 0)
        if self._at_rule == "import" and self._may_import and is_first:
            self._at_rule = ""
            yield Reference("style", token.value)

    def _declared(self, address: str) -> Iterator[Reference]:
        if self._sources is None:
            yield Reference("image", address)
        else:
            self._sources.append(Source(address))
