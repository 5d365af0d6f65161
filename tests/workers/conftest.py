"""Workers are forked from a process that has imported what they need, unless a test has other packages."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.store.conftest import postgresql, store_url  # noqa: F401 - fixtures
from tests.warm import WarmChild


@pytest.fixture(autouse=True)
def warm_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform == "linux":
        monkeypatch.setattr(subprocess, "Popen", WarmChild)
