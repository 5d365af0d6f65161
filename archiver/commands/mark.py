"""`scrapy mark`: fields are marked on an archived page, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.update import missing_indexes
from archiver.archive.retrieval import find_capture, similar_urls
from archiver.commands.extract_record import tell_instead
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import moment_from, one_url
from archiver.extensions.places import archive_to_read
from archiver.extensions.serving import ServingCommand
from archiver.fields.checks import NAME
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse


class Command(ServingCommand):
    usage = "URL [--name NAME] [--at TIME] [--port N] [--host ADDRESS] [--no-open]"
    about = (
        "Mark fields on an archived page, in a browser: click on a value and name it. The rules that lead to "
        "it are shown with what they find on pages like this one, and saved as a field wrapper, "
        "ARCHIVE_DIR/wrappers/NAME.yaml. Scripts of the page never run. The server is that of `scrapy "
        "browse`: only this machine can ask. Ctrl-C ends it. "
        "Exit codes: 0 ended; 1 the page is not in the archive, or withheld; 2 wrong usage."
    )
    port = 0

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--name", default="", metavar="NAME", help="the wrapper, a new one or one that is there"
        )
        parser.add_argument("--at", metavar="TIME", help="the capture nearest to this time, not the newest")
        super().own_options(parser)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        url, at = one_url(args), moment_from(opts.at)
        if opts.name and not NAME.fullmatch(opts.name):
            raise ConfigurationError(f"--name {opts.name}: use small letters, digits, - and _")
        folder, withheld = archive_to_read(self.its_settings), self.withheld()
        withheld.refuse(url)
        index = Index(folder / "index", withheld.hides)
        if find_capture(index, url, at) is None:
            self.fail(f"{redact(url)} is not in the archive")
            unread = missing_indexes(folder / "warc", folder / "index")
            tell_instead(similar_urls(index, url), unread, self.program)
            return
        given = {"url": url, "at": opts.at, "name": opts.name}
        page = urlencode({name: value for name, value in given.items() if value})
        self.serve(opts, f"mark?{page}", "The page to mark")
