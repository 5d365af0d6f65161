"""When a text is the value that an example asks for: as it is written, or as the field's type reads it."""

from __future__ import annotations

import html
import unicodedata
from typing import TYPE_CHECKING

from archiver.fields.types import typed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from archiver.fields.model import Field


def folded(text: str) -> str:
    """A text as it is compared: without entities, forms of one character, case and white space."""
    return " ".join(unicodedata.normalize("NFKC", html.unescape(text)).casefold().split())


def read_value(text: str, field: Field, base: str = "") -> str:
    """The value of a text by the field's type; empty where it is none, and for plain texts."""
    if field.type in ("text", "html"):
        return ""
    value = typed(text, field, base)
    return value.value if value else ""


class AcceptedTexts:
    """The texts that an example accepts."""

    def __init__(self, wanted: Iterable[str], field: Field, base: str) -> None:
        self._field = field
        self._base = base
        wanted = tuple(wanted)
        self.folded = {folded(one) for one in wanted} - {""}
        self._values = {read_value(one, field, base) for one in wanted} - {""}

    def __contains__(self, text: str) -> bool:
        if folded(text) in self.folded:
            return True
        return bool(self._values) and read_value(text, self._field, self._base) in self._values
