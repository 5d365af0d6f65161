"""Writes WARCs for ever, or repairs what is left of them, and dies where it is told to.

usage: python -m tests.acceptance.writing write|repair FOLDER SEED [BOUNDARY NUMBER]
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from archiver.archive.cdxj import files as index_files
from archiver.archive.cdxj import tiers, update
from archiver.archive.warc import manifest, repair, writer
from archiver.archive.warc.records import Capture, Exchange
from archiver.archive.warc.writer import WarcOptions, WarcWriter
from archiver.clock import machine_now
from archiver.files import TEMPORARY_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Callable

# Nobody may have lived to kill it.
_LONGEST_SECONDS = 20.0
_LARGEST = (5_000, 100_000, 300_000)


class Kept(msgspec.Struct):
    """What is printed for each capture: the exchange whose body it must open with, and where it is."""

    number: int
    capture: Capture


class Payloads:
    """The payloads of one process."""

    def __init__(self) -> None:
        self._captures: dict[str, Capture] = {}

    def find(self, digest: str) -> Capture | None:
        return self._captures.get(digest)

    def add(self, capture: Capture) -> None:
        self._captures[capture.payload_key] = capture

    def flush(self) -> None:
        """Nothing waits."""


def largest(seed: int) -> int:
    return _LARGEST[seed % len(_LARGEST)]


def body(seed: int, number: int) -> bytes:
    """Of all sizes, and now and then one that came before."""
    chance = random.Random(f"{seed} {number}")
    if number and chance.random() < 0.2:
        return body(seed, chance.randrange(number))
    return chance.randbytes(chance.choice((0, 100, 2_000, largest(seed))))


def write(folder: Path, seed: int) -> None:
    """Write exchanges and say of each where it is, once it may be relied upon."""
    options = WarcOptions(
        prefix="kill",
        info=(("software", "tests"),),
        max_bytes=max(20_000, 3 * largest(seed)),
        fsync=seed % 4 < 2,
    )
    keeper = WarcWriter(folder / "warc", options, Payloads())
    chance = random.Random(seed)
    kept: list[Kept] = []
    until = time.monotonic() + _LONGEST_SECONDS
    for number in itertools.count():
        unchanged = chance.choice(kept) if kept and chance.random() < 0.1 else None
        (capture,) = keeper.write([_exchange(seed, number, unchanged)])
        assert capture is not None
        if chance.random() < 0.1:
            keeper.write_metadata(capture.url, capture.capture_id, [("wrapper", "none")])
        keeper.sync()
        kept.append(Kept(number=unchanged.number if unchanged else number, capture=capture))
        print(msgspec.json.encode(kept[-1]).decode(), flush=True)
        if time.monotonic() > until:
            break


def _exchange(seed: int, number: int, unchanged: Kept | None) -> Exchange:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n"
    received = b"HTTP/1.1 304 Not Modified\r\n\r\n" if unchanged else head + body(seed, number)
    url = unchanged.capture.url if unchanged else f"http://example.org/{number}"
    sent = b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"
    original = unchanged.capture if unchanged else None
    return Exchange(
        url=url, started=machine_now(), sent=sent, received=received, original=original, seconds=0.1
    )


def repair_archive(folder: Path) -> None:
    """What every run does with what the one before left."""
    repair.repair_folder(folder / "warc")
    manifest.complete_manifest(folder / "warc")
    done = update.update(folder / "warc", folder / "index")
    assert not done.problems, done.problems


# ── Where it dies ────────────────────────────────────────────────────────────────────────────────────────


class Boundary:
    """A call before, within or after which the process is killed, when it comes for the given time."""

    def __init__(self, number: int) -> None:
        self._left = number

    def before(self, owner: Any, name: str) -> None:
        self._around(owner, name, lambda call, *_: (die(), call()))

    def after(self, owner: Any, name: str) -> None:
        self._around(owner, name, lambda call, *_: (call(), die()))

    def within(self, owner: Any, name: str, half: Callable[..., None]) -> None:
        """Do half of it, in the way that is given."""
        self._around(owner, name, lambda _, *args: (half(*args), die()))

    def _around(self, owner: Any, name: str, deadly: Callable[..., Any]) -> None:
        original = getattr(owner, name)

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            self._left -= 1
            if self._left:
                return original(*args, **kwargs)
            return deadly(lambda: original(*args, **kwargs), *args)

        setattr(owner, name, wrapper)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def slow_disk() -> None:
    """Let a record take its time, so that whoever kills finds it half written."""

    def write_all(file: Any, data: bytes) -> None:
        middle = len(data) // 2
        file.write(data[:middle])
        time.sleep(0.002)
        file.write(data[middle:])

    writer.write_all = write_all


def _half_a_record(file: Any, data: bytes) -> None:
    file.write(data[: len(data) // 2])


def _half_a_line(folder: Path, name: str, digest: str) -> None:
    with (folder / manifest.NAME).open("ab") as file:
        file.write(f"{digest}  {name}"[:80].encode())


def _half_a_tail(file: Any, end: int, torn: Path) -> None:
    file.seek(end)
    torn.write_bytes(file.read(1))


def _half_an_index(folder: Path, warc: str, *_: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    name = warc.removesuffix(index_files.WARC_SUFFIX) + index_files.INDEX_SUFFIX
    (folder / (name + TEMPORARY_SUFFIX)).write_bytes(b"org,example)/1 2026")


# Between these, nothing is written.
WRITE_BOUNDARIES: dict[str, Callable[[Boundary], None]] = {
    "before-a-record": lambda at: at.before(WarcWriter, "_append"),
    "within-a-record": lambda at: at.within(writer, "write_all", _half_a_record),
    "after-a-record": lambda at: at.after(WarcWriter, "_append"),
    "before-sync": lambda at: at.before(WarcWriter, "sync"),
    "after-sync": lambda at: at.after(WarcWriter, "sync"),
    "before-rename": lambda at: at.before(Path, "rename"),
    "after-rename": lambda at: at.after(Path, "rename"),
    "before-manifest": lambda at: at.before(writer, "add_to_manifest"),
    "within-manifest": lambda at: at.within(writer, "add_to_manifest", _half_a_line),
    "after-manifest": lambda at: at.after(writer, "add_to_manifest"),
}
REPAIR_BOUNDARIES: dict[str, Callable[[Boundary], None]] = {
    "before-tail": lambda at: at.before(repair, "_set_aside"),
    "within-tail": lambda at: at.within(repair, "_set_aside", _half_a_tail),
    "after-tail": lambda at: at.after(repair, "_set_aside"),
    "before-rename": lambda at: at.before(Path, "rename"),
    "after-rename": lambda at: at.after(Path, "rename"),
    "within-manifest": lambda at: at.within(manifest, "add_to_manifest", _half_a_line),
    "after-manifest": lambda at: at.after(manifest, "add_to_manifest"),
    "within-an-index": lambda at: at.within(update, "write_lines", _half_an_index),
    "after-an-index": lambda at: at.after(update, "write_lines"),
    "merged-list-written": lambda at: at.after(tiers, "write_manifest"),
    "merged-before-removal": lambda at: at.before(index_files.IndexFile, "remove"),
    "merged-after-removal": lambda at: at.after(index_files.IndexFile, "remove"),
}


def main(task: str, folder: str, seed: str, boundary: str = "", number: str = "1") -> None:
    boundaries = {"write": WRITE_BOUNDARIES, "repair": REPAIR_BOUNDARIES}[task]
    if boundary:
        boundaries[boundary](Boundary(int(number)))
    elif int(seed) % 2:
        slow_disk()
    # Whoever kills it counts from here.
    print("ready", file=sys.stderr, flush=True)
    if task == "write":
        write(Path(folder), int(seed))
    else:
        repair_archive(Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
