"""Strategies on captured pages: counted by requests and by text, and told in three forms."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.update import write_index
from archiver.inspection.sites.simulation.play import SiteText
from archiver.inspection.sites.simulation.strategies import STRATEGIES
from archiver.inspection.sites.simulation.sweeps import by_sample_size, by_steps
from tests.commands.here import run_here  # noqa: F401 - a fixture
from tests.sites.small_blog import HOST, POSTS, blog_pages, small_blog
from tests.warc.cdxj_samples import record

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere

pytestmark = pytest.mark.xdist_group("simulation")


@pytest.mark.parametrize("name", ["blind", "thesis", "patterns", "bandit"])
def test_each_strategy_reaches_the_posts_of_a_small_blog(name: str) -> None:
    site = small_blog()
    text = SiteText(site.all_pages())
    run = text.play(site, STRATEGIES[name](site, 0, None), name=name, seed=0)
    assert run.text > 0.97
    assert run.requests >= POSTS
    assert run.curve[-1] == (run.requests, round(run.text * text.total))
    assert [run.reached[0] is not None, run.reached[0] <= (run.reached[2] or 0)] == [True, True]  # type: ignore[operator] # known


def test_what_was_not_captured_counts_as_not_found() -> None:
    site = small_blog()
    text = SiteText(site.all_pages())
    run = text.play(site, iter([f"{HOST}/", f"{HOST}/nowhere"]), name="two", seed=0)
    assert (run.requests, run.pages, run.missing) == (2, 1, 1)


def test_a_larger_sample_and_more_completion_reach_no_less() -> None:
    site = small_blog()
    text = SiteText(site.all_pages())
    sizes = by_sample_size(site, text, [10, 80], seeds=2)
    assert [(one.sample, one.runs) for one in sizes] == [(10, 2), (80, 2)]
    assert sizes[0].median <= sizes[1].median
    less, more = by_steps(site, text, [2], [0.3, 0.95], sample=30, seeds=1)
    assert (less.steps, less.completion, less.text <= more.text) == (2, 0.3, True)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive with the pages of the blog."""
    warc = tmp_path / "archive" / "warc" / "blog.warc.gz"
    warc.parent.mkdir(parents=True)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    pages = blog_pages().items()
    warc.write_bytes(b"".join(record("response", HOST + path, head + body.encode()) for path, body in pages))
    write_index(warc, tmp_path / "archive" / "index")
    return tmp_path / "archive"


def test_strategies_are_simulated_on_an_archive(archive: Path, run_here: RunHere, tmp_path: Path) -> None:  # noqa: F811
    page = tmp_path / "strategies.html"
    chosen = ["--strategies", "blind,thesis", "--seeds", "2", "--sample-sizes", "10,20", "--steps", "2"]
    told = run_here("site", archive, "simulate", f"{HOST}/", *chosen, "--html", str(page))
    assert told.exit_code == 0, told.told
    lines = told.text.splitlines()
    assert lines[0].startswith(f"{HOST}/: {len(blog_pages())} pages captured")
    assert [line.split()[0] for line in lines[3:5]] == ["blind", "thesis"]
    assert "2 of 2" in told.text
    assert page.read_text().count('class="curve"') == 2 * (2 + 3)


def test_runs_are_printed_as_csv_and_as_json(archive: Path, run_here: RunHere) -> None:  # noqa: F811
    chosen = ["--strategies", "patterns", "--seeds", "2"]
    told = run_here("site", archive, "simulate", f"{HOST}/", *chosen, "--csv")
    rows = list(csv.DictReader(io.StringIO(told.text)))
    found = json.loads(run_here("site", archive, "simulate", f"{HOST}/", *chosen, "--json").out)
    assert [int(row["requests"]) for row in rows] == [run["requests"] for run in found["runs"]]
    assert [run["seed"] for run in found["runs"]] == [0, 1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([f"{HOST}/", "--strategies", "blnd"], "blnd is not a strategy: did you mean blind?"),
        ([f"{HOST}/", "--seeds", "0"], "at least one run"),
        ([f"{HOST}/", "--completion", "95"], "--completion 95: numbers from 0 to 1"),
        ([f"{HOST}/", "--steps", "2,x"], "--steps 2,x: whole numbers above 0"),
        ([f"{HOST}/nowhere"], "is not a page of the archive"),
    ],
)
def test_what_cannot_be_simulated_is_told(
    archive: Path,
    run_here: RunHere,  # noqa: F811
    words: list[str],
    said: str,
) -> None:
    told = run_here("site", archive, "simulate", *words)
    assert told.exit_code > 0
    assert said in " ".join(told.told.split())
