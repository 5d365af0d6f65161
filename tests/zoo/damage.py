"""What disks, people and clocks do to an archive between two runs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests.commands.damage import edit_line

if TYPE_CHECKING:
    from pathlib import Path


class TornObjects:
    """Cuts an objects file off in the middle of a line."""

    def strike(self, path: Path) -> None:
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:-3]) + lines[-3][: len(lines[-3]) // 2])


class LostObjects:
    """Deletes an objects file."""

    def strike(self, path: Path) -> None:
        path.unlink()


class GarbledObjects:
    """Changes bytes of an objects file: some that its JSON depends on, and some that it does not."""

    def strike(self, path: Path) -> None:
        edit_line(path, 1, lambda line: line.replace(b'"html":"<', b'"html":" ', 1))
        edit_line(path, 3, lambda line: b"\0" * 10 + line[10:])


class GluedObjects:
    """Has an object follow a torn line without a line break, as archives of older versions may have it."""

    def strike(self, path: Path) -> None:
        edit_line(path, 2, lambda line: line[:50] + b"!" * (len(line) - 50))


class LostState:
    """Deletes the state store."""

    def strike(self, archive: Path) -> None:
        for path in archive.glob("state.sqlite*"):
            path.unlink()


class Deleted:
    """Deletes a file, whichever it is."""

    def strike(self, path: Path) -> None:
        path.unlink()


class CutInHalf:
    """Cuts a file off in its middle."""

    def strike(self, path: Path) -> None:
        os.truncate(path, path.stat().st_size // 2)


class CutByOneByte:
    """Takes the last byte of a file."""

    def strike(self, path: Path) -> None:
        os.truncate(path, path.stat().st_size - 1)


class Garbled:
    """Changes a sector in the middle of a file, or a quarter of a small one; one that has something in it."""

    def strike(self, path: Path) -> None:
        data = bytearray(path.read_bytes())
        start, length = len(data) // 2, min(512, len(data) // 4)
        # SQLite leaves room in its pages, in which nothing can be damaged.
        while not any(data[start : start + length]) and start + length < len(data):
            start += length
        data[start : start + length] = bytes(byte ^ 0xA5 for byte in data[start : start + length])
        path.write_bytes(data)


class Emptied:
    """Leaves a file without a byte."""

    def strike(self, path: Path) -> None:
        os.truncate(path, 0)
