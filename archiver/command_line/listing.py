"""Our commands with a line for each, and the list of all: light, so that the list of them loads none."""

from __future__ import annotations

import sys
import textwrap
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from archiver import __version__
from archiver.command_line.suggestions import did_you_mean
from archiver.display.terminal import window_width

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# In the order in which a newcomer needs them.
COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "init": "Write a settings file and a seeds file to begin with",
        "crawl": "Poll what is due, keep the pages, write their articles",
        "browse": "Show the archive in a browser",
        "channels": "List the channels; show, add, poll, pause, resume and remove some",
        "site": "Show how crawls of whole sites go; pause, resume and stop them, plot their text",
        "campaign": "Show how campaigns stand, their best pages and why; judge, rank and export them",
        "mark": "Mark fields on an archived page, in a browser: a price, a court",
        "search": "Find articles by their words; make the search index anew",
        "articles": "List the articles, the newest first",
        "history": "Show the versions of an article, and what changed in each",
        "diff": "Show what is different between two versions of an article",
        "changes": "Show the edits of articles, the newest last",
        "terms": "Show words that are new, that rise and that fall",
        "sparql": "Ask the archive in SPARQL",
        "rdf": "Write articles and comments as RDF: N-Quads or Turtle",
        "induce": "Make rules for fields from values on archived pages",
        "fields": "Show how field wrappers do; test them, write tables of their values",
        "forms": "Look at forms; show, write, prove and link the records behind them",
        "records": "Show what an archived page lists: results, products, a register",
        "captures": "List the captures of a URL, and show the headers of one",
        "runs": "List the runs; tell what failed in one, and why",
        "workers": "List the crawl workers that share a state store, and what each holds",
        "withhold": "Keep a page or a host from being shown; list and lift such orders",
        "rebuild": "Rebuild a channel's page as it was at a time",
        "statistics": "Show types, sizes, update intervals and hints of the feeds",
        "simulate": "Tell what other budgets of polls would have lost",
        "verify": "Check every record, digest, index line and object",
        "store": "Move closed WARC files to the storage, such as S3",
        "recover": "Rebuild a lost state store, and objects that are missing or damaged",
        "extract-record": "Print an archived response",
        "timemap": "Print the captures of a URL as a TimeMap",
        "import": "Take WARC and WACZ files of other programs into the archive",
        "export": "Write objects as Parquet or JSON-L, for analysis",
        "wacz": "Write a part of the archive as one WACZ file, to share",
        "explain": "Show why a part of a page is taken for its article",
        "layout": "Show where the texts and images of an archived page are, and how they look",
        "train": "Fit models of how articles and their fields look",
        "wrappers": "Show what was learned of where articles are on a page",
        "knowledge": "Check and show what is known of the software behind sites",
        "reextract": "Read the captures again, with a better extractor",
        "fetch": "Fetch a URL as the crawl would, and print it; nothing is kept",
        "settings": "List the settings, or print one as it is in force",
    }
)
_NAME_WIDTH = 15
_WIDTH = 79


def module_of(name: str) -> str:
    """A module cannot have a hyphen in its name."""
    return f"archiver.commands.{name.replace('-', '_')}"


def name_of(module: str) -> str:
    return module.rpartition(".")[2].replace("_", "-")


def scrapys_commands() -> list[str]:
    """The names of Scrapy's own commands that we do not replace; Scrapy is not loaded for it."""
    found = find_spec("scrapy")
    folder = Path(found.origin or "").parent / "commands" if found else Path()
    names = {path.stem for path in folder.glob("[!_]*.py")}
    return sorted(names - set(COMMANDS))


def unknown_command(program: str, name: str) -> str:
    meant = did_you_mean(name, [*COMMANDS, *scrapys_commands()], f"`{program} --help` lists them")
    return f"{program}: {name} is not a command: {meant}"


def help_lines(program: str) -> Iterator[str]:
    """What the program prints for `--help`."""
    yield from _folded("", f"archiver {__version__} keeps what the Web publishes through feeds.")
    yield ""
    yield from _folded("", f"Usage: {program} COMMAND [options] [arguments]")
    yield ""
    yield "Commands"
    for name, told in COMMANDS.items():
        yield from _folded(f"  {name:<{_NAME_WIDTH}} ", told)
    yield ""
    yield from _folded("Commands of Scrapy: ", ", ".join(scrapys_commands()))
    yield ""
    yield from _folded("", f"{program} COMMAND --help prints the options of a command.")
    if program == "archiver":
        yield "archiver --version prints the version."


def _folded(head: str, text: str) -> list[str]:
    indent = " " * (len(head) if head.startswith(" ") else 2)
    # A window narrower than this would have a word a line.
    width = max(min(window_width(sys.stdout) or _WIDTH, _WIDTH), 2 * _NAME_WIDTH)
    return textwrap.wrap(text, width, initial_indent=head, subsequent_indent=indent)
