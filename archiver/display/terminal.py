"""What is shown at a terminal: lines, how far a long job is, and colours."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Self

from archiver.display.tables import display_width, shortened, size_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TextIO

_SECONDS = 0.2
_COLOURS = {"bold": 1, "grey": 90, "red": 31, "green": 32}
_USUAL_WIDTH = 80  # of a terminal that does not say


def window_width(stream: TextIO) -> int | None:
    """The columns of the window that a stream writes to, as it is now; None where it is not a window.

    A file or a pipe takes lines of any length, unless COLUMNS says otherwise.
    """
    given = os.environ.get("COLUMNS", "")
    if not stream.isatty():
        return int(given) if given.isdecimal() and int(given) else None
    try:
        return os.get_terminal_size(stream.fileno()).columns or _USUAL_WIDTH
    except OSError:
        return _USUAL_WIDTH


def show(lines: Iterable[str]) -> None:
    """Print lines; where nothing reads on, as behind `head`, the rest is left out."""
    try:
        for line in lines:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        close_quietly()


def close_quietly() -> None:
    """The reader of our output has seen enough: nothing may complain about it when the program ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def is_dumb() -> bool:
    """Whether the terminal says that it cannot be steered."""
    return os.environ.get("TERM", "") in {"", "dumb"}


class StatusLine:
    """The last line of a terminal, rewritten in place; what others write there gets lines of its own."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.is_watched = stream.isatty()
        self._is_dumb = is_dumb()
        self._shown = 0  # columns
        self._is_at_start = True  # of a line
        # Threads log while another one draws.
        self._lock = threading.RLock()

    def show(self, text: str) -> None:
        """Write the text over what is shown, shortened to the window as it is now."""
        with self._lock:
            if not self.is_watched or not self._is_at_start:
                return
            window = window_width(self._stream) or _USUAL_WIDTH
            line = shortened(text, window - 1)
            self._stream.write(self._erasure(window) + line)
            self._stream.flush()
            self._shown = display_width(line)

    def clear(self) -> None:
        """Make room for something that stays."""
        with self._lock:
            if self._shown:
                self._stream.write(self._erasure(window_width(self._stream) or _USUAL_WIDTH))
                self._stream.flush()
                self._shown = 0

    def write_above(self, stream: TextIO, text: str) -> int:
        """Write to a stream that goes to the same terminal: the line makes room, and comes back later."""
        with self._lock:
            self.clear()
            self._is_at_start = text.endswith("\n") if text else self._is_at_start
            return stream.write(text)

    def _erasure(self, window: int) -> str:
        if self._is_dumb:
            return f"\r{' ' * min(self._shown, window - 1)}\r" if self._shown else ""
        # A window that was made narrower has wrapped the line: its end is some rows below its beginning.
        above = max(self._shown - 1, 0) // window
        return f"\r\x1b[{above}A\x1b[J" if above else "\r\x1b[K"


class StreamAbove:
    """A stream to the terminal of a status line, to take the place of one that does not know of it."""

    def __init__(self, stream: TextIO, line: StatusLine) -> None:
        self._stream = stream
        self._line = line

    def write(self, text: str) -> int:
        return self._line.write_above(self._stream, text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


class ProgressLine:
    """Tells how much of how much is done, at a terminal."""

    def __init__(self, stream: TextIO, in_words: Callable[[int], str] = size_in_words) -> None:
        self._line = StatusLine(stream)
        self._in_words = in_words
        self._shown = 0.0

    def show(self, done: int, total: int) -> None:
        """Tell it a few times a second; bytes, unless it was said otherwise."""
        now = time.monotonic()
        if not self._line.is_watched or now - self._shown < _SECONDS:
            return
        self._shown = now
        share = f" ({done / total:.0%})" if total else ""
        self._line.show(f"{self._in_words(done)} of {self._in_words(total)}{share}")

    def clear(self) -> None:
        """Make room for something that stays."""
        self._line.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()


class Colours:
    """Words in colour, at a terminal that has colours, unless NO_COLOR is set."""

    def __init__(self, stream: TextIO) -> None:
        self._is_on = stream.isatty() and not is_dumb() and not os.environ.get("NO_COLOR")

    def paint(self, text: str, colour: str) -> str:
        """The text in bold, grey, red or green; in any other colour as it is."""
        code = _COLOURS.get(colour)
        return f"\x1b[{code}m{text}\x1b[0m" if self._is_on and code is not None else text
