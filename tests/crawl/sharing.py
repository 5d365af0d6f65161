"""Several crawl workers on one PostgreSQL store, against a local server of many hosts that counts."""

from __future__ import annotations

import asyncio
import random
import signal
import threading
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import psycopg

from tests.crawl.running import DAY, start_crawl

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator, Sequence
    from pathlib import Path

# Of one channel, so many days have no entry that leads to a page: pages cost much more than polls.
PAGES_EVERY = 10
# A request that comes a little early was held up on its way: by as much of the delay.
_NOISE = 0.1
_WORDS = ("the", "committee", "met", "again", "heard", "what", "town", "would", "like", "build", "river")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request as the server saw it."""

    began: float
    ended: float
    host: str
    path: str
    day: int
    agent: str


class ManyHosts:
    """One server for all addresses of the loopback network; each is a host of its own."""

    def __init__(self, channels: int, hosts: int, *, latency: float = 0.0) -> None:
        self.channels = channels
        self.hosts = hosts
        self.latency = latency
        self.day = 0
        self.asked: list[Asked] = []
        self.most_at_once: Counter[str] = Counter()
        self._active: Counter[str] = Counter()
        self.port = 0

    def host(self, channel: int) -> str:
        number = channel % self.hosts
        return f"127.1.{number // 250}.{number % 250 + 1}"

    def seeds(self) -> list[str]:
        return [f"http://{self.host(one)}:{self.port}/c/{one}.xml" for one in range(self.channels)]

    def polls(self) -> Counter[tuple[int, str]]:
        """How often each channel was asked for on each day."""
        return Counter((one.day, one.path) for one in self.asked if one.path.startswith("/c/"))

    def early(self, delay: float) -> list[tuple[Asked, Asked]]:
        """Requests that came sooner after another of the same host than the delay allows."""
        last: dict[str, Asked] = {}
        found = []
        for one in sorted(self.asked, key=lambda one: one.began):
            before = last.get(one.host)
            if before is not None and one.began - before.began < delay * (1 - _NOISE):
                found.append((before, one))
            last[one.host] = one
        return found

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            path = head.split(" ", 2)[1]
            pairs = (line.partition(": ") for line in head.split("\r\n"))
            headers = {name.lower(): value for name, _, value in pairs}
            await self._count(writer, headers["host"].partition(":")[0], path, headers["user-agent"])
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _count(self, writer: asyncio.StreamWriter, host: str, path: str, agent: str) -> None:
        began, day = time.monotonic(), self.day
        self._active[host] += 1
        self.most_at_once[host] = max(self.most_at_once[host], self._active[host])
        try:
            if self.latency:
                await asyncio.sleep(self.latency)
            # Before it is sent: whoever has read it may ask again at once.
            self._active[host] -= 1
            ended = time.monotonic()
            self.asked.append(Asked(began=began, ended=ended, host=host, path=path, day=day, agent=agent))
            writer.write(self._response(host, path, day))
            await writer.drain()
        except OSError:
            pass

    def _response(self, host: str, path: str, day: int) -> bytes:
        status, kind, body = "200 OK", "text/html", ""
        if path.startswith("/c/"):
            kind, body = "application/rss+xml", self._feed(host, int(path[3:].partition(".")[0]), day)
        elif path.startswith("/p/"):
            body = _page(path)
        else:
            status = "404 Not Found"
        return (
            f"HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
            f"Connection: close\r\n\r\n{body}"
        ).encode()

    def _feed(self, host: str, channel: int, day: int) -> str:
        days = range(day + 1) if channel % PAGES_EVERY == 0 else ()
        items = "".join(
            f"<item><title>Item {channel} of {one}</title><guid>g{channel}-{one}</guid>"
            f"<link>http://{host}:{self.port}/p/{channel}-{one}.html</link></item>"
            for one in days
        )
        return f"<rss version='2.0'><channel><title>Channel {channel}</title>{items}</channel></rss>"

    @contextmanager
    def serving(self) -> Iterator[None]:
        ready, over = threading.Event(), asyncio.Event()
        loops: list[asyncio.AbstractEventLoop] = []

        async def serve() -> None:
            loops.append(asyncio.get_running_loop())
            server = await asyncio.start_server(self._answer, "0.0.0.0", 0, backlog=1000)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()
            async with server:
                await over.wait()

        thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
        thread.start()
        ready.wait(10)
        try:
            yield
        finally:
            loops[0].call_soon_threadsafe(over.set)
            thread.join(5)


def _page(path: str) -> str:
    chosen = random.Random(path)
    paragraphs = "".join(f"<p>{' '.join(chosen.choice(_WORDS) for _ in range(60))}.</p>" for _ in range(4))
    body = f"<article><h1>{path}</h1>{paragraphs}</article>"
    return f"<html><head><title>{path}</title></head><body>{body}</body></html>"


@dataclass(kw_only=True)
class Workers:
    """Crawl processes with an archive folder each."""

    folder: Path
    store: str
    seeds: Path
    settings: dict[str, Any] = field(default_factory=dict)
    running: dict[str, subprocess.Popen[str]] = field(default_factory=dict)
    killed: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def start(self, names: Sequence[str], day: int = 0, **arguments: str) -> None:
        for name in names:
            log = self.folder / f"{name}-{day}.log"
            values = {
                "STATE_URL": self.store,
                "WRITER": name,
                "USER_AGENT": name,
                "LOG_FILE": log,
                **self.settings,
            }
            self.running[name] = start_crawl(
                self.folder / name, self.seeds, clock_offset=day * DAY, arguments=arguments, **values
            )

    def kill(self, name: str) -> None:
        process = self.running.pop(name)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            self.killed.append(name)
        process.communicate()

    def wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        for name, process in self.running.items():
            stdout, stderr = process.communicate(timeout=max(1.0, end - time.monotonic()))
            if process.returncode:
                self.problems.append(
                    f"{name} ended with {process.returncode}: {stdout[-2000:]} {stderr[-2000:]}"
                )
        self.running.clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What the store says at the end."""

    polls: dict[int, int]  # how many channels were polled so often
    entries: int
    pending: int
    unread: int
    versions: int
    held: int


def count_store(address: str) -> Counted:
    with psycopg.connect(f"{address} dbname=postgres") as connection:

        def one(query: str) -> int:
            return int(connection.execute(query).fetchone()[0])  # type: ignore[arg-type,index] # a literal

        rows = connection.execute("SELECT polls, count(*) FROM channels GROUP BY polls").fetchall()
        return Counted(
            polls=dict(rows),
            entries=one("SELECT count(*) FROM entries"),
            pending=one("SELECT count(*) FROM entries WHERE pending"),
            unread=one("SELECT count(*) FROM pages WHERE state <> 'settled'"),
            versions=one("SELECT count(*) FROM versions"),
            held=one("SELECT count(*) FROM leases WHERE held"),
        )
