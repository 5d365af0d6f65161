"""What holds whatever the pages are: an answer for each, in time, in any order the same, and sound."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec
from lxml import etree

from archiver.articles.explain.as_html import html_of
from archiver.articles.explain.as_text import lines_of
from archiver.articles.explain.explanation import explain
from archiver.articles.methods.extraction import extract_group
from archiver.articles.methods.registry import DEFAULT
from archiver.articles.model import Article, Extracted, NoArticle, Wrapper
from archiver.documents.pages.dom import parse_markup
from archiver.documents.pages.text import text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from archiver.documents.pages.model import RawPage
    from tests.fuzz.cases import Case

# Of the processor, not of the clock: other work on the machine must not count.
PAGE_SECONDS = 10
OUTCOMES = {"empty", "not_article", "not_html"}


class TooSlowError(AssertionError):
    """Extraction took more of the processor than a page may."""


def check(case: Case) -> None:
    """Extract as a crawl does, and hold the results to what must be true of them."""
    memory = _extracted(case.before, case.method, ()).learned
    found = _extracted(case.pages, case.method, memory)
    known = {wrapper.id for wrapper in memory}
    assert known.issuperset(found.outdated), "a wrapper is outdated that nobody knew"
    if case.method == DEFAULT:
        _check_explanation(case, found, memory)
    backwards = _extracted(case.pages[::-1], case.method, memory[::-1])
    assert backwards.results[::-1] == found.results, "the order of the pages changes the results"
    assert set(backwards.learned) == set(found.learned), "the order of the pages changes what is learned"


def _extracted(pages: Sequence[RawPage], method: str, memory: tuple[Wrapper, ...]) -> Extracted:
    with _in_time(PAGE_SECONDS * max(1, len(pages))):
        found = extract_group(pages, method, memory)
    assert len(found.results) == len(pages), "not as many results as pages"
    for result in found.results:
        _check_result(result)
    for wrapper in found.learned:
        _check_wrapper(wrapper)
    return found


def _check_result(result: Article | NoArticle) -> None:
    if isinstance(result, NoArticle):
        assert result.outcome in OUTCOMES, result
        assert result.reason, result
        return
    assert 0 <= result.confidence <= 1, result.confidence
    assert result.text.strip(), "an article without text"
    again = parse_markup(result.html)
    assert again is not None, "the markup cannot be parsed"
    assert text_of(again) == result.text, "text and markup differ"
    assert text_of(etree.fromstring(result.html)) == result.text, "text and markup differ as XML"
    assert msgspec.json.decode(msgspec.json.encode(result), type=Article) == result


def _check_explanation(case: Case, found: Extracted, memory: tuple[Wrapper, ...]) -> None:
    """What is explained is what was found, and can be shown."""
    with _in_time(PAGE_SECONDS * len(case.pages)):
        drawing = explain(case.pages, memory)
        told, result = drawing.explanation, found.results[0]
        assert told.outcome == ("article" if isinstance(result, Article) else result.outcome)
        assert all(block.is_kept or block.reasons for block in told.blocks), (
            "a block was dropped for no reason"
        )
        msgspec.json.encode(told)
        "\n".join(lines_of(told, lambda text, _: text, width=80, is_whole=True)).encode()
        html_of(drawing).encode()


def _check_wrapper(wrapper: Wrapper) -> None:
    etree.XPath(wrapper.xpath)
    assert 0 <= wrapper.confidence <= 1, wrapper.confidence
    assert wrapper.samples, "a wrapper that was learned from nothing"
    assert msgspec.json.decode(msgspec.json.encode(wrapper), type=Wrapper) == wrapper


@contextmanager
def _in_time(seconds: float) -> Iterator[None]:
    def end(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlowError(f"more than {seconds} s of the processor")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
