"""Faults of the machine: they cost no page, the operator sees them, and the next healthy run reads on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import page, publish, stories
from tests.crawl.running import crawl

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Site

pytestmark = pytest.mark.zoo

# Packages that stand in front of the real ones, as a machine may have them.
MISSING = "raise ImportError\n"
# Some pages kill whoever reads them, all others are read.
DEADLY = """
import os, signal, sys
sys.path.remove(os.path.dirname(__file__))
del sys.modules["trafilatura"]
import trafilatura
real = trafilatura.extract

def extract(markup, **options):
    for name in ("SIGSEGV", "SIGKILL"):
        if f"The end by {name}" in markup:
            os.kill(os.getpid(), getattr(signal, name))
    return real(markup, **options)

trafilatura.extract = extract
"""
TOLD = stories(6)


def put_in_front(monkeypatch: pytest.MonkeyPatch, folder: Path, name: str, code: str) -> None:
    folder.mkdir()
    (folder / f"{name}.py").write_text(code)
    monkeypatch.setenv("PYTHONPATH", str(folder))


def assert_nothing_is_lost(run: CrawlRun, pages: int) -> None:
    assert run.exit_code == 1
    assert run.report["exit_code"] == 1
    assert run.report["errors"]
    assert run.objects == []
    assert set(run.outcomes().values()) == {None}
    assert run.pending() == pages


def test_a_missing_package_leaves_every_page_to_the_next_healthy_run(
    archive: Path, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed = publish(site, TOLD)
    put_in_front(monkeypatch, tmp_path / "broken", "lxml_html_clean", MISSING)
    broken = crawl(archive, [feed])
    assert_nothing_is_lost(broken, len(TOLD))
    (error,) = broken.report["errors"]
    assert error.startswith("No document can be read here: ImportError: lxml.html.clean module")

    monkeypatch.delenv("PYTHONPATH")
    site.forget()
    mended = crawl(archive, [feed])
    assert mended.exit_code == 0
    assert len(mended.objects) == len(TOLD)
    assert mended.pending() == 0


def test_a_page_that_crashes_workers_is_at_fault_and_one_whose_workers_are_killed_waits(
    archive: Path, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed = publish(site, TOLD)
    for one, name in zip(TOLD, ("SIGSEGV", "SIGKILL"), strict=False):
        site.add(one.path, page(one.title, [*one.paragraphs, f"The end by {name} came in {name}."]))
    crashing, killed = (site.url(one.path) for one in TOLD[:2])
    put_in_front(monkeypatch, tmp_path / "in-front", "trafilatura", DEADLY)
    run = crawl(archive, [feed])
    assert run.exit_code == 1
    outcomes = run.outcomes()
    assert outcomes.pop(crashing) == "not_article"
    assert outcomes.pop(killed) is None
    assert set(outcomes.values()) == {"stored"}
    assert run.page(killed)["state"] == "captured"
    (error,) = run.report["errors"]
    assert error == (
        f"{killed} could not be read: the worker died (SIGKILL)."
        " It waits in the archive and is read again by the next run"
    )

    monkeypatch.delenv("PYTHONPATH")
    site.forget()
    healthy = crawl(archive, [feed])
    assert healthy.exit_code == 0
    assert site.paths == []
    assert healthy.outcomes()[killed] == "stored"


def test_a_machine_on_which_no_worker_starts_leaves_channels_as_they_were(
    archive: Path, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed = publish(site, TOLD)
    put_in_front(monkeypatch, tmp_path / "broken", "feedparser", "raise ImportError('no feedparser here')")
    broken = crawl(archive, [feed])
    assert broken.exit_code == 1
    (error,) = broken.report["errors"]
    assert error.startswith("No worker process can be started: ImportError: no feedparser here.")
    assert broken.channel(feed)["outcome"] is None
    assert "Spider error" not in broken.stderr

    monkeypatch.delenv("PYTHONPATH")
    healthy = crawl(archive, [feed])
    assert (healthy.exit_code, len(healthy.objects)) == (0, len(TOLD))
