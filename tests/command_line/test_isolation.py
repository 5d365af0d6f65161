"""The settings of whoever runs the tests are not those of the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROBE = """
import subprocess, sys
def test_probe(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "archiver", "settings", "--get", "POLL_BUDGET"],
        cwd=tmp_path, capture_output=True, text=True,
    )
    assert (done.stdout, done.stderr) == ("12\\n", "")
"""


@pytest.mark.zoo
def test_a_developers_own_settings_do_not_reach_tests_and_what_they_start(tmp_path: Path) -> None:
    (tmp_path / "archiver").mkdir()
    (tmp_path / "archiver" / "archiver.toml").write_text("POLL_BUDGET = 77\n")
    (tmp_path / "test_probe.py").write_text(PROBE)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider", tmp_path],
        cwd=ROOT,
        env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "ARCHIVER_POLL_BUDGET": "78"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
