"""Objects files: on disk before they count, and cut back to what the state store knows."""

from __future__ import annotations

import json
import resource
import signal
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.archive.objects.kinds import ObjectKind, WarcPointer
from archiver.archive.objects.writer import Growth, ObjectWriter
from archiver.archive.writers import Writer
from archiver.articles.objects.model import SCHEMA, ArchivedObject
from archiver.articles.objects.schema import ArticleKind
from archiver.articles.versions.model import Change
from archiver.digests import sha256_digest
from archiver.errors import ArchiveFull
from tests.objects.writers import object_writer

if TYPE_CHECKING:
    from collections.abc import Iterator

DAY = datetime(2026, 3, 2, 7, 5, 9, tzinfo=UTC)
NEXT_DAY = datetime(2026, 3, 3, 0, 0, 1, tzinfo=UTC)
TODAY = "articles-2026-03-02.jsonl"


def article(text: str = "Words") -> ArchivedObject:
    return ArchivedObject(
        schema=SCHEMA,
        id="abc",
        url="http://example.org/a",
        canonical_url=None,
        channel="http://example.org/feed",
        channel_title=None,
        entry_id="1",
        title="Title",
        authors=("Jane",),
        categories=(),
        language="en",
        published=DAY,
        published_day=None,
        updated=None,
        first_seen=DAY,
        captured=DAY,
        version=1,
        change=Change(kinds=("new",)),
        text=text,
        html="<p>",
        links=(),
        image=None,
        images=(),
        summary=None,
        comments=None,
        digest="t1:0",
        method="sigfeed",
        confidence=0.5,
        notice=None,
        extractor="sigfeed/1",
        wrapper=None,
        siblings=(),
        reextracted=None,
        warc=WarcPointer(file="a.warc.gz", offset=3, record_id="<urn:x>", capture_id="<urn:x>"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    text: str
    schema: str = "notice/1"


class NoticeKind(ObjectKind[Notice]):
    name = "notices"
    title = "One notice"
    schema = "notice/1"
    model = Notice


def flushed(writer: ObjectWriter) -> dict[str, int]:
    return {grown.file: grown.length for grown in writer.flush()}


@pytest.fixture
def objects(tmp_path: Path) -> Iterator[ObjectWriter]:
    writer = object_writer(tmp_path / "objects")
    yield writer
    writer.close()


def test_nothing_is_written_before_the_flush(objects: ObjectWriter, tmp_path: Path) -> None:
    place = objects.stage(article(), DAY)
    assert (place.file, place.offset) == (TODAY, 0)
    assert (tmp_path / "objects" / TODAY).read_bytes() == b""
    grown = objects.flush()
    data = (tmp_path / "objects" / TODAY).read_bytes()
    assert grown == [Growth(file=TODAY, start=0, length=len(data))]
    assert objects.files == [TODAY]


def test_without_objects_there_is_no_file(objects: ObjectWriter, tmp_path: Path) -> None:
    assert objects.flush() == []
    assert not (tmp_path / "objects").exists()


def test_each_object_is_a_line_at_its_offset(objects: ObjectWriter, tmp_path: Path) -> None:
    texts = ["one", "two\nlines", "drei\u2028Zeilen", "四", ""]
    places = [objects.stage(article(text), DAY) for text in texts[:3]]
    (first,) = objects.flush()
    places += [objects.stage(article(text), DAY) for text in texts[3:]]
    grown = objects.flush()
    data = (tmp_path / "objects" / TODAY).read_bytes()
    assert grown == [Growth(file=TODAY, start=first.length, length=len(data))]
    assert data.count(b"\n") == len(texts)
    for place, text in zip(places, texts, strict=True):
        assert place.file == TODAY
        found = data[place.offset :].split(b"\n", 1)[0] + b"\n"
        assert place.digest == sha256_digest(found)
        line = json.loads(found)
        assert line["text"] == text
        assert line["captured"] == "2026-03-02T07:05:09Z"


def test_flushing_twice_writes_once(objects: ObjectWriter, tmp_path: Path) -> None:
    objects.stage(article(), DAY)
    (grown,) = objects.flush()
    assert objects.flush() == []
    assert (tmp_path / "objects" / TODAY).stat().st_size == grown.length


def test_a_new_day_has_a_new_file(objects: ObjectWriter, tmp_path: Path) -> None:
    objects.stage(article("late"), DAY)
    # Begun before midnight: one flush never has two files.
    assert objects.stage(article("later"), NEXT_DAY).file == TODAY
    objects.flush()
    place = objects.stage(article("early"), NEXT_DAY)
    assert (place.file, place.offset) == ("articles-2026-03-03.jsonl", 0)
    assert [grown.file for grown in objects.flush()] == ["articles-2026-03-03.jsonl"]
    assert (tmp_path / "objects" / TODAY).read_bytes().count(b"\n") == 2


def test_the_next_run_goes_on_in_the_file_of_the_day(tmp_path: Path) -> None:
    lengths = []
    for _ in range(2):
        writer = object_writer(tmp_path)
        place = writer.stage(article(), DAY)
        lengths.append((place.offset, flushed(writer)[TODAY]))
        writer.close()
    assert lengths[1][0] == lengths[0][1]


def test_a_full_disk_is_told_and_mended_at_the_next_start(tmp_path: Path) -> None:
    writer = object_writer(tmp_path)
    writer.stage(article(), DAY)
    lengths = flushed(writer)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        writer.stage(article("long " * 2000), DAY)
        with pytest.raises(ArchiveFull, match="Free some space and run again"):
            writer.flush()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
        writer.close()
    assert object_writer(tmp_path).recover(lengths) == []
    assert (tmp_path / TODAY).stat().st_size == lengths[TODAY]


def test_unsettled_lines_are_cut_and_set_aside(tmp_path: Path) -> None:
    path = tmp_path / TODAY
    path.write_bytes(b"settled\nunsettled\nha")
    assert object_writer(tmp_path).recover({TODAY: 8}) == []
    assert path.read_bytes() == b"settled\n"
    assert (tmp_path / f"{TODAY}.cut").read_bytes() == b"unsettled\nha"
    # Another crash on the same day adds to it.
    path.write_bytes(b"settled\nagain\n")
    object_writer(tmp_path).recover({TODAY: 8})
    assert (tmp_path / f"{TODAY}.cut").read_bytes() == b"unsettled\nhaagain\n"


def test_a_file_that_the_store_does_not_know_is_not_destroyed(tmp_path: Path) -> None:
    """A crash in the first batch of a day leaves it; so does a run with another store by mistake."""
    (tmp_path / TODAY).write_bytes(b"everything\n")
    assert object_writer(tmp_path).recover({}) == []
    assert (tmp_path / TODAY).read_bytes() == b""
    assert (tmp_path / f"{TODAY}.cut").read_bytes() == b"everything\n"


@given(st.lists(st.binary(max_size=30), max_size=6), st.data())
def test_recovery_keeps_every_byte_and_happens_once(lines: list[bytes], data: st.DataObject) -> None:
    content = b"".join(line.replace(b"\n", b"") + b"\n" for line in lines)
    settled = data.draw(st.integers(0, len(content)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / TODAY).write_bytes(content)
        for _ in range(2):
            assert object_writer(folder).recover({TODAY: settled}) == []
        cut = folder / f"{TODAY}.cut"
        assert (folder / TODAY).read_bytes() == content[:settled]
        assert (cut.read_bytes() if cut.exists() else b"") == content[settled:]


def test_a_file_that_is_too_short_is_told_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / TODAY).write_bytes(b"short\n")
    (problem,) = object_writer(tmp_path).recover({TODAY: 100})
    assert problem.startswith(f"{tmp_path / TODAY} has 6 bytes where 100 were settled: restore it from a ")
    assert "`scrapy recover`" in problem
    assert (tmp_path / TODAY).read_bytes() == b"short\n"


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    (problem,) = object_writer(tmp_path / "objects").recover({TODAY: 100})
    assert problem.startswith(f"{tmp_path / 'objects' / TODAY} is missing: restore it from a backup")


@pytest.mark.parametrize("left", [None, b"tor"])
def test_new_objects_go_to_another_file_until_a_damaged_one_is_restored(
    tmp_path: Path, left: bytes | None
) -> None:
    """Behind a torn line they would be lost with it, and its backup would be written over them."""
    if left is not None:
        (tmp_path / TODAY).write_bytes(left)
    lengths = {TODAY: 100}
    for _ in range(2):
        objects = object_writer(tmp_path)
        assert len(objects.recover(lengths)) == 1
        place = objects.stage(article(), DAY)
        assert place.file == "articles-2026-03-02.later-1.jsonl"
        lengths |= flushed(objects)
        objects.close()
    assert (tmp_path / place.file).read_bytes().count(b"\n") == 2
    if left is not None:
        assert (tmp_path / TODAY).read_bytes() == left
    # The file that goes on in its place may be damaged as well.
    (tmp_path / place.file).write_bytes(b"")
    objects = object_writer(tmp_path)
    assert len(objects.recover(lengths)) == 2
    assert objects.stage(article(), DAY).file == "articles-2026-03-02.later-2.jsonl"
    objects.close()
    # Once restored, it is gone on with.
    (tmp_path / TODAY).write_bytes(b"x" * 100)
    objects = object_writer(tmp_path)
    objects.recover({TODAY: 100})
    assert objects.stage(article(), DAY).file == TODAY
    objects.close()


def test_files_that_are_not_ours_are_left_alone(tmp_path: Path) -> None:
    for name in ("notes.jsonl", "articles-2026-03-02.jsonl.gz"):
        (tmp_path / name).write_bytes(b"mine\n")
    assert object_writer(tmp_path).recover({}) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["articles-2026-03-02.jsonl.gz", "notes.jsonl"]


WEB, OTHER = Writer(name="web-1", earlier=("old.example.org",)), Writer(name="web-2")


def test_each_kind_has_a_file_of_its_own_and_all_are_flushed_together(tmp_path: Path) -> None:
    writer = ObjectWriter(tmp_path, [ArticleKind(), NoticeKind()], WEB)
    places = [writer.stage(one, DAY) for one in (Notice(text="a"), article(), Notice(text="b"))]
    names = ["notices-2026-03-02-web-1.jsonl", "articles-2026-03-02-web-1.jsonl"]
    assert [place.file for place in places] == [names[0], names[1], names[0]]
    assert [(grown.file, grown.start) for grown in writer.flush()] == [(name, 0) for name in names]
    assert (tmp_path / names[0]).read_bytes() == (
        b'{"text":"a","schema":"notice/1"}\n{"text":"b","schema":"notice/1"}\n'
    )
    assert writer.files == names
    writer.close()


def test_what_was_staged_before_a_failure_is_never_written(tmp_path: Path) -> None:
    writer = ObjectWriter(tmp_path, [NoticeKind()])
    writer.stage(Notice(text="a"), DAY)
    writer.close()
    assert writer.flush() == []
    assert writer.stage(Notice(text="b"), DAY).offset == 0
    writer.close()


@pytest.mark.parametrize("one", [Notice(text="a"), Notice(text="a", schema="notice/2")])
def test_an_object_of_no_kind_is_refused(tmp_path: Path, one: Notice) -> None:
    kinds: list[ObjectKind[Notice]] = [NoticeKind()] if one.schema == "notice/2" else []
    with pytest.raises(TypeError, match="OBJECT_KINDS"):
        ObjectWriter(tmp_path, kinds).stage(one, DAY)


def test_every_kind_that_is_known_is_cut_back(tmp_path: Path) -> None:
    """Of others, only what the state store knows: the file may be of another program."""
    names = [f"{kind}-2026-03-02-web-1.jsonl" for kind in ("articles", "notices", "known", "foreign")]
    for name in names:
        (tmp_path / name).write_bytes(b"settled\nhalf")
    lengths = {name: 8 for name in names if "known" in name or "notices" in name}
    assert ObjectWriter(tmp_path, [ArticleKind(), NoticeKind()], WEB).recover(lengths) == []
    sizes = {path.name: path.stat().st_size for path in tmp_path.glob("*.jsonl")}
    assert sizes == dict(zip(names, (0, 8, 8, 12), strict=True))


def test_files_of_other_writers_are_neither_cut_nor_missing(tmp_path: Path) -> None:
    mine, others = "articles-2026-03-02-web-1.jsonl", "articles-2026-03-02-web-2.jsonl"
    for name in (mine, others, TODAY):
        (tmp_path / name).write_bytes(b"settled\nhalf")
    lengths = {mine: 8, others: 8, TODAY: 8, "articles-2026-03-01-web-2.jsonl": 100}
    assert ObjectWriter(tmp_path, [ArticleKind()], WEB).recover(lengths) == []
    assert (tmp_path / others).read_bytes() == b"settled\nhalf"
    # What an older archiver wrote has no name, and is of the folder that it is in.
    assert (tmp_path / mine).read_bytes() == (tmp_path / TODAY).read_bytes() == b"settled\n"
    (problem,) = ObjectWriter(tmp_path / "elsewhere", [ArticleKind()], OTHER).recover({mine: 8, others: 8})
    assert others in problem
