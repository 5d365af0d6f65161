"""The beginning of a run: seeds become channels, channels become due, and the operator is told of both."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.acquisition.seeds import read_seeds, split_paths
from archiver.acquisition.seeds.address import sameness
from archiver.acquisition.seeds.dropping import (
    ANY_NUMBER,
    NONE_AT_ALL,
    DropRule,
    dropped_in_words,
    kept_in_words,
    refused_in_words,
    stays_in_words,
)
from archiver.acquisition.seeds.read import no_seeds
from archiver.errors import ArchiveError, ConfigurationError, StateLost
from archiver.store.polling.due import channels_of, poll_now, settings_changed
from archiver.store.polling.listing import add_seed, import_seeds, other_sources, tell
from archiver.store.reading import reading
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.acquisition.seeds import Seed, SeedProblem
    from archiver.running.archive import Archive
    from archiver.store.polling.listing import ImportCounts

logger = logging.getLogger(__name__)

# Most of a kind that a note names.
_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedsFiles:
    """Seeds files as they were read: each seed with the file that lists it."""

    names: tuple[str, ...]
    # Absolute: names that stay the same wherever the command is typed.
    sources: tuple[str, ...]
    seeds: tuple[Seed, ...]
    problems: tuple[SeedProblem, ...] = ()
    skipped: tuple[SeedProblem, ...] = ()
    # Those with nothing in them: an accident where they listed channels before, else a mistake.
    empty: tuple[Path, ...] = ()

    def refuse_new_empty(self, state_url: str) -> None:
        """Raise SeedError for a file that has no seeds, and had none before."""
        for path in self.empty:
            if not _listed_before(state_url, path):
                raise no_seeds(path)


def _listed_before(state_url: str, path: Path) -> bool:
    try:
        with reading(state_url) as connection:
            return bool(connection.execute(channels_of([str(path.resolve())]).limit(1)).first())
    except StateLost:
        return False
    except ArchiveError:
        return True  # of an older archiver; the import tells


def read_files(argument: str) -> SeedsFiles:
    """What follows `-a seeds=`."""
    paths = split_paths(argument)
    if not paths:
        raise ConfigurationError("-a seeds= names no file")
    together = read_seeds(paths, may_be_empty=True)
    # What several files say of an address is united; each of them lists it.
    united = {sameness(seed.url): seed for seed in together.seeds}
    seeds: list[Seed] = []
    each = {path: read_seeds([path], may_be_empty=True) for path in paths}
    for path, found in each.items():
        listed = (united[sameness(seed.url)] for seed in found.seeds)
        seeds += [replace(seed, source=str(path.resolve())) for seed in listed]
    return SeedsFiles(
        names=tuple(str(path) for path in paths),
        sources=tuple(str(path.resolve()) for path in paths),
        seeds=tuple(seeds),
        problems=together.problems,
        skipped=together.skipped,
        empty=tuple(path for path, found in each.items() if found.is_empty),
    )


async def import_files(archive: Archive, files: SeedsFiles, *, drop: bool, logs: bool) -> None:
    """Make the archive's channels agree with the files, and tell what that changed.

    `logs` is for runs whose summary is not read, or comes in months.
    """
    database, now = archive.database, archive.clock.now()
    others = await database.run_async(other_sources, files.sources)
    usual = NONE_AT_ALL if files.empty else DropRule(share=archive.config.drop_share)
    # Two workers may begin at the same time, with the same files.
    counts = await database.run_alone(
        import_seeds,
        files.seeds,
        files.sources,
        now,
        drops=ANY_NUMBER if drop else usual,
        vanished=_vanished(others),
    )
    new = await database.run_alone(tell, files.problems, files.sources, now, replaced=counts.replaced)
    _tell_problems(archive, files, new, logs=logs)
    for level, told in _drops(archive, files, counts):
        if logs:
            logger.log(level, told)


def _vanished(sources: Sequence[str]) -> list[str]:
    return [source for source in sources if not Path(source).exists()]


def _tell_problems(archive: Archive, files: SeedsFiles, new: Sequence[SeedProblem], *, logs: bool) -> None:
    """A bad line is an error when it is first met; from then on it is a note, until it changes."""
    archive.report.seed_problems = [str(problem) for problem in new]
    for problem in new if logs else ():
        logger.warning("Seed skipped: %s", problem)
    is_new = {id(problem) for problem in new}
    known = [problem for problem in files.problems if id(problem) not in is_new]
    if known:
        lines = "1 line is" if len(known) == 1 else f"{len(known)} lines are"
        archive.report.note(f"{lines} still skipped, as reported before: {_some(known)}")
    if files.skipped:
        lines = "1 newsletter" if len(files.skipped) == 1 else f"{len(files.skipped)} newsletters"
        archive.report.note(f"{lines} skipped: {_some(files.skipped)}")


def _some(problems: Sequence[SeedProblem]) -> str:
    more = f"; and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
    return "; ".join(str(problem) for problem in problems[:_SHOWN]) + more


def _drops(archive: Archive, files: SeedsFiles, counts: ImportCounts) -> Iterator[tuple[int, str]]:
    """Tell what is dropped, always; each message with its level."""
    report = archive.report
    for source in counts.replaced:
        report.note(f"{', '.join(files.names)} is taken for {source}, which is no longer there")
    if counts.refused:
        told = refused_in_words(counts.dropped, counts.listed, files.names)
        report.error(told)
        yield logging.ERROR, told
    elif counts.dropped:
        told = dropped_in_words(counts.dropped, files.names)
        report.note(told)
        report.dropped(counts.dropped)
        yield logging.WARNING, told
    if counts.kept:
        told = kept_in_words(counts.kept, files.names)
        report.note(told)
        yield logging.WARNING, told


async def add_by_hand(archive: Archive, seeds: Sequence[Seed]) -> None:
    """Addresses that were typed stay, also where a seeds file that names them drops them."""
    for seed in seeds:
        added = await archive.database.run_async(add_seed, seed, archive.clock.now())
        if added.also_in:
            archive.report.note(f"{redact(seed.url)} {stays_in_words(added.also_in)}")


async def make_due(archive: Archive, sources: Sequence[str] | None, now: str) -> None:
    """Make channels due before their time: those that `-a now=` asks for, and those that settings held up."""
    database, moment = archive.database, archive.clock.now()
    freed = await database.run_async(settings_changed, archive.config.polls.causes, moment, sources)
    if freed:
        told = "A setting that may have made them fail has changed, so these are polled now"
        more = f" and {len(freed) - _SHOWN} more" if len(freed) > _SHOWN else ""
        archive.report.note(f"{told}: {', '.join(freed[:_SHOWN])}{more}")
    if now:
        made = await database.run_async(poll_now, moment, sources=sources, failing=now == "failing")
        for told in made.held_in_words(moment):
            archive.report.note(told)
