"""Edits are told from noise at least as well as they were: on the sample web's gazette, and on real pages.

bench/changes.py measures; the pages of QUALITY_DATA are not part of the project.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.zoo

ROOT = Path(__file__).resolve().parents[2]
DATA = os.environ.get("QUALITY_DATA")


def measured(tmp_path: Path, *options: str) -> dict[str, float]:
    """Precision and recall over all."""
    figures = tmp_path / "figures.json"
    command = [sys.executable, ROOT / "bench" / "changes.py", *options, "--json", figures]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert figures.exists(), done.stderr
    print(done.stdout)
    sets = json.loads(figures.read_bytes())["sets"]
    real, right = (sum(one[name] for one in sets) for name in ("real", "right"))
    reported = sum(one["right"] / one["precision"] for one in sets if one["precision"])
    return {"precision": right / reported, "recall": right / real}


def test_the_gazette_of_the_sample_web_is_read_without_a_mistake(tmp_path: Path) -> None:
    assert measured(tmp_path, "--core") == {"precision": 1.0, "recall": 1.0}


@pytest.mark.skipif(
    not DATA, reason="QUALITY_DATA is not set: it names a folder of pages with their articles"
)
def test_mutations_of_real_pages_keep_above_their_floors(tmp_path: Path) -> None:
    reached = measured(tmp_path, "--data", str(DATA), "--limit", "6", "--jobs", "1")
    assert reached["precision"] >= 0.95
    assert reached["recall"] >= 0.93
