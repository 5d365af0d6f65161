"""docs/knowledge.md: its examples work, its tables have every key, and its expressions find what it says."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from archiver.acquisition.sites.knowledge import model
from archiver.acquisition.sites.knowledge.loading import load_knowledge
from archiver.acquisition.sites.knowledge.selectivity import warnings_of
from archiver.documents.expressions.budget import MOST_NODES
from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.expressions.parsing import parse
from archiver.documents.expressions.selecting import select
from archiver.documents.pages.dom import parse_markup
from archiver.documents.yaml_values.structs import read_yaml

PAGE = (Path(__file__).parents[2] / "docs" / "knowledge.md").read_text("utf-8")
STRUCTS: dict[str, type[msgspec.Struct]] = {
    "Types": model.SiteType,
    "Patterns": model.TypePattern,
    "avoid": model.AvoidRule,
    "same": model.SameRule,
    "lists": model.ListSource,
    "levels": model.Level,
    "follow": model.FollowAction,
    "extract": model.ExtractAction,
    "parts": model.PartRule,
    "tested": model.Trial,
}
ROW = re.compile(r"^\| (`.+?`) \| (`.+?`) \|", re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")


def section(title: str) -> str:
    return re.split(r"^#+ ", PAGE, flags=re.MULTILINE)[titles().index(title) + 1]


def titles() -> list[str]:
    return re.findall(r"^#+ (.+)$", PAGE, flags=re.MULTILINE)


@pytest.mark.parametrize(("title", "struct"), STRUCTS.items())
def test_every_key_is_documented_and_no_other(title: str, struct: type[msgspec.Struct]) -> None:
    documented = re.findall(r"^\| `(\w+)` \|", section(title), flags=re.MULTILINE)
    assert set(documented) == {field.encode_name for field in msgspec.structs.fields(struct)}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)


def test_the_entries_that_are_shown_can_be_used(tmp_path: Path) -> None:
    for number, text in enumerate(blocks("yaml")):
        (tmp_path / f"{number}.yaml").write_text(text)
    base = load_knowledge([str(tmp_path)])
    assert base.ancestry["ferry-blog"] == ("ferry-blog", "quill")
    post = base.types["ferry-blog"].level("post")
    assert post is not None
    assert [str(path) for action in post.extract if action.key == "body" for path in action.path] == [
        "section.story"
    ]
    reads = [
        read_yaml(text.encode(), "x", model.SiteType, {model.Expression: parse}) for text in blocks("yaml")
    ]
    assert [warning for read in reads for warning in warnings_of(read)] == []


EXPRESSIONS = [
    (expression.replace("\\|", "|"), CODE.findall(finds)) for expression, finds in ROW.findall(PAGE) if finds
]


@pytest.mark.parametrize(
    ("text", "finds"), [(CODE.findall(text)[0], finds) for text, finds in EXPRESSIONS], ids=str
)
def test_an_expression_finds_what_is_said(text: str, finds: list[str]) -> None:
    tree = parse_markup(blocks("html")[0])
    assert tree is not None
    found = select(parse(text), VirtualDocument(tree=tree))
    # A document cannot show the space around a text.
    assert [one.strip() if isinstance(one, str) else f"<{one.tag}>" for one in found] == finds


def test_the_expressions_on_servers_and_addresses_are_understood() -> None:
    rows = re.findall(r"^\| `((?:http|url)[^`]+)` \|", PAGE, flags=re.MULTILINE)
    assert len(rows) == 4
    assert [str(parse(row)) for row in rows] == rows


def test_the_limits_are_those_of_the_program() -> None:
    assert f"{MOST_NODES:,} elements" in PAGE
