"""Starts our programs by forking a process that has imported them: most of a short crawl is imports.

What is started is a process like any other, with its own arguments, environment, folder, pipes and exit code.
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
import time
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).resolve().parents[1]
_PROGRAMS = {"archiver", "scrapy"}
_PR_SET_CHILD_SUBREAPER = 36  # <linux/prctl.h>
_LARGEST_ORDER = 1 << 17
# What a crawl imports only as it begins.
_LATE = (
    "scrapy.core.downloader.contextfactory",
    "scrapy.core.downloader.handlers.http11",
    "scrapy.core.engine",
    "scrapy.core.scheduler",
    "scrapy.crawler",
    "scrapy.downloadermiddlewares.defaultheaders",
    "scrapy.downloadermiddlewares.downloadtimeout",
    "scrapy.downloadermiddlewares.useragent",
    "scrapy.extensions.corestats",
    "scrapy.extensions.logcount",
    "scrapy.extensions.memusage",
    "scrapy.spiderloader",
    "scrapy.spidermiddlewares.referer",
    "scrapy.spidermiddlewares.start",
    "scrapy.statscollectors",
    "sqlalchemy.dialects.sqlite.pysqlite",
    "twisted.internet.asyncioreactor",
)
_ROOMS = ("commands", "extensions", "handlers", "middlewares", "pipelines", "profiles", "spiders")


class WarmProcess(subprocess.Popen[str]):
    """A `Popen` of `python -m scrapy …` or `python -m archiver …` that need not import them."""

    def _execute_child(self, args: list[str], *others: Any, **_: object) -> None:
        # As CPython calls it: …, cwd, env, startupinfo, creationflags, shell, and both ends of three pipes.
        folder, environment = others[4:6]
        ends = others[9:15]
        order = {
            "module": args[2],
            "words": args[3:],
            "folder": str(folder),
            "environment": dict(environment),
        }
        given = [ends[0] if ends[0] != -1 else sys.__stdin__.fileno(), ends[3], ends[5]]  # type: ignore[union-attr]
        self.pid = _server(frozenset(_interpreter_variables(environment).items())).start(order, given)
        self._child_created = True
        for end in (ends[0], ends[3], ends[5]):
            if end != -1:
                os.close(end)


def process_for(command: Sequence[str], environment: Mapping[str, str]) -> type[subprocess.Popen[str]]:
    """The quickest way to start this: a fork, if it is a program of ours and Python is to run as here."""
    ours = command[:2] == [sys.executable, "-m"] and command[2] in _PROGRAMS
    asked = _interpreter_variables(environment)
    usual = asked == _AS_IMPORTED or asked.get("PYTHONPATH", "").startswith(_LEARNING)
    return WarmProcess if sys.platform == "linux" and ours and usual else subprocess.Popen


def _interpreter_variables(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith("PYTHON")}


# Before any test has changed them.
_AS_IMPORTED = _interpreter_variables(os.environ)
# What brings the method of tests/learning in; many tests have it.
_LEARNING = str(ROOT / "tests" / "learning")


class _Server:
    """The process that is forked, as seen by the tests; it ends with them."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-m", "tests.warm", str(theirs.fileno())]
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
            | dict(variables),
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        theirs.close()

    def start(self, order: Mapping[str, Any], files: list[int]) -> int:
        """Have a process started, and become its parent, so that its exit code can be waited for."""
        _adopt_orphans(yes=True)
        try:
            socket.send_fds(self._link, [json.dumps(order).encode()], files)
            answer = self._link.recv(_LARGEST_ORDER)
        finally:
            # Later orphans, such as the workers of a crawl that is killed, go where they always go.
            _adopt_orphans(yes=False)
        return int(answer)


@cache
def _server(variables: frozenset[tuple[str, str]]) -> _Server:
    return _Server(dict(variables))


def _adopt_orphans(*, yes: bool) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, int(yes), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl failed")


def _import_programs() -> None:
    import_module("scrapy.cmdline")
    for room in _ROOMS:
        for module in iter_modules([str(ROOT / "archiver" / room)], f"archiver.{room}."):
            import_module(module.name)
    for name in _LATE:
        import_module(name)
    if "twisted.internet.reactor" in sys.modules:
        raise RuntimeError("an import has installed a reactor: every process must choose its own")


def _next_order(link: socket.socket) -> dict[str, Any] | None:
    """Fork for every order, and return it in the process that carries it out; None when tests are over."""
    while True:
        message, files, _, _ = socket.recv_fds(link, _LARGEST_ORDER, 3)
        if not message:
            return None
        order = json.loads(message)
        if (number := _fork_orphan()) == 0:
            for place, file in enumerate(files):
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


def _carry_out(order: dict[str, Any]) -> None:
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    os.chdir(order["folder"])
    sys.path[0] = order["folder"]
    sys.argv = [order["module"], *order["words"]]
    runpy.run_module(order["module"], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _import_programs()
    gc.freeze()
    if (found := _next_order(socket.socket(fileno=int(sys.argv[1])))) is not None:
        _carry_out(found)
