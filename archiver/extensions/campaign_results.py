"""What `scrapy campaign` takes from a campaign: terms, a ranking, a WACZ file, feeds."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.sites.knowledge.loading import load_knowledge
from archiver.archive.cdxj.index import Index
from archiver.archive.lock import ArchiveLock
from archiver.clock import machine_now
from archiver.display.tables import many, size_in_words
from archiver.display.terminal import ProgressLine, window_width
from archiver.errors import ArchiveLocked, ConfigurationError
from archiver.extensions.arguments import output_file
from archiver.extensions.places import archive_to_read, from_here, knowledge_sources, state_url
from archiver.files import write_text
from archiver.inspection.campaigns.as_text import feed_lines
from archiver.inspection.campaigns.ranking import learned_terms, ranking_of, reader_of, scored_again
from archiver.inspection.wacz.model import CaptureSelection, WaczFolders
from archiver.store.campaigns.definitions import campaign_named
from archiver.store.campaigns.feeds import feeds_of
from archiver.store.campaigns.rescoring import keep_scores
from archiver.store.campaigns.tallies import best_pages
from archiver.store.database import Database
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from typing import Any

    from sqlalchemy import Row

    from archiver.archive.cdxj.lines import CdxLine
    from archiver.commands.campaign import Command

FOLDER = "campaigns"


def learn(command: Command, name: str, opts: argparse.Namespace) -> None:
    """Propose terms, in YAML to paste: whether they count is for a person to say."""
    folder = archive_to_read(command.its_settings)
    with command.state() as state:
        found = learned_terms(state, campaign_named(state, name), folder / "warc", opts.n)
    if not found:
        command.fail(f"{name} has too few pages that are surely relevant to learn from")
        return
    quoted = (msgspec.json.encode(one.term).decode() for one in found)
    lines = [
        "keywords:",
        *(f"  - {term}  # on {one.pages} pages" for term, one in zip(quoted, found, strict=True)),
    ]
    command.print(found, lines, opts)


def rank(command: Command, name: str, opts: argparse.Namespace) -> None:
    """Score all pages again, and write the ranking; from here on, these are their scores."""
    folder = archive_to_read(command.its_settings)
    knowledge = load_knowledge(knowledge_sources(command.its_settings))
    with command.state() as state:
        campaign = campaign_named(state, name)
        scored = scored_again(state, campaign, reader_of(campaign, folder / "warc", knowledge))
        lines = list(ranking_of(state, campaign, scored))
    if not lines:
        command.fail(f"{name} has fetched no page yet")
        return
    path = folder / FOLDER / name / "ranking.jsonl"
    command.set_umask()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, "".join(f"{msgspec.json.encode(line).decode()}\n" for line in lines))
    told = [f"{from_here(path)}: {many(len(lines), 'page')}", f"the best: {redact(lines[0].url)}"]
    command.print(lines[: opts.n], told, opts)
    found = [(one.row.candidate_id, one.revision, one.score, one.signals) for one in scored]
    try:
        with ArchiveLock(folder), closing(Database(state_url(command.its_settings))) as database:
            database.run(keep_scores, found)
    except ArchiveLocked:
        command.tell(f"A run is on: pages keep their scores elsewhere until `scrapy campaign rank {name}`")


def export(command: Command, name: str, opts: argparse.Namespace) -> None:
    """Write the best pages, with what they need to be shown."""
    if not opts.wacz or (opts.top is None and opts.floor is None):
        raise ConfigurationError("export needs --wacz FILE, and --top N or --floor P")
    path = output_file("--wacz", opts.wacz)
    if path.suffix != ".wacz":
        raise ConfigurationError(f"{path}: the name of a WACZ file ends in .wacz")
    folder = archive_to_read(command.its_settings)
    from archiver.inspection.wacz.build import WaczRequest, WaczWriter  # noqa: PLC0415 - no help needs it

    folders = WaczFolders(warc=folder / "warc", index=folder / "index", objects=folder / "objects")
    with command.state() as state:
        campaign = campaign_named(state, name)
        rows = best_pages(state, campaign.id, opts.top or 1_000_000, opts.floor or 0.0)
        lines = tuple(_captures(Index(folders.index, command.withheld(state).hides), rows))
        if not lines:
            command.fail(f"No page of {name} fits: `scrapy campaign top {name}` shows what there is")
            return
        with ProgressLine(sys.stderr) as progress:
            wish = WaczRequest(
                selection=CaptureSelection(captures=lines),
                title=campaign.definition.about or name,
                now=machine_now(),
                show=progress.show,
            )
            report = WaczWriter(folders, state, command.withheld(state)).write(path, wish)
    for problem in report.problems[:10]:
        command.tell(f"missing: {problem}")
    command.say(f"{path}: {many(len(lines), 'page')}, {size_in_words(path.stat().st_size)}")
    command.exitcode = 1 if report.problems else 0


def _captures(index: Index, rows: Sequence[Row[Any]]) -> Iterator[CdxLine]:
    """The line of the index for each page; one that is withheld has none."""
    for row in rows:
        here = (row.capture.file, row.capture.offset)
        lines = index.captures(row.capture.url)
        exact = [line for line in lines if (line.filename, line.offset) == here]
        yield from (exact or lines[-1:])[:1]


def feeds(command: Command, name: str, opts: argparse.Namespace) -> None:
    """List the feeds of relevant pages, the largest share of relevant entries first."""
    with command.state() as state:
        found = feeds_of(state, campaign_named(state, name).id)
    if not found:
        command.fail(f"No relevant page of {name} names a feed")
        return
    if opts.opml:
        from archiver.acquisition.seeds.export import ExportedChannel, write_opml  # noqa: PLC0415 - likewise

        path = output_file("--opml", opts.opml)
        listed = [
            ExportedChannel(url=one.url, title=one.title, labels=(f"campaign:{name}",)) for one in found
        ]
        Path(path).write_bytes(write_opml(listed, machine_now()))
        command.say(f"{path}: {many(len(found), 'feed')}")
        return
    command.print(found, feed_lines(found, window_width(sys.stdout)), opts)
