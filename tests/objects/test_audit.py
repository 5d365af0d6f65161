"""An objects file held against what the state store knows: each line is found, or known to be lost."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest

from archiver.digests import sha256_digest
from archiver.running.reading.audit import audit_file
from archiver.store.lines import KnownLine
from tests.objects.test_writer import article

if TYPE_CHECKING:
    from pathlib import Path

LINES = [
    msgspec.json.encode(replace(article(f"Words of {number}"), id=f"id{number}")) + b"\n"
    for number in range(4)
]


def known(*, digests: bool = True) -> list[KnownLine]:
    return [
        KnownLine(
            key=(number, 1),
            file="a",
            offset=sum(map(len, LINES[:number])),
            id=f"id{number}",
            words="t1:0",
            digest=sha256_digest(line) if digests else None,
        )
        for number, line in enumerate(LINES)
    ]


def found(path: Path, data: bytes, lines: list[KnownLine]) -> tuple[list[int | None], list[int], int]:
    """Whose the whole lines are, whose are lost, and how many bytes are neither."""
    path.write_bytes(data)
    audit = audit_file(path, lines)
    sound = [piece.line.key[0] if piece.line else None for piece in audit.sound]
    return sound, [line.key[0] for line in audit.lost], audit.damaged


@pytest.mark.parametrize("digests", [True, False])
def test_a_whole_file_lacks_nothing(tmp_path: Path, *, digests: bool) -> None:
    assert found(tmp_path / "a", b"".join(LINES), known(digests=digests)) == ([0, 1, 2, 3], [], 0)


def test_a_missing_file_lacks_everything(tmp_path: Path) -> None:
    assert [line.key[0] for line in audit_file(tmp_path / "a", known()).lost] == [0, 1, 2, 3]


def test_a_torn_line_is_lost_and_one_behind_it_is_not(tmp_path: Path) -> None:
    torn = LINES[1][:20] + b"?" * (len(LINES[1]) - 20)
    assert found(tmp_path / "a", LINES[0] + torn + LINES[2] + LINES[3], known()) == (
        [0, 2, 3], [1], len(torn)
    )  # fmt: skip


def test_a_line_that_was_changed_and_still_is_an_object_is_lost(tmp_path: Path) -> None:
    data = b"".join(LINES).replace(b'"Words of 1"', b'"Lords of 1"')
    assert found(tmp_path / "a", data, known()) == ([0, 2, 3], [1], len(LINES[1]))


def test_lines_that_moved_are_found_where_they_are(tmp_path: Path) -> None:
    assert found(tmp_path / "a", b"".join(LINES[1:]), known()) == ([1, 2, 3], [0], 0)
    assert found(tmp_path / "a", b"noise\n" + b"".join(LINES), known()) == ([0, 1, 2, 3], [], 6)


def test_lines_in_another_order_are_not_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert found(path, b"".join(reversed(LINES)), known()) == ([3, 2, 1, 0], [], 0)
    assert not audit_file(path, known()).is_whole
    path.write_bytes(b"".join(LINES))
    assert audit_file(path, known()).is_whole


def test_earlier_readings_are_kept(tmp_path: Path) -> None:
    assert found(tmp_path / "a", b"".join(LINES), known()[2:]) == ([None, None, 2, 3], [], 0)


def test_a_line_without_its_end_is_lost(tmp_path: Path) -> None:
    data = b"".join(LINES)[:-1]
    assert found(tmp_path / "a", data, known()) == ([0, 1, 2], [3], len(LINES[3]) - 1)
