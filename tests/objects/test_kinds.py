"""Kinds of objects: which files are theirs, in which order, and what their lines are valid against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import jsonschema
import pytest

from archiver.archive.objects.kinds import ObjectKind, kind_of, object_files

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    schema: str
    places: tuple[str, ...] = ()


class NoticeKind(ObjectKind[Notice]):
    name = "notices"
    title = "One notice"
    schema = "notice/2"
    earlier_schemas = ("notice/1",)
    model = Notice


def test_a_kind_has_the_schema_of_its_model() -> None:
    schema = NoticeKind().json_schema()
    assert schema["title"] == "One notice (notice/2)"
    for name in ("notice/1", "notice/2"):
        jsonschema.validate({"schema": name, "places": ["x"]}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schema": "notice/3"}, schema)
    assert NoticeKind().flaw(Notice(schema="notice/1")) is None
    assert NoticeKind().flaw(Notice(schema="notice/3")) == (
        "this object says schema 'notice/3', and not 'notice/2'"
    )


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("articles-2026-03-02.jsonl", "articles"),
        ("articles-2026-03-02-web-1.later-1.jsonl", "articles"),
        ("court_notices-2026-03-02-web.reextracted.jsonl", "court_notices"),
        ("articles-2026-03-02.jsonl.cut", None),
        ("articles.jsonl", None),
        ("notes.jsonl", None),
    ],
)
def test_the_kind_is_in_the_name_of_a_file(file: str, kind: str | None) -> None:
    assert kind_of(file) == kind


def test_files_are_in_the_order_of_their_days_whoever_wrote_them(tmp_path: Path) -> None:
    names = [
        "articles-2026-03-01.jsonl",
        "articles-2026-03-02-web-1.jsonl",
        "articles-2026-03-02-web-2.jsonl",
        "articles-2026-03-02.jsonl",
        "articles-2026-03-02-web-1.reextracted.jsonl",
        "articles-2026-03-03-web-1.jsonl",
    ]
    for name in [*names, "notices-2026-03-01.jsonl", "notes.jsonl"]:
        (tmp_path / name).touch()
    assert [path.name for path in object_files(tmp_path, ["articles"])] == names
