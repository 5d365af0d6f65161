"""A run told to a person when it is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.pages import EntryOutcome
from archiver.sizes import size_in_words

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.report import RunReport

# How many of a kind are shown; the run report has them all.
_SHOWN = 10


def summary(report: RunReport, folder: Path) -> str:
    """What was polled, what was kept, where it is, and what needs attention."""
    lines = [
        f"Channels   {report.channels_polled} polled: {_counts(report.polls) or 'none was due'}",
        f"Entries    {report.entries_new} new, {report.entries_changed} changed",
        f"Pages      {report.pages_fetched} fetched{_failures(report)}",
        f"Articles   {_counts(report.outcomes) or 'none'}",
        f"Received   {size_in_words(report.bytes_received)}, kept in {size_in_words(report.warc_bytes)}",
    ]
    if report.requisites_fetched or report.requisite_failures:
        missed = f", not had: {_counts(report.requisite_failures)}" if report.requisite_failures else ""
        lines.insert(3, f"Requisites {report.requisites_fetched} fetched{missed}")
    if report.rechecks:
        told = f"{sum(report.rechecks.values())} looked at again: {_counts(report.rechecks)}"
        lines.insert(4, f"Rechecks   {told}")
    if report.gaps_seen or report.gaps_ended or report.gaps_open:
        lines.insert(2, f"Gaps       {_gaps(report)}")
    if report.channels_found:
        lines.insert(1, f"Found      {report.channels_found} on sites")
    lines += _places(report, folder)
    lines += _list("Seed left out", report.seed_problems)
    lines += _list(
        "Channel failing", [f"{p.url}: {p.outcome} {p.detail}".rstrip() for p in report.channel_problems]
    )
    lines += _list("Note", report.notes)
    lines += _list("ERROR", report.errors)
    return "\n".join(lines)


def _places(report: RunReport, folder: Path) -> list[str]:
    lines = [f"WARC       {folder / 'warc' / name}" for name in report.warc_files]
    if report.outcomes[EntryOutcome.STORED]:
        lines += [f"Objects    {folder / 'objects' / name}" for name in report.object_files]
    return lines


def _gaps(report: RunReport) -> str:
    told = [f"{report.gaps_seen} seen", *filter(None, [_counts(report.gaps_ended)])]
    if report.gaps_open:
        told.append(f"{report.gaps_open} open")
    return f"{', '.join(told)}; {report.entries_filled} entries found"


def _failures(report: RunReport) -> str:
    return f", not had: {_counts(report.page_failures)}" if report.page_failures else ""


def _list(title: str, texts: list[str]) -> list[str]:
    lines = [f"{title}: {text}" for text in texts[:_SHOWN]]
    if len(texts) > _SHOWN:
        lines.append(f"{title}: and {len(texts) - _SHOWN} more, see the run report")
    return lines


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(
        f"{count} {name}" for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    )
