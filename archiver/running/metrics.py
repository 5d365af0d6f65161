"""A run as metrics: counts since its start, and what there is to do, for programs that watch programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from prometheus_client.core import Metric

    from archiver.running.report import RunReport
    from archiver.store.outstanding import Outstanding


class RunMetrics:
    """One reading of a run, in the form in which the client library collects."""

    def __init__(self, report: RunReport, left: Outstanding) -> None:
        self._report = report
        self._left = left

    def collect(self) -> Iterator[Metric]:
        yield from self._about()
        yield from self._counts()
        yield from self._to_do()

    def _about(self) -> Iterator[Metric]:
        report = self._report
        labels = {"writer": report.writer, "profile": report.profile, "crawled": report.crawled}
        yield InfoMetricFamily("archiver_run", "The run that tells these metrics.", value=labels)
        began = GaugeMetricFamily(
            "archiver_run_start_timestamp_seconds", "When the run began.", unit="seconds"
        )
        began.add_metric([], report.started.timestamp())
        yield began

    def _counts(self) -> Iterator[Metric]:
        report = self._report
        entries = {"new": report.entries_new, "changed": report.entries_changed}
        yield _counter("polls", "Polls of channels, by what came of them.", "outcome", report.polls)
        yield _counter("entries", "Entries of feeds.", "kind", entries)
        yield _counter("articles", "Pages that were read, by what came of them.", "outcome", report.outcomes)
        yield _counter("rechecks", "Looks at known articles, by what they found.", "outcome", report.rechecks)
        yield _counter("page_failures", "Pages that could not be fetched.", "reason", report.page_failures)
        yield _total("pages_fetched", "Pages that were fetched.", report.pages_fetched)
        yield _total(
            "requisites_fetched", "Styles, images and the like that were fetched.", report.requisites_fetched
        )
        yield _total("received_bytes", "Bytes of responses.", report.bytes_received, unit="bytes")
        yield _total("errors", "Errors that an operator should look at.", len(report.errors))

    def _to_do(self) -> Iterator[Metric]:
        left = self._left
        due = GaugeMetricFamily("archiver_due", "What there is to do now.", labels=["kind"])
        for kind in ("channels", "pages", "retries", "unread"):
            due.add_metric([kind], getattr(left, kind))
        yield due
        if left.next_poll is not None:
            yield _moment("next_poll", "When the next channel is due.", left.next_poll)


def _moment(name: str, about: str, at: datetime) -> Metric:
    family = GaugeMetricFamily(f"archiver_{name}_timestamp_seconds", about, unit="seconds")
    family.add_metric([], at.timestamp())
    return family


def _counter(name: str, about: str, label: str, counts: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(f"archiver_{name}", about, labels=[label])
    for value, count in sorted(counts.items()):
        family.add_metric([value], count)
    return family


def _total(name: str, about: str, count: int, unit: str = "") -> Metric:
    family = CounterMetricFamily(f"archiver_{name}", about, unit=unit)
    family.add_metric([], count)
    return family
