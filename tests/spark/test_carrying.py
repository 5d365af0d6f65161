"""What Spark's processes do with a task, and what is said where there is no Spark."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from archiver.archive.storage import STORAGE, STORED, move_closed
from archiver.archive.warc.manifest import complete_manifest
from archiver.errors import ConfigurationError
from archiver.running.spark import starting
from archiver.running.spark.carrying import CarryingRules, carried_out, decoded, reached
from archiver.running.spark.starting import need_spark
from archiver.running.workers.page_tasks import PageToRead, ReadPages
from archiver.running.workers.pool import result_of, work_of
from tests.importing.files import Made, story

if TYPE_CHECKING:
    from pathlib import Path

URL = "http://a.example/1"


def task_for(warcs: Path, file: str) -> ReadPages:
    page = PageToRead(id="<urn:uuid:1>", url=URL, file=file, offset=0)
    return ReadPages(folder=str(warcs), method="article", pages=(page,))


def test_a_machine_without_the_archive_reads_from_its_storage(tmp_path: Path) -> None:
    warcs = tmp_path / "archive" / "warc"
    warcs.mkdir(parents=True)
    made = Made()
    made.page(URL, story("n1"), "2020-01-01T00:00:00Z")
    file = made.save(warcs / "a-20200101000000000-00000-import.warc.gz").name
    complete_manifest(warcs)
    (moved,) = move_closed(warcs, f"file://{tmp_path}/elsewhere", lambda _: True)
    assert moved.problem == ""
    rules = CarryingRules(
        seconds=60,
        memory_bytes=1 << 30,
        folder=str(warcs),
        storage=(warcs.parent / STORAGE).read_text(),
        stored=(warcs / STORED).read_text(),
    )
    task = task_for(warcs, file)
    assert reached(rules, work_of(task).order) == work_of(task).order
    shutil.rmtree(tmp_path / "archive")
    (read,) = result_of(task, decoded(carried_out(rules, work_of(task)))).pages
    assert read.article is not None
    assert "Report n1" in str(read.article.title)


def test_tasks_on_other_folders_stay_as_they_are(tmp_path: Path) -> None:
    rules = CarryingRules(seconds=1, memory_bytes=1, folder=str(tmp_path / "gone"), storage="file:///x")
    order = work_of(task_for(tmp_path / "other", "x.warc.gz")).order
    assert reached(rules, order) == order


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "find_spec", lambda _: None)
    with pytest.raises(ConfigurationError, match=r"needs pyspark: pip install \"archiver\[spark\]\""):
        need_spark()
    monkeypatch.setattr(starting, "find_spec", lambda _: object())
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match=r"there is no `java`: install it"):
        need_spark()
    old = tmp_path / "java"
    old.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n")
    old.chmod(0o755)
    with pytest.raises(ConfigurationError, match=r"Java 17 or newer, and .*java is 11"):
        need_spark()
    old.write_text("#!/bin/sh\necho 'openjdk version \"21.0.2\"' >&2\n")
    need_spark()
