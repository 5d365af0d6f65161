"""The process that writes WARC: in order, for all who wait, and never in the way of the event loop."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from archiver.errors import ArchiveError, ArchiveFull, ArchiveLocked
from archiver.lock import ArchiveLock
from archiver.store.database import Database
from archiver.store.payloads import PayloadNotes
from archiver.store.schema import payloads
from archiver.warc.messages import Begin, Close, Keep, Messages, framed
from archiver.warc.process import WriterProcess
from archiver.warc.reader import read_response
from archiver.warc.writer import WarcOptions
from tests.warc.samples import RECEIVED, check, check_files, exchange, only_file, read_all, warcs

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from archiver.warc.records import Capture

# Generous: the machine may be busy with other things.
SOON = 20.0
PAGE = b"HTTP/1.1 200 OK\r\n\r\n" + b"The same words. " * 100
ENDED = r"The process that writes WARC ended \(%s\)\. What it had written is kept: run again"


def begin(folder: Path, *, state_url: str | None = None, **options: object) -> Begin:
    values = {"prefix": "test", "fsync": False} | options
    return Begin(
        folder=str(folder),
        options=WarcOptions(**values),  # type: ignore[arg-type] # given by name
        state_url=state_url,
    )


def ignore(_: Sequence[Capture]) -> None:
    """For tests without a store."""


@asynccontextmanager
async def open_writer(
    folder: Path,
    *,
    state_url: str | None = None,
    on_new_payloads: Callable[[Sequence[Capture]], None] = ignore,
    **options: object,
) -> AsyncIterator[WriterProcess]:
    writer = WriterProcess(begin(folder, state_url=state_url, **options), on_new_payloads=on_new_payloads)
    try:
        yield writer
    finally:
        await asyncio.wait_for(writer.close(), SOON)


def running(work: Awaitable[None]) -> None:
    async def run() -> None:
        await asyncio.wait_for(work, 3 * SOON)

    asyncio.run(run())


def pid_of(writer: WriterProcess) -> int:
    assert writer._process is not None
    return writer._process.pid


def state_of(pid: int) -> str:
    """As ps has it: S sleeps, T is stopped; empty where there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return ""


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


async def stop(writer: WriterProcess) -> int:
    """Hold the process, once it is there, so that everything waits."""
    await writer.write([exchange()])
    pid = pid_of(writer)
    os.kill(pid, signal.SIGSTOP)
    await asyncio.to_thread(wait_until, lambda: state_of(pid) == "T")
    return pid


def begun(writer: WriterProcess, count: int, body: bytes = b"") -> list[asyncio.Task[list[Capture | None]]]:
    """So many exchanges, each with a URL of its own, handed over and not waited for."""
    return [
        asyncio.ensure_future(writer.write([exchange(RECEIVED + body, url=f"http://example.org/{number}")]))
        for number in range(count)
    ]


def test_it_writes_for_all_who_wait_and_in_their_order(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            asked = [writer.write([exchange(RECEIVED * number)]) for number in range(1, 101)]
            captures = [capture for (capture,) in await asyncio.gather(*asked) if capture]
        assert len(captures) == 100
        offsets = [capture.offset for capture in captures]
        assert offsets == sorted(offsets)
        assert writer.files == [only_file(tmp_path).name]
        assert writer.bytes_written == only_file(tmp_path).stat().st_size
        assert writer.cpu_seconds > 0
        for number, capture in enumerate(captures, 1):
            stored = read_response(tmp_path, capture.file, capture.offset)
            assert len(stored.content) == len((RECEIVED * number).partition(b"\r\n\r\n")[2])

    running(work())
    assert len(check(only_file(tmp_path).read_bytes())) == 301


def test_an_answer_means_that_it_is_on_its_way_to_disk(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            await writer.write([exchange(), exchange(b"")])
            await writer.write_metadata("http://example.org/", "<urn:uuid:1>", (("wrapper", "w1"),))
            assert len(check(only_file(tmp_path).read_bytes())) == 7
            assert only_file(tmp_path).name.endswith(".open")

    running(work())
    check_files(tmp_path)


def test_what_was_never_used_leaves_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path / "warc"):
            pass
        async with open_writer(tmp_path / "warc") as started:
            started.start()

    running(work())
    assert not (tmp_path / "warc").exists()


def test_closing_writes_what_still_waits(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            waiting = begun(writer, 50, os.urandom(100_000))
            await asyncio.sleep(0)
        assert all(task.done() and task.result()[0] for task in waiting)
        with pytest.raises(ArchiveError, match="has ended with its run"):
            await writer.write([exchange()])
        assert state_of(pid_of(writer)) == ""

    running(work())
    assert len(check(only_file(tmp_path).read_bytes())) == 151


def test_while_the_process_is_slow_the_event_loop_goes_on_and_memory_does_not_grow(tmp_path: Path) -> None:
    size = 200_000

    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            pid = await stop(writer)
            before = time.monotonic()
            waiting = begun(writer, 60, os.urandom(size))
            await asyncio.sleep(0.05)
            assert time.monotonic() - before < 5
            # Beyond what the pipe holds, one message is made; the others stay what they were.
            assert 0 < len(writer._leaving) <= size + 2000
            assert len(writer._waiting) >= 50
            assert not any(task.done() for task in waiting)
            os.kill(pid, signal.SIGCONT)
            captures = [capture for (capture,) in await asyncio.gather(*waiting) if capture]
            assert [capture.url for capture in captures] == [
                f"http://example.org/{number}" for number in range(60)
            ]
            offsets = [capture.offset for capture in captures]
            assert offsets == sorted(offsets)

    running(work())
    check_files(tmp_path)


def test_an_exchange_larger_than_the_pipe_arrives_whole(tmp_path: Path) -> None:
    body = os.urandom(5_000_000)

    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            (capture,) = await writer.write([exchange(PAGE + body)])
            assert capture is not None
            stored = read_response(tmp_path, capture.file, capture.offset)
            assert stored.content.endswith(body)

    running(work())


def test_an_exchange_that_cannot_be_written_does_not_silence_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            broken = [writer.write([exchange(started=None)]), writer.write([exchange(started=object())])]
            good, *errors = await asyncio.gather(writer.write([exchange()]), *broken, return_exceptions=True)
            assert isinstance(good, list)
            assert [type(error) for error in errors] == [RuntimeError, TypeError]
            assert len(await writer.write([exchange()])) == 1

    running(work())
    assert len(check(only_file(tmp_path).read_bytes())) == 7


def test_half_a_character_becomes_a_question_mark(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            given = exchange(url="http://example.org/\ud800", context=(("via", "\udfff!"),))
            (capture,) = await writer.write([given])
            assert capture is not None
            assert capture.url == "http://example.org/?"
            assert capture.date == given.started

    running(work())
    metadata = read_all(only_file(tmp_path))[-1]
    assert metadata.all("via") == ["?!"]


def test_a_request_that_was_cancelled_is_written_all_the_same(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            hasty = asyncio.create_task(writer.write([exchange()]))
            await asyncio.sleep(0)
            hasty.cancel()
            with pytest.raises(asyncio.CancelledError):
                await hasty
            await writer.write([exchange()])

    running(work())
    assert len(check(only_file(tmp_path).read_bytes())) == 7


def test_an_old_file_is_closed_though_nothing_comes(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path, max_age=timedelta(seconds=0.3)) as writer:
            await writer.write([exchange()])
            final = tmp_path / writer.files[0]
            await asyncio.to_thread(wait_until, final.exists)
            assert (await writer.write([exchange()]))[0] is not None
            assert len(writer.files) == 2

    running(work())
    assert len(warcs(tmp_path)) == 2
    check_files(tmp_path)


# ── What goes wrong ──────────────────────────────────────────────────────────────────────────────────────


def limit_files(pid: int, size: int) -> None:
    """No file of the process may grow beyond this, as on a disk that is full."""
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_a_full_disk_is_told_to_who_waits_and_it_goes_on(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            await writer.write([exchange()])
            limit_files(pid_of(writer), 4096)
            large = writer.write([exchange(RECEIVED + os.urandom(8000))])
            small = writer.write([exchange()])
            failed, kept = await asyncio.gather(large, small, return_exceptions=True)
            assert isinstance(failed, ArchiveFull)
            assert str(failed).startswith(f"Cannot write to {only_file(tmp_path)}: File too large.")
            assert str(failed).endswith("Free some space and run again.")
            assert isinstance(kept, list)
            limit_files(pid_of(writer), resource.RLIM_INFINITY)
            assert len(await writer.write([exchange()])) == 1

    running(work())
    assert len(check(only_file(tmp_path).read_bytes())) == 10


def test_a_disk_that_is_full_in_the_end_is_told_by_closing(tmp_path: Path) -> None:
    async def work() -> None:
        writer = WriterProcess(begin(tmp_path), on_new_payloads=ignore)
        await writer.write([exchange()])
        limit_files(pid_of(writer), 1)
        with pytest.raises(OSError, match="File too large"):  # the line of the manifest
            await writer.close()
        assert state_of(pid_of(writer)) == ""
        await writer.close()

    running(work())


def test_an_error_of_the_system_keeps_its_number_and_its_file(tmp_path: Path) -> None:
    (tmp_path / "warc").touch()

    async def work() -> None:
        async with open_writer(tmp_path / "warc") as writer:
            with pytest.raises(FileExistsError) as told:
                await writer.write([exchange()])
            assert told.value.filename == str(tmp_path / "warc")
            assert told.value.strerror == "File exists"

    running(work())


def test_a_process_that_is_killed_fails_everybody_who_waits(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            pid = await stop(writer)
            waiting = begun(writer, 60, os.urandom(100_000))
            await asyncio.sleep(0)
            os.kill(pid, signal.SIGKILL)
            answers = await asyncio.gather(*waiting, return_exceptions=True)
            assert {type(answer) for answer in answers} == {ArchiveError}
            with pytest.raises(ArchiveError, match=ENDED % "SIGKILL"):
                raise answers[0]  # type: ignore[misc] # as its type says
            with pytest.raises(ArchiveError, match=ENDED % "SIGKILL"):
                await writer.write([exchange()])

    running(work())
    assert only_file(tmp_path).name.endswith(".open")
    assert len(check(only_file(tmp_path).read_bytes())) == 4


def test_one_that_is_killed_while_nobody_waits_is_told_to_the_next(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            await writer.write([exchange()])
            os.kill(pid_of(writer), signal.SIGKILL)
            with pytest.raises(ArchiveError, match=ENDED % "SIGKILL"):
                await writer.write([exchange()])

    running(work())


def test_one_that_is_killed_before_it_is_closed_is_told_by_closing(tmp_path: Path) -> None:
    async def work() -> None:
        writer = WriterProcess(begin(tmp_path), on_new_payloads=ignore)
        await writer.write([exchange()])
        os.kill(pid_of(writer), signal.SIGKILL)
        with pytest.raises(ArchiveError, match=ENDED % "SIGKILL"):
            await writer.close()
        await writer.close()

    running(work())


@pytest.mark.parametrize(
    ("interpreter", "cause"),
    [("/bin/false", ENDED % "exit code 1"), ("/nonexistent", "cannot be started: .*No such file")],
)
def test_a_process_that_cannot_start_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interpreter: str, cause: str
) -> None:
    monkeypatch.setattr(sys, "executable", interpreter)

    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            with pytest.raises(ArchiveError, match=cause):
                await writer.write([exchange()])

    running(work())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_for_the_whole_run_does_not_end_it(tmp_path: Path, number: int) -> None:
    async def work() -> None:
        async with open_writer(tmp_path) as writer:
            await writer.write([exchange()])
            os.kill(pid_of(writer), number)
            await writer.write([exchange()])
        assert os.getsid(0) != pid_of(writer)

    running(work())
    check_files(tmp_path)


# ── Payloads ─────────────────────────────────────────────────────────────────────────────────────────────


def test_payloads_are_kept_once_within_a_run_and_across_runs(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'state.sqlite'}"
    folder = tmp_path / "warc"

    async def work(run: int) -> None:
        database = Database(url)
        notes = PayloadNotes(database)
        async with open_writer(folder, state_url=url, on_new_payloads=notes.add) as writer:
            given = [exchange(PAGE, url=f"http://example.org/{run}/{number}") for number in range(3)]
            captures = await writer.write(given)
        notes.flush()
        database.close()
        assert {capture.payload_url for capture in captures if capture} == {"http://example.org/0/0"}

    for run in range(2):
        running(work(run))
    types = [record.type for path in warcs(folder) for record in read_all(path)]
    assert (types.count("response"), types.count("revisit")) == (1, 5)
    check_files(folder)


def test_payloads_are_noted_once_they_are_on_disk(tmp_path: Path) -> None:
    noted: list[Capture] = []

    async def work() -> None:
        url = f"sqlite:///{tmp_path / 'state.sqlite'}"
        Database(url).close()
        async with open_writer(tmp_path / "warc", state_url=url, on_new_payloads=noted.extend) as writer:
            (first,) = await writer.write([exchange(PAGE)])
            assert noted == [first]
            limit_files(pid_of(writer), 1)
            with pytest.raises(ArchiveFull):
                await writer.write([exchange(PAGE + b"other")])
            limit_files(pid_of(writer), resource.RLIM_INFINITY)
            await writer.write([exchange(), exchange(PAGE)])
            assert noted == [first]

    running(work())


def test_what_is_wrong_with_the_store_is_in_the_log_of_the_run(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"sqlite:///{tmp_path / 'state.sqlite'}"
    database = Database(url)
    database.run(payloads.drop)
    database.close()

    async def work() -> None:
        async with open_writer(tmp_path / "warc", state_url=url) as writer:
            assert (await writer.write([exchange(PAGE)]))[0] is not None

    running(work())
    assert "Payloads could not be looked up: no such table" in caplog.text


# ── The end of its parent ────────────────────────────────────────────────────────────────────────────────

PARENT = """
import asyncio, pathlib, sys, time
from archiver.lock import ArchiveLock
from archiver.warc.process import WriterProcess
from tests.warc.samples import exchange
from tests.warc.test_process import begin, ignore

async def main(folder):
    with ArchiveLock(folder) as lock:
        writer = WriterProcess(begin(folder), on_new_payloads=ignore, lock=lock.fileno())
        await writer.write([exchange()])
        print(writer._process.pid, flush=True)
        await asyncio.sleep(60)

asyncio.run(main(pathlib.Path(sys.argv[1])))
"""


def parent_and_child(folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(folder)], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    return parent, int(parent.stdout.readline())


def test_it_ends_when_its_parent_is_killed_and_leaves_the_file_to_the_repair(tmp_path: Path) -> None:
    parent, pid = parent_and_child(tmp_path)
    with parent:
        parent.kill()
    wait_until(lambda: state_of(pid) in {"", "Z"})
    assert [path.name.endswith(".open") for path in warcs(tmp_path)] == [True]
    with ArchiveLock(tmp_path):
        pass


def test_while_it_lives_nobody_else_may_work_on_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archiver.lock._PATIENCE", 0.2)
    parent, pid = parent_and_child(tmp_path)
    try:
        os.kill(pid, signal.SIGSTOP)
        with parent:
            parent.kill()
        told = rf"Another run \(process {parent.pid}, killed or .*\) has left a process .* still writing"
        with pytest.raises(ArchiveLocked, match=told):
            ArchiveLock(tmp_path).__enter__()
        # Going on, it sees that it is alone, and ends.
        os.kill(pid, signal.SIGCONT)
        monkeypatch.setattr("archiver.lock._PATIENCE", SOON)
        with ArchiveLock(tmp_path):
            pass
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


# ── Messages ─────────────────────────────────────────────────────────────────────────────────────────────


def test_messages_come_back_however_the_bytes_are_cut() -> None:
    sent = [framed(message) for message in (Keep((exchange(),)), Close(), Keep(()))]
    data = b"".join(sent)
    for size in (1, 7, 8, 9, len(sent[0]), len(data)):
        incoming = Messages()
        found = [
            bytes(message)
            for start in range(0, len(data), size)
            for message in incoming.feed(data[start : start + size])
        ]
        assert found == [bytes(one[8:]) for one in sent]
