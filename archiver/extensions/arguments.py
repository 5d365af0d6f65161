"""What commands are called with: addresses, moments, files to write, which part of the archive is meant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from archiver.display.spans import parse_span
from archiver.errors import ArchiveError, ConfigurationError
from archiver.urls import is_web, redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row

CHANNELS_LISTED = "`scrapy channels` lists them"


def refuse_arguments(args: Sequence[str], taken: int = 0) -> None:
    """All beyond those that the command takes."""
    if len(args) > taken:
        raise ConfigurationError(f"Unknown argument {' '.join(args[taken:])}")


def one_argument(args: Sequence[str], what: str) -> str:
    if len(args) != 1:
        raise ConfigurationError(f"Name one {what}; got {' '.join(args) or 'none'}")
    return args[0]


def one_url(args: Sequence[str]) -> str:
    return web_url(one_argument(args, "URL"))


def web_url(text: str) -> str:
    if not is_web(text):
        raise ConfigurationError(f"{redact(text)} is not a web address: write http://…")
    return text


def moment_from(text: str | None) -> datetime | None:
    """The first moment of what `--at` says."""
    try:
        return parse_span(text).first if text else None
    except ValueError as error:
        raise ConfigurationError(f"--at: {error}") from error


def output_file(option: str, name: str) -> Path:
    """Checked before the work: a typing mistake must not be found when only the writing is left."""
    path = in_a_folder(option, name)
    if path.is_dir():
        raise ConfigurationError(f"{option} {path} is a folder")
    return path


def in_a_folder(option: str, name: str) -> Path:
    path = Path(name)
    if not path.absolute().parent.is_dir():
        raise ConfigurationError(f"{option} {path}: there is no such folder")
    return path


def add_channel_option(parser: argparse.ArgumentParser, of: str) -> None:
    parser.add_argument("--channel", nargs="+", action="extend", default=[], help=f"only {of} these channels")


def add_since_option(parser: argparse.ArgumentParser, of: str) -> None:
    parser.add_argument("--since", metavar="TIME", help=f"only {of} from this time or day on")


def add_until_option(parser: argparse.ArgumentParser, of: str) -> None:
    parser.add_argument("--until", metavar="TIME", help=f"only {of} up to this time or day")


def since_from(opts: argparse.Namespace) -> datetime | None:
    try:
        return parse_span(opts.since).first if opts.since else None
    except ValueError as error:
        raise ConfigurationError(f"--since: {error}") from error


def until_from(opts: argparse.Namespace) -> datetime | None:
    """The end of what was written: a day means all of it."""
    try:
        return parse_span(opts.until).last if opts.until else None
    except ValueError as error:
        raise ConfigurationError(f"--until: {error}") from error


def span_from(opts: argparse.Namespace) -> tuple[datetime | None, datetime | None]:
    since, until = since_from(opts), until_from(opts)
    if since and until and since > until:
        raise ConfigurationError("--since is later than --until")
    return since, until


def named_channel(state: Connection, name: str) -> Row[Any]:
    # Commands take their options from here, and no help needs the state store.
    from archiver.store.polling.channels import find_channel  # noqa: PLC0415

    row = find_channel(state, name)
    if row is None:
        raise ArchiveError(f"No channel is called {name}: {CHANNELS_LISTED}")
    return row


def named_channels(state: Connection, names: Sequence[str]) -> list[Row[Any]]:
    return [named_channel(state, name) for name in names]


def chosen_channels(state: Connection, names: Sequence[str]) -> tuple[int, ...] | None:
    """The numbers of the channels that are named, with the feeds of sites; None where none is named."""
    from archiver.inspection.wacz.state import with_feeds  # noqa: PLC0415 - likewise

    named = [row.id for row in named_channels(state, names)]
    return with_feeds(state, named) if named else None
