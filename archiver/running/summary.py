"""A run told to a person when it is over."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from typing import TYPE_CHECKING

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
    "channels": ("channel", "to poll"),
}


def summary(
    report: RunReport,
    folder: Path,
    written: Path | None = None,
    *,
    width: int | None = None,
    spell: Callable[[str], str] = str,
) -> str:
    """What was polled, what was kept, where it is, what is left, and what needs attention.

    `written` is the file of the run report. Lines are wrapped to `width`; paths and URLs stay whole, to be
    copied. `spell` writes commands as they are typed.
    """
    ending = ending_in_words(report.reason)
    lines = [] if ending is None else [f"{ending}; the next run goes on where this one stopped."]
    lines += [_wrapped(f"{label:<{_LABEL_WIDTH}}{text}", width) for label, text in _rows(report)]
    lines += [f"{label:<{_LABEL_WIDTH}}{path}" for label, path in _places(report, folder, written)]
    told = _list("Seed skipped", report.seed_problems)
    told += _list("Channel failing", [_problem(one) for one in report.channel_problems])
    told += _list("Note", report.notes)
    told += _list("ERROR", report.errors)
    return "\n".join([*lines, *(folded(spell(line), width) for line in told)])


def _wrapped(line: str, width: int | None) -> str:
    if width is None:
        return line
    # Too narrow a window would leave no room beside the labels.
    room = max(width, 3 * _LABEL_WIDTH)
    # Between the counts, not within them.
    whole = re.sub(r"(?<![,:]) ", "\u00a0", line)
    indent = " " * _LABEL_WIDTH
    lines = textwrap.wrap(
        whole, room, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines).replace("\u00a0", " ")


def _rows(report: RunReport) -> Iterator[tuple[str, str]]:
    yield "Channels", _polls(report)
    if report.channels_found:
        yield "Found", f"{many(report.channels_found, 'feed')} on sites"
    yield "Entries", f"{report.entries_new} new, {report.entries_changed} changed"
    if report.gaps_seen or report.gaps_ended or report.gaps_open:
        yield "Gaps", _gaps(report)
    fetched = report.pages_tried - sum(report.page_failures.values())
    yield "Pages", f"{fetched} fetched{_failed(report.page_failures)}"
    if report.requisites_fetched or report.requisite_failures or report.requisites_waiting:
        yield "Requisites", _requisites(report)
    yield "Articles", _articles(report)
    if report.rechecks:
        counts = _counts(report.rechecks, RECHECKS)
        yield "Rechecks", f"{sum(report.rechecks.values())} looked at again: {counts}"
    yield "Received", f"{size_in_words(report.bytes_received)}, kept in {size_in_words(report.warc_bytes)}"
    if left := _left(report.left):
        yield "Left", left


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


def _list(title: str, texts: Sequence[str]) -> list[str]:
    lines = [f"{title}: {printable(text)}" for text in texts[:_SHOWN]]
    if len(texts) > _SHOWN:
        lines.append(f"{title}: and {len(texts) - _SHOWN} more, see the run report")
    return lines
