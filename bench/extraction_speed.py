"""How fast a channel's texts are found: with a wrapper learned before, while learning, and by trafilatura."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from itertools import cycle, islice
from statistics import fmean
from typing import TYPE_CHECKING

from extraction_metric import score
from extraction_run import Program, running, sent
from extraction_sets import channels

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from extraction_run import Child
    from extraction_sets import Page

CHANNEL = 20
LEAST_PAGES = 5
METHOD = "article"
YARDSTICK = "trafilatura"
LEARNED, LEARNING = f"{METHOD}, wrapper learned before", f"{METHOD}, learning included"
HEAD = f"{'channels':>10}{'pages/s':>9}{'times':>7}{'wrapper':>9}{'F1':>7}"
LEGEND = f"""\
pages/s  pages a second of processor time, from bytes to text, parsing included, metadata and importing not
times    as many as {YARDSTICK} on the same channels
wrapper  the share of pages that a learned wrapper served
F1       mean over the pages"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """What a program did with one channel."""

    cpu: float
    by_wrapper: int
    f1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """What a program did with the channels of a set."""

    set: str
    method: str
    channels: int
    pages_per_cpu_second: float
    times_trafilatura: float
    by_wrapper: float
    f1: float

    def row(self) -> dict[str, str | float]:
        return {name: round(one, 4) if isinstance(one, float) else one for name, one in asdict(self).items()}


def programs(python: str, peers_python: str) -> list[Program]:
    """What is compared: our method twice, and trafilatura with its fallbacks and without."""
    ours = ((LEARNED, "learned"), (LEARNING, "learning"))
    return [
        *(Program(name=name, kind=kind, python=python, call=METHOD) for name, kind in ours),
        *(Program(name=name, kind="peer", python=peers_python) for name in (YARDSTICK, f"{YARDSTICK}_fast")),
    ]


def channels_of_twenty(pages: Iterable[Page]) -> list[list[Page]]:
    """The sites with enough pages, each as a channel of 20: of those that have fewer, pages come again.

    A page that comes again has another name and another address. Addresses begin with numbers, so that no
    page comes again before all have come once: methods that go by addresses learn from different pages.
    """
    sites = [site for site in channels(pages) if len(site) >= LEAST_PAGES]
    return [
        [
            replace(page, id=f"{page.id} {number}", url=f"https://page.invalid/{number:02}")
            for number, page in enumerate(islice(cycle(site), CHANNEL))
        ]
        for site in sites
    ]


def measure_speed(programs: Sequence[Program], name: str, given: Sequence[Sequence[Page]]) -> list[Speed]:
    """Give every channel to every program in turn, so that a busy minute falls on all of them."""
    timed: dict[str, list[Timed]] = {program.name: [] for program in programs}
    with ExitStack() as stack:
        children = {program.name: stack.enter_context(running(program)) for program in programs}
        for channel in given:
            for program, child in children.items():
                timed[program].append(_timed(child, channel))
    return rows(name, timed)


def _timed(child: Child, channel: Sequence[Page]) -> Timed:
    answer = child.ask([sent(page, entry=True) for page in channel])
    scores = [score(page.gold, text).f1 for page, text in zip(channel, answer["texts"], strict=True)]
    return Timed(cpu=answer["cpu"], by_wrapper=answer["by_wrapper"], f1=fmean(scores))


def rows(name: str, timed: Mapping[str, Sequence[Timed]]) -> list[Speed]:
    """The figures of each program; with memory, also those of the channels for which it has a wrapper."""
    found = []
    for program, channels_of_it in timed.items():
        pairs = list(zip(channels_of_it, timed[YARDSTICK], strict=True))
        known = [pair for pair in pairs if pair[0].by_wrapper]
        if program == LEARNED and 0 < len(known) < len(pairs):
            found.append(_speed(name, f"{program}, where there is one", known))
        found.append(_speed(name, program, pairs))
    return found


def _speed(name: str, method: str, pairs: Sequence[tuple[Timed, Timed]]) -> Speed:
    """Of a program's channels, each beside what the yardstick took for it."""
    pages, cpu = CHANNEL * len(pairs), sum(own.cpu for own, _ in pairs)
    return Speed(
        set=name,
        method=method,
        channels=len(pairs),
        pages_per_cpu_second=pages / cpu,
        times_trafilatura=sum(other.cpu for _, other in pairs) / cpu,
        by_wrapper=sum(own.by_wrapper for own, _ in pairs) / pages,
        f1=fmean(own.f1 for own, _ in pairs),
    )


def table(found: Sequence[Speed]) -> str:
    wide = max(len(one.method) for one in found)
    title = f"{found[0].set}, channels of {CHANNEL} pages"
    return "\n".join([title, f"{'':{wide}}{HEAD}", *(line(one, wide) for one in found)])


def line(of: Speed, wide: int) -> str:
    speed = f"{of.channels:10}{of.pages_per_cpu_second:9.1f}{of.times_trafilatura:7.2f}"
    return f"{of.method:{wide}}{speed}{of.by_wrapper:9.2f}{of.f1:7.3f}"
