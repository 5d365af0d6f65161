"""Which records go in: the captures of the selection, their redirects, and the originals of revisits."""

from __future__ import annotations

import heapq
from itertools import groupby
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

import msgspec

from archiver.archive.cdxj.lines import CdxLine, target_uri, timestamp
from archiver.archive.cdxj.surt import surt_key
from archiver.archive.retrieval import find_original, redirect_of
from archiver.archive.warc.reader import read_head
from archiver.errors import RecordError, WithheldError
from archiver.urls import redact, request_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from archiver.archive.cdxj.index import Index
    from archiver.inspection.wacz.model import CaptureSelection, WaczReport
    from archiver.inspection.wacz.needs import Needs

# So many bytes are sorted in memory; a merge reads as many files at once as there are of these.
_IN_MEMORY = 1 << 26


class SortedLines:
    """Takes lines in any order and gives them back sorted, each once. A line ends in a line feed."""

    def __init__(self, in_memory: int = _IN_MEMORY) -> None:
        self._in_memory = in_memory
        self._lines: list[bytes] = []
        self._size = 0
        self._runs: list[IO[bytes]] = []

    def add(self, line: bytes) -> None:
        self._lines.append(line)
        self._size += len(line)
        if self._size >= self._in_memory:
            self._write_run()

    def __iter__(self) -> Iterator[bytes]:
        for run in self._runs:
            run.seek(0)
        merged = heapq.merge(*self._runs, sorted(self._lines))
        return (line for line, _ in groupby(merged))

    def close(self) -> None:
        for run in self._runs:
            run.close()

    def _write_run(self) -> None:
        run = TemporaryFile()  # noqa: SIM115 - closed by close()
        run.writelines(sorted(self._lines))
        self._runs.append(run)
        self._lines, self._size = [], 0


# Originals that were added lately; one that is forgotten is only added once more.
_REMEMBERED = 100_000


class CopyPlan:
    """Captures in the order of their places, each once; kept on disk."""

    def __init__(self) -> None:
        self._lines = SortedLines()
        self._decoder = msgspec.json.Decoder(CdxLine)
        self.bytes = 0

    def add(self, line: CdxLine) -> None:
        place = f"{line.filename}\0{line.offset:020d}\0".encode()
        self._lines.add(place + msgspec.json.encode(line) + b"\n")
        self.bytes += line.length

    def __iter__(self) -> Iterator[CdxLine]:
        return (self._decoder.decode(line.rpartition(b"\0")[2]) for line in self._lines)

    def close(self) -> None:
        self._lines.close()


class Planner:
    """Chooses captures through the index."""

    def __init__(
        self, index: Index, warc_folder: Path, selection: CaptureSelection, report: WaczReport
    ) -> None:
        self._index = index
        self._folder = warc_folder
        self._first, self._last = timestamp(selection.first), timestamp(selection.last)
        self._chosen = selection.captures
        self._report = report
        self._keys: set[str] = set()
        self._originals: set[str] = set()

    def fill(self, plan: CopyPlan, addresses: Iterable[str] | None, needs: Needs | None) -> None:
        """Add what was captured at these addresses, or everything, within the time of the selection.

        With `needs`, also what the pages need to be shown, whenever that was captured.
        """
        for line in self._lines(addresses):
            self._add(plan, line)
            for needed in needs.of(line) if needs else ():
                self._add(plan, needed)

    def _lines(self, addresses: Iterable[str] | None) -> Iterable[CdxLine]:
        if self._chosen is not None:
            return self._chosen
        return self._everything() if addresses is None else self._at(addresses)

    def _everything(self) -> Iterator[CdxLine]:
        return filter(self._is_wanted, self._index.range(""))

    def _is_wanted(self, line: CdxLine) -> bool:
        return self._first <= line.timestamp <= self._last

    def _at(self, addresses: Iterable[str]) -> Iterator[CdxLine]:
        """The captures of each URL, and of those that they redirect to."""
        for address in addresses:
            waiting = [address]
            while waiting:
                for line in self._captures(request_url(waiting.pop())):
                    yield line
                    waiting += redirect_of(self._folder, line)

    def _captures(self, url: str) -> Iterator[CdxLine]:
        """The captures of a URL, the first time that it is asked for."""
        key = surt_key(target_uri(url))
        if key not in self._keys:
            self._keys.add(key)
            yield from filter(self._is_wanted, self._index.captures(url))

    def _add(self, plan: CopyPlan, line: CdxLine) -> None:
        if line.is_revisit:
            try:
                self._add_original(plan, line)
            except WithheldError:
                return  # its payload needs a record that is not handed on
            except RecordError as error:
                self._report.problem(str(error))
        plan.add(line)

    def _add_original(self, plan: CopyPlan, line: CdxLine) -> None:
        head = read_head(self._folder, line.filename, line.offset)
        self._refuse_withheld(head.headers.get("warc-refers-to-target-uri", ""))
        record_id = head.headers.get("warc-refers-to", "")
        if record_id in self._originals:
            return
        original = find_original(self._index, self._folder, head)
        if original is None:
            raise RecordError(f"{line.filename}:{line.offset} refers to {record_id}, which is not here")
        if len(self._originals) >= _REMEMBERED:
            self._originals.clear()
        self._originals.add(record_id)
        plan.add(original)

    def _refuse_withheld(self, url: str) -> None:
        if self._index.hides(url):
            raise WithheldError(f"{redact(url)} is withheld")
