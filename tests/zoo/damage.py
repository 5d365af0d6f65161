"""What disks, people and clocks do to an archive between two runs."""

from __future__ import annotations

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
