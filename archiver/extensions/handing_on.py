"""Settings that were typed for a command, handed on to a crawl that it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from archiver.extensions.command import ArchiveCommand

# Settings of the browser alone; a password is not shown in the list of processes twice.
_NOT_OF_CRAWLS = ("BROWSE_", "REPLAY_PYWB=", "LOG_FILE=")


def typed_options(command: ArchiveCommand, opts: argparse.Namespace) -> Iterator[str]:
    """The words of a crawl's command line that repeat what was typed."""
    for word in command.typed:
        if not word.startswith(_NOT_OF_CRAWLS):
            yield from ("-s", word)
    if opts.config:
        yield from ("--config", opts.config)
    if command.program == "archiver" and opts.profile:
        yield from ("--profile", opts.profile)
