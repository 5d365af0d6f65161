"""A line at a terminal that shows how far a long job is."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING

from archiver.sizes import size_in_words

if TYPE_CHECKING:
    from typing import TextIO

_SECONDS = 0.2


class ProgressLine:
    """Rewrites one line, where somebody is watching."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_watched = stream.isatty()
        self._shown = 0.0

    def show(self, done: int, total: int) -> None:
        """Tell how many bytes of how many are done, a few times a second."""
        now = time.monotonic()
        if not self._is_watched or now - self._shown < _SECONDS:
            return
        self._shown = now
        share = f" ({done / total:.0%})" if total else ""
        text = f"{size_in_words(done)} of {size_in_words(total)}{share}"
        self._stream.write("\r\x1b[K" + text[: shutil.get_terminal_size().columns - 1])
        self._stream.flush()

    def clear(self) -> None:
        """Make room for something that stays."""
        if self._is_watched:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
