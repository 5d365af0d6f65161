"""A command at a terminal of its own, and what a person at it sees."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

SECONDS = 60
# Makes its terminal the controlling one, so that Ctrl-C reaches all that it starts, then becomes the command.
_BEGIN = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
# What moves the cursor or clears: everything else of the kind is a colour, or a surprise.
_PIECE = re.compile(r"\x1b\[(\d*)([A-Za-z])|\r|\n|[^\x1b\r\n]+|\x1b")


class Terminal:
    """Runs a command in a pseudo-terminal; `with` it, so that nothing stays behind."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        columns: int = 80,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._mine, theirs = pty.openpty()
        self.resize(columns)
        # A terminal has its own size; COLUMNS would be the one of whoever runs the tests.
        inherited = {name: value for name, value in os.environ.items() if name not in _NOT_INHERITED}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _BEGIN, *command],
            cwd=folder,
            env=inherited | {"TERM": "xterm-256color"} | dict(environment or {}),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self._read = bytearray()
        self._reader = threading.Thread(target=self._follow, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join(SECONDS)
        os.close(self._mine)

    def _follow(self) -> None:
        while True:
            try:
                piece = os.read(self._mine, 65536)
            except OSError:  # Linux says so when the last one has closed the other end
                return
            if not piece:
                return
            self._read += piece

    def resize(self, columns: int) -> None:
        """As a person does who pulls at the window; the process is told by SIGWINCH."""
        fcntl.ioctl(self._mine, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def press(self, keys: bytes) -> None:
        os.write(self._mine, keys)

    @property
    def written(self) -> str:
        """Everything so far, with what steers the terminal."""
        return bytes(self._read).decode(errors="replace")

    @property
    def frames(self) -> list[str]:
        """What stood in one line, one text after the other."""
        return [re.sub(r"\x1b\[\d*[A-Za-z]", "", text) for text in re.split(r"[\r\n]+", self.written)]

    @property
    def screen(self) -> list[str]:
        """What stands there now, from the first line on."""
        return screen(self.written)

    def wait(self) -> int:
        """The exit code, once it ended and all that it wrote is read."""
        code = self.process.wait(SECONDS)
        self._reader.join(SECONDS)
        return code


_NOT_INHERITED = {"COLUMNS", "LINES", "NO_COLOR", "SCRAPY_PROJECT", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"}


def screen(written: str) -> list[str]:
    """The lines that a terminal shows which is wide and high enough."""
    lines, row, column = [""], 0, 0
    for piece in _PIECE.finditer(written):
        text = piece[0]
        if text == "\r":
            column = 0
        elif text == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif piece[2] == "K":
            lines[row] = lines[row][:column]
        elif piece[2] == "J":
            lines = [*lines[:row], lines[row][:column]]
        elif piece[2] == "A":
            row = max(row - int(piece[1] or 1), 0)
        elif piece[2] is None:
            lines[row] = lines[row][:column].ljust(column) + text + lines[row][column + len(text) :]
            column += len(text)
    return [line.rstrip() for line in lines]
