"""YAML that is too large, too deep or too clever, and what texts mean by the type that is wanted."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.documents.yaml_values.nodes import MOST_BYTES, compose
from archiver.documents.yaml_values.structs import read_yaml
from archiver.errors import FileFlaws


class Inner(msgspec.Struct, frozen=True, kw_only=True):
    number: int = 0
    on: str = ""


class Outer(msgspec.Struct, frozen=True, kw_only=True):
    words: tuple[str, ...] = ()
    inner: tuple[Inner, ...] = ()
    sure: bool | None = None


def read(text: str) -> Outer:
    return read_yaml(text.encode(), "a.yaml", Outer).value


def refused(content: bytes) -> str:
    with pytest.raises(FileFlaws) as caught:
        compose(content, "a.yaml")
    return str(caught.value)


def test_the_wanted_type_decides_what_a_text_means() -> None:
    found = read("words: [no, on, 1.10, 2026-11-17, '']\ninner: {number: 7, on: off}\nsure: true\n")
    assert found.words == ("no", "on", "1.10", "2026-11-17", "")
    assert found.inner == (Inner(number=7, on="off"),)
    assert found.sure is True
    assert read("sure:\n").sure is None


REFUSED: list[tuple[bytes, str]] = [
    (b"", "a.yaml:1:1: The file is empty"),
    (b"# nothing\n", "a.yaml:1:1: The file is empty"),
    (b"a: &x 1\nb: *x\n", "a.yaml:1:4: Anchors and aliases are not used here: &x"),
    (b"a: *x\n", "a.yaml:1:4: Anchors and aliases are not used here: *x"),
    (b"a: !!python/object:os.system 1\n", "a.yaml:1:4: Tags of YAML are not used here"),
    (b"a: 1\na: 2\n", "a.yaml:2:1: The key a stands here twice, first in line 1"),
    (b"? [a]\n: 1\n", "a.yaml:1:3: A key is a word"),
    (b"a: 1\n---\nb: 1\n", "a.yaml:2:1: The file has a second document"),
    (b"a: \xff\n", "a.yaml:1:1: The file is not in UTF-8: save it as UTF-8"),
    (b"a: [1\n", "a.yaml:2:1: This is not YAML"),
    (b"a: '\x01'\n", "a.yaml:1:1: This is not YAML"),
    (b"a: " + b"x" * MOST_BYTES, "a.yaml:1:1: The file has"),
    (b"[" * 30, "a.yaml:1:26: Values are nested more than 24 deep"),
    (b"- a\n" * 20_001, "a.yaml:20000:3: The file has more than 20000 values"),
]


@pytest.mark.parametrize(("content", "message"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_not_safe_to_read_is_refused(content: bytes, message: str) -> None:
    assert refused(content).startswith(message)


@pytest.mark.parametrize("content", [b"[" * 200_000, b"{a: " * 60_000, b"- " * 120_000])
def test_deep_files_are_refused_at_once(content: bytes) -> None:
    """Read to its end, the first of them takes minutes."""
    began = time.process_time()
    assert "nested" in refused(content)
    assert time.process_time() - began < 2


@given(st.one_of(st.binary(max_size=200), st.text("ab:-[]{}'\"\n #*&!|>", max_size=80).map(str.encode)))
def test_whatever_a_file_has_it_is_read_or_refused(content: bytes) -> None:
    found: Any = None
    try:
        found = read_yaml(content, "a.yaml", Outer).value
    except FileFlaws as error:
        assert str(error).startswith("a.yaml:")  # noqa: PT017 - either is right
    assert found is None or isinstance(found, Outer)
