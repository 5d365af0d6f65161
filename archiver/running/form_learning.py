"""Where records stand, learned by a worker from the answers of a form that are in the archive."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from archiver.acquisition.forms.model import BESIDE
from archiver.documents.pages.forms.description import written
from archiver.errors import ExtractionError
from archiver.records.calling import learned_key
from archiver.running.workers.forms import KeptAnswer, LearnedRecords, LearnRecords

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.running.archive import Archive
    from archiver.running.form_run import FormInquiry
    from archiver.store.asked_forms.probes import MadeProbe

logger = logging.getLogger(__name__)

# Answers that are learned from, at most.
_LEARNED_FROM = 12


def answers_in_archive(made: Sequence[MadeProbe]) -> list[KeptAnswer]:
    """Where the answers to probes are; not those of pages beside the form."""
    return [
        KeptAnswer(url=one.answered_by, file=one.capture.file, offset=one.capture.offset, probe=one.probe)
        for one in made
        if one.capture is not None and one.probe.chosen_by not in BESIDE
    ]


async def learned_from(archive: Archive, inquiry: FormInquiry, kept: Sequence[MadeProbe]) -> LearnedRecords:
    """A wrapper, and what would tell more of its names; no wrapper where answers have nothing in common."""
    found = answers_in_archive(kept)
    nonsense = [one for one in found if one.probe.chosen_by == "nonsense"]
    answers = [one for one in found if one.probe.chosen_by != "nonsense"]
    lists = [one for one in answers if one.probe.chosen_by != "mapping"] or answers
    if not lists:
        return LearnedRecords()
    task = LearnRecords(
        folder=str(archive.config.warc_folder),
        answers=tuple(lists[-_LEARNED_FROM:]),
        nonsense=tuple(nonsense),
        none=inquiry.said.answer.none,
        naming=tuple(one for one in answers if one.probe.chosen_by == "mapping"),
        given=written(inquiry.said.answer.record),
        key=learned_key(inquiry.said),
        inputs=inquiry.plan.inputs if inquiry.plan is not None else (),
        main=inquiry.prober.text if inquiry.prober is not None else "",
    )
    try:
        return await archive.workers.run(task)
    except ExtractionError as error:
        logger.warning("Could not learn from the answers of %s: %s", inquiry.form.name, error)
        return LearnedRecords()
