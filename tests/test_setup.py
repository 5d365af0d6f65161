"""Setting up: `make crawl` installs what runs, `make test` what develops on top of it."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

PROJECT = Path(__file__).resolve().parents[1]
NEEDED = (
    "Makefile",
    "pyproject.toml",
    "requirements.lock",
    "requirements-dev.lock",
    "requirements-tools.lock",
)


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A checkout in which nothing is set up yet."""
    for name in NEEDED:
        shutil.copy(PROJECT / name, tmp_path)
    return tmp_path


def planned(folder: Path, target: str) -> str:
    """What make would run for a target."""
    done = subprocess.run(["make", "-n", target], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def names_in(requirements: Iterable[str]) -> set[str]:
    found = (re.match(r"[A-Za-z0-9][\w.-]*", line) for line in requirements)
    return {re.sub(r"[._-]+", "-", one[0]).lower() for one in found if one}


def locked(name: str) -> set[str]:
    return names_in((PROJECT / name).read_text().splitlines())


def test_a_crawl_waits_for_no_tool_of_the_developers(fresh: Path) -> None:
    crawling, testing = planned(fresh, "crawl"), planned(fresh, "test")
    assert "-r requirements.lock" in crawling
    assert "requirements-dev.lock" not in crawling
    assert "-r requirements.lock" in testing
    assert "-r requirements-dev.lock" in testing


def test_pip_says_nothing_but_errors(fresh: Path) -> None:
    installs = re.findall(r"pip --python \S+ install (.*)", planned(fresh, "test"))
    assert installs
    assert all(options.startswith("-qq --disable-pip-version-check ") for options in installs)


def test_the_lock_of_what_runs_has_all_that_runs_and_nothing_of_the_developers() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    runs, develops = names_in(project["dependencies"]), names_in(project["optional-dependencies"]["dev"])
    assert len(runs) > 10
    assert runs <= locked("requirements.lock")
    assert len(develops) > 10
    assert locked("requirements.lock").isdisjoint(develops)
    assert develops | locked("requirements.lock") <= locked("requirements-dev.lock")
