"""`scrapy channels`: what is polled, when next and why; show, add, history, pause, resume, remove."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

from archiver.acquisition.channels.polling.listing import channel_table, chosen, schedule_now
from archiver.acquisition.seeds import Seed, parse_interval
from archiver.acquisition.seeds.address import url_flaw, web_address
from archiver.acquisition.seeds.dropping import stays_in_words
from archiver.acquisition.seeds.model import BY_HAND
from archiver.archive.lock import refuse_foreign
from archiver.clock import machine_now
from archiver.command_line.suggestions import did_you_mean
from archiver.display.tables import folded
from archiver.display.terminal import Colours, show, window_width
from archiver.errors import ArchiverError, ConfigurationError
from archiver.extensions.arguments import CHANNELS_LISTED, named_channels, since_from
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_folder, clock, known_state, state_url
from archiver.extensions.telling import as_typed
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence
    from datetime import datetime, timedelta

    from sqlalchemy import Row

    from archiver.acquisition.channels.polling.details import Surroundings
    from archiver.acquisition.seeds.export import ExportedChannel
    from archiver.store.database import Database
    from archiver.store.reading import ReadOnly

_STATUSES = ("active", "paused", "retired", "unlisted", "merged")
_ACTIONS = ("list", "show", "add", "poll", "history", "pause", "resume", "remove")
_NO_CHANNELS = "No channels: add some with `scrapy channels add URL` or `scrapy crawl feeds -a seeds=FILE`."
_NO_SUCH_CHANNEL = "No channel is like that: `scrapy channels` without options lists all."
# These work beside a run, and on an archive that may not be written to.
_READING = ("list", "show")


class Command(ArchiveCommand):
    usage = "[ACTION [CHANNEL… | URL…]] [options]"
    about = (
        "Actions: list (the default) shows all channels in a table; show tells all that is known of a "
        "CHANNEL, with its next poll and the reason for it; add takes the URLs of feeds or sites; poll "
        "makes a CHANNEL due for the next crawl; history has the next crawl fetch what a CHANNEL published "
        "before its first poll; pause stops its polls until resume, which also makes it "
        "due; remove stops them for good, and everything that was kept stays. A CHANNEL is the number in "
        "the list, or a URL; poll also takes a label. "
        "Exit codes: 0 done; 1 failed; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--label",
            action="append",
            default=[],
            help="with list: only channels with this label; with add: a label (may be repeated)",
        )
        parser.add_argument("--all", action="store_true", help="with poll: all channels")
        parser.add_argument("--every", metavar="INTERVAL", help="with add: poll at this interval, such as 2h")
        parser.add_argument(
            "--since", metavar="DATE", help="with history: only what was published from this time or day on"
        )
        parser.add_argument(
            "--limit", type=int, metavar="N", help="with history: this many entries at most, the newest first"
        )
        parser.add_argument("--stop", action="store_true", help="with history: ask for no more of it")
        parser.add_argument("--status", choices=_STATUSES, help="with list: only channels of this status")
        parser.add_argument("--failing", action="store_true", help="with list and poll: only those that fail")
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="with list: as a list of JSON objects")
        form.add_argument(
            "--opml", action="store_true", help="with list: as OPML, which is a seeds file, too"
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        from archiver.store.lost import refuse_lost_state  # noqa: PLC0415 - no help needs it

        action, names = (args[0], args[1:]) if args else ("list", [])
        _check_usage(action, names, is_group=opts.failing or opts.all)
        refuse_lost_state(state_url(self.its_settings), archive_folder(self.its_settings))
        is_reader = action in _READING
        if not is_reader:
            self.set_umask()
        if action == "add":
            refuse_foreign(archive_folder(self.its_settings))
            archive_folder(self.its_settings).mkdir(parents=True, exist_ok=True)
        else:
            known_state(self.its_settings)
        with closing(self._opened(is_reader=is_reader)) as database:
            self._run(database, action, names, opts)

    def _opened(self, *, is_reader: bool) -> Database | ReadOnly:
        url = state_url(self.its_settings)
        if is_reader:
            from archiver.store.reading import ReadOnly  # noqa: PLC0415 - no help needs it

            return ReadOnly(url)
        from archiver.store.database import Database  # noqa: PLC0415 - the list has no use for it

        return Database(url)

    def _run(
        self, database: Database | ReadOnly, action: str, names: list[str], opts: argparse.Namespace
    ) -> None:
        if action == "list":
            self._list(database, opts)
        elif action == "show":
            self._show(database, names)
        elif action == "add":
            self._add(database, names, opts)
        elif action == "poll":
            self._poll(database, names, opts)
        elif action == "history":
            self._history(database, names, opts)
        else:
            for name in names:
                self._change(database, action, name)

    def _list(self, database: Database | ReadOnly, opts: argparse.Namespace) -> None:
        from archiver.store.polling import channels as channel_store  # noqa: PLC0415 - no help needs it

        known = database.run(channel_store.list_channels)
        rows = chosen(known, status=opts.status, failing=opts.failing, labels=opts.label)
        if opts.label and not chosen(known, labels=opts.label):
            told = f"No channel has the label {' or '.join(opts.label)}"
            raise ArchiverError(f"{told}: `scrapy channels` shows the labels")
        now = schedule_now(known, clock(self.its_settings).now())
        if rows or opts.json or opts.opml:
            show(_listed(database, rows, opts, now))
        else:
            print(as_typed(_NO_SUCH_CHANNEL if known else _NO_CHANNELS, self.program))

    def _show(self, database: Database | ReadOnly, names: list[str]) -> None:
        # The words of the schedule load numpy, which the list has no use for.
        from archiver.acquisition.channels.polling.details import channel_details  # noqa: PLC0415
        from archiver.store.polling import channels as channel_store  # noqa: PLC0415 - no help needs it

        now = schedule_now(database.run(channel_store.list_channels), clock(self.its_settings).now())
        around = _surroundings(database)
        rows = database.run(named_channels, names)
        width = window_width(sys.stdout)
        details = ["\n".join(channel_details(row, around, now, width=width)) for row in rows]
        show(["\n\n".join(details)])

    def _add(self, database: Database | ReadOnly, urls: list[str], opts: argparse.Namespace) -> None:
        from archiver.store.polling.listing import add_seed  # noqa: PLC0415 - the list has no use for it

        every = _interval(opts.every)
        urls = [web_address(url) for url in urls]
        for url in urls:
            if flaw := url_flaw(url):
                raise ConfigurationError(f"{redact(url)}: {flaw}")
        for url in urls:
            seed = Seed(url=url, labels=tuple(opts.label), every=every, source=BY_HAND, line=0)
            added = database.run(add_seed, seed, clock(self.its_settings).now())
            told = "added" if added.is_new else "was there already"
            told = stays_in_words(added.also_in) if added.also_in else told
            print(folded(f"{redact(url)}: {told}", window_width(sys.stdout)))

    def _poll(self, database: Database | ReadOnly, names: list[str], opts: argparse.Namespace) -> None:
        from archiver.extensions.poll_now import poll_channels  # noqa: PLC0415 - likewise

        now = clock(self.its_settings).now()
        if opts.all and names:
            raise ConfigurationError("--all leaves no channel to name")
        told = database.run(poll_channels, names, now, failing=opts.failing)
        for line in told.done:
            print(folded(as_typed(line, self.program), window_width(sys.stdout)))
        for problem in told.problems:
            self.fail(problem)

    def _history(self, database: Database | ReadOnly, names: list[str], opts: argparse.Namespace) -> None:
        from archiver.extensions.history_wish import HistoryWish, wish_for_history  # noqa: PLC0415 - likewise

        if opts.limit is not None and opts.limit < 1:
            raise ConfigurationError(f"--limit {opts.limit} is not a number of entries: 1 is the least")
        times = {"recorded": machine_now(), "now": clock(self.its_settings).now()}
        wish = HistoryWish(since=since_from(opts), most=opts.limit, stops=opts.stop, **times)
        told = database.run(wish_for_history, names, wish)
        for line in told.done:
            print(folded(as_typed(line, self.program), window_width(sys.stdout)))
        for problem in told.problems:
            self.fail(problem)

    def _change(self, database: Database | ReadOnly, action: str, name: str) -> None:
        from archiver.store.polling import channels as channel_store  # noqa: PLC0415 - no help needs it

        row = database.run(channel_store.find_channel, name)
        if row is None:
            self.fail(f"No channel is called {name}: {CHANNELS_LISTED}")
            return
        files = [source for source in database.run(channel_store.sources_of, row.id) if source != BY_HAND]
        changes = {
            "pause": channel_store.pause, "resume": channel_store.resume, "remove": channel_store.remove,
        }  # fmt: skip
        database.run(changes[action], row.id, clock(self.its_settings).now())
        print(f"{redact(row.url)}: {action}d")
        if action == "remove" and files:
            told = f"  It comes back with the next crawl of {', '.join(files)}: take it out there too."
            print(folded(told, window_width(sys.stdout)))


def _check_usage(action: str, names: list[str], *, is_group: bool) -> None:
    if action not in _ACTIONS:
        told = did_you_mean(action, _ACTIONS, f"choose from {', '.join(_ACTIONS)}")
        raise ConfigurationError(f"{action} is not an action: {told}")
    if action == "list" and names:
        raise ConfigurationError("list takes no channels")
    if action == "poll" and is_group:
        return  # names, a group, or both: the failing ones of a label
    if action != "list" and not names:
        raise ConfigurationError(f"{_taken_by(action)}: name at least one")


def _taken_by(action: str) -> str:
    if action == "add":
        return "add takes URLs"
    if action == "poll":
        return "poll takes numbers, URLs or labels of `scrapy channels`, such as poll LABEL, or --all"
    return f"{action} takes numbers or URLs of `scrapy channels`"


def _interval(text: str | None) -> timedelta | None:
    try:
        return parse_interval(text) if text else None
    except ValueError as error:
        raise ConfigurationError(f"--every {text}: {error}") from error


def _listed(
    database: Database | ReadOnly, rows: Sequence[Row[Any]], opts: argparse.Namespace, now: datetime
) -> Iterable[str]:
    """The channels in the form that is asked for."""
    if opts.opml:
        from archiver.acquisition.seeds.export import write_opml  # noqa: PLC0415 - likewise

        return [write_opml(_subscriptions(rows, opts), now).decode().rstrip()]
    if opts.json:
        from archiver.acquisition.channels.polling.details import channels_json  # noqa: PLC0415 - loads numpy

        return [channels_json(rows, _surroundings(database))]
    width, colours = window_width(sys.stdout), Colours(sys.stdout)
    return channel_table(rows, now, width=width, paint=colours.paint)


def _subscriptions(rows: Sequence[Row[Any]], opts: argparse.Namespace) -> list[ExportedChannel]:
    """What is collected. Others are written where their status is asked for."""
    from archiver.acquisition.seeds.export import exported  # noqa: PLC0415 - likewise

    return [exported(row) for row in rows if opts.status or row.status not in {"unlisted", "merged"}]


def _surroundings(database: Database | ReadOnly) -> Surroundings:
    from archiver.acquisition.channels.polling.details import Surroundings  # noqa: PLC0415 - loads numpy
    from archiver.store.polling import channels as channel_store  # noqa: PLC0415 - no help needs it
    from archiver.store.polling.gaps import gaps_by_channel  # noqa: PLC0415 - likewise
    from archiver.store.polling.history import last_histories  # noqa: PLC0415 - likewise
    from archiver.store.polling.prices import curve_of_all  # noqa: PLC0415 - likewise

    return Surroundings(
        gaps=database.run(gaps_by_channel),
        histories=database.run(last_histories),
        curve=database.run(curve_of_all),
        sources=database.run(channel_store.sources_by_channel),
    )
