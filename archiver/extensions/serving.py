"""Commands that show the archive in a browser: the same server, and another page to begin with."""

from __future__ import annotations

import os
import sys
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from archiver.errors import ConfigurationError
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.handing_on import typed_options
from archiver.extensions.places import archive_to_read, clock, state_url, wrappers_folder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

_LAST_PORT = 65535
# One of these is set where a window can be opened.
_WINDOWS = {"DISPLAY", "WAYLAND_DISPLAY"}


class ServingCommand(ArchiveCommand):
    """Shows the archive until Ctrl-C."""

    # Where it listens, unless it is told otherwise.
    port: ClassVar[int]

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        told = f"default: {self.port}; 0: any that is free" if self.port else "default: any that is free"
        parser.add_argument("--port", type=int, default=self.port, metavar="N", help=told)
        parser.add_argument(
            "--host",
            default="127.0.0.1",
            metavar="ADDRESS",
            help="where to listen (default: 127.0.0.1)",
        )
        parser.add_argument("--no-open", action="store_true", help="only print the address")

    def serve(self, opts: argparse.Namespace, page: str = "", told: str = "The archive") -> None:
        """Answer until Ctrl-C; a browser is shown a page of it, which is told as what it is."""
        if not 0 <= opts.port <= _LAST_PORT:
            raise ConfigurationError(f"--port {opts.port}: write a number up to {_LAST_PORT}")
        folder = archive_to_read(self.its_settings)
        self.set_umask()
        from archiver.web.crawling import CrawlProgram  # noqa: PLC0415
        from archiver.web.opened import ArchiveReader  # noqa: PLC0415 - no help needs it
        from archiver.web.replaying.program import pywb_interpreter  # noqa: PLC0415
        from archiver.web.server import ServerOptions, serve  # noqa: PLC0415

        settings = self.its_settings
        reader = ArchiveReader(folder, state_url(settings), clock(settings), wrappers_folder(settings))
        with reader.opened():
            pass  # fail now if the archive cannot be read, not on every page
        options = ServerOptions(
            host=opts.host,
            port=opts.port,
            names=tuple(name.lower() for name in self.its_settings.getlist("BROWSE_NAMES")),
            password=self.its_settings["BROWSE_PASSWORD"] or None,
            pywb=pywb_interpreter(self.its_settings["REPLAY_PYWB"] or None),
            crawls=CrawlProgram(
                program=(sys.executable, "-m", self.program), options=tuple(self._options_of_crawls(opts))
            ),
        )
        with suppress(KeyboardInterrupt):  # that is how it ends
            serve(reader, options, lambda url: _tell_ready(told, url + page, is_opened=not opts.no_open))

    def _options_of_crawls(self, opts: argparse.Namespace) -> Iterator[str]:
        """The settings that were typed hold for crawls that are begun in the browser, too."""
        yield from ("-s", "LOG_LEVEL=INFO")
        yield from typed_options(self, opts)


def _tell_ready(what: str, url: str, *, is_opened: bool) -> None:
    sys.stdout.write(f"{what} is at {url}  (Ctrl-C ends)\n")
    sys.stdout.flush()
    # Without a display, `webbrowser` would start a text browser in this terminal.
    if is_opened and (sys.platform in {"darwin", "win32"} or _WINDOWS & os.environ.keys()):
        webbrowser.open(url)
