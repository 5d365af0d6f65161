"""What a run did: counted while it happens, told at its end."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.outcomes import Failed, Failure
from archiver.archive.warc.manifest import add_to_manifest
from archiver.documents.lists.model import GapState
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from archiver.acquisition.channels.polls import PollResult
    from archiver.acquisition.findings import Finding
    from archiver.acquisition.settling import Ending
    from archiver.store.content.contributions import ContributionCounts
    from archiver.store.content.posts import PostCounts
    from archiver.store.looks.sitemaps import SitemapResult
    from archiver.store.polling.filling import GapResult
    from archiver.store.whole_sites.visited import VisitResult

# So many of a kind are told in full: a run may last for months.
_MOST_TOLD = 1000
# Scrapy's word for a run that a signal ended.
_BY_SIGNAL = "shutdown"
_FAILING = "`scrapy channels --failing` lists them"


@dataclass(slots=True, kw_only=True)
class ChannelProblem:
    url: str
    outcome: str
    detail: str = ""


@dataclass(slots=True, kw_only=True)
class RunReport:
    """Counts of one run. Everything in it may be shown: URLs are redacted on their way in."""

    started: datetime
    ended: datetime | None = None
    profile: str = "default"
    crawled: str = "feeds"  # or sites, posts, campaigns, forms
    writer: str = ""  # after which its files are named
    reason: str = ""
    exit_code: int = 0
    polls: Counter[str] = field(default_factory=Counter)
    entries_new: int = 0
    entries_changed: int = 0
    gaps_seen: int = 0
    gaps_ended: Counter[str] = field(default_factory=Counter)
    gaps_open: int = 0
    history_entries: int = 0
    history_open: int = 0
    entries_filled: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    rechecks: Counter[str] = field(default_factory=Counter)  # changed, unchanged, gone, back, …
    recheck_versions: int = 0  # of known articles, that these looks found and that were written
    # Pages that field wrappers read: read, troubled, killed.
    fields: Counter[str] = field(default_factory=Counter)
    # Comments and other contributions: new, changed, gone.
    contributions: Counter[str] = field(default_factory=Counter)
    # Posts that APIs showed: new, changed, gone, withheld; and requests for them that failed.
    posts: Counter[str] = field(default_factory=Counter)
    records: Counter[str] = field(default_factory=Counter)  # behind forms
    sitemaps_read: int = 0  # documents in which known articles were looked for
    articles_told: int = 0  # by them, to have changed
    page_failures: Counter[str] = field(default_factory=Counter)
    pages_tried: int = 0  # asked for, whatever came of it; looks at known articles included
    pages_fetched: int = 0
    channels_found: int = 0
    visits: Counter[str] = field(default_factory=Counter)  # of documents of sites: read, unreadable, …
    visit_failures: Counter[str] = field(default_factory=Counter)
    sites: list[str] = field(default_factory=list)  # what became of each, in words
    campaigns: list[str] = field(default_factory=list)  # how each stands, in words
    next: str = ""  # what to type after this run
    rendered: Counter[str] = field(default_factory=Counter)  # pages in the browser: rendered, loop, memory, …
    resources_fetched: int = 0  # what these pages asked for
    render_memory_mb: int = 0  # what the browser with all of its processes occupied, at most
    requisites_fetched: int = 0
    requisites_waiting: int = 0  # due, and beyond REQUISITES_SHARE, or left for the next run
    requisite_failures: Counter[str] = field(default_factory=Counter)
    bytes_received: int = 0
    channel_problems: list[ChannelProblem] = field(default_factory=list)
    seed_problems: list[str] = field(default_factory=list)
    channels_dropped: list[str] = field(default_factory=list)  # that seeds files no longer name
    errors: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    warc_files: list[str] = field(default_factory=list)
    object_files: list[str] = field(default_factory=list)
    warc_bytes: int = 0
    left: dict[str, int] = field(default_factory=dict)  # pages, retries, unread, channels
    seconds: dict[str, float] = field(default_factory=dict)  # total, download
    cpu_seconds: dict[str, float] = field(default_factory=dict)  # crawl, warc, store, workers, search

    def polled(self, result: PollResult) -> None:
        self.polls[result.outcome] += 1
        self.entries_new += result.new
        self.entries_changed += result.changed
        self.channels_found += result.discovered
        self.gaps_seen += result.gap is not None
        url = redact(result.url)
        if result.gap is GapState.UNFILLABLE:
            self.gaps_ended[result.gap] += 1
            self._missing(result.url, "its site was not asked, or not again so soon")
        if result.moved_to:
            self.note(f"{url} moved for good, to {result.moved_to}")
        if result.retired:
            self.note(f"{url} is gone and no longer polled")
        for told in result.notes:
            self.note(told)
        if isinstance(result.outcome, Failure) and len(self.channel_problems) < _MOST_TOLD:
            detail = redact(result.detail)
            self.channel_problems.append(ChannelProblem(url=url, outcome=result.outcome, detail=detail))

    def settled(self, finding: Finding, ending: Ending) -> None:
        """Count what a page came to."""
        if not finding.is_recheck:
            self.outcomes[ending.outcome] += 1
        elif ending.look is not None:
            self.rechecks[ending.look] += 1
            self.recheck_versions += ending.is_version
        if ending.look in {"gone", "back"}:
            self.note(f"{finding.url} is {'gone' if ending.look == 'gone' else 'back'}")

    def contributed(self, counts: ContributionCounts) -> None:
        """Count what readers wrote."""
        told = {"new": counts.new, "changed": counts.changed, "gone": counts.gone}
        self.contributions.update({name: count for name, count in told.items() if count})

    def posted(self, counts: PostCounts) -> None:
        """Count what an API showed."""
        names = ("new", "changed", "gone", "withheld")
        self.posts["asked"] += 1
        self.posts.update({name: getattr(counts, name) for name in names if getattr(counts, name)})

    def filled(self, result: GapResult) -> None:
        """Count what was found behind a gap, and tell what was not."""
        self.entries_new += result.found
        if result.history is not None:
            self.history_entries += result.found
            if not result.history.is_open:
                self.note(f"{redact(result.channel_url)}: history {result.history.in_words()}")
            return
        self.entries_filled += result.found
        if result.state is not GapState.OPEN:
            self.gaps_ended[result.state] += 1
        if result.state in {GapState.PARTLY, GapState.UNFILLABLE}:
            between = f"{result.filled} found between {result.after} and {result.before}"
            self._missing(result.channel_url, between)

    def sitemap(self, result: SitemapResult) -> None:
        """Count what a sitemap told, and say where it is not believed."""
        self.sitemaps_read += 1
        self.articles_told += result.moved
        if result.lie is not None:
            self.note(f"{result.site}: its sitemap is ignored until {result.until:%Y-%m-%d}: {result.lie}")

    def visited(self, result: VisitResult, failed: Failed | None) -> None:
        """Count a document of a site."""
        self.pages_tried += 1
        if failed is not None:
            self.visit_failures[failed.failure] += 1
        else:
            self.visits[result.outcome] += 1
            self.pages_fetched += result.is_content
        if result.contributions is not None:
            self.contributed(result.contributions)

    def _missing(self, url: str, told: str) -> None:
        self.note(
            f"{url} showed nothing that was known: entries may be missing ({told})."
            " Poll it more often: every= in its seed"
        )

    def dropped(self, urls: Sequence[str]) -> None:
        """Tell which channels are no longer polled."""
        self.channels_dropped = [redact(url) for url in urls[:_MOST_TOLD]]

    def note(self, message: str) -> None:
        """Something that an operator may want to know."""
        if len(self.notes) < _MOST_TOLD:
            self.notes.append(redact(message))

    def note_once(self, message: str) -> None:
        if redact(message) not in self.notes:
            self.note(message)

    def error(self, message: str) -> None:
        """Something went wrong on our side: an operator must see it."""
        self.exit_code = 1
        told = redact(message)
        # A disk that is full is met by each that writes.
        if len(self.errors) < _MOST_TOLD and told not in self.errors:
            self.errors.append(told)

    @property
    def channels_polled(self) -> int:
        return sum(self.polls.values())

    @property
    def channels_failed(self) -> int:
        return sum(count for outcome, count in self.polls.items() if outcome in set(Failure))

    def finish(
        self,
        reason: str,
        ended: datetime,
        *,
        failing_share: float,
        most_failing: float,
        was_watching: bool = False,
    ) -> None:
        """Close the report, with the exit code that tells cron what it must know."""
        self.reason = reason
        self.ended = ended
        self.seconds["total"] = (ended - self.started).total_seconds()
        if self.polls and failing_share > most_failing:
            share = f"{failing_share:.0%} of this run's channels fail"
            self.error(f"{share}, more than FAILING_SHARE={most_failing:g}: {_FAILING}")
        if self.polls[Failure.ADDRESS]:
            self.note(
                "Private addresses are not asked for: ALLOW_PRIVATE_ADDRESSES = true in archiver.toml,"
                " or -s ALLOW_PRIVATE_ADDRESSES=1, allows it"
            )
        self.exit_code = 1 if self.errors or self.seed_problems else 0
        # A watch that is told to stop ends well; what went wrong in its months was logged when it did.
        if was_watching and reason == _BY_SIGNAL:
            self.exit_code = 0

    def write(self, folder: Path) -> Path:
        """Keep the report, under a name that tells when the run began, and who wrote it."""
        folder.mkdir(parents=True, exist_ok=True)
        mark = f"-{self.writer}" if self.writer else ""
        path = folder / f"run-{self.started:%Y%m%dT%H%M%S%f}Z{mark}.json"
        temporary = path.with_suffix(".tmp")
        data = msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"
        temporary.write_bytes(data)
        temporary.rename(path)
        add_to_manifest(folder, path.name, hashlib.sha256(data).hexdigest())
        return path
