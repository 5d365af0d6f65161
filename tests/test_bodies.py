"""Bodies that are coming in: who is held back, who never is, and who goes on when there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.handlers.bodies import KEPT_START, BodyFlow, BodyStart

if TYPE_CHECKING:
    from collections.abc import Callable

MB = 1 << 20


class Writer:
    """Takes parts as the process that writes WARC does."""

    def __init__(self) -> None:
        self.has_room = True
        self.got: dict[int, int] = {}
        self.tell: Callable[[], None] = lambda: None

    def hand_over(self, stream: int, data: bytes) -> None:
        self.got[stream] = self.got.get(stream, 0) + len(data)

    def drop(self, stream: int) -> None:
        del self.got[stream]

    def when_room(self, tell: Callable[[], None]) -> None:
        self.tell = tell


class Connection:
    """A response of so many megabytes, which comes one by one."""

    def __init__(self, flow: BodyFlow) -> None:
        self._flow = flow
        self.stream = flow.begin()
        self.is_held = False

    def receive(self, megabytes: int) -> None:
        for _ in range(megabytes):
            self._flow.pass_on(self.stream, bytes(MB))
            self._flow.hold_if_too_much(self.stream, self)

    def hold(self) -> None:
        self.is_held = True

    def go_on(self) -> None:
        self.is_held = False


def test_beyond_the_budget_the_first_and_small_ones_go_on() -> None:
    writer = Writer()
    flow = BodyFlow(writer, 10 * MB)
    first, second, third = (Connection(flow) for _ in range(3))
    first.receive(8)
    second.receive(4)
    third.receive(1)
    assert [one.is_held for one in (first, second, third)] == [False, True, False]
    third.receive(1)
    assert third.is_held
    first.receive(20)
    assert not first.is_held


def test_room_that_one_leaves_is_for_the_others() -> None:
    writer = Writer()
    flow = BodyFlow(writer, 10 * MB)
    first, second, third = (Connection(flow) for _ in range(3))
    for one in (first, second, third):
        one.receive(6)
    assert [one.is_held for one in (first, second, third)] == [False, True, True]
    flow.end(first.stream)
    # Still too much, but the second is the first now.
    assert [one.is_held for one in (second, third)] == [False, True]
    flow.drop(second.stream)
    assert not third.is_held
    assert sorted(writer.got) == [first.stream, third.stream]


def test_all_wait_for_a_writer_that_is_busy() -> None:
    writer = Writer()
    flow = BodyFlow(writer, 10 * MB)
    first, second = Connection(flow), Connection(flow)
    writer.has_room = False
    first.receive(1)
    second.receive(1)
    assert first.is_held
    assert second.is_held
    writer.has_room = True
    writer.tell()
    assert not first.is_held
    assert not second.is_held


def test_what_came_to_its_end_is_not_held() -> None:
    flow = BodyFlow(Writer(), 0)
    first, second = Connection(flow), Connection(flow)
    first.receive(2)
    second.receive(2)
    flow.end(second.stream)
    second.is_held = False
    flow.hold_if_too_much(second.stream, second)
    assert not second.is_held


def test_of_a_body_its_beginning_is_kept_and_its_size() -> None:
    start = BodyStart()
    for _ in range(10):
        start.write(b"x" * 100_000)
    assert start.size == 1_000_000
    assert start.getvalue() == b"x" * KEPT_START
    start.truncate(0)
    assert start.getvalue() == b""
