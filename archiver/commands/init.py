"""`archiver init`: a commented settings file and a seeds file, to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from archiver.command_line.layers import FILE_NAME
from archiver.errors import ConfigurationError
from archiver.extensions.command import ArchiveCommand

if TYPE_CHECKING:
    import argparse

SEEDS_NAME = "seeds.txt"
SETTINGS = """\
# Settings of this archive. Lines without # count; everything else has its
# default: `archiver settings` lists all settings with their values.
# Stronger than this file: --config FILE, variables such as ARCHIVER_CONTACT,
# and -s NAME=VALUE. Weaker: your own file, ~/.config/archiver/archiver.toml.

# Who runs this archive, for the WARC files; and where sites can reach you,
# for the User-Agent. Set both before the first real run.
# OPERATOR = "City Library"
# CONTACT = "https://library.example/web-archive"

# The folder of the archive, relative to this file.
ARCHIVE_DIR = "archive"

# Polls for each channel and day, on average. Less is lighter on sites, more
# is sooner.
# POLL_BUDGET = 12

# What is kept with a page: "none", "article" (its images), "look" (its style
# sheets too) or "page" (whatever it needs to be shown).
# REQUISITES = "look"

# Seconds between two requests to a host.
# DOWNLOAD_DELAY = 1

# How many processes read pages; 0: as many as there are processors.
# EXTRACT_WORKERS = 0

# Settings of components of your own, which would be unknown above, stand
# below this line.
[extra]
"""
SEEDS = """\
# What to archive: the address of a feed or a site on each line. Labels and an
# interval may follow it. An OPML file of your feed reader works as well:
# `archiver crawl FILE.opml`.
#
# https://example.org/feed.xml
# https://example.org/news.atom  label=News every=2h
"""


class Command(ArchiveCommand):
    usage = "[FOLDER]"
    about = (
        f"Write {FILE_NAME} and {SEEDS_NAME} into a folder, which is made if it is not there; without "
        "one, into the working folder. A file that exists is left as it is. "
        "Exit codes: 0 both are there; 1 the folder cannot be written; 2 wrong usage."
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - of every command
        if len(args) > 1:
            raise ConfigurationError(f"Name one folder; got {' '.join(args)}")
        folder = Path(args[0] if args else ".").expanduser()
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in ((FILE_NAME, SETTINGS), (SEEDS_NAME, SEEDS)):
            _write(folder / name, text)
        print(_next_steps(folder))


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        print(f"{path} is there already, and stays as it is")
    else:
        print(f"{path} written")


def _next_steps(folder: Path) -> str:
    steps = [
        f"set CONTACT and OPERATOR in {FILE_NAME}",
        f"write the addresses of feeds or sites into {SEEDS_NAME}",
        f"archiver crawl {SEEDS_NAME}",
    ]
    if folder.absolute() != Path.cwd():
        steps.insert(0, f"cd {folder}")
    return "\n".join(
        ["", "What to do next:", *(f"  {number}. {step}" for number, step in enumerate(steps, 1))]
    )
