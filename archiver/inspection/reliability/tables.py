"""The counts as tables: dates and validators by source, channel, server and generator; sources of labels."""

from __future__ import annotations

from collections import defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING

from archiver.acquisition.reliability.validators import Validator
from archiver.articles.labels.model import LabelSource
from archiver.articles.labels.reliability import channel_trust, pooled, usual_trusts
from archiver.documents.times.model import Source
from archiver.inspection.statistics.tables import Column, ColumnKind, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from archiver.articles.labels.model import Records
    from archiver.inspection.reliability.model import DateCounts, Reliability, ValidatorCounts
    from archiver.inspection.statistics.tables import Row

_UNNAMED = "(not named)"
_VERDICTS = ("agreed", "contradicted", "moved", "stood")
_VERDICT_COLUMNS = (
    Column(name="agreed", title="Agreed", kind=ColumnKind.COUNT),
    Column(name="contradicted", title="Contradicted", kind=ColumnKind.COUNT),
    Column(name="moved", title="Moved without an edit", kind=ColumnKind.COUNT),
    Column(name="stood", title="Stood over an edit", kind=ColumnKind.COUNT),
)
_SEEN = ("agreed", "moved", "noise", "stood", "not_modified", "checks", "hid")
_SEEN_COLUMNS = (
    Column(name="agreed", title="Agreed", kind=ColumnKind.COUNT),
    Column(name="moved", title="Moved, same bytes", kind=ColumnKind.COUNT),
    Column(name="noise", title="Stood, noise", kind=ColumnKind.COUNT),
    Column(name="stood", title="Stood over an edit", kind=ColumnKind.COUNT),
    Column(name="not_modified", title="304", kind=ColumnKind.COUNT),
    Column(name="checks", title="Checked", kind=ColumnKind.COUNT),
    Column(name="hid", title="304 hid an edit", kind=ColumnKind.COUNT),
)
_NAMES = {Validator.ETAG.value: "ETag", Validator.LAST_MODIFIED.value: "Last-Modified"}


def time_tables(found: Reliability) -> Iterator[Table]:
    """What `scrapy statistics --times` shows."""
    yield _dates_by_source(found)
    yield _dates(found, "channel", lambda one: one.name or f"scope {one.channel}")
    yield _dates(found, "server", lambda one: one.server or _UNNAMED)
    yield _dates(found, "generator", lambda one: one.generator or _UNNAMED)
    yield _validators(found, "server", lambda one: one.server or _UNNAMED)
    yield _validators(found, "generator", lambda one: one.generator or _UNNAMED)
    yield clausen(found)
    yield unsent(found)


def about_times(found: Reliability) -> str:
    """What the counts are of, in words."""
    answers = sum(one.not_modified for one in found.validators if one.validator == Validator.ETAG)
    dates = sum(one.agreed + one.contradicted + one.moved + one.stood for one in found.dates)
    if not dates and not found.validators:
        return (
            "Nothing was counted yet: dates and validators are compared as articles are read and looked at."
        )
    hosts = len({one.host for one in found.validators})
    return (
        f"{dates:,} dates were held against others and against what was seen, and the validators of {hosts:,}"
        f" hosts against whole answers; {answers:,} answers of 304 went by an ETag."
    )


def about_labels(found: Reliability) -> str:
    if not found.labels:
        return (
            "No source was held against another yet: pages are, whose feed carries the full text or which"
            " state it as articleBody."
        )
    return (
        "A source is sound on a page if it speaks of this article; blocks wrong are those that it gets wrong"
        " where it is. Both are learned from how sources agree, and what people mark is never doubted."
    )


def _dates_by_source(found: Reliability) -> Table:
    """In the order in which sources are asked, as docs/timestamps.md has it."""
    sums = _summed((((one.what, one.source), one) for one in found.dates), _VERDICTS)
    places = {str(source): place for place, source in enumerate(Source)}
    rows = sorted(sums.items(), key=lambda row: (-len(row[0][0]), places[row[0][1]]))
    columns = (Column(name="what", title="Date"), Column(name="source", title="Source"), *_VERDICT_COLUMNS)
    return Table(name="dates", title="Dates by source", columns=columns, rows=_rows(rows))


def _dates(found: Reliability, by: str, key: Callable[[DateCounts], str]) -> Table:
    sums = _summed((((key(one),), one) for one in found.dates), _VERDICTS)
    columns = (Column(name=by, title=by.capitalize()), *_VERDICT_COLUMNS)
    rows = _rows(sorted(sums.items()))
    return Table(name=f"dates_by_{by}", title=f"Dates by {by}", columns=columns, rows=rows)


def _validators(found: Reliability, by: str, key: Callable[[ValidatorCounts], str]) -> Table:
    mine = [one for one in found.validators if one.validator in _NAMES]
    sums = _summed((((key(one), _NAMES[one.validator]), one) for one in mine), _SEEN)
    head = Column(name=by, title=by.capitalize())
    columns = (head, Column(name="validator", title="Validator"), *_SEEN_COLUMNS)
    rows = _rows(sorted(sums.items()))
    return Table(name=f"validators_by_{by}", title=f"Validators by {by}", columns=columns, rows=rows)


def _summed(
    found: Iterable[tuple[tuple[str, ...], DateCounts | ValidatorCounts]], names: tuple[str, ...]
) -> dict[tuple[str, ...], tuple[int, ...]]:
    sums: defaultdict[tuple[str, ...], list[int]] = defaultdict(lambda: [0] * len(names))
    for key, one in found:
        for place, name in enumerate(names):
            sums[key][place] += getattr(one, name)
    return {key: tuple(counts) for key, counts in sums.items()}


def _rows(sums: Iterable[tuple[tuple[str, ...], tuple[int, ...]]]) -> tuple[Row, ...]:
    rows: list[Row] = []
    for names, counts in sums:
        rows.append((*names, *counts))
    return tuple(rows)


def clausen(found: Reliability) -> Table:
    """Clausen's test: how often his rule would have missed an edit, and downloaded for nothing."""
    gets = [one for one in found.validators if one.validator == Validator.CLAUSEN_GETS]
    keeps = [one for one in found.validators if one.validator == Validator.CLAUSEN_KEEPS]
    rows = {
        "downloads, and the bytes had changed": sum(one.agreed for one in gets),
        "downloads the same bytes": sum(one.moved for one in gets),
        "does not, and the bytes are the same": sum(one.agreed for one in keeps),
        "does not, and misses noise": sum(one.noise for one in keeps),
        "does not, and misses an edit": sum(one.stood for one in keeps),
    }
    total = sum(rows.values())
    columns = (
        Column(name="outcome", title="What the rule does"),
        Column(name="answers", title="Answers", kind=ColumnKind.COUNT),
        Column(name="share", title="Share", kind=ColumnKind.SHARE),
    )
    cells = tuple((text, count, count / total) for text, count in rows.items() if total)
    title = "Clausen's rule: download without an ETag, or if Last-Modified moved"
    return Table(name="clausen", title=title, columns=columns, rows=cells)


def unsent(found: Reliability) -> Table:
    columns = (
        Column(name="host", title="Host"),
        Column(name="validator", title="Not sent"),
        Column(name="until", title="Until"),
    )
    rows = tuple(
        (one.host, _NAMES[one.validator], f"{one.unsent_until:%Y-%m-%d}")
        for one in found.validators
        if one.unsent_until is not None and one.validator in _NAMES
    )
    return Table(name="unsent", title="Validators that lied twice", columns=columns, rows=rows)


def label_tables(found: Reliability) -> Iterator[Table]:
    """What `scrapy statistics --sources` shows."""
    records: Records = {(LabelSource(one.source), one.channel): one.record for one in found.labels}
    columns = (
        Column(name="pages", title="Pages", kind=ColumnKind.COUNT),
        Column(name="soundness", title="Sound", kind=ColumnKind.SHARE),
        Column(name="error", title="Blocks wrong", kind=ColumnKind.SHARE),
    )
    usual = usual_trusts(pooled(records))
    rows: list[Row] = []
    for source in sorted({source for source, _ in records}):
        pages = sum(record.pages for (one, _), record in records.items() if one is source)
        rows.append((source.value, round(pages), usual[source].soundness, usual[source].error))
    yield Table(
        name="sources",
        title="Sources of labels",
        columns=(Column(name="source", title="Source"), *columns),
        rows=tuple(rows),
    )
    by_channel: list[Row] = []
    for one in found.labels:
        trust = channel_trust(LabelSource(one.source), one.channel, records, usual)
        name = one.name or f"scope {one.channel}"
        by_channel.append((name, one.source, round(one.record.pages), trust.soundness, trust.error))
    yield Table(
        name="sources_by_channel",
        title="The same by channel, the least trusted first",
        columns=(Column(name="channel", title="Channel"), Column(name="source", title="Source"), *columns),
        rows=tuple(sorted(by_channel, key=itemgetter(3, 0, 1))),
    )
