"""Many small writes joined into few transactions."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

Item = TypeVar("Item")
Result = TypeVar("Result")


class Batcher(Generic[Item, Result]):
    """While one batch is written, the next one gathers; `linger` lets it gather a little longer."""

    def __init__(
        self,
        write: Callable[[Sequence[Item]], Awaitable[Sequence[Result]]],
        *,
        linger: float,
        most: int = 200,
    ) -> None:
        self._write = write
        self._linger = linger
        self._most = most
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def put(self, item: Item) -> Result:
        """Answer when the batch with this item is written; raise when it could not be."""
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all())
        return await future

    async def _write_all(self) -> None:
        while self._waiting:
            await asyncio.sleep(self._linger)
            batch, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
            try:
                results = await self._write([item for item, _ in batch])
                for (_, future), result in zip(batch, results, strict=True):
                    if not future.done():
                        future.set_result(result)
            except Exception as error:  # noqa: BLE001 - handed to everyone who waits for this batch
                _fail(batch, error)
        self._writing = None


def _fail(batch: list[tuple[Item, asyncio.Future[Result]]], error: Exception) -> None:
    for _, future in batch:
        if not future.done():
            future.set_exception(error)


T = TypeVar("T")
_MOST = 500


def batches(values: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(values), _MOST):
        yield values[start : start + _MOST]
