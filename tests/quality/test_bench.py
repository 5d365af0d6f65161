"""bench/extraction.py: a set goes in, figures and texts come out; what cannot be used is said at once."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.extraction_child import KINDS, measured
from bench.extraction_sets import Page
from tests.extract.pages import BODY, LEAD, TITLE, URL

if TYPE_CHECKING:
    from types import ModuleType

SCRIPT = Path(__file__).resolve().parents[2] / "bench" / "extraction.py"
HTML = f"<html lang='en'><body><nav>Home</nav><div><h1>{TITLE}</h1>{BODY}</div></body></html>"
PAGE = {
    "id": "one", "site": "ferry", "url": URL, "title": TITLE, "description": LEAD, "gold": LEAD, "html": HTML,
}  # fmt: skip
FIGURES = (
    "set", "method", "pages", "precision", "recall", "f1", "median", "p10", "pages_per_cpu_second", "peak_mb",
)  # fmt: skip


def bench(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, SCRIPT, *words], capture_output=True, text=True, timeout=60, check=False
    )


def line(**changed: object) -> str:
    return json.dumps({**PAGE, **changed}) + "\n"


@pytest.mark.zoo
def test_figures_and_texts_of_every_set_and_method_are_written(tmp_path: Path) -> None:
    # A page without an address, and the pages of a site that do not stand together.
    pages = [line(), line(id="two", site="other", url=None), line(id="three", html="<html></html>")]
    (tmp_path / "plain.jsonl").write_text("".join(pages))
    with gzip.open(tmp_path / "packed.jsonl.gz", "wt") as packed:
        packed.write("\n".join(pages))
    figures, texts = tmp_path / "figures.json", tmp_path / "texts"
    done = bench("--data", tmp_path, "--method", "sigfeed,sigfeed-guarded", "--json", figures, "--out", texts)
    assert done.returncode == 0, done.stderr
    rows = json.loads(figures.read_text())
    methods = ["sigfeed", "sigfeed-guarded"]
    assert [(row["set"], row["method"]) for row in rows] == [
        (name, method) for name in ("packed", "plain") for method in methods
    ]
    assert tuple(rows[0]) == FIGURES
    assert all(row["pages"] == 3 and row["p10"] == 0 and 0 < row["f1"] < 1 for row in rows)
    found = [json.loads(text) for text in texts.read_text().splitlines()]
    assert [row["id"] for row in found] == ["one", "two", "three"] * 4
    assert all(("Fishermen fear" in row["text"]) == (row["id"] != "three") for row in found)


@pytest.mark.parametrize(
    ("content", "words", "message"),
    [
        (None, [], "set.jsonl is not there"),
        ("", [], "holds no pages"),
        (line() + "{\n", [], "line 2: this is not JSON"),
        ("[]\n", [], "line 1: a page is a JSON object"),
        (line(gold=None), [], "line 1: 'gold' is missing"),
        (line(title=3), [], "line 1: 'title' is not a string"),
        (line() + line(), [], "two pages with the id 'one'"),
        (line(), ["--method", "guess"], "there is no method guess: there are article, "),
        (line(), ["--peers", "guess"], "there is no peer guess: there are trafilatura, "),
        (line(), ["--json", "nowhere/figures.json"], "its folder is not there"),
        (line(), ["--speed", "--alone"], "only --limit and --json go with it"),
    ],
)
def test_what_cannot_be_used_is_said_before_anything_is_measured(
    tmp_path: Path, content: str | None, words: list[str], message: str
) -> None:
    file = tmp_path / "set.jsonl"
    if content is not None:
        file.write_text(content)
    done = bench("--data", file, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


@pytest.fixture
def speed(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module as the script imports it: from the script's own folder."""
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    return import_module("extraction_speed")


def test_channel_for_speed_has_twenty_pages_and_all_of_the_site_before_any_again(
    speed: ModuleType,
) -> None:
    sites = [Page(**{**PAGE, "id": f"{site} {number}", "site": site}) for site in "ab" for number in range(7)]
    few = [Page(**{**PAGE, "id": f"c {number}", "site": "c"}) for number in range(speed.LEAST_PAGES - 1)]
    channels = speed.channels_of_twenty([*sites, *few])
    assert [len(channel) for channel in channels] == [speed.CHANNEL] * 2
    first = sorted(channels[0], key=lambda page: page.url)
    assert [page.id for page in first[:8]] == [*(f"a {number} {number}" for number in range(7)), "a 0 7"]
    assert len({page.id for page in first}) == len({page.url for page in first}) == speed.CHANNEL


def test_speed_is_compared_on_the_same_channels(speed: ModuleType) -> None:
    slow = speed.Timed(cpu=2.0, by_wrapper=0, f1=0.5)
    fast = speed.Timed(cpu=0.5, by_wrapper=10, f1=1.0)
    other = speed.Timed(cpu=1.0, by_wrapper=0, f1=0.9)
    timed = {speed.LEARNED: [fast, slow], speed.YARDSTICK: [other, other]}
    known, every, yardstick = speed.rows("set", timed)
    assert (known.channels, known.pages_per_cpu_second, known.times_trafilatura) == (1, 40.0, 2.0)
    assert (every.channels, every.times_trafilatura, every.by_wrapper, every.f1) == (2, 0.8, 0.25, 0.75)
    assert yardstick.times_trafilatura == 1.0
    assert every.row() == {
        "set": "set", "method": speed.LEARNED, "channels": 2, "pages_per_cpu_second": 16.0,
        "times_trafilatura": 0.8, "by_wrapper": 0.25, "f1": 0.75,
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["learning", "learned"])
def test_text_alone_is_found_with_memory_and_without(kind: str) -> None:
    pages = [
        {
            **PAGE,
            "id": name,
            "url": f"{URL}?{name}",
            "html": HTML.replace("After nine", f"After {name} and nine"),
        }
        for name in ("three", "four", "five", "six")
    ]
    answer = measured(KINDS[kind]("article"), pages)
    assert all("Fishermen fear" in text and "Home" not in text for text in answer["texts"])
    assert answer["cpu"] > 0
    assert (answer["by_wrapper"] > 0) == (kind == "learned")
