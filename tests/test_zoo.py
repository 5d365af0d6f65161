"""Every kind of server and fault in the zoo is in docs/zoo.md, and none that does not exist."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.test_docs import DOCS, NAME

ZOO = Path(__file__).parent / "zoo"
TOPICS = sorted(path.stem for path in ZOO.glob("*.py") if path.stem != "base")


def kinds(topic: str) -> dict[str, type]:
    """The public classes that a module of the zoo defines."""
    module = import_module(f"tests.zoo.{topic}")
    return {
        name: kind
        for name, kind in vars(module).items()
        if inspect.isclass(kind) and kind.__module__ == module.__name__ and not name.startswith("_")
    }


def documented() -> dict[str, dict[str, list[str]]]:
    """The rows of the table of each section, by topic and kind."""
    parts = re.split(r"^## (\w+): .+$", (DOCS / "zoo.md").read_text("utf-8"), flags=re.MULTILINE)
    return {
        topic: {
            NAME.findall(line)[0]: [cell.strip() for cell in line.strip("| ").split(" | ")[1:]]
            for line in text.splitlines()
            if line.startswith("| `")
        }
        for topic, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_each_module_of_the_zoo_has_its_section() -> None:
    assert sorted(documented()) == TOPICS


@pytest.mark.parametrize("topic", TOPICS)
def test_each_kind_has_its_row_and_each_row_its_kind(topic: str) -> None:
    rows = documented()[topic]
    assert set(rows) == set(kinds(topic))
    assert all(len(cells) == 2 and all(cells) for cells in rows.values())


@pytest.mark.parametrize("topic", TOPICS)
def test_each_kind_says_in_one_sentence_what_it_does(topic: str) -> None:
    for name, kind in kinds(topic).items():
        assert re.fullmatch(r"[A-Z`].+\.", kind.__doc__ or "", re.DOTALL), name
