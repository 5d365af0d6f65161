"""Files by day: as many are open as fit, each holds some rows in memory, none more."""

from __future__ import annotations

from collections import OrderedDict
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Days that are written to at a time: what was imported jumps between them.
_MOST_OPEN = 24
# Bytes of lines that are held for a file, and for all of them.
_MOST_HELD = 4 << 20
_MOST_HELD_IN_ALL = 24 << 20


class PartFile(Protocol):
    """A file that takes lines; what it holds in memory goes to the disk with `flush`."""

    held: int

    def add(self, line: bytes) -> None: ...

    def flush(self) -> None: ...

    def close(self) -> None: ...


class DayFiles:
    """Opens `date=YYYY-MM-DD/part-N` files, and closes those that were not written to for long."""

    def __init__(self, folder: Path, suffix: str, opened: Callable[[Path], PartFile]) -> None:
        self._folder = folder
        self._suffix = suffix
        self._opened = opened
        self._open: OrderedDict[str, PartFile] = OrderedDict()
        self._counts: dict[str, int] = {}

    def add(self, day: str, line: bytes) -> None:
        if day not in self._open:
            if len(self._open) >= _MOST_OPEN:
                self._open.popitem(last=False)[1].close()
            self._open[day] = self._opened(self._next(day))
        self._open.move_to_end(day)
        part = self._open[day]
        part.add(line)
        if part.held > _MOST_HELD:
            part.flush()
        elif sum(one.held for one in self._open.values()) > _MOST_HELD_IN_ALL:
            max(self._open.values(), key=lambda one: one.held).flush()

    def close(self) -> None:
        for part in self._open.values():
            part.close()
        self._open.clear()

    @property
    def files(self) -> int:
        return sum(self._counts.values())

    def _next(self, day: str) -> Path:
        number = self._counts.get(day, 0)
        self._counts[day] = number + 1
        folder = self._folder / f"date={day}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"part-{number}{self._suffix}"


class JsonLines:
    """Lines as objects files have them."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self.held = 0

    def add(self, line: bytes) -> None:
        self._file.write(line)

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.close()


class ParquetRows:
    """Rows of a Parquet file, written in groups."""

    def __init__(self, path: Path, model: type[Any], schema: Any) -> None:  # noqa: ANN401 - pyarrow has no types
        import pyarrow.parquet as pq  # noqa: PLC0415 - of an extra

        self._writer = pq.ParquetWriter(path, schema, compression="zstd")
        self._decoder = msgspec.json.Decoder(model)
        self._schema = schema
        self._rows: list[dict[str, Any]] = []
        self.held = 0

    def add(self, line: bytes) -> None:
        from archiver.inspection.exporting.columns import fitted  # noqa: PLC0415 - likewise

        row = _builtins(self._decoder.decode(line))
        self._rows.append({part.name: fitted(row.get(part.name), part.type) for part in self._schema})
        self.held += len(line)

    def flush(self) -> None:
        import pyarrow as pa  # noqa: PLC0415 - likewise

        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
        self._rows, self.held = [], 0

    def close(self) -> None:
        self.flush()
        self._writer.close()


def _builtins(made: Any) -> dict[str, Any]:  # noqa: ANN401 - of any kind
    return dict(msgspec.to_builtins(made, builtin_types=(datetime, date)))
