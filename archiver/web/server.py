"""The server: one process, one port for the application, and another for frames, which is another origin."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import uvicorn

from archiver.errors import ConfigurationError
from archiver.web.application import application
from archiver.web.crawling import ARCHIVER, SiteCrawls
from archiver.web.frames import frames_application
from archiver.web.framing import Frames
from archiver.web.guard import GuardRules, is_loopback
from archiver.web.replaying.process import Pywb

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from starlette.types import ASGIApp, Receive, Scope, Send

    from archiver.web.crawling import CrawlProgram
    from archiver.web.opened import ArchiveReader

_BACKLOG = 100
# Of a request, in bytes: the address of a page with marks has all of these in it.
LARGEST_HEAD = 256 << 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """Where to listen, under which names, and with which password."""

    host: str = "127.0.0.1"
    port: int = 0  # 0: any that is free
    names: tuple[str, ...] = ()
    password: str | None = None
    # The interpreter that has pywb, where pages can be replayed with their scripts.
    pywb: Path | None = None
    # How a crawl of a site is begun.
    crawls: CrawlProgram = ARCHIVER


class _ByPort:
    """Each port has an application of its own."""

    def __init__(self, applications: Mapping[int, ASGIApp]) -> None:
        self._applications = applications

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._applications[scope["server"][1]](scope, receive, send)


def serve(reader: ArchiveReader, options: ServerOptions, ready: Callable[[str], None]) -> None:
    """Answer until Ctrl-C; `ready` is called with the address once it can be asked."""
    if not is_loopback(options.host) and not options.password:
        raise ConfigurationError(
            f"--host {options.host} lets other machines in: set BROWSE_PASSWORD first, or leave --host out"
        )
    pages, frames = _listening(options.host, options.port), _listening(options.host, 0)
    shown = f"[{options.host}]" if ":" in options.host else options.host
    ports = pages.getsockname()[1], frames.getsockname()[1]
    rules = GuardRules(
        names=options.names, password=options.password, pages_port=ports[0], frames_port=ports[1]
    )
    with pages, frames, ExitStack() as stack:
        pywb = stack.enter_context(Pywb(options.pywb, reader.folder)) if options.pywb else None
        shown_in = Frames(port=ports[1], pywb=pywb)
        applications = {
            ports[0]: application(reader, rules, shown_in, SiteCrawls(reader.folder, options.crawls)),
            ports[1]: frames_application(reader, rules, shown_in),
        }
        ready(f"http://{shown}:{ports[0]}/")
        # h11 alone: what compiles nothing works everywhere. No lines for each request on a person's terminal.
        config = uvicorn.Config(
            _ByPort(applications),
            http="h11",
            h11_max_incomplete_event_size=LARGEST_HEAD,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        stack.callback(reader.workers.close)
        uvicorn.Server(config).run(sockets=[pages, frames])


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        found.close()
        told = getattr(error, "strerror", None) or str(error)
        raise ConfigurationError(
            f"Nothing can be served at {host}, port {port} ({told}): choose another with --port"
        ) from error
    return found
