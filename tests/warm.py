"""Starts our programs by forking a process that has imported them: most of a short crawl is imports.

What is started is a process like any other, with its own arguments, environment, folder, pipes and exit code.
So are those that it starts in turn, to read pages and to write WARC.
Tests of start-up, of the interpreter's own options and of limits start the real program.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import runpy
import socket
import subprocess
import sys
import threading
import time
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).resolve().parents[1]
_PYTHON = sys.executable
_PROGRAMS = {"archiver", "scrapy"}
# What a crawl starts.
_CHILDREN = {"archiver.running.workers.child", "archiver.running.writing.child"}
_PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>
_LARGEST_ORDER = 1 << 17
_MOST_FILES = 8
# What a crawl imports only as it begins, and what its children import, which themselves are run.
_LATE = (
    "archiver.archive.warc.writer",
    "archiver.command_line.for_scrapy",
    "archiver.running.summary",
    "archiver.running.workers.judging",
    "archiver.running.writing.lookup",
    "archiver.store.polling.filling",
    "encodings.idna",
    "scrapy.core.downloader.contextfactory",
    "scrapy.core.downloader.handlers.http11",
    "scrapy.core.engine",
    "scrapy.core.scheduler",
    "scrapy.crawler",
    "scrapy.downloadermiddlewares.defaultheaders",
    "scrapy.downloadermiddlewares.downloadtimeout",
    "scrapy.downloadermiddlewares.httpproxy",
    "scrapy.downloadermiddlewares.retry",
    "scrapy.downloadermiddlewares.stats",
    "scrapy.downloadermiddlewares.useragent",
    "scrapy.dupefilters",
    "scrapy.extensions.closespider",
    "scrapy.extensions.corestats",
    "scrapy.extensions.logcount",
    "scrapy.extensions.logstats",
    "scrapy.extensions.memdebug",
    "scrapy.extensions.memusage",
    "scrapy.extensions.spiderstate",
    "scrapy.extensions.throttle",
    "scrapy.pqueues",
    "scrapy.spiderloader",
    "scrapy.spidermiddlewares.referer",
    "scrapy.spidermiddlewares.start",
    "scrapy.spidermiddlewares.urllength",
    "scrapy.squeues",
    "scrapy.statscollectors",
    "sqlalchemy.dialects.sqlite.pysqlite",
    "twisted.internet.asyncioreactor",
)
_ROOMS = (
    "archiver.commands",
    "archiver.extensions",
    "archiver.handlers",
    "archiver.middlewares",
    "archiver.pipelines",
    "archiver.profiles",
    "archiver.running.sources",
    "archiver.spiders",
    "archiver.spiders.kinds",
    "scrapy.commands",
)


class WarmProcess(subprocess.Popen[Any]):
    """A `Popen` of `python -m MODULE …` that need not import the module."""

    def _execute_child(self, args: list[str], *others: Any, **_: object) -> None:
        # As CPython calls it: …, pass_fds, cwd, env, startupinfo, creationflags, shell, and both ends of
        # three pipes, restore_signals, gid, gids, uid, umask, start_new_session, process_group.
        held, folder, environment = others[3:6]
        given = [others[9], others[12], others[14]]
        environment = dict(os.environ if environment is None else environment)
        order = {
            "module": args[2],
            "words": args[3:],
            "folder": str(folder or Path.cwd()),
            "environment": environment,
            "umask": _umask(),
            "own_session": others[20],
        }
        files = [end if end != -1 else place for place, end in enumerate(given)]
        self.pid = self._forks(environment).start(order, [*files, *held])
        self._child_created = True
        for end in given:
            if end != -1:
                os.close(end)

    def _forks(self, environment: Mapping[str, str]) -> _Forks:
        return _server(frozenset(_interpreter_variables(environment).items()))


class WarmChild(WarmProcess):
    """In the place of `Popen`, for whoever starts workers and the process that writes WARC."""

    def _execute_child(self, args: Any, *others: Any, **named: object) -> None:
        environment = os.environ if others[5] is None else others[5]
        is_ours = args[:2] == [_PYTHON, "-m"] and args[2] in _CHILDREN and _is_usual(environment)
        (super() if is_ours else super(WarmProcess, self))._execute_child(args, *others, **named)


def process_for(command: Sequence[str], environment: Mapping[str, str]) -> type[subprocess.Popen[str]]:
    """The quickest way to start this: a fork, if it is a program of ours and Python is to run as here."""
    ours = command[:2] == [_PYTHON, "-m"] and command[2] in _PROGRAMS
    return WarmProcess if sys.platform == "linux" and ours and _is_usual(environment) else subprocess.Popen


def _is_usual(environment: Mapping[str, str]) -> bool:
    asked = _interpreter_variables(environment)
    return asked == _AS_IMPORTED or asked.get("PYTHONPATH", "").startswith(_LEARNING)


def _interpreter_variables(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith("PYTHON")}


# Before any test has changed them.
_AS_IMPORTED = _interpreter_variables(os.environ)
# What brings the method of tests/learning in; many tests have it.
_LEARNING = str(ROOT / "tests" / "learning")


class _Forks:
    """The process that is forked, as seen by those who have it do so; it ends with them."""

    def __init__(self, link: socket.socket, process: subprocess.Popen[bytes] | None = None) -> None:
        self._link = link
        self._process = process
        self._asking = threading.Lock()

    def start(self, order: Mapping[str, Any], files: list[int]) -> int:
        """Have a process started, and become its parent, so that its exit code can be waited for."""
        with self._asking:
            _adopt_orphans(yes=True)
            try:
                socket.send_fds(self._link, [json.dumps(order).encode()], files)
                answer = self._link.recv(_LARGEST_ORDER)
            finally:
                # Later orphans, such as the workers of a crawl that is killed, go where they always go.
                _adopt_orphans(yes=False)
        return int(answer)


@cache
def _server(variables: frozenset[tuple[str, str]]) -> _Forks:
    """A process that has imported what is forked, in an interpreter of these variables."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.warm", str(theirs.fileno())],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        | dict(variables),
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    theirs.close()
    return _Forks(ours, process)


def _umask() -> int:
    """Looked up: to ask for it by `os.umask` is to change it for a moment, also for other threads."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("Umask:")[2].split()[0], 8)


def _adopt_orphans(*, yes: bool) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, int(yes), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl failed")


def _import_programs() -> None:
    import_module("scrapy.cmdline")
    for room in _ROOMS:
        for module in iter_modules(import_module(room).__path__, f"{room}."):
            import_module(module.name)
    for name in _LATE:
        import_module(name)
    if "twisted.internet.reactor" in sys.modules:
        raise RuntimeError("an import has installed a reactor: every process must choose its own")


def _next_order(link: socket.socket) -> dict[str, Any] | None:
    """Fork for every order, and return it in the process that carries it out; None when tests are over."""
    while True:
        message, files, _, _ = socket.recv_fds(link, _LARGEST_ORDER, _MOST_FILES)
        if not message:
            return None
        order = json.loads(message)
        if (number := _fork_orphan()) == 0:
            # The others, such as a lock, are only held.
            for place, file in enumerate(files[:3]):
                os.dup2(file, place)
                os.close(file)
            link.close()
            return order
        for file in files:
            os.close(file)
        link.send(str(number).encode())


def _fork_orphan() -> int:
    """As `os.fork`, but the new process has no parent left here when this returns."""
    source, sink = os.pipe()
    if (between := os.fork()) == 0:
        if (number := os.fork()) == 0:
            os.close(source)
            os.close(sink)
            return 0
        os.write(sink, str(number).encode())
        os._exit(0)
    os.waitpid(between, 0)
    number = int(os.read(source, 32))
    os.close(source)
    os.close(sink)
    return number


def _fork_children_too() -> dict[str, Any] | None:
    """Have what this process starts forked as well, by another that is like it now, before it has any thread.

    Returns an order in each process that is started so, and None in this one.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        ours.close()
        os.setsid()
        if (order := _next_order(theirs)) is None:
            os._exit(0)
        return order
    theirs.close()
    forks = _Forks(ours)

    class Started(WarmChild):
        def _forks(self, _: Mapping[str, str]) -> _Forks:
            return forks

    subprocess.Popen = Started  # type: ignore[misc] # for all modules of this process
    return None


def _carry_out(order: dict[str, Any]) -> None:
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    os.chdir(order["folder"])
    os.umask(order["umask"])
    if order["own_session"]:
        os.setsid()
    # For those who look for a process; its command line stays that of the one that was forked.
    Path("/proc/self/comm").write_text(order["module"].removeprefix("archiver.running."))
    sys.path[0] = order["folder"]
    sys.argv = [order["module"], *order["words"]]
    sys.orig_argv = [sys.executable, "-m", *sys.argv]
    runpy.run_module(order["module"], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _import_programs()
    gc.freeze()
    if (found := _next_order(socket.socket(fileno=int(sys.argv[1])))) is not None:
        _carry_out(found if found["module"] in _CHILDREN else _fork_children_too() or found)
