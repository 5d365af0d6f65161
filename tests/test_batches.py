"""Many small writes joined into few: each caller gets its own answer, and nobody waits for ever."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from archiver.batches import Batcher

if TYPE_CHECKING:
    from collections.abc import Sequence


class Written:
    """A slow write that remembers its batches, and fails for negative numbers."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []

    async def __call__(self, numbers: Sequence[int]) -> list[int]:
        self.batches.append(list(numbers))
        await asyncio.sleep(0.001)
        if any(number < 0 for number in numbers):
            raise OSError("disk full")
        return [number * 10 for number in numbers]


def test_each_caller_gets_the_answer_to_its_own_item() -> None:
    async def run() -> list[int]:
        batcher = Batcher(Written(), linger=0, most=7)
        return await asyncio.gather(*(batcher.put(number) for number in range(50)))

    assert asyncio.run(run()) == [number * 10 for number in range(50)]


def test_what_comes_together_is_written_together_in_order_and_within_the_limit() -> None:
    async def run() -> list[list[int]]:
        write = Written()
        batcher = Batcher(write, linger=0.001, most=4)
        await asyncio.gather(*(batcher.put(number) for number in range(10)))
        return write.batches

    assert asyncio.run(run()) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]


def test_a_failed_batch_fails_for_all_of_it_and_the_next_one_works() -> None:
    async def run() -> list[int | BaseException]:
        batcher = Batcher(Written(), linger=0.001, most=2)
        first = await asyncio.gather(*map(batcher.put, [1, -1, 3]), return_exceptions=True)
        return [*first, await batcher.put(4)]

    answers = asyncio.run(run())
    assert [str(answer) for answer in answers] == ["disk full", "disk full", "30", "40"]


def test_a_write_that_answers_too_little_is_an_error_and_not_an_endless_wait() -> None:
    async def short(numbers: Sequence[int]) -> list[int]:
        return list(numbers)[:1]

    async def run() -> None:
        batcher = Batcher(short, linger=0.001)
        answers = asyncio.gather(batcher.put(1), batcher.put(2), return_exceptions=True)
        first, second = await asyncio.wait_for(answers, 5)
        assert first == 1
        assert isinstance(second, ValueError)
        assert await asyncio.wait_for(batcher.put(3), 5) == 3

    asyncio.run(run())


def test_a_caller_that_gives_up_leaves_the_others_alone() -> None:
    async def run() -> list[int]:
        write = Written()
        batcher = Batcher(write, linger=0.01)
        hasty = asyncio.create_task(batcher.put(1))
        patient = asyncio.create_task(batcher.put(2))
        await asyncio.sleep(0)
        hasty.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hasty
        assert await patient == 20
        return write.batches[0]

    # What was handed in is written all the same.
    assert asyncio.run(run()) == [1, 2]
