"""`scrapy campaign`: how campaigns stand, their ranking and its reasons, judgements, and exports."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.clock import machine_now
from archiver.command_line.suggestions import did_you_mean
from archiver.display.tables import folded
from archiver.display.terminal import show, window_width
from archiver.errors import ConfigurationError
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_folder, archive_to_read, known_state
from archiver.extensions.telling import as_typed
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Sequence

_NONE = "No campaign was run yet: `scrapy crawl campaign -a file=FILE` starts one."
_RUN_IS_ON = "A run is on: it follows within seconds."


class Command(ArchiveCommand):
    usage = (
        "[list | check FILE | status|top|learn|rank|export|feeds|stop|resume NAME | why|judge NAME URL…] …"
    )
    about = (
        "Show and control campaigns: crawls that fetch the pages most relevant to a subject first. "
        "list (the default) shows all; check reads a campaign file and tells its flaws; status shows what "
        "was spent, the harvest, the queue, the best hosts, and an estimate of the relevant pages that were "
        "not fetched; top lists the best pages with reasons; why tells every part of the score of a page or "
        "an address; judge takes your word on pages, with --yes or --no; learn proposes terms that set "
        "relevant pages apart; rank scores all pages again and writes ranking.jsonl; export writes the best "
        "pages as WACZ; feeds lists the feeds of relevant pages; stop and resume end and continue one. "
        "Exit codes: 0 done; 1 failed, or nothing fits; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON, in place of lines for people")
        parser.add_argument(
            "-n", type=int, default=20, metavar="N", help="with top, learn, rank: how many (20)"
        )
        parser.add_argument("--yes", action="store_true", help="with judge: the pages are relevant")
        parser.add_argument("--no", action="store_true", help="with judge: the pages are not relevant")
        parser.add_argument("--top", type=int, metavar="N", help="with export: the N best pages")
        parser.add_argument("--floor", type=float, metavar="P", help="with export: pages of this relevance")
        parser.add_argument("--wacz", metavar="FILE", help="with export: the file to write")
        parser.add_argument("--opml", metavar="FILE", help="with feeds: write them as OPML")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        action, names = (args[0], args[1:]) if args else ("list", [])
        if action not in _ACTIONS:
            told = did_you_mean(action, list(_ACTIONS), f"choose from {', '.join(_ACTIONS)}")
            raise ConfigurationError(f"{action} is not an action: {told}")
        _check_numbers(opts)
        _ACTIONS[action](self, names, opts)

    def say(self, line: str) -> None:
        print(folded(as_typed(line, self.program), window_width(sys.stdout)))

    def print(self, found: object, lines: Iterable[str], opts: argparse.Namespace) -> None:
        if opts.json:
            lines = [msgspec.json.format(msgspec.json.encode(found), indent=1).decode()]
        show(lines)


def _check_numbers(opts: argparse.Namespace) -> None:
    for name, value in (("-n", opts.n), ("--top", opts.top)):
        if value is not None and value < 1:
            raise ConfigurationError(f"{name} {value}: write a number above 0")
    if opts.floor is not None and not 0 <= opts.floor <= 1:
        raise ConfigurationError(f"--floor {opts.floor:g}: write a number between 0 and 1")


def _one(names: Sequence[str], action: str) -> str:
    if len(names) != 1:
        raise ConfigurationError(
            f"{action} needs the name of one campaign: `scrapy campaign list` shows them"
        )
    return names[0]


def _check(command: Command, names: list[str], opts: argparse.Namespace) -> None:
    from archiver.acquisition.campaigns.reading import load_campaign  # noqa: PLC0415 - no help needs it

    if len(names) != 1:
        raise ConfigurationError("check needs the file of one campaign")
    read = load_campaign(Path(names[0]))
    said = read.definition
    counts = {
        "campaign": said.campaign,
        "keywords": len(said.keywords) + len(read.narrower),
        "entities": len(said.entities),
        "examples": len(said.examples.like) + len(said.examples.unlike),
        "seeds": len(read.seeds),
        "apis": len(said.apis),
        "requests": said.budget.requests,
    }
    told = ", ".join(
        _counted(name, count) for name, count in counts.items() if isinstance(count, int) and count
    )
    line = f"{names[0]} is in order: {said.campaign}, {told}"
    command.print(counts, [folded(line, window_width(sys.stdout))], opts)


def _counted(name: str, count: int) -> str:
    """A count in words: `1 entity`, `2 entities`."""
    single = {"entities": "entity", "apis": "API"}.get(name, name.removesuffix("s"))
    return f"1 {single}" if count == 1 else f"{count} {'APIs' if name == 'apis' else name}"


def _list(command: Command, names: list[str], opts: argparse.Namespace) -> None:
    from archiver.inspection.campaigns.as_text import list_lines  # noqa: PLC0415 - likewise
    from archiver.inspection.campaigns.reading import read_status  # noqa: PLC0415 - likewise
    from archiver.store.campaigns.definitions import all_campaigns  # noqa: PLC0415 - likewise

    if names:
        raise ConfigurationError("list takes no name: `scrapy campaign status NAME` shows one")
    known_state(command.its_settings)
    with command.state() as state:
        now = machine_now()
        found = [read_status(state, one.name, now) for one in all_campaigns(state)]
    if found or opts.json:
        command.print(found, list_lines(found, window_width(sys.stdout)), opts)
    else:
        command.say(_NONE)


def _status(command: Command, names: list[str], opts: argparse.Namespace) -> None:
    from archiver.inspection.campaigns.as_text import status_lines  # noqa: PLC0415 - likewise
    from archiver.inspection.campaigns.reading import read_status  # noqa: PLC0415 - likewise
    from archiver.running.campaign_start import requests_of_last_day  # noqa: PLC0415 - likewise
    from archiver.store.campaigns.definitions import campaign_named  # noqa: PLC0415 - likewise

    known_state(command.its_settings)
    name, now = _one(names, "status"), machine_now()
    warc = archive_folder(command.its_settings) / "warc"
    with command.state() as state:
        of_last_day = requests_of_last_day(warc, campaign_named(state, name), now)
        found = read_status(state, name, now, of_last_day=of_last_day)
    command.print(found, status_lines(found, window_width(sys.stdout)), opts)


def _top(command: Command, names: list[str], opts: argparse.Namespace) -> None:
    from archiver.inspection.campaigns.as_text import top_lines  # noqa: PLC0415 - likewise
    from archiver.inspection.campaigns.reading import read_top  # noqa: PLC0415 - likewise

    known_state(command.its_settings)
    with command.state() as state:
        found = read_top(state, _one(names, "top"), opts.n)
    command.print(found, top_lines(found, window_width(sys.stdout)), opts)


def _why(command: Command, names: list[str], opts: argparse.Namespace) -> None:
    from archiver.inspection.campaigns.as_text import why_lines  # noqa: PLC0415 - likewise
    from archiver.inspection.campaigns.reading import read_why  # noqa: PLC0415 - likewise

    if len(names) != 2:
        raise ConfigurationError("why needs the name of a campaign and one URL")
    known_state(command.its_settings)
    with command.state() as state:
        found = read_why(state, *names)
    command.print(found, why_lines(found, window_width(sys.stdout)), opts)


def _judge(command: Command, names: list[str], opts: argparse.Namespace) -> None:
    if len(names) < 2 or opts.yes == opts.no:
        raise ConfigurationError("judge needs a campaign, at least one URL, and --yes or --no")
    _check_fetched(command, names[0], names[1:])
    for url in names[1:]:
        _order(command, "relevant" if opts.yes else "irrelevant", names[0], url)
    command.say(
        f"{names[0]}: judged {len(names) - 1}. `scrapy campaign rank {names[0]}` scores all pages again."
    )


def _check_fetched(command: Command, name: str, urls: Sequence[str]) -> None:
    """All of them, before any is judged."""
    from archiver.inspection.campaigns.reading import read_why  # noqa: PLC0415 - likewise

    known_state(command.its_settings)
    with command.state() as state:
        for url in urls:
            if read_why(state, name, url).relevance is None:
                raise ConfigurationError(f"{name} has not fetched {redact(url)}: only pages are judged")


def _end(action: str) -> Callable[[Command, list[str], argparse.Namespace], None]:
    def ordered(command: Command, names: list[str], _: argparse.Namespace) -> None:
        from archiver.acquisition.campaigns.model import CampaignState  # noqa: PLC0415 - likewise
        from archiver.store.campaigns.definitions import campaign_named  # noqa: PLC0415 - likewise

        name = _one(names, action)
        _order(command, action, name)
        done = {
            "stop": "stopped. What is archived stays; `scrapy campaign resume {}` lets it go on.",
            "resume": "resumed. `scrapy crawl campaign -a file=FILE` goes on with it.",
        }
        over = {CampaignState.SPENT: "its budget is spent", CampaignState.ENDED: "its days are over"}
        with command.state() as state:
            why = over.get(campaign_named(state, name).state)
        told = f"{why}. Write more into its file, and run it again." if why else done[action].format(name)
        command.say(f"{name}: {told}")

    return ordered


def _order(command: Command, action: str, name: str, url: str = "") -> None:
    """Leave what is wanted for the run, or do it where none is on."""
    from archiver.archive.inbox import leave  # noqa: PLC0415 - likewise
    from archiver.extensions.ordering import take_up  # noqa: PLC0415 - likewise
    from archiver.store.campaigns.definitions import campaign_named  # noqa: PLC0415 - likewise
    from archiver.store.campaigns.orders import KIND, CampaignAction, CampaignOrder  # noqa: PLC0415 - likewise

    archive_to_read(command.its_settings)
    known_state(command.its_settings)
    command.set_umask()
    with command.state() as state:
        campaign_named(state, name)
    folder = archive_folder(command.its_settings)
    order = CampaignOrder(action=CampaignAction(action), campaign=name, url=url)
    leave(folder, KIND, order, machine_now())
    problems = take_up(command.its_settings, folder)
    if problems is None:
        command.say(_RUN_IS_ON)
    for problem in problems or ():
        command.fail(problem)


def _more(name: str) -> Callable[[Command, list[str], argparse.Namespace], None]:
    def done(command: Command, names: list[str], opts: argparse.Namespace) -> None:
        from archiver.extensions import campaign_results  # noqa: PLC0415 - likewise

        known_state(command.its_settings)
        getattr(campaign_results, name)(command, _one(names, name), opts)

    return done


_ACTIONS: dict[str, Callable[[Command, list[str], argparse.Namespace], None]] = {
    "list": _list,
    "check": _check,
    "status": _status,
    "top": _top,
    "why": _why,
    "judge": _judge,
    "learn": _more("learn"),
    "rank": _more("rank"),
    "export": _more("export"),
    "feeds": _more("feeds"),
    "stop": _end("stop"),
    "resume": _end("resume"),
}
