"""One worker process: its tasks have deadlines, and a document is blamed only by a worker that can read."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec

from archiver.errors import ArchiveError, WorkersBroken
from archiver.running.workers.messages import LENGTH, READY, Reply, Trouble

# For an interpreter and its imports, on a machine that has much else to do.
_START_SECONDS = 120.0
# What is true whether or not this worker can read.
_TOLD = {None, Trouble.RECORD, Trouble.WAITED}
# What a document may do to a worker that can read.
_PLAIN = {Trouble.ERROR, Trouble.TIME}
# A task that had less than this share of its time on a processor was kept waiting by the machine.
_BUSY_SHARE = 0.25
_DEPENDENCIES = "Install what is missing, or free memory, and run again: nothing is lost."


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A task as an order, and what comes before it; in so many times as long as one document may take."""

    order: bytes
    times: float
    # An order that every worker can carry out.
    proof: bytes
    # What is imported before the time of the task counts, and the order that does it.
    modules: frozenset[str]
    imports: bytes


class Worker:
    """A process that is started when it is first needed, and again when it dies."""

    def __init__(self, seconds: float, memory_bytes: int) -> None:
        self._seconds = seconds
        self._memory_bytes = memory_bytes
        self.process: subprocess.Popen[bytes] | None = None
        # A caller that was cancelled while its task ran must not have the next one talk in between.
        self._talking = threading.Lock()
        self._ended = False
        self._can_read = False
        self._imported: set[str] = set()

    def call(self, work: Work) -> Reply:
        """Have a task done, or say what kept it; raises WorkersBroken where this worker can do none."""
        seconds = self._seconds * work.times
        with self._talking:
            self._import(work)
            reply = self._attempt(work.order, seconds)
            if reply.trouble in _TOLD:
                return reply
            if reply.trouble in _PLAIN:
                self._prove(work.proof)
                return reply
            # Any process may be killed, and memory may be short for a moment: once more, by a fresh worker.
            self.stop()
            self._can_read = False
            self._prove(work.proof)
            self._import(work)
            return self._attempt(work.order, seconds)

    def _import(self, work: Work) -> None:
        """Import what a task needs, unless that was done; a second time where it fails, by a fresh worker."""
        for _ in range(2):
            if self.process is not None and work.modules <= self._imported:
                return
            reply = self._attempt(work.imports, _START_SECONDS)
            if reply.trouble is None:
                self._imported |= work.modules
                return
            self.stop()
        names = ", ".join(sorted(work.modules))
        raise WorkersBroken(f"No worker can import {names}: {reply.error}. {_DEPENDENCIES}")

    def _prove(self, proof: bytes) -> None:
        """Read what is known to be readable, unless that was done: what cannot read judges no document."""
        if self._can_read:
            return
        reply = self._attempt(proof, _START_SECONDS)
        if reply.trouble is not None:
            raise WorkersBroken(f"No document can be read here: {reply.error}. {_DEPENDENCIES}")
        self._can_read = True

    def _attempt(self, order: bytes, seconds: float) -> Reply:
        process = self.process or self._start()
        before = _processor_seconds(process.pid)
        try:
            return msgspec.json.decode(self._exchange(process, order, seconds), type=Reply)
        except TimeoutError:
            after = _processor_seconds(process.pid)
            self.stop()
            return _late(seconds, None if before is None or after is None else after - before)
        except (OSError, EOFError):
            code = self.stop()
        trouble = Trouble.KILLED if code == -signal.SIGKILL else Trouble.DIED
        return Reply(error=f"the worker died ({_cause(code)})", trouble=trouble)

    def _start(self) -> subprocess.Popen[bytes]:
        if self._ended:
            raise ArchiveError("The workers have ended with their run")
        limits = [str(self._memory_bytes), str(int(self._seconds) + 5)]
        command = [sys.executable, "-m", "archiver.running.workers.child", *limits]
        try:
            # A session of its own: Ctrl-C is for the crawl, which then ends its workers in order.
            self.process = subprocess.Popen(  # noqa: S603 - our own module
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
            )
            _read(_source(self.process), len(READY), time.monotonic() + _START_SECONDS)
        except TimeoutError as error:
            self.stop()
            raise _unstartable(f"it was not ready within {_START_SECONDS:g} s") from error
        except EOFError as error:
            code = self.stop()
            raise _unstartable(_last_words() or _cause(code)) from error
        except (OSError, MemoryError) as error:
            self.stop()
            raise _unstartable(str(error) or type(error).__name__) from error
        return self.process

    @staticmethod
    def _exchange(process: subprocess.Popen[bytes], order: bytes, seconds: float) -> bytes:
        left = memoryview(LENGTH.pack(len(order)) + order)
        while left:
            left = left[process.stdin.write(left) :]  # type: ignore[union-attr] # opened as pipes
        deadline = time.monotonic() + seconds
        source = _source(process)
        (length,) = LENGTH.unpack(_read(source, LENGTH.size, deadline))
        return _read(source, length, deadline)

    def end(self) -> None:
        """Kill the process, whatever it does, and start no other; `stop` tidies up."""
        self._ended = True
        process = self.process
        if process is not None:
            process.kill()

    def stop(self) -> int | None:
        process, self.process = self.process, None
        self._imported.clear()
        if process is None:
            return None
        process.kill()
        code = process.wait()
        process.stdin.close()  # type: ignore[union-attr] # opened as pipes
        process.stdout.close()  # type: ignore[union-attr]
        return code


def _late(seconds: float, used: float | None) -> Reply:
    if used is not None and used < _BUSY_SHARE * seconds:
        told = f"the machine or its disk is too busy: {used:.1f} s of processor time in {seconds:g} s"
        return Reply(error=told, trouble=Trouble.WAITED)
    return Reply(error=f"took longer than {seconds:g} s", trouble=Trouble.TIME)


def _processor_seconds(pid: int) -> float | None:
    """What a process has used, where the system says so."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _source(process: subprocess.Popen[bytes]) -> int:
    return process.stdout.fileno()  # type: ignore[union-attr] # opened as pipes


def _read(source: int, wanted: int, deadline: float) -> bytes:
    parts: list[bytes] = []
    # Not select(): it knows no descriptor above 1023, and a crawl has many.
    ready = select.poll()
    ready.register(source, select.POLLIN)
    while wanted:
        left = deadline - time.monotonic()
        if left <= 0 or not ready.poll(left * 1000):
            raise TimeoutError
        part = os.read(source, wanted)
        if not part:
            raise EOFError
        parts.append(part)
        wanted -= len(part)
    return b"".join(parts)


def _unstartable(cause: str) -> WorkersBroken:
    return WorkersBroken(f"No worker process can be started: {cause}. {_DEPENDENCIES}")


def _last_words() -> str:
    """Why a worker cannot be started, by what Python says of its imports."""
    command = [sys.executable, "-c", "import archiver.running.workers.child"]
    try:
        done = subprocess.run(  # noqa: S603 - our own module
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_START_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return lines[-1] if done.returncode and lines else ""


def _cause(code: int | None) -> str:
    if code is not None and code < 0:
        return signal.Signals(-code).name
    return f"exit code {code}"
