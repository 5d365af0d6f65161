"""bench/polling.py holds the policy that ships against every peer, at four budgets and with short windows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from archiver.inspection.simulation.run import SHIPPED_POLICY

_ROOT = Path(__file__).parents[2]
_DAY = 86400.0


def _claims(histories: Path, *options: str) -> list[str]:
    """What it claims of the policy that ships; the first week apart."""
    command = [sys.executable, "bench/polling.py", "--histories", str(histories), "--jobs", "1", *options]
    told = [*command, "--policy", "fixed", "post rate", SHIPPED_POLICY]
    run = subprocess.run(told, cwd=_ROOT, capture_output=True, text=True, timeout=80, check=True)
    lines = [line.split(maxsplit=1)[1] for line in run.stdout.splitlines() if line[:5] in ("holds", "FAILS")]
    return [line.partition(", best peer")[0].rpartition(" ")[0] for line in lines if "first week" not in line]


@pytest.mark.zoo
def test_claims_are_made_of_the_policy_that_ships_at_each_budget(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    feeds = [
        {"kind": "other", "window": 20, "published": sorted(random.uniform(0, 4 * _DAY, count))}
        for count in (120, 20)
    ]
    path = tmp_path / "histories.jsonl"
    path.write_text("\n".join(map(json.dumps, feeds)))
    budgets = (24, 12, 6, 3)
    assert _claims(path) == [
        f"{SHIPPED_POLICY} at {budget}: {figure}"
        for budget in budgets
        for figure in ("missed %", "feed mean")
    ]
    assert _claims(path, "--window-other", "10") == [
        f"{SHIPPED_POLICY} at {budget}: missed %" for budget in budgets
    ]
