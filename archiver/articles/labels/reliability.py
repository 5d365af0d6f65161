"""How far each source of labels is trusted, on each channel: what it agreed on, drawn to what is usual."""

from __future__ import annotations

from collections import defaultdict
from types import MappingProxyType
from typing import TYPE_CHECKING

from archiver.articles.labels.agreement import agreement_of, cells_of, masses_of
from archiver.articles.labels.model import LabelSource, SourceRecord, SourceTrust
from archiver.digests import fraction_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from archiver.articles.labels.agreement import PageAgreement
    from archiver.articles.labels.model import LabelledPage, Records

    UsualTrusts = Mapping[LabelSource, SourceTrust]

# How many blocks of a hundred a source gets wrong where it is sound, before anything was seen of it: a guess,
# but for `statement` (one in five is cut or differs) and `consensus` (F1 .94 to .96): docs/extraction.md.
FIRST_ERRORS = MappingProxyType(
    {
        LabelSource.USER: 0.001,
        LabelSource.FEED: 0.05,
        LabelSource.STATEMENT: 0.15,
        LabelSource.CONSENSUS: 0.08,
        LabelSource.WRAPPER: 0.08,
    }
)
# Eight of nine pages are taken to be sound at first; what was seen of a source counts beside these nine.
_SOUND_FIRST, _BROKEN_FIRST = 8.0, 1.0
# The first error counts as so many pages.
_ERROR_PAGES = 20.0
# A channel is taken to be as the source is elsewhere, for as much as this many of its pages say. A guess.
_CHANNEL_PAGES = 8.0
# Of one channel no more pages speak for the source as a whole: others are not as a large one is.
MOST_OF_A_CHANNEL = 20.0
# A channel's last pages count: beyond so many, older ones fade.
MEMORY = 200.0
# One of so many pages of a channel is labelled until so many were, and then one of so many. That takes a
# fifth of the time of reading the page in full (13 of 65 ms on fundus-eval), so it adds 2 % at most.
_ENOUGH_PAGES, _ONE_OF_FIRST, _ONE_OF = 20, 12, 50
# What people mark is taken as it is, whichever sources contradict it.
USER_TRUST = SourceTrust(soundness=1 - 1e-6, error=FIRST_ERRORS[LabelSource.USER])
# Trust is never complete, and never lost for good.
_LEAST, _MOST = 0.02, 0.99


def pooled(records: Records) -> dict[LabelSource, SourceRecord]:
    """What was seen of each source on all channels, of which none counts for more than its share."""
    found: defaultdict[LabelSource, SourceRecord] = defaultdict(SourceRecord)
    for (source, _), record in records.items():
        if record.pages:
            found[source] = found[source].plus(record, times=min(1.0, MOST_OF_A_CHANNEL / record.pages))
    return found


def usual_trusts(seen: Mapping[LabelSource, SourceRecord]) -> UsualTrusts:
    """How far each source is trusted on a channel that is not known, by what was seen on all."""
    return {source: _usual(source, seen.get(source, SourceRecord())) for source in LabelSource}


def source_trust(source: LabelSource, records: Records) -> SourceTrust:
    """The same for one source, by its records on all channels."""
    return _usual(source, pooled(records).get(source, SourceRecord()))


def _usual(source: LabelSource, seen: SourceRecord) -> SourceTrust:
    if source is LabelSource.USER:
        return USER_TRUST
    sound = (_SOUND_FIRST + seen.sound) / (_SOUND_FIRST + _BROKEN_FIRST + seen.pages)
    first = FIRST_ERRORS[source]
    error = (_ERROR_PAGES * first + seen.wrong) / (_ERROR_PAGES + seen.right + seen.wrong)
    return _bounded(sound, error)


def channel_trust(source: LabelSource, channel: int, records: Records, usual: UsualTrusts) -> SourceTrust:
    """The same on one channel: by what was seen there, and the less there is of it, by other channels."""
    elsewhere, seen = usual[source], records.get((source, channel))
    if source is LabelSource.USER or seen is None:
        return elsewhere
    sound = (_CHANNEL_PAGES * elsewhere.soundness + seen.sound) / (_CHANNEL_PAGES + seen.pages)
    right = seen.right + seen.wrong
    error = (_CHANNEL_PAGES * elsewhere.error + seen.wrong) / (_CHANNEL_PAGES + right)
    return _bounded(sound, error)


def _bounded(soundness: float, error: float) -> SourceTrust:
    return SourceTrust(soundness=min(max(soundness, _LEAST), _MOST), error=min(max(error, 0.005), 0.4))


def is_sampled(seen: int, name: str) -> bool:
    """Whether a page is labelled, after so many of its channel were; `name` is that of its capture."""
    return fraction_of(name) < 1 / (_ONE_OF_FIRST if seen < _ENOUGH_PAGES else _ONE_OF)


def judged_page(
    page: LabelledPage, records: Records, usual: UsualTrusts, priors: Sequence[float] | None = None
) -> PageAgreement:
    """What the labels of a page come to, by what is known of their sources."""
    trusts = {one.source: channel_trust(one.source, page.channel, records, usual) for one in page.labels}
    masses = masses_of(page, cells_of(page, priors))
    return agreement_of([one.source for one in page.labels], masses, trusts, has_model=priors is not None)


def after_page(records: Records, channel: int, lessons: Mapping[LabelSource, SourceRecord]) -> Records:
    """The records that a page changes, after it."""
    return {
        (source, channel): faded(records.get((source, channel), SourceRecord()).plus(lesson))
        for source, lesson in lessons.items()
    }


def faded(record: SourceRecord) -> SourceRecord:
    """As much of a record as is remembered."""
    return record if record.pages <= MEMORY else SourceRecord().plus(record, times=MEMORY / record.pages)
