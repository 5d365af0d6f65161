"""What only a terminal shows: how far a long job is, and colours."""

from __future__ import annotations

import os
import shutil
import time
from typing import TYPE_CHECKING

from archiver.sizes import size_in_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

_SECONDS = 0.2
_COLOURS = {"bold": 1, "grey": 90, "red": 31, "green": 32}


class ProgressLine:
    """Rewrites one line, where somebody is watching."""

    def __init__(self, stream: TextIO, in_words: Callable[[int], str] = size_in_words) -> None:
        self._stream = stream
        self._in_words = in_words
        self._is_watched = stream.isatty()
        self._shown = 0.0

    def show(self, done: int, total: int) -> None:
        """Tell how much of how much is done, a few times a second; bytes, unless it was said otherwise."""
        now = time.monotonic()
        if not self._is_watched or now - self._shown < _SECONDS:
            return
        self._shown = now
        share = f" ({done / total:.0%})" if total else ""
        text = f"{self._in_words(done)} of {self._in_words(total)}{share}"
        self._stream.write("\r\x1b[K" + text[: shutil.get_terminal_size().columns - 1])
        self._stream.flush()

    def clear(self) -> None:
        """Make room for something that stays."""
        if self._is_watched:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


class Colours:
    """Words in colour, where somebody is watching who did not say NO_COLOR."""

    def __init__(self, stream: TextIO) -> None:
        self._is_on = stream.isatty() and not os.environ.get("NO_COLOR")

    def paint(self, text: str, colour: str) -> str:
        """The text in bold, grey, red or green; in any other colour as it is."""
        code = _COLOURS.get(colour)
        return f"\x1b[{code}m{text}\x1b[0m" if self._is_on and code is not None else text
