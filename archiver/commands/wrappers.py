"""`scrapy wrappers`: what was learned of the templates of each channel."""

from __future__ import annotations

import sys
from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec
from scrapy.exceptions import UsageError

from archiver.clock import machine_now, rfc3339
from archiver.errors import ArchiverError
from archiver.extensions.arguments import refuse_options
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read, state_url
from archiver.extensions.selection import named_channel
from archiver.store.reading import reading
from archiver.store.wrappers import list_wrappers
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row

_NONE = "No wrappers were learned{where} yet: EXTRACT_METHOD must be one that learns, see docs/extraction.md."


class Command(ArchiveCommand):
    def syntax(self) -> str:
        return "[CHANNEL] [--json]"

    def short_desc(self) -> str:
        return "Show where the articles of each channel are, as far as it was learned"

    def long_desc(self) -> str:
        return (
            "For each channel its wrappers: the XPath of the article, how many pages it served and was "
            "learned from, when, how sure it is, and whether it still fits. A CHANNEL is a number or URL of "
            "`scrapy channels`. Changes nothing. Exit codes: 0 shown; 1 no such channel; 2 wrong usage."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="as a list of JSON objects")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        refuse_options(args)
        if len(args) > 1:
            raise UsageError("Name one channel, or none for all", print_help=False)
        assert self.settings is not None  # noqa: S101 - set by Scrapy before run
        archive_to_read(self.settings)
        try:
            with reading(state_url(self.settings)) as state:
                rows = _rows(state, args)
        except ArchiverError as error:
            print(f"scrapy wrappers: error: {redact(str(error))}", file=sys.stderr)
            self.exitcode = 1
            return
        print(_json(rows) if opts.json else _table(rows, args))


def _rows(state: Connection, names: Sequence[str]) -> Sequence[Row[Any]]:
    if not names:
        return list_wrappers(state)
    return list_wrappers(state, named_channel(state, names[0]).id)


def _json(rows: Sequence[Row[Any]]) -> str:
    shown = [
        {
            "channel": row.channel_id,
            "url": redact(row.url),
            "extractor": row.extractor,
            **msgspec.to_builtins(row.wrapper),
            **{name: _time(getattr(row, name)) for name in ("learned", "last_used", "outdated")},
            "pages": row.pages,
        }
        for row in rows
    ]
    return msgspec.json.format(msgspec.json.encode(shown), indent=1).decode()


def _time(moment: datetime | None) -> str | None:
    return rfc3339(moment) if moment else None


def _table(rows: Sequence[Row[Any]], names: Sequence[str]) -> str:
    if not rows:
        return _NONE.format(where=f" for {redact(names[0])}" if names else "")
    now = machine_now()
    lines = []
    for number, some in groupby(rows, lambda row: int(row.channel_id)):
        mine = list(some)
        lines.append(f"{number:>5}  {redact(mine[0].url)}")
        lines += [f"{'':7}{mine[0].title}"] if mine[0].title else []
        lines += [_wrapper(row, now) for row in mine]
    return "\n".join(lines)


def _wrapper(row: Row[Any], now: datetime) -> str:
    wrapper = row.wrapper
    state = f"outdated since {row.outdated:%Y-%m-%d}" if row.outdated else "in use"
    support = f"{row.pages} pages served, learned from {len(wrapper.samples)}"
    age = f"learned {row.learned:%Y-%m-%d} ({_ago(row.learned, now)})"
    used = f", last used {row.last_used:%Y-%m-%d}" if row.last_used else ""
    return (
        f"{'':7}{wrapper.xpath}\n"
        f"{'':9}{state}; {support}; {age}{used}; confidence {wrapper.confidence:.2f}; {row.extractor};"
        f" {row.id}"
    )


def _ago(moment: datetime, now: datetime) -> str:
    days = (now - moment).days
    return {0: "today", 1: "a day ago"}.get(days, f"{days} days ago")
