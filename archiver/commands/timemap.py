"""`scrapy timemap`: the captures of an address as a list that Memento clients read."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.update import missing_indexes
from archiver.archive.memento.captures import captures_of
from archiver.archive.memento.timemap import Addresses, link_format
from archiver.archive.retrieval import similar_urls
from archiver.commands.extract_record import tell_instead
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import one_url
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.urls import is_web, redact, request_url

if TYPE_CHECKING:
    import argparse

# Where pywb serves a collection called `archive`, unless it is told otherwise.
DEFAULT_BASE_URL = "http://localhost:8080/archive/"


class Command(ArchiveCommand):
    usage = "URL [--base-url PREFIX]"
    about = (
        "Print the captures of a URL, the oldest first, as a TimeMap of RFC 7089 in link format: full "
        "answers, redirects, and captures that refer to an earlier one; not failures. "
        "Exit codes: 0 printed; 1 no such capture is in the archive; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--base-url",
            metavar="PREFIX",
            default=DEFAULT_BASE_URL,
            help=f"where the archive is served (default: {DEFAULT_BASE_URL})",
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        url, addresses = one_url(args), _addresses(opts.base_url)
        folder = archive_to_read(self.its_settings)
        withheld = self.withheld()
        withheld.refuse(url)
        index = Index(folder / "index", withheld.hides)
        captures = captures_of(index, url)
        if not captures:
            self.fail(f"{url} has no memento in the archive")
            # It may be there itself, with failures only.
            others = [one for one in similar_urls(index, url) if one != request_url(url)]
            tell_instead(others, missing_indexes(folder / "warc", folder / "index"), self.program)
            return
        sys.stdout.write(link_format(request_url(url), captures, addresses))


def _addresses(base_url: str) -> Addresses:
    if not is_web(base_url):
        told = f"--base-url {redact(base_url)}: write an address such as {DEFAULT_BASE_URL}"
        raise ConfigurationError(told)
    return Addresses(base_url)
