"""A shell at a terminal of 80 columns: runs commands one after the other and tells what each one printed."""

from __future__ import annotations

import os
import pty
import re
import shlex
import signal
import subprocess
import termios
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

ROWS, COLUMNS = 24, 80
# Far longer than any document takes: a command that waits for something ends all the same.
_SECONDS = 600
_MARK = "\x02"
_ENDED = re.compile(rf"{_MARK}(\d+){_MARK}\r?\n")
# Colours, and what rewrites a line of progress.
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What a command left on the screen, and its exit code."""

    lines: tuple[str, ...]
    exit_code: int


def run(commands: Sequence[str], folder: Path, environment: Mapping[str, str]) -> list[Printed]:
    """Type the commands into one bash; what is set, activated or entered by one holds for the next."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (ROWS, COLUMNS))
    shell = subprocess.Popen(
        ["bash", "-c", _script(commands)],
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    # It is the leader of a group of its own, which holds everything that it started.
    timer = threading.Timer(_SECONDS, os.killpg, (shell.pid, signal.SIGKILL))
    timer.start()
    try:
        output = _read(master)
        shell.wait()
    finally:
        timer.cancel()
        os.close(master)
    return _split(output, len(commands))


def _script(commands: Sequence[str]) -> str:
    return "\n".join(
        f'eval {shlex.quote(command)} < /dev/null; printf "\\002%d\\002\\n" "$?"' for command in commands
    )


def _read(terminal: int) -> str:
    received = bytearray()
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # Linux tells the end of a pseudo-terminal by an error
            break
        if not part:
            break
        received += part
    return received.decode()


def _split(output: str, number: int) -> list[Printed]:
    *parts, rest = _ENDED.split(output)
    if len(parts) != 2 * number:
        raise RuntimeError(f"The shell ended after {len(parts) // 2} of {number} commands: {rest}")
    return [
        Printed(lines=tuple(_screen(text)), exit_code=int(code))
        for text, code in zip(parts[::2], parts[1::2], strict=True)
    ]


def _screen(text: str) -> list[str]:
    """The lines as they stand in the end: what was written over is gone."""
    lines = [_CONTROL.sub("", line).rstrip("\r").rpartition("\r")[2] for line in text.split("\n")]
    return lines if lines[-1] else lines[:-1]
