"""Patterns that were learned are told, written to files, and used on other sites of the same template."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.sites.learning.labels import ENTRY, LinkLabel
from archiver.acquisition.sites.learning.model import LabelRecord
from archiver.acquisition.sites.learning.pattern_files import (
    FilePattern,
    PatternFile,
    PatternOrigin,
    believed_of,
    write_patterns,
)
from archiver.acquisition.sites.learning.patterns import LinkStep, NavigationPattern, read_pattern
from archiver.acquisition.sites.learning.told import LabelNote, learned_patterns
from archiver.acquisition.sites.model import Strategy
from archiver.acquisition.sites.traps.forms import Rank
from archiver.errors import ConfigurationError, FileFlaws
from archiver.spiders.site import SiteSpider

if TYPE_CHECKING:
    from pathlib import Path


def _note(number: int, path: str, shape: str, led: dict[int, int], gains: tuple[float, ...]) -> LabelNote:
    record = LabelRecord(
        id=number,
        path=path,
        shape=shape,
        rank=Rank.PAGES,
        fetched=len(gains),
        gains=gains,
        gained=sum(gains),
        paid=sum(gain > 0 for gain in gains),
        leads=((),) * len(gains),
        series=int("page" in shape),
    )
    return LabelNote(record=record, pages=len(gains), source=1, led=led)


NOTES = [
    _note(1, ENTRY, "", {2: 1, 3: 2, 4: 1}, (5.0,)),
    _note(2, "/html/nav/a", "page/#", {2: 8, 3: 90}, (0.0,) * 10),
    _note(3, "/html/h2/a", "#/*", {4: 2, 5: 2}, (100.0,) * 92),
    _note(4, "/html/p/a", "print/#", {}, (0.0, 0.0, 0.0)),
    _note(5, "/html/p/a", "tag/*", {}, ()),
]


def test_each_label_is_told_with_the_way_to_it_and_what_it_is() -> None:
    found = [(str(one.pattern), one.role, one.state, one.pages) for one in learned_patterns(NOTES)]
    pager, item = "(/html/nav/a /page/#)+", "(/html/h2/a /#/*)"
    assert found == [
        (f"{pager} {item}", "content", "active", 92),
        # Its last pages brought nothing; over the whole crawl it led to nearly everything.
        (pager, "list", "sleeping", 10),
        (f"{pager} {item} (/html/p/a /print/#)", "aside", "sleeping", 3),
        (f"{pager} {item} (/html/p/a /tag/*)", "unknown", "untried", 0),
    ]


def test_a_list_gains_what_it_led_to_for_all_requests_of_that() -> None:
    content, pager, *_ = learned_patterns(NOTES)
    assert content.gain == 100
    assert pager.gain == pytest.approx(90 * 100 / (10 + 90))


def test_labels_that_lead_to_each_other_make_no_endless_pattern() -> None:
    around = [NOTES[0], replace(NOTES[1], led={4: 5}), replace(NOTES[3], led={2: 5})]
    assert [len(one.pattern.steps) for one in learned_patterns(around)] == [2, 2]


# ── Files ────────────────────────────────────────────────────────────────────────────────────────────────

PAGER = LinkStep("/html/body/nav.pages/a", "page/#", None)
ITEM = LinkStep("/html/body/h2/a(b) c", "#/*", 1)


def _file(*patterns: FilePattern) -> PatternFile:
    origin = PatternOrigin(on="2026-11-16T16:40Z", requests=140)
    return PatternFile(format=1, site="https://blog.example/", learned=origin, patterns=patterns)


def test_a_file_is_read_as_it_was_written() -> None:
    steps = NavigationPattern((PAGER, ITEM))
    text, many = write_patterns(
        _file(
            FilePattern(
                path=steps, role="content", gain=214.28, pages=46, example="http://a.example/1/x?y=2"
            ),
            FilePattern(path=NavigationPattern((PAGER,)), role="list", gain=90.0, state="sleeping"),
            FilePattern(path=read_pattern("(/html/p/a /w?print)"), role="aside", gain=0.0, state="sleeping"),
            FilePattern(path=read_pattern("(/html/p/a /old/#)"), role="aside", gain=0.0),
            FilePattern(
                path=read_pattern("(/html/p/a /topic/#)"), role="content", gain=5.0, state="sleeping"
            ),
        )
    )
    # Neither what was tried too little, nor content that stopped paying.
    item, pager, aside = believed_of(text.encode(), "a.yaml")
    assert many == 5
    assert (item.name, item.source) == (LinkLabel(ITEM.path, "#/*"), LinkLabel(PAGER.path, "page/#"))
    assert (item.gains, item.is_series, item.target) == ((214.3,), False, "/1/x?y=2")
    assert (pager.gains, pager.is_series, pager.target) == ((90.0,), True, "/page/1")
    assert not any(aside.gains)
    assert aside.target == "/w?print=1"


def test_no_more_is_written_than_can_be_read() -> None:
    long = NavigationPattern((LinkStep(f"/{'é' * 390}", "w", 1),) * 3)
    text, many = write_patterns(_file(*[FilePattern(path=long, role="content", gain=1.0)] * 1000))
    assert 50 < many < 1000
    assert len(believed_of(text.encode(), "a.yaml")) == 1, "the same links are believed once"
    short = FilePattern(path=NavigationPattern((PAGER,)), role="list", gain=1.0, example="/x", wrapper="w")
    text, many = write_patterns(_file(*[short] * 5000))
    assert 500 < many < 5000
    assert believed_of(text.encode(), "a.yaml")


def test_a_file_without_patterns_says_so() -> None:
    text, many = write_patterns(_file())
    assert (many, believed_of(text.encode(), "a.yaml")) == (0, ())


HEAD = "format: 1\nsite: http://a.example/\nlearned: {on: now, requests: 1}\npatterns:\n"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (HEAD + "- {path: '(/a /w', role: list, gain: 1}", "f.yaml:5:10: Not a step of a pattern, at"),
        (HEAD + "- {path: (/a /w), role: liste, gain: 1}", "f.yaml:5:25: liste is not possible here"),
        (HEAD + "- {path: (/a /w), role: list, gain: nan}", "f.yaml:5:37: nan is not a number from 0 to"),
        (HEAD + "- {path: (/a /w), role: list, gain: 1e9}", "f.yaml:5:37: 1e9 is not a number from 0 to"),
        (HEAD + "- {path: (/a), role: list, gain: 1}", "f.yaml:5:10: The last step has no form of address"),
        (HEAD + "- {path: (/a /w), gain: 1}", "f.yaml:5:3: Missing here: role"),
        (HEAD.replace("1", "2", 1) + " []", "f.yaml:1:9: Format 2 is not known: write 1"),
        ("", "f.yaml:1:1: The file is empty"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_the_place(content: str, told: str) -> None:
    with pytest.raises(FileFlaws) as refused:
        believed_of(content.encode(), "f.yaml")
    assert told in str(refused.value)


def test_a_crawl_refuses_patterns_that_it_cannot_use(tmp_path: Path) -> None:
    path = tmp_path / "blog.yaml"
    with pytest.raises(FileFlaws, match=r"blog\.yaml:1:1: The file cannot be read: No such file"):
        SiteSpider(url="http://blog.example/", patterns=str(path))
    path.write_text(HEAD + "- {path: (/a /w), role: list, gain: 1}")
    spider = SiteSpider(url="http://blog.example/", patterns=str(path))
    assert (spider.strategy, len(spider.believed)) == (Strategy.LEARNED, 1)
    with pytest.raises(ConfigurationError, match="is for -a strategy=learned, not for blind"):
        SiteSpider(url="http://blog.example/", patterns=str(path), strategy="blind")
