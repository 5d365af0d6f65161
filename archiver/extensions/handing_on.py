"""Settings that were typed for a command, handed on to a crawl that it starts."""

from __future__ import annotations

import subprocess
import sys
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


def crawl_forms(command: ArchiveCommand, opts: argparse.Namespace, *arguments: str, failed: str) -> bool:
    """Have a crawl of forms ask for something; False where that failed, which is told."""
    words = [word for one in arguments for word in ("-a", one)]
    words += ["-s", "SUMMARY=False", *typed_options(command, opts)]
    done = subprocess.run(  # noqa: S603 - our own program, and no shell reads the words
        [sys.executable, "-m", command.program, "crawl", "forms", *words],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.stderr.write(done.stdout)
        command.fail(failed, exit_code=done.returncode)
    return not done.returncode
