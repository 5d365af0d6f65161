"""A run told to a person when it is over."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING

from archiver.acquisition.channels.gaps.history import entries_in_words
from archiver.acquisition.outcome_words import (
    ENTRIES,
    FAILURES,
    GAPS,
    POLLS,
    RECHECKS,
    ending_in_words,
    failure_in_words,
    in_words,
)
from archiver.acquisition.outcomes import Failure
from archiver.display.tables import folded, many, printable, size_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from archiver.running.report import ChannelProblem, RunReport

# How many of a kind are shown; the run report has them all.
_SHOWN = 10
_LABEL_WIDTH = 11
# What is left, and what is to be done with it.
_LEFT = {
    "pages": ("page", "to fetch"),
    "retries": ("page", "to try again later"),
    "unread": ("page", "to read"),
    "visits": ("document", "to visit"),
    "channels": ("channel", "to poll"),
}


def summary(
    report: RunReport,
    folder: Path,
    written: Path | None = None,
    *,
    width: int | None = None,
    spell: Callable[[str], str] = str,
    shown: int | None = _SHOWN,
) -> str:
    """What was polled, what was kept, where it is, what is left, and what needs attention.

    `written` is the file of the run report. Lines are wrapped to `width`; paths and URLs stay whole, to be
    copied. `spell` writes commands as they are typed. Of each kind of messages, `shown` are told; None: all.
    """
    ending = ending_in_words(report.reason)
    lines = [] if ending is None else [f"{ending}; the next run goes on where this one stopped."]
    rows = list(_ROWS.get(report.crawled, _rows)(report))
    indent = max(_LABEL_WIDTH, *(len(label) + 1 for label, _ in rows))
    lines += [_wrapped(f"{label:<{indent}}{spell(text)}", width, indent) for label, text in rows]
    lines += [f"{label:<{indent}}{path}" for label, path in _places(report, folder, written)]
    told = _list("Seed skipped", report.seed_problems, shown)
    told += _list("Channel failing", [_problem(one) for one in report.channel_problems], shown)
    told += _list("Note", report.notes, shown)
    told += _list("ERROR", report.errors, shown)
    told += [f"Next: {report.next}"] if report.next else []
    return "\n".join([*lines, *(folded(spell(line), width) for line in told)])


def _wrapped(line: str, width: int | None, indent: int) -> str:
    if width is None:
        return line
    # Too narrow a window would leave no room beside the labels.
    room = max(width, 3 * indent)
    # Between the counts, not within them.
    whole = re.sub(r"(?<![,:]) ", "\u00a0", line)
    lines = textwrap.wrap(
        whole, room, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines).replace("\u00a0", " ")


def _rows(report: RunReport) -> Iterator[tuple[str, str]]:
    yield "Channels", _polls(report)
    if report.channels_found:
        yield "Found", f"{many(report.channels_found, 'feed')} on sites"
    yield "Entries", f"{report.entries_new} new, {report.entries_changed} changed"
    if report.gaps_seen or report.gaps_ended or report.gaps_open:
        yield "Gaps", _gaps(report)
    if report.history_entries or report.history_open:
        yield "History", _history(report)
    fetched = report.pages_tried - sum(report.page_failures.values())
    yield "Pages", f"{fetched} fetched{_failed(report.page_failures)}"
    if report.rendered:
        yield "Rendered", _rendered(report)
    if report.requisites_fetched or report.requisite_failures or report.requisites_waiting:
        yield "Requisites", _requisites(report)
    yield "Articles", _articles(report)
    if report.rechecks:
        counts = _counts(report.rechecks, RECHECKS)
        yield "Rechecks", f"{sum(report.rechecks.values())} looked at again: {counts}"
    if report.contributions:
        yield "Comments", _contributions(report)
    if report.posts:
        yield "Posts", _posts(report)
    yield from _campaigns(report)
    yield "Received", f"{size_in_words(report.bytes_received)}, kept in {size_in_words(report.warc_bytes)}"
    if left := _left(report.left):
        yield "Left", left


def _site_rows(report: RunReport) -> Iterator[tuple[str, str]]:
    """Of a run that crawled sites: no channel was to be polled."""
    more = len(report.sites) - _SHOWN
    beyond = [f"and {more} more, see the run report"] if more > 0 else []
    sites = [*report.sites[:_SHOWN], *beyond] or ["none was crawled"]
    yield from zip_longest(["Sites"], sites, fillvalue="")
    if not report.sites:
        return
    fetched = report.pages_tried - sum(report.visit_failures.values()) - sum(report.page_failures.values())
    failures = Counter(report.visit_failures) + Counter(report.page_failures)
    yield "Pages", f"{fetched} fetched{_failed(failures)}"
    if report.rendered:
        yield "Rendered", _rendered(report)
    if report.requisites_fetched or report.requisite_failures or report.requisites_waiting:
        yield "Requisites", _requisites(report)
    yield "Articles", _articles(report)
    if report.contributions:
        yield "Comments", _contributions(report)
    yield "Received", f"{size_in_words(report.bytes_received)}, kept in {size_in_words(report.warc_bytes)}"
    if left := _left(report.left):
        yield "Left", left


def _post_rows(report: RunReport) -> Iterator[tuple[str, str]]:
    """Of a run that followed APIs alone."""
    made = report.posts
    failed = f", {made['failed']} failed" if made["failed"] else ""
    yield "Requests", f"{made['asked']} answered{failed}"
    yield "Posts", _posts(report)
    yield "Received", f"{size_in_words(report.bytes_received)}, kept in {size_in_words(report.warc_bytes)}"


def _posts(report: RunReport) -> str:
    made = report.posts
    gone = f", {made['gone']} no longer there" if made["gone"] else ""
    withheld = f", {made['withheld']} left out (private, or not to be archived)" if made["withheld"] else ""
    return f"{made['new']} new, {made['changed']} changed{gone}{withheld}"


def _campaigns(report: RunReport) -> Iterator[tuple[str, str]]:
    for number, told in enumerate(report.campaigns):
        yield "" if number else "Campaigns", told


def _campaign_rows(report: RunReport) -> Iterator[tuple[str, str]]:
    """Of a run that fetched for campaigns alone."""
    yield from _campaigns(report)
    if report.polls:
        yield "Feeds", _polls(report)
        yield "Entries", f"{report.entries_new} new, {report.entries_changed} changed"
    if report.posts:
        yield "Posts", _posts(report)
    yield "Articles", _articles(report)
    yield "Received", f"{size_in_words(report.bytes_received)}, kept in {size_in_words(report.warc_bytes)}"
    if left := _left(report.left):
        yield "Left", left


def _contributions(report: RunReport) -> str:
    """Comments, posts and revisions."""
    made = report.contributions
    gone = f", {made['gone']} no longer there" if made["gone"] else ""
    feeds = made["feeds failed"]
    failed = f"; {many(feeds, 'feed')} of comments could not be fetched" if feeds else ""
    return f"{made['new']} new, {made['changed']} changed{gone}{failed}"


def _form_rows(report: RunReport) -> Iterator[tuple[str, str]]:
    """Of a run that asked forms."""
    yield from zip_longest(["Forms"], report.sites or ["none was asked"], fillvalue="")
    counts = ", ".join(f"{report.records[name]} {name}" for name in ("new", "changed", "unchanged"))
    yield "Records", counts
    yield "Received", f"{size_in_words(report.bytes_received)}, kept in {size_in_words(report.warc_bytes)}"


_ROWS = {"sites": _site_rows, "posts": _post_rows, "campaigns": _campaign_rows, "forms": _form_rows}


def _rendered(report: RunReport) -> str:
    """Pages that were empty without their scripts."""
    whole = report.rendered["rendered"]
    ended = sum(report.rendered.values()) - whole
    told = f", {ended} ended in the browser" if ended else ""
    return f"{many(whole, 'page')}, by {many(report.resources_fetched, 'more request')}{told}"


def _requisites(report: RunReport) -> str:
    waiting = f", {report.requisites_waiting} waiting (REQUISITES_SHARE)" if report.requisites_waiting else ""
    return f"{report.requisites_fetched} fetched{_failed(report.requisite_failures)}{waiting}"


def _articles(report: RunReport) -> str:
    found = [many(report.recheck_versions, "new version")] if report.recheck_versions else []
    return ", ".join(filter(None, [_counts(report.outcomes, ENTRIES), *found])) or "none"


def _polls(report: RunReport) -> str:
    went_well = Counter({code: count for code, count in report.polls.items() if code not in set(Failure)})
    failed = Counter({code: count for code, count in report.polls.items() if code in set(Failure)})
    told = _counts(went_well, POLLS) + _failed(failed) if went_well else _failed(failed).removeprefix(", ")
    return f"{report.channels_polled} polled: {told}" if told else "none was due"


def _failed(failures: Mapping[str, int]) -> str:
    """`, 4 failed: not found (404) ×2, timed out ×2`."""
    if not failures:
        return ""
    told = (f"{in_words(code, FAILURES)} ×{count}" for code, count in _ordered(failures))
    return f", {sum(failures.values())} failed: {', '.join(told)}"


def _counts(counts: Mapping[str, int], words: Mapping[str, str]) -> str:
    return ", ".join(f"{count} {in_words(code, words)}" for code, count in _ordered(counts))


def _ordered(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _gaps(report: RunReport) -> str:
    told = [f"{report.gaps_seen} seen", *filter(None, [_counts(report.gaps_ended, GAPS)])]
    if report.gaps_open:
        told.append(f"{report.gaps_open} open")
    return f"{', '.join(told)}; {report.entries_filled} entries found"


def _history(report: RunReport) -> str:
    """What was found that was published before the first poll of its channel."""
    waiting = f"; of {many(report.history_open, 'channel')} more is to come" if report.history_open else ""
    return f"{entries_in_words(report.history_entries)} found{waiting}"


def _left(left: Mapping[str, int]) -> str:
    return ", ".join(
        f"{many(left[name], what)} {todo}" for name, (what, todo) in _LEFT.items() if left.get(name)
    )


def _places(report: RunReport, folder: Path, written: Path | None) -> Iterator[tuple[str, Path]]:
    yield from (("WARC", folder / "warc" / name) for name in report.warc_files)
    yield from (("Objects", folder / "objects" / name) for name in report.object_files)
    if written is not None:
        yield "Report", written


def _problem(problem: ChannelProblem) -> str:
    return f"{problem.url}: {failure_in_words(problem.outcome, problem.detail)}"


def _list(title: str, texts: Sequence[str], shown: int | None) -> list[str]:
    lines = [f"{title}: {printable(text)}" for text in texts[:shown]]
    if shown is not None and len(texts) > shown:
        lines.append(f"{title}: and {len(texts) - shown} more, see the run report")
    return lines
