"""`scrapy browse`: the archive in a browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING

from archiver.errors import ConfigurationError
from archiver.extensions.arguments import refuse_arguments
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read, clock, state_url

if TYPE_CHECKING:
    import argparse

_PORT = 8040
_LAST_PORT = 65535
# One of these is set where a window can be opened.
_WINDOWS = {"DISPLAY", "WAYLAND_DISPLAY"}


class Command(ArchiveCommand):
    usage = "[--port N] [--host ADDRESS] [--no-open]"
    about = (
        "Show the archive in a browser: channels, articles, what changed, captures. Reads only, also while "
        "a crawl runs. Only this machine can ask, unless --host names another address, for which "
        "BROWSE_PASSWORD has to be set. Ctrl-C ends it. "
        "Exit codes: 0 ended; 1 the archive cannot be read; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=_PORT, metavar="N", help=f"default: {_PORT}; 0: any")
        parser.add_argument(
            "--host",
            default="127.0.0.1",
            metavar="ADDRESS",
            help="where to listen (default: 127.0.0.1)",
        )
        parser.add_argument("--no-open", action="store_true", help="only print the address")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        refuse_arguments(args)
        if not 0 <= opts.port <= _LAST_PORT:
            raise ConfigurationError(f"--port {opts.port}: write a number up to {_LAST_PORT}")
        folder = archive_to_read(self.its_settings)
        from archiver.web.opened import ArchiveReader  # noqa: PLC0415 - no help needs it
        from archiver.web.replaying.program import pywb_interpreter  # noqa: PLC0415
        from archiver.web.server import ServerOptions, serve  # noqa: PLC0415

        reader = ArchiveReader(folder, state_url(self.its_settings), clock(self.its_settings))
        with reader.opened():
            pass  # an archive that cannot be read is told here, not in every page
        options = ServerOptions(
            host=opts.host,
            port=opts.port,
            names=tuple(name.lower() for name in self.its_settings.getlist("BROWSE_NAMES")),
            password=self.its_settings["BROWSE_PASSWORD"] or None,
            pywb=pywb_interpreter(self.its_settings["REPLAY_PYWB"] or None),
        )
        with suppress(KeyboardInterrupt):  # that is how it ends
            serve(reader, options, lambda url: _tell_ready(url, is_opened=not opts.no_open))


def _tell_ready(url: str, *, is_opened: bool) -> None:
    print(f"The archive is at {url}  (Ctrl-C ends)", flush=True)
    # Where there is no window, a browser of the terminal would take it over.
    if is_opened and (sys.platform in {"darwin", "win32"} or _WINDOWS & os.environ.keys()):
        webbrowser.open(url)
