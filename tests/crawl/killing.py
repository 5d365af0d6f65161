"""Runs `scrapy` and kills it, as a power cut would, at a named write boundary.

usage: python -m tests.crawl.killing BOUNDARY NUMBER scrapy-arguments…
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from scrapy.cmdline import execute

from archiver.archive.objects.writer import ObjectWriter
from archiver.archive.warc import repair
from archiver.running import (
    adapting,
    campaign_run,
    campaign_settling,
    campaign_start,
    form_reading,
    rendering,
)
from archiver.running.archive import Archive
from archiver.running.reading import recovery, reextraction, settling
from archiver.running.sources import apis, candidates, channels, forms, gaps, visits
from archiver.running.writing import process
from archiver.store.content import pages
from archiver.store.database import Database
from tests.crawl import dying_writer
from tests.crawl.dying import Countdown, after, before

if TYPE_CHECKING:
    from collections.abc import Callable

    from archiver.archive.objects.writer import Growth

# Where a run can be torn apart: between these, nothing is written.
BOUNDARIES = (
    "warc-record-half",
    "warc-record-written",
    "poll-before-commit",
    "poll-committed",
    "capture-before-commit",
    "capture-committed",
    "object-half",
    "object-before-commit",
    "object-settled",
    "warc-before-rename",
    "warc-renamed",
)
REPAIR_BOUNDARIES = ("repair-before-rename",)
GAP_BOUNDARIES = ("gap-before-commit", "gap-committed")
ADAPT_BOUNDARIES = ("learned-committed", "again-before-commit", "again-committed", "applied-committed")
VISIT_BOUNDARIES = ("visit-before-commit", "contribution-half", "visit-committed")
POST_BOUNDARIES = (
    "warc-record-half",
    "warc-record-written",
    "post-before-commit",
    "post-half",
    "post-committed",
)
FORM_BOUNDARIES = ("probe-before-commit", "answer-committed", "record-half", "record-settled")
CAMPAIGN_BOUNDARIES = (
    "campaign-began",
    "warc-record-half",
    "warc-record-written",
    "candidate-before-commit",
    "candidate-committed",
    "object-half",
    "spending-before-commit",
    "spending-committed",
)
RENDER_BOUNDARIES = ("rendering-asked", "rendering-before-commit", "rendering-committed")
RECOVER_BOUNDARIES = ("recover-before-rename", "recover-before-commit", "recover-committed")
REEXTRACT_BOUNDARIES = ("object-half", "reextract-before-commit", "reextract-committed")


def after_commit(function: Callable[..., Any], countdown: Countdown) -> None:
    """Die once the transaction of this function is committed."""
    original = Database.run_async

    async def run_async(self: Database, called: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        result = await original(self, called, *args, **kwargs)
        if getattr(called, "__func__", called) is function:
            countdown.reached()
        return result

    Database.run_async = run_async  # type: ignore[method-assign]


def after_write(function: Callable[..., Any], countdown: Countdown) -> None:
    """Die once the transaction of this function, with the lines that it staged, is committed."""
    original = Archive.write

    async def write(self: Archive, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        result = await original(self, work, *args, **kwargs)
        if getattr(work, "__func__", work) is function:
            countdown.reached()
        return result

    Archive.write = write  # type: ignore[assignment,method-assign]


def half_an_object(countdown: Countdown, kind: str = "") -> None:
    original = ObjectWriter.flush

    def flush(self: ObjectWriter) -> list[Growth]:
        for name, one in self._open.items():
            if one.staged and kind in {"", name} and countdown.is_over():
                one.file.write(b"".join(one.staged)[:-100])
                countdown.die()
        return original(self)

    ObjectWriter.flush = flush  # type: ignore[method-assign]


def arm_writer(boundary: str, number: int) -> None:
    """WARC is written by a process of its own."""
    os.environ["KILL_AT"] = f"{boundary} {number}"
    process.MODULE = dying_writer.__name__


def arm(boundary: str, number: int) -> None:
    if boundary in dying_writer.BOUNDARIES:
        arm_writer(boundary, number)
        return
    countdown = Countdown(number)
    plans: dict[str, Callable[[], None]] = {
        "poll-before-commit": lambda: after(channels, "store_poll", countdown),
        "poll-committed": lambda: after_commit(channels.store_poll, countdown),
        "capture-before-commit": lambda: after(pages, "mark_captured", countdown),
        "capture-committed": lambda: after_commit(pages.mark_captured, countdown),
        "object-half": lambda: half_an_object(countdown),
        "object-before-commit": lambda: after(settling, "settle_findings", countdown),
        "object-settled": lambda: after_commit(settling.settle_findings, countdown),
        "reextract-before-commit": lambda: after(reextraction, "settle_rereads", countdown),
        "reextract-committed": lambda: after_commit(reextraction.settle_rereads, countdown),
        "recover-before-rename": lambda: after(recovery, "_set_aside", countdown),
        "recover-before-commit": lambda: after(recovery, "move_lines", countdown),
        "recover-committed": lambda: after_commit(recovery.move_lines, countdown),
        "gap-before-commit": lambda: after(gaps, "store_gap_fetch", countdown),
        "gap-committed": lambda: after_commit(gaps.store_gap_fetch, countdown),
        "learned-committed": lambda: after_commit(adapting.note_learned, countdown),
        "again-before-commit": lambda: after(adapting, "store_again", countdown),
        "again-committed": lambda: after_write(adapting.store_again, countdown),
        "applied-committed": lambda: after_commit(adapting.note_applied, countdown),
        "visit-before-commit": lambda: after(visits, "store_visit", countdown),
        "contribution-half": lambda: half_an_object(countdown, "contributions"),
        "visit-committed": lambda: after_write(visits.store_visit, countdown),
        "campaign-began": lambda: after_commit(campaign_start.begin_spending, countdown),
        "candidate-before-commit": lambda: after(campaign_settling, "store_page", countdown),
        "candidate-committed": lambda: after_write(candidates.CandidateSource._stored, countdown),
        "spending-before-commit": lambda: after(campaign_run, "end_spending", countdown),
        "spending-committed": lambda: after_commit(campaign_run.CampaignRun.end, countdown),
        "post-before-commit": lambda: after(apis, "store_api_fetch", countdown),
        "post-half": lambda: half_an_object(countdown, "posts"),
        "post-committed": lambda: after_write(apis.store_api_fetch, countdown),
        "probe-before-commit": lambda: after(forms, "store_capture", countdown),
        "answer-committed": lambda: after_commit(forms.store_capture, countdown),
        "record-half": lambda: half_an_object(countdown, "records"),
        "record-settled": lambda: after_write(form_reading.store_answer, countdown),
        "rendering-asked": lambda: after_commit(rendering.ask_rendering, countdown),
        "rendering-before-commit": lambda: after(rendering, "store_rendering", countdown),
        "rendering-committed": lambda: after_commit(rendering.store_rendering, countdown),
        "repair-before-rename": lambda: before(repair, "sync_folder", countdown),
    }
    plans[boundary]()


if __name__ == "__main__":
    arm(sys.argv[1], int(sys.argv[2]))
    execute(["scrapy", *sys.argv[3:]])
