"""What only a terminal shows: how far a long job is, and colours."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from archiver.sizes import size_in_words
from archiver.tables import shortened

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

_SECONDS = 0.2
_COLOURS = {"bold": 1, "grey": 90, "red": 31, "green": 32}
_USUAL_WIDTH = 80  # of a terminal that does not say


def window_width(stream: TextIO) -> int | None:
    """The columns of the window that a stream writes to, also after it was resized; None where it is none.

    A file or a pipe takes lines of any length, unless COLUMNS says otherwise.
    """
    given = os.environ.get("COLUMNS", "")
    if not stream.isatty():
        return int(given) if given.isdecimal() and int(given) else None
    try:
        return os.get_terminal_size(stream.fileno()).columns or _USUAL_WIDTH
    except OSError:
        return _USUAL_WIDTH


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
        self._stream.write("\r\x1b[K" + shortened(text, (window_width(self._stream) or _USUAL_WIDTH) - 1))
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
