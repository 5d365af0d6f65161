"""`scrapy site`: how far crawls of whole sites are, and orders for them; plot, detect, patterns, simulate."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from archiver.clock import machine_now
from archiver.command_line.suggestions import did_you_mean
from archiver.display.tables import folded
from archiver.display.terminal import Colours, show, window_width
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import output_file
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_folder, archive_to_read, clock, known_state
from archiver.extensions.site_patterns import add_patterns_options, patterns
from archiver.extensions.site_simulation import add_simulate_options, simulate
from archiver.extensions.telling import as_typed
from archiver.files import write_text
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from sqlalchemy import Connection

    from archiver.inspection.sites.model import SiteDetails
    from archiver.store.whole_sites.orders import SiteAction

_NONE = "No site has been crawled yet: `scrapy crawl site -a url=URL` starts one."
_RUN_IS_ON = "A crawl is running: it follows within seconds if it crawls sites."
_DONE = {
    "pause": "paused. `scrapy site resume {url}` continues it.",
    "resume": "resumed. `scrapy crawl site` continues it.",
    "stop": "stopped. Everything archived so far stays; `scrapy site resume {url}` continues it.",
}


class Command(ArchiveCommand):
    usage = (
        "[status [URL] | pause|resume|stop URL… | plot URL -o FILE.svg | detect URL|FILE | "
        "patterns URL | simulate URL] …"
    )
    about = (
        "Show and control crawls of whole sites. status (the default) lists the sites: state, software, "
        "strategy, documents visited, waiting and skipped, articles, comments, and how much of the text is "
        "new; with a URL, it shows everything about one site, including broken links and the pages that "
        "contain them. pause suspends a crawl until resume, and stop ends it; both work while the crawl "
        "runs. plot draws the amount of text over requests. detect shows which software an archived page or "
        "an HTML file was made with: type, level, patterns that matched, and what each action finds. "
        "patterns shows which links of a site lead to new text, as the crawl has learned it, and with -o "
        "writes them to a file that other sites can start with. "
        "simulate runs strategies of crawling on the captured pages of a site, without a request. "
        "The number of a site can be given instead of its URL. "
        "Exit codes: 0 done; 1 failed, or no such site; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--json",
            action="store_true",
            help="with status, detect, patterns and simulate: print one JSON object",
        )
        parser.add_argument(
            "--at",
            metavar="TIME",
            help="with detect: use the capture nearest to this time instead of the newest",
        )
        parser.add_argument(
            "-o", "--output", metavar="FILE", help="with plot and patterns: the file to write"
        )
        add_patterns_options(parser)
        add_simulate_options(parser)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        action, names = _action(args)
        _ACTIONS[action](self, names, opts)

    def say(self, line: str) -> None:
        print(folded(as_typed(line, self.program), window_width(sys.stdout)))


def _action(args: list[str]) -> tuple[str, list[str]]:
    """What to do, and with which sites; an address alone asks for its status."""
    if not args:
        return "status", []
    if args[0] in _ACTIONS:
        return args[0], args[1:]
    if "." in args[0] or "/" in args[0] or ":" in args[0] or args[0].isdecimal():
        return "status", args
    told = did_you_mean(args[0], list(_ACTIONS), f"choose from {', '.join(_ACTIONS)}")
    raise ConfigurationError(f"{args[0]} is not an action: {told}")


# ── What is known ────────────────────────────────────────────────────────────────────────────────────────


def _status(command: Command, names: list[str], opts: argparse.Namespace) -> None:
    if len(names) > 1:
        raise ConfigurationError("Name one site, or none for all")
    known_state(command.its_settings)
    with command.state() as state:
        if names:
            _show_one(_details(command, state, names[0]), opts)
        else:
            _show_all(command, state, opts)


def _show_one(found: SiteDetails, opts: argparse.Namespace) -> None:
    from archiver.inspection.sites.as_text import site_lines  # noqa: PLC0415 - no help needs it

    if opts.json:
        _print_json(found)
    else:
        show(site_lines(found, width=window_width(sys.stdout), paint=Colours(sys.stdout).paint))


def _show_all(command: Command, state: Connection, opts: argparse.Namespace) -> None:
    from archiver.inspection.sites.as_text import site_table  # noqa: PLC0415 - likewise
    from archiver.inspection.sites.listing import read_sites  # noqa: PLC0415 - likewise

    settings = command.its_settings
    found = read_sites(state, archive_folder(settings), clock(settings).now(), command.withheld(state))
    if opts.json:
        _print_json(found)
    elif found.sites:
        show(site_table(found, width=window_width(sys.stdout), paint=Colours(sys.stdout).paint))
    else:
        command.say(_NONE)


def _details(command: Command, state: Connection, name: str) -> SiteDetails:
    from archiver.inspection.sites.details import SitePlaces, read_site, site_number  # noqa: PLC0415 - likewise

    settings = command.its_settings
    places = SitePlaces(state=state, folder=archive_folder(settings), withheld=command.withheld(state))
    return read_site(places, site_number(state, name), clock(settings).now())


def _print_json(found: msgspec.Struct) -> None:
    show([msgspec.json.format(msgspec.json.encode(found), indent=1).decode()])


def _plot(command: Command, names: list[str], opts: argparse.Namespace) -> None:
    from archiver.inspection.sites.plot import text_file, text_words  # noqa: PLC0415 - likewise

    if len(names) != 1 or not opts.output:
        raise ConfigurationError("Name one site, and a file with -o FILE.svg")
    path = output_file("-o", opts.output)
    known_state(command.its_settings)
    with command.state() as state:
        found = _details(command, state, names[0])
    write_text(path, text_file(found.curve, title=f"Text over requests: {found.site.url}"))
    command.say(f"{path}: {text_words(found.curve)}")


def _detect(command: Command, names: list[str], opts: argparse.Namespace) -> None:
    from archiver.extensions.site_detection import detect  # noqa: PLC0415 - likewise

    detect(command, names, opts)


# ── What is wanted ───────────────────────────────────────────────────────────────────────────────────────


def _order(name: str) -> Callable[[Command, list[str], argparse.Namespace], None]:
    def ordered(command: Command, names: list[str], _: argparse.Namespace) -> None:
        from archiver.store.whole_sites.orders import SiteAction  # noqa: PLC0415 - likewise

        if not names:
            raise ConfigurationError(f"{name} needs at least one site: `scrapy site status` lists them")
        archive_to_read(command.its_settings)
        known_state(command.its_settings)
        command.set_umask()
        for site in names:
            _give(command, SiteAction(name), site)

    return ordered


def _give(command: Command, action: SiteAction, name: str) -> None:
    """Leave the order, unless the site is in no state for it."""
    from archiver.archive.inbox import leave  # noqa: PLC0415 - likewise
    from archiver.extensions.ordering import take_up  # noqa: PLC0415 - likewise
    from archiver.inspection.sites.details import site_number  # noqa: PLC0415 - likewise
    from archiver.store.whole_sites.orders import FROM, KIND, SiteOrder  # noqa: PLC0415 - likewise
    from archiver.store.whole_sites.sites import site_by_id  # noqa: PLC0415 - likewise

    with command.state() as state:
        site = site_by_id(state, site_number(state, name))
    if site.state not in FROM[action]:
        command.fail(f"{redact(site.url)} is {site.state}: nothing to {action}")
        return
    folder = archive_folder(command.its_settings)
    leave(folder, KIND, SiteOrder(action=action, url=site.url), machine_now())
    problems = take_up(command.its_settings, folder)
    command.say(f"{site.url}: {_DONE[action].format(url=site.url)}")
    if problems is None:
        command.say(_RUN_IS_ON)
    for problem in problems or ():
        command.fail(problem)


_ACTIONS: dict[str, Callable[[Command, list[str], argparse.Namespace], None]] = {
    "status": _status,
    "pause": _order("pause"),
    "resume": _order("resume"),
    "stop": _order("stop"),
    "plot": _plot,
    "detect": _detect,
    "patterns": patterns,
    "simulate": simulate,
}
