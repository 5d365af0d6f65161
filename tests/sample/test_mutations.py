"""bench/changes.py: mutations of a foreign page do what they say, and mistakes of a detector are counted."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"
# The scripts of the bench know each other by their bare names.
sys.path.insert(0, str(BENCH))

from changes_crawl import Seen, outcomes  # noqa: E402 - as above
from changes_kinds import EDITS, IMAGES, NOISES, TEXT, TITLE, Expected  # noqa: E402 - as above
from changes_pairs import Chooser  # noqa: E402
from changes_score import FALSE, MISSED, NO_ARTICLE, QUIET, RIGHT, WRONG, Outcome, mistakes, score, verdict  # noqa: E402
from changes_source import Source, words_of  # noqa: E402
from extraction_sets import Page  # noqa: E402

from sample import prose  # noqa: E402
from sample.gazette.history import history  # noqa: E402

_POOL = prose.load("newspaper")


def page(number: int, *, site: str = "courier") -> Page:
    """A page that is nobody's: an article with links and a list, within a frame."""
    subject = _POOL.subjects()[number % len(_POOL.subjects())]
    draft = prose.compose(_POOL, subject, f"foreign {number}", extra=3)
    texts = [block.text.replace("*", "").replace("^", "") for block in draft.blocks]
    linked = texts[1].replace(" the ", ' <a href="/earlier/1">the</a> ', 1)
    items = ("First, the bridge was closed to all traffic.", "Then it was opened again on foot.")
    body = "\n".join(f"<p>{text}</p>" for text in (texts[0], linked, *texts[2:]))
    rows = "".join(f"<li>{item}</li>" for item in items)
    html = (
        f"<html><head><title>{draft.title}</title></head><body class='a b'><nav><a href='/'>Home</a></nav>"
        f'<article><h1>{draft.title}</h1><img src="/photo.jpg" alt="">{body}<ul>{rows}</ul></article>'
        f'<div class="side"><a href="/more">More of this</a></div></body></html>'
    )
    gold = "\n\n".join([*texts, *items])
    url = f"https://{site}.invalid/{number}"
    return Page(
        id=str(number), site=site, gold=gold, html=html, url=url, title=draft.title, description=texts[0]
    )


def source(number: int) -> Source:
    one = page(number)
    return Source(html=one.html, gold=one.gold, url=one.url, title=one.title)


def moments(kind: str, number: int) -> tuple[Source, Source]:
    """The page at both moments."""
    before = source(number)
    mutate = {**EDITS, **NOISES}[kind].mutate
    found = [mutate(before, moment, Random(kind)) for moment in (0, 1)]
    assert found[0] is not None, kind
    assert found[1] is not None, kind
    made = [Source(html=html or "", gold=before.gold, url=before.url, title=before.title) for html in found]
    return made[0], made[1]


def article_words(one: Source) -> list[tuple[str, ...]]:
    return [segment.words for segment in one.article]


def test_the_article_is_found_in_the_source_by_its_gold_text() -> None:
    one = source(1)
    assert len(one.paragraphs) >= 5
    assert all(" ".join(segment.words) in " ".join(words_of(one.gold)) for segment in one.article)
    assert one.headline is not None
    assert "more" not in [word for segment in one.article for word in segment.words[:1]]


@pytest.mark.parametrize("kind", NOISES)
def test_noise_changes_the_page_and_no_word_of_the_article(kind: str) -> None:
    before, after = moments(kind, 2)
    assert before.html != after.html or NOISES[kind].encoding != "utf-8" or kind == "entities"
    assert article_words(before) == article_words(after)
    assert len(article_words(before)) >= 5


@pytest.mark.parametrize("kind", [name for name, one in EDITS.items() if one.expected.kinds & (TEXT | TITLE)])
def test_edits_of_words_change_words(kind: str) -> None:
    before, after = moments(kind, 3)
    shown = [[segment.words for segment in one.segments] for one in (before, after)]
    assert shown[0] != shown[1]


@pytest.mark.parametrize(
    "kind", ["link target", "link added", "link removed", "image swapped", "image removed"]
)
def test_edits_of_links_and_images_change_no_word(kind: str) -> None:
    before, after = moments(kind, 4)
    assert before.html != after.html
    assert [segment.words for segment in before.segments] == [segment.words for segment in after.segments]


def test_a_seed_always_chooses_the_same_and_every_kind_has_its_turn() -> None:
    pages = [page(number) for number in range(30)]
    runs = []
    for _ in range(2):
        chooser = Chooser(6)
        runs.append([pair for one in pages for pair in chooser.pairs(one)])
    assert runs[0] == runs[1]
    kinds = [pair.kind for pair in runs[0]]
    assert max(kinds.count(kind) for kind in EDITS) <= 2
    assert {pair.is_real for pair in runs[0]} == {True, False}
    assert any(pair.beside for pair in runs[0])


@pytest.mark.parametrize(
    ("expected", "found", "said"),
    [
        (Expected(), set(), QUIET),
        (Expected(), {"text"}, FALSE),
        (Expected(kinds=TEXT), set(), MISSED),
        (Expected(kinds=TEXT), {"text"}, RIGHT),
        (Expected(kinds=TEXT), {"text", "links"}, WRONG),
        (Expected(kinds=TEXT | TITLE), {"text"}, WRONG),
        (Expected(kinds=IMAGES, also=TEXT), {"images", "text"}, RIGHT),
        (Expected(either=TEXT | IMAGES), {"images"}, RIGHT),
        (Expected(either=TEXT | IMAGES), {"title"}, WRONG),
        (Expected(either=TEXT | IMAGES), set(), MISSED),
    ],
)
def test_a_version_is_right_only_with_the_right_kinds(expected: Expected, found: set[str], said: str) -> None:
    assert verdict(expected, frozenset(found)) == said


def test_precision_and_recall_count_every_mistake() -> None:
    said = [RIGHT, RIGHT, RIGHT, WRONG, MISSED, FALSE, QUIET, NO_ARTICLE]
    outcomes = [
        Outcome(kind="k", is_real=one in (RIGHT, WRONG, MISSED), said=one, digest=True, where=f"page {rank}")
        for rank, one in enumerate(said)
    ]
    of = score(outcomes)
    assert (of.real, of.changes) == (5, 7)
    assert of.precision == pytest.approx(3 / 5)
    assert of.recall == pytest.approx(3 / 5)
    assert of.digest_precision == pytest.approx(5 / 7)
    assert [line.split(":")[0] for line in mistakes(outcomes)] == [WRONG, MISSED, FALSE]


@pytest.mark.zoo
def test_the_bench_measures_sets_of_pages(tmp_path: Path) -> None:
    lines = [
        {"id": one.id, "site": one.site, "url": one.url, "title": one.title, "description": one.description,
         "gold": one.gold, "html": one.html}
        for one in map(page, range(6))
    ]  # fmt: skip
    data, figures = tmp_path / "own.jsonl", tmp_path / "figures.json"
    data.write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = [sys.executable, BENCH / "changes.py", "--data", data, "--jobs", "1", "--json", figures]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=BENCH.parent, timeout=60)
    (row,) = json.loads(figures.read_text())["sets"]
    assert row["set"] == "own"
    assert row["real"] == 6
    assert row["changes"] == 12
    assert row["digest_precision"] == pytest.approx(0.5)
    assert row["recall"] >= 0.8
    assert f"own: precision {row['precision']:.3f}" in done.stdout


def test_days_of_a_crawl_are_held_against_the_script() -> None:
    """farm-14: a paragraph less on day 9, lazy images on 14, away on 24, back with an edit on 26."""
    told = history("farm-14", 30, "http://gazette.invalid")
    text, new = frozenset(TEXT), frozenset({"new"})
    versions = {told.first_day: [new], 9: [text], 14: [text], 20: [text], 27: [text]}
    digests = {day: str(sum(day >= one for one in (9, 14, 26))) for day in range(31) if day not in (24, 25)}
    said = {
        (one.kind, one.said, one.digest)
        for one in outcomes(told, Seen(versions=versions, digests=digests), 30)
    }
    assert said == {
        ("paragraph removed", RIGHT, True),
        ("lazy images", FALSE, True),
        ("nothing at all", FALSE, False),
        # Seen a day late: what had vanished is looked at less often.
        ("back edited", RIGHT, True),
    }


def test_an_article_that_was_never_captured_is_a_miss() -> None:
    told = history("town-01", 1, "http://gazette.invalid")
    (missed,) = outcomes(told, Seen(), 1)
    assert (missed.kind, missed.said) == ("first version", MISSED)


def test_what_is_no_set_is_said(tmp_path: Path) -> None:
    command = [sys.executable, BENCH / "changes.py", "--data", tmp_path / "none.jsonl"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=BENCH.parent, timeout=60)
    assert done.returncode == 2
    assert "is not there" in done.stderr


def test_kinds_are_told_apart_by_name() -> None:
    names = sorted([*EDITS, *NOISES])
    assert all(one != two for one, two in pairwise(names))
    assert len(EDITS) >= 20
    assert len(NOISES) >= 20
