"""A disk that is full: said clearly, nothing lost, and nothing twice once there is space."""

from __future__ import annotations

import base64
import os
import random
import shutil
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from archiver.store.database import Database
from tests.crawl.checks import assert_whole
from tests.crawl.documents import page, publish, stories
from tests.crawl.running import crawl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.crawl.documents import Story
    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Site

pytestmark = pytest.mark.zoo

KB = 1024


def put_up(site: Site, count: int) -> tuple[str, list[Story]]:
    """Stories on pages that do not compress, 40 kB each."""
    told = stories(count)
    feed = publish(site, told)
    for number, one in enumerate(told):
        noise = base64.b64encode(random.Random(number).randbytes(40 * KB)).decode()
        site.add(one.path, page(one.title, one.paragraphs, head=f"<script>{noise}</script>"))
    return feed, told


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[None]:
    if os.geteuid() or not shutil.which("mount"):
        pytest.skip("only root may mount a disk")
    folder.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=False
    ).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def assert_said_clearly(run: CrawlRun) -> None:
    said = run.stdout + run.stderr
    assert run.exit_code == 1
    assert "Free some space and run again" in said
    assert "Traceback" not in said
    # It was no fault of the pages.
    assert run.rows("SELECT max(tries) FROM pages")[0][0] == 0


def assert_complete(run: CrawlRun, told: list[Story]) -> None:
    assert run.exit_code == 0
    assert run.pending() == 0
    assert sorted(one["title"] for one in run.objects) == sorted(one.title for one in told)
    assert_whole(run)


# Where a disk fills up is chance: the state store, a WARC or the objects come to it first.
@pytest.mark.parametrize("size", [1200 * KB, pytest.param(1600 * KB, marks=pytest.mark.zoo)])
def test_a_full_disk_stops_the_run_and_the_next_one_with_space_completes_it(
    archive: Path, site: Site, size: int
) -> None:
    feed, told = put_up(site, 20)
    with small_disk(archive, size):
        first = crawl(archive, [feed])
        assert_said_clearly(first)
        subprocess.run(["mount", "-o", f"remount,size={64 * KB * KB}", archive], check=True)
        assert_complete(crawl(archive, [feed]), told)


def test_a_file_that_may_not_grow_stops_the_run_and_the_next_one_completes_it(
    archive: Path, site: Site
) -> None:
    feed, told = put_up(site, 20)
    # Room for a new state store, and for a part of what is put into it.
    first = crawl(archive, [feed], largest_file=size_of_a_new_store(archive.parent) + 168 * KB)
    assert_said_clearly(first)
    assert len(first.objects) < len(told)
    assert_complete(crawl(archive, [feed]), told)


def size_of_a_new_store(folder: Path) -> int:
    file = folder / "new.sqlite"
    Database(f"sqlite:///{file}").close()
    return file.stat().st_size


@pytest.mark.zoo
def test_a_disk_that_is_full_before_the_seeds_are_read_is_told_without_a_traceback(
    archive: Path, site: Site
) -> None:
    feed, told = put_up(site, 20)
    with small_disk(archive, 700 * KB):
        first = crawl(archive, [feed])
        said = first.stdout + first.stderr
        assert first.exit_code == 1
        assert "Free some space and run again" in said
        assert "Traceback" not in said
        subprocess.run(["mount", "-o", f"remount,size={64 * KB * KB}", archive], check=True)
        assert_complete(crawl(archive, [feed]), told)
