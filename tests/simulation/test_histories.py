"""Files of histories: read with gzip or without, and told what is wrong with them in plain words."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from bench.simulation.files import HistoriesError, part, read_histories, with_windows

if TYPE_CHECKING:
    from pathlib import Path

_GOOD = {"feed": "https://a.example/feed", "kind": "news", "window": 3, "published": [30, 10, 20.5]}


def test_plain_and_compressed_files_are_read_alike_whatever_their_name(tmp_path: Path) -> None:
    text = json.dumps(_GOOD) + "\n\n" + json.dumps({"window": 1, "published": []}) + "\n"
    (tmp_path / "a.jsonl").write_text(text)
    (tmp_path / "b.jsonl").write_bytes(gzip.compress(text.encode()))
    for name in ("a.jsonl", "b.jsonl"):
        found = read_histories(tmp_path / name)
        assert found.published.tolist() == [10, 20.5, 30]
        assert found.first.tolist() == [0, 3, 3]
        assert found.window.tolist() == [3, 1]
        assert found.kind == ("news", "other")


def test_windows_of_a_kind_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(json.dumps(_GOOD) + "\n" + json.dumps(_GOOD | {"kind": "other"}))
    assert with_windows(read_histories(tmp_path / "a"), "other", 10).window.tolist() == [3, 10]


def test_every_other_feed_is_taken(tmp_path: Path) -> None:
    lines = [json.dumps({"window": size, "published": [size]}) for size in (1, 2, 3)]
    (tmp_path / "a").write_text("\n".join(lines))
    assert part(read_histories(tmp_path / "a"), 0, 2).published.tolist() == [1, 3]
    assert part(read_histories(tmp_path / "a"), 1, 2).window.tolist() == [2]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 2 is no JSON"),
        ("[1]", "line 2 is no JSON object"),
        ('{"published": [1]}', "line 2: `window` must be a whole number from 1, not null"),
        ('{"window": 0, "published": [1]}', "line 2: `window` must be a whole number from 1, not 0"),
        ('{"window": true, "published": [1]}', "line 2: `window` must be a whole number from 1, not true"),
        ('{"window": 5}', "line 2: `published` must be a list"),
        ('{"window": 5, "published": ["2024"]}', "line 2: `published` must be seconds since 1970"),
        ('{"window": 5, "published": [1e300]}', "line 2: `published` must be seconds since 1970"),
        ('{"window": 5, "published": [NaN]}', "line 2: `published` must be seconds since 1970"),
        ('{"window": 5, "published": [1], "kind": 7}', "line 2: `kind` must be a text, not 7"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "a").write_text(json.dumps(_GOOD) + "\n" + line + "\n")
    with pytest.raises(HistoriesError, match="line 2") as raised:
        read_histories(tmp_path / "a")
    assert told in str(raised.value)


def test_a_file_that_is_cut_off_or_missing_or_empty_is_told(tmp_path: Path) -> None:
    (tmp_path / "cut").write_bytes(gzip.compress(json.dumps(_GOOD).encode())[:-12])
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "latin").write_bytes(b'{"kind": "\xe9"}')
    for name, told in (("cut", "cannot be read"), ("none", "cannot be read"), ("latin", "cannot be read")):
        with pytest.raises(HistoriesError, match=told):
            read_histories(tmp_path / name)
    with pytest.raises(HistoriesError, match="has no feed with entries"):
        read_histories(tmp_path / "empty")
