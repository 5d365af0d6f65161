"""Files of seeds: what is read from several, what stops a run, and that nothing else goes wrong."""

from __future__ import annotations

import contextlib
import os
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.seeds import SeedList, SeedProblem, read_seeds, split_paths
from archiver.errors import SeedError
from tests.seeds.seed_files import Read, opml, reasons, urls

EXAMPLES = sorted((Path(__file__).parents[2] / "seeds").glob("example.*"))


def test_paths_are_split_at_commas() -> None:
    assert split_paths(" a.opml, b.txt,,") == [Path("a.opml"), Path("b.txt")]
    assert split_paths("") == []


def test_no_files_are_no_seeds() -> None:
    assert read_seeds([]) == SeedList()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SeedError, match=r"gone\.txt does not exist"):
        read_seeds([tmp_path / "gone.txt"])


def test_a_folder_is_no_seeds_file(tmp_path: Path) -> None:
    with pytest.raises(SeedError, match="is a folder: name the seeds files in it"):
        read_seeds([tmp_path])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_forbidden_file_says_what_to_check(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch(mode=0)
    with pytest.raises(SeedError, match="may not be read: check its permissions"):
        read_seeds([tmp_path / "a.txt"])


def test_a_name_that_no_file_can_have_is_a_seed_error() -> None:
    with pytest.raises(SeedError, match="cannot be read"):
        read_seeds([Path("a\0b")])


@pytest.mark.parametrize("name", ["a.txt", "a.opml", "a.csv", "a"])
@pytest.mark.parametrize("content", ["", "\ufeff", " \n\n"])
def test_an_empty_file_is_refused(read: Read, name: str, content: str) -> None:
    with pytest.raises(SeedError, match="holds no seeds"):
        read(content, name)


@pytest.mark.parametrize(
    ("name", "content"), [("a.txt", "# later\n"), ("a.csv", "url,label\n"), ("a.opml", opml())]
)
def test_a_file_without_a_seed_is_refused(read: Read, name: str, content: str) -> None:
    with pytest.raises(SeedError, match="holds no seeds: add the URL of a feed, or leave the file out"):
        read(content, name)


def test_a_file_of_problems_alone_is_reported_not_refused(read: Read) -> None:
    assert read("nonsense\n").problems == (
        SeedProblem(source="seeds.txt", line=1, reason="not a URL: nonsense"),
    )


def test_other_encodings_are_refused_with_their_line(read: Read) -> None:
    with pytest.raises(SeedError, match=r"seeds\.txt:2: this is not UTF-8: save the file as UTF-8"):
        read(b"https://a.example/\n# caf\xe9\n")
    with pytest.raises(SeedError, match="is UTF-16, not UTF-8"):
        read("https://a.example/".encode("utf-16"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_have_no_problems(path: Path) -> None:
    found = read_seeds([path])
    assert found.seeds
    assert not found.problems


def test_there_is_an_example_of_each_format() -> None:
    assert [path.suffix for path in EXAMPLES] == [".csv", ".opml", ".txt"]


def test_labels_are_united_and_the_first_place_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("https://a.example/feed label=x\n")
    (tmp_path / "b.txt").write_text("\nhttps://a.example/feed label=y,x every=1h\n")
    (seed,) = read_seeds([tmp_path / "a.txt", tmp_path / "b.txt"]).seeds
    assert (seed.labels, seed.every) == (("x", "y"), timedelta(hours=1))
    assert (seed.source, seed.line) == ("a.txt", 1)


def test_of_two_intervals_the_first_stays_and_the_second_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("https://a.example/\nhttps://a.example/ every=2h\n")
    (tmp_path / "b.txt").write_text("https://a.example/ every=120m\nhttps://a.example/ every=1h30m\n")
    found = read_seeds([tmp_path / "a.txt", tmp_path / "b.txt"])
    assert [seed.every for seed in found.seeds] == [timedelta(hours=2)]
    assert reasons(found) == ["b.txt:2: every=1h30m, but a.txt:2 has every=2h for this URL, which stays"]


@pytest.mark.parametrize(
    "other", ["https://A.Example/", "https://a.example:443/", "https://a.example", "https://a.example/#x"]
)
def test_two_spellings_of_one_address_are_one_seed(read: Read, other: str) -> None:
    assert urls(read(f"https://a.example/\n{other}")) == ["https://a.example/"]


@pytest.mark.parametrize(
    "other", ["http://a.example/", "https://a.example/x", "https://a.example/?x", "https://me@a.example/"]
)
def test_addresses_that_may_answer_differently_stay_apart(read: Read, other: str) -> None:
    assert urls(read(f"https://a.example/\n{other}")) == ["https://a.example/", other]


FRAGMENTS = [
    *(
        b"https://a.example/",
        b"http://[",
        b"://",
        b"u:p@h",
        b" label=",
        b" every=1h",
        b'"',
        b"#",
        b"\n",
        b"\r",
    ),
    *(b"url,label,every\n", b";", b",", b"\t", b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"\xe9"),
    *(b"<opml>", b"<outline xmlUrl='http://a/'>", b"</outline>", b"</opml>", b"<?xml version='1.0'"),
    *(
        b" encoding='utf-16'?>",
        b" encoding='x'?>",
        b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
        b"&b;",
        b"<!--",
        b"-->",
    ),
]


@given(
    content=st.binary(max_size=200) | st.lists(st.sampled_from(FRAGMENTS), max_size=12).map(b"".join),
    name=st.sampled_from(["a.txt", "a.opml", "a.csv", "a"]),
)
def test_no_bytes_raise_anything_but_a_seed_error(content: bytes, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(SeedError):
        path = Path(folder, name)
        path.write_bytes(content)
        found = read_seeds([path])
        assert found.seeds or found.problems
        assert all("\n" not in str(problem) for problem in found.problems)
