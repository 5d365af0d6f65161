"""bench/sources.py: wrong labels of one source, and what three ways of training on them come to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crawl.documents import page, stories

SCRIPT = Path(__file__).resolve().parents[2] / "bench" / "sources.py"


@pytest.mark.zoo
def test_shares_and_kinds_of_wrong_labels_are_those_that_were_asked_for(tmp_path: Path) -> None:
    lines = []
    for number, (one, more) in enumerate(zip(stories(24), stories(24, first=101), strict=True)):
        words = [*one.paragraphs, *more.paragraphs]
        known = {"id": f"p{number}", "site": f"s{number % 9}", "title": one.title, "gold": " ".join(words)}
        lines.append(json.dumps(known | {"html": page(one.title, words).body.decode()}))
    (tmp_path / "made.jsonl").write_text("\n".join(lines))
    out = tmp_path / "figures.json"
    options = ["--draws", "0", "--shares", "0,0.5", "--scenes", "single", "--json", str(out)]
    done = subprocess.run(
        [sys.executable, SCRIPT, "--data", tmp_path / "made.jsonl", *options],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    clean, spoiled = json.loads(out.read_text())["rows"]
    assert sum(clean["kinds"].values()) == 0
    assert sum(spoiled["kinds"].values()) == round(0.5 * spoiled["pages"]["consensus"])
    assert set(spoiled["f1"]) == {"plain", "majority", "reliability"}
    assert spoiled["soundness"] < clean["soundness"]
