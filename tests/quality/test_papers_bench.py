"""bench/papers.py: the papers' experiments on any set, with every figure that they have."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.extract.pages import BODY, LEAD, TITLE, URL

SCRIPT = Path(__file__).resolve().parents[2] / "bench" / "papers.py"
HTML = f"<html lang='en'><body><nav>Home</nav><div><h1>{TITLE}</h1>{BODY}</div></body></html>"


def bench(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, SCRIPT, *words], capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.zoo
def test_every_experiment_prints_and_writes_its_figures(tmp_path: Path) -> None:
    page = {"url": URL, "title": TITLE, "description": LEAD, "gold": LEAD, "html": HTML}
    pages = [{**page, "id": str(number), "site": f"site {number % 2}"} for number in range(4)]
    (tmp_path / "set.jsonl").write_text("".join(json.dumps(one) + "\n" for one in pages))
    done = bench("--data", tmp_path, "--json", tmp_path / "rows.json")
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "rows.json").read_text())
    methods = {row["method"]: row for row in rows if row["part"] == "methods"}
    assert {"SIGFEED (2010)", "FOREST (tf-idf)", "COVERAGE", "DESCRIPTION", "article"} <= methods.keys()
    # The description is the gold; the block of the title has the article besides.
    assert methods["DESCRIPTION"]["recall"] == 1.0
    assert 0 < methods["block of the title"]["precision"] < 1
    assert {"p9", "p25", "p50", "p75", "p91", "interval", "exact"} <= methods["article"].keys()
    assert len([row for row in rows if row["part"] == "measures"]) == 6
    assert len([row for row in rows if row["part"] == "choices"]) == 8
    assert [row["at"] for row in rows if row["part"] == "signifiers"][-1] == 50
    assert "F1 of FOREST by the most pages of a template" in done.stdout


def test_set_that_is_missing_is_an_error_in_words(tmp_path: Path) -> None:
    done = bench("--data", tmp_path / "none.jsonl")
    assert done.returncode == 2
    assert "is not there" in done.stderr
