"""Commands run in the process of the test: a second for each would be too long."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, Protocol

import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

from tests.crawl.running import ROOT

if TYPE_CHECKING:
    from pathlib import Path


class Outcome(NamedTuple):
    exit_code: int
    out: bytes
    told: str  # on standard error

    @property
    def text(self) -> str:
        return self.out.decode()


class RunHere(Protocol):
    """`run_here("extract-record", archive, url, "--raw")`."""

    def __call__(self, name: str, archive: Path, *words: str) -> Outcome: ...


def runner(capture: pytest.CaptureFixture[bytes]) -> RunHere:
    def run(name: str, archive: Path, *words: str) -> Outcome:
        settings = Settings()
        settings.setmodule("settings.base", priority="project")
        capture.readouterr()
        # Some commands set it, for their process and those that they start.
        umask = os.umask(0o022)
        try:
            execute(["scrapy", name, "-s", f"ARCHIVE_DIR={archive}", *words], settings)
            exit_code: object = 0
        except SystemExit as ended:
            exit_code = ended.code
        finally:
            os.umask(umask)
        out, told = capture.readouterr()
        assert isinstance(exit_code, int)
        return Outcome(exit_code, out, told.decode())

    return run


@pytest.fixture
def run_here(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> RunHere:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("SCRAPY_PROJECT", raising=False)
    return runner(capsysbinary)
