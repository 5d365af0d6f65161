"""The reference of the wrapper file names all its keys and types, and its examples can be used."""

from __future__ import annotations

import re
from typing import get_args

import msgspec
import pytest

from archiver.fields.files import read_wrapper
from archiver.fields.model import Field, FieldRule, FieldScope, FieldType, FieldWrapper, Take
from tests.test_docs import DOCS, NAME, ROW

TEXT = (DOCS / "fields.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```yaml\n(wrapper: .*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def documented(title: str) -> set[str]:
    """What the rows of a section of the third level begin with."""
    (part,) = re.findall(rf"^### {title}$(.*?)(?=^##)", TEXT, re.MULTILINE | re.DOTALL)
    return {name for names, _ in ROW.findall(part) for name in NAME.findall(names)}


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("The file", FieldWrapper),
        ("Scope", FieldScope),
        ("Field", Field),
        ("Rule", FieldRule),
        ("Take", Take),
    ],
)
def test_every_key_is_documented_and_no_other(title: str, kind: type[msgspec.Struct]) -> None:
    assert documented(title) == {one.encode_name for one in msgspec.structs.fields(kind)}


def test_every_type_is_documented_and_no_other() -> None:
    assert documented("Types") == set(get_args(FieldType))


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_can_be_used(example: str) -> None:
    wrapper = read_wrapper(example.encode(), "docs/fields.md").value
    assert wrapper.fields or wrapper.records
