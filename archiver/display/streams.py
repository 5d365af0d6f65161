"""Standard output and error that take every character, also where the terminal or the pipe has only some."""

from __future__ import annotations

import codecs
import sys
from io import TextIOWrapper
from types import MappingProxyType

_HANDLER = "archiver.readable"
# What we write ourselves, and ASCII can say; anything else is written as an escape, so that nothing is lost.
_SPELLED = MappingProxyType(
    dict.fromkeys("–—−─", "-")  # noqa: RUF001
    | dict.fromkeys("├│└", "|")
    | {"…": "...", "→": "->", "←": "<-", "·": ".", "×": "x", "█": "#"}
)


def take_every_character() -> None:
    """Have characters that a stream's encoding lacks spelled out; strict streams would raise instead."""
    codecs.register_error(_HANDLER, _spelled)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and not _takes_all(stream):
            stream.reconfigure(errors=_HANDLER)


def _takes_all(stream: TextIOWrapper) -> bool:
    # With surrogateescape, names of files that are not UTF-8 are written as they are.
    return codecs.lookup(stream.encoding).name == "utf-8" and stream.errors != "strict"


def _spelled(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    spelled = _SPELLED.get(character, character.encode("ascii", "backslashreplace").decode())
    return spelled, error.start + 1
