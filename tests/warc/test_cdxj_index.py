"""Look-ups: every capture once, the nearest in time, first and last lines, and while a run is writing."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archiver.archive.cdxj.files import write_lines
from archiver.archive.cdxj.index import Index, SortedFile
from archiver.archive.cdxj.tiers import FAN_IN, merge_tiers
from archiver.archive.cdxj.update import write_index
from archiver.errors import ArchiveError
from tests.warc.cdxj_samples import START, some_line, written_warc

if TYPE_CHECKING:
    from pathlib import Path

URLS = [
    f"http://{host}.example/{page}" for host in ("a", "a.b", "c") for page in ("", "1", "10", "2?q=1", "é")
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Every URL captured in each of twenty WARCs, ten seconds apart, some of them merged."""
    for number in range(20):
        name = f"w{number:02d}.warc.gz"
        lines = [some_line(url, number * 10, name, offset) for offset, url in enumerate(URLS)]
        write_lines(tmp_path / "index", name, lines)
    merge_tiers(tmp_path / "index")
    return tmp_path / "index"


def seconds(index: Index, url: str, at: float) -> float | None:
    nearest = index.nearest(url, START + timedelta(seconds=at))
    return None if nearest is None else (nearest.date - START).total_seconds()


def test_all_captures_of_a_url_come_once_and_in_order(folder: Path) -> None:
    index = Index(folder)
    for offset, url in enumerate(URLS):
        captures = index.captures(url)
        assert [line.date for line in captures] == [START + timedelta(seconds=10 * n) for n in range(20)]
        assert {line.offset for line in captures} == {offset}
        assert {line.url for line in captures} == {url}


def test_urls_with_the_same_key_are_found_together(folder: Path) -> None:
    assert Index(folder).captures("HTTPS://www.A.example:443/2/?Q=1#x") == Index(folder).captures(URLS[3])


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/3",
        "http://a.example/1/0",
        "http://0.example/",
        "http://zzz.zzz/",
        "",
        "http://b.example:x/",
    ],
)
def test_what_was_not_captured_is_not_found(folder: Path, url: str) -> None:
    index = Index(folder)
    assert index.captures(url) == []
    assert index.lookup(url, START) == []
    assert index.nearest(url, START) is None


def test_an_index_that_is_not_there_is_empty(tmp_path: Path) -> None:
    index = Index(tmp_path / "index")
    assert index.captures(URLS[0]) == []
    write_lines(tmp_path / "index", "empty.warc.gz", [])
    index.refresh()
    assert index.nearest(URLS[0], START) is None


@pytest.mark.parametrize(
    ("at", "found"),
    [(-(10**6), 0), (0, 0), (4, 0), (5, 0), (5.5, 10), (94, 90), (96, 100), (190, 190), (10**6, 190)],
)
def test_the_nearest_capture_is_found(folder: Path, at: float, found: float) -> None:
    index = Index(folder)
    assert {seconds(index, url, at) for url in URLS} == {found}
    assert {index.lookup(url, START + timedelta(seconds=at))[0].date for url in URLS} == {
        START + timedelta(seconds=found)
    }


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    files=st.lists(st.lists(st.integers(0, 60), max_size=6), min_size=1, max_size=4),
    wanted=st.integers(-5, 65).map(lambda half: half / 2),
)
def test_nearest_is_what_comparing_with_all_finds(
    tmp_path: Path, files: list[list[int]], wanted: float
) -> None:
    for number in range(4):
        times = files[number] if number < len(files) else []
        others = [some_line(f"http://{host}.example/a", 30) for host in ("a", "c")]
        write_lines(
            tmp_path, f"{number}.warc.gz", [some_line("http://b.example/a", t) for t in times] + others
        )
    known = [time for times in files for time in times]
    expected = min(sorted(known), key=lambda time: abs(time - wanted), default=None)
    assert seconds(Index(tmp_path), "http://b.example/a", wanted) == expected


def test_many_captures_of_one_url(tmp_path: Path) -> None:
    lines = [some_line("http://feed.example/", number) for number in range(3000)]
    write_lines(
        tmp_path, "a.warc.gz", [*lines[::2], some_line("http://a.example/"), some_line("http://z.example/")]
    )
    write_lines(tmp_path, "b.warc.gz", lines[1::2])
    index = Index(tmp_path)
    assert len(index.captures("http://feed.example/")) == 3000
    assert seconds(index, "http://feed.example/", 1501.2) == 1501


def test_a_range_is_a_host_or_all_below_it(folder: Path) -> None:
    index = Index(folder)
    assert {line.url for line in index.range("example,a)/")} == set(URLS[:5])
    # a.b.example is below b.example, of which nothing was captured.
    assert {line.url for line in index.range("example,b,")} == set(URLS[5:10])
    assert {line.url for line in index.range("example,a)/1")} == set(URLS[1:3])
    keys = [line.key for line in index.range("")]
    assert keys == sorted(keys)
    assert len(keys) == len(URLS) * 20


@given(
    st.sets(st.text("ab)/ {", min_size=1, max_size=5), max_size=12),
    st.text("ab)/ {", max_size=3),
    st.text("ab)/ {", max_size=6),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
def test_halving_finds_what_reading_all_finds(
    tmp_path: Path, lines: set[str], prefix: str, more: str
) -> None:
    ordered = sorted(line.encode() for line in lines)
    path = tmp_path / "file"
    path.write_bytes(b"".join(line + b"\n" for line in ordered))
    start, wanted = prefix.encode(), (prefix + more).encode()
    file = SortedFile(path)
    assert list(file.lines_with(start)) == [line for line in ordered if line.startswith(start)]
    less = [line for line in ordered if line < wanted][-1:]
    more_or_equal = [line for line in ordered if line >= wanted][:1]
    assert list(file.lines_around(start, wanted)) == [
        line for line in less + more_or_equal if line.startswith(start)
    ]


def test_lines_left_twice_by_a_crash_are_returned_once(folder: Path) -> None:
    merged = folder / "merged-01-00000001.cdxj"
    (folder / "again.cdxj").write_bytes(merged.read_bytes())
    assert len(Index(folder).captures(URLS[0])) == 20


def test_what_is_no_index_line_is_said(tmp_path: Path) -> None:
    (tmp_path / "other.cdxj").write_bytes(b"example,a)/ and the rest\n")
    with pytest.raises(ArchiveError, match="Build the index again"):
        Index(tmp_path).captures("http://a.example/")


def test_a_written_warc_is_found_by_url(tmp_path: Path) -> None:
    warc = written_warc(tmp_path / "warc", ["http://example.org/a b", "http://example.org:99999/"])
    write_index(warc, tmp_path / "index")
    index = Index(tmp_path / "index")
    for url in ("http://example.org/a b", "http://example.org:99999/"):
        (line,) = index.captures(url)
        assert line.filename == warc.name
        assert line.status == "200"


def test_refresh_shows_what_was_written_since(folder: Path) -> None:
    index = Index(folder)
    write_lines(folder, "new.warc.gz", [some_line("http://new.example/")])
    assert index.captures("http://new.example/") == []
    index.refresh()
    assert len(index.captures("http://new.example/")) == 1
    assert len(index.captures(URLS[0])) == 20


def test_a_file_made_anew_under_its_old_name_is_seen(folder: Path) -> None:
    write_lines(folder, "same.warc.gz", [some_line("http://old.example/")])
    index = Index(folder)
    write_lines(folder, "same.warc.gz", [some_line("http://new.example/")])
    index.refresh()
    assert index.captures("http://old.example/") == []
    assert len(index.captures("http://new.example/")) == 1


def test_a_reader_misses_nothing_while_files_are_merged(tmp_path: Path) -> None:
    runs, done = FAN_IN * 20, []

    def write() -> None:
        for number in range(runs):
            write_lines(tmp_path, f"{number:04d}.warc.gz", [some_line("http://a.example/", number)])
            done.append(number)
            merge_tiers(tmp_path)

    run = threading.Thread(target=write)
    run.start()
    index = Index(tmp_path)
    while run.is_alive():
        known = len(done)
        index.refresh()
        found = [line.timestamp for line in index.captures("http://a.example/")]
        assert len(found) == len(set(found))
        assert len(found) >= known
    run.join()
    index.refresh()
    assert len(index.captures("http://a.example/")) == runs
