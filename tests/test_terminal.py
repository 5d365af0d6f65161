"""The line at the foot of a terminal, on a real pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import termios
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.display.terminal import Colours, ProgressLine, StatusLine, StreamAbove, window_width
from archiver.running.progress import Progress, Rate, progress_line
from tests.terminals import screen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = datetime(2026, 3, 2, tzinfo=UTC)


class Window:
    """Both ends of a pseudo-terminal."""

    def __init__(self) -> None:
        self._mine, theirs = pty.openpty()
        self.stream = os.fdopen(theirs, "w")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()
        os.close(self._mine)

    def resize(self, columns: int) -> None:
        fcntl.ioctl(self._mine, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def written(self) -> str:
        """What came since it was asked last."""
        self.stream.flush()
        found = b""
        while select.select([self._mine], [], [], 0.05)[0]:
            found += os.read(self._mine, 65536)
        return found.decode()


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    with Window() as window:
        window.resize(80)
        yield window


def test_the_line_is_written_over_and_taken_away(window: Window) -> None:
    line = StatusLine(window.stream)
    line.show("Pages 1 of 10")
    line.show("Pages 2")
    assert screen(window.written()) == ["Pages 2"]
    line.show("Pages 3")
    line.clear()
    assert screen(window.written()) == [""]
    line.clear()
    window.stream.write("x")
    assert window.written() == "x"


def test_the_line_is_as_long_as_the_window_allows_at_the_time(window: Window) -> None:
    line = StatusLine(window.stream)
    line.show("x" * 100)
    assert screen(window.written()) == ["x" * 78 + "…"]
    window.resize(120)
    line.show("x" * 100)
    assert screen(window.written()) == ["x" * 100]
    # A narrower window has wrapped what was there: three rows of 40 columns.
    window.resize(40)
    line.show("y")
    assert window.written() == "\r\x1b[2A\x1b[Jy"


def test_what_others_write_gets_lines_of_its_own(window: Window) -> None:
    line = StatusLine(window.stream)
    log = StreamAbove(window.stream, line)
    line.show("Pages 1 of 10")
    log.write("WARNING: something\n")
    line.show("Pages 2 of 10")
    log.write("half a ")
    line.show("Pages 3 of 10")  # not in the middle of a line
    log.write("line\n")
    line.show("Pages 4 of 10")
    assert screen(window.written()) == ["WARNING: something", "half a line", "Pages 4 of 10"]
    assert log.isatty()


def test_a_dumb_terminal_is_not_steered(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    line = StatusLine(window.stream)
    line.show("Pages 1 of 10")
    line.show("Pages 2")
    line.clear()
    window.stream.write("Done\n")
    written = window.written()
    assert "\x1b" not in written
    assert screen(written) == ["Done", ""]
    assert Colours(window.stream).paint("red", "red") == "red"


def test_colours_are_for_terminals_that_want_them(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Colours(window.stream).paint("text", "red") == "\x1b[31mtext\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Colours(window.stream).paint("text", "red") == "text"


def test_a_file_gets_no_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    path = tmp_path / "log"
    with path.open("w") as stream:
        assert window_width(stream) is None
        StatusLine(stream).show("Pages 1 of 10")
        ProgressLine(stream).show(1, 2)
    assert path.read_text() == ""


# ── What the line says ───────────────────────────────────────────────────────────────────────────────────


def progress(**values: object) -> Progress:
    return Progress(**{"pages": 12, "pages_known": 87, "channels": 3, "channels_known": 14} | values)  # type: ignore[arg-type]


def test_the_line_says_how_far_it_is_how_fast_and_how_long_it_takes() -> None:
    assert progress_line(progress(), NOW, 79) == "Pages 12 of 87, channels 3 of 14"
    told = progress_line(progress(pages_a_second=5.24, failing=2), NOW, 79)
    assert told == "Pages 12 of 87, channels 3 of 14, 5.2/s, about 14 seconds left, 2 failing"
    slow = progress_line(progress(pages_a_second=0.1), NOW, 79)
    assert slow == "Pages 12 of 87, channels 3 of 14, 6/min, about 12 minutes left"


def test_the_line_says_what_there_is_to_do_behind_the_downloads() -> None:
    done = progress(pages=87, pages_a_second=9.0, unread=20)
    assert progress_line(done, NOW, 79) == "Pages 87 of 87, channels 3 of 14, 20 to read"
    slow = progress(pages=87, hosts=["a.example", "b.example", "c.example"])
    told = "Pages 87 of 87, channels 3 of 14, waiting for a.example and 2 more"
    assert progress_line(slow, NOW, 79) == told
    assert progress_line(progress(hosts=["a.example"]), NOW, 79) == "Pages 12 of 87, channels 3 of 14"
    waiting = progress(pages=87, next_poll=NOW + timedelta(minutes=20), failing=1)
    told = "Pages 87 of 87, channels 3 of 14, next poll in 20 minutes, 1 failing"
    assert progress_line(waiting, NOW, 79) == told
    assert progress_line(progress(ending="Finishing"), NOW, 79).startswith("Finishing, pages 12 of 87")
    nothing = progress(pages=0, pages_known=0, channels=0, channels_known=0)
    assert progress_line(nothing, NOW, 79) == "Starting"
    polling = progress(pages=0, pages_known=0, failing=2)
    assert progress_line(polling, NOW, 79) == "Channels 3 of 14, 2 failing"


def test_in_a_narrow_window_the_most_telling_parts_stay() -> None:
    full = progress(pages_a_second=5.24, failing=2)
    lines = [progress_line(full, NOW, width) for width in (60, 50, 40, 20)]
    assert lines == [
        "Pages 12 of 87, 5.2/s, about 14 seconds left, 2 failing",
        "Pages 12 of 87, about 14 seconds left, 2 failing",
        "Pages 12 of 87, about 14 seconds left",
        "Pages 12 of 87",
    ]


@given(
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.floats(0, 1e4),
    st.integers(0, 10**6),
    st.integers(30, 200),
)
def test_the_line_fits(pages: int, left: int, speed: float, failing: int, width: int) -> None:
    seen = progress(pages=pages, pages_known=pages + left, pages_a_second=speed, failing=failing)
    assert len(progress_line(seen, NOW, width)) <= width


def test_the_rate_is_that_of_the_last_half_minute() -> None:
    rate = Rate()
    assert [rate.note(0.0, 0), rate.note(50.0, 0), rate.note(51.0, 4)] == [0.0, 0.0, 0.0]
    assert rate.note(54.0, 12) == 3.0
    assert [rate.note(54.0 + second, 12 + second) for second in range(1, 60)][-1] == 1.0
