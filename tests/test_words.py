"""Each class name has one meaning, that of the glossary if it is one of its words; messages are plain."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.test_docs import DOCS, PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "archiver").rglob("*.py"))

# Scrapy finds a command by this name.
SCRAPYS = {"Command"}
# The published JSON Schema of objects has this name, for who states a time.
SEVERAL_MEANINGS = {"Source"}
# The room of the class that is what the glossary says.
MEANT = {
    "Absence": "inspection",
    "Account": "inspection",
    "Archive": "running",
    "Article": "articles",
    "Capture": "archive",
    "Change": "articles",
    "Contribution": "documents",
    "Expression": "documents",
    "Field": "fields",
    "FieldWrapper": "fields",
    "Forest": "articles",
    "Frontier": "running",
    "KnowledgeBase": "acquisition",
    "Level": "acquisition",
    "Look": "acquisition",
    "Method": "articles",
    "ObjectKind": "archive",
    "Post": "documents",
    "Probe": "acquisition",
    "Revisit": "archive",
    "Seed": "acquisition",
    "Settled": "running",
    "Sigfeed": "articles",
    "Twin": "articles",
    "Validators": "acquisition",
    "Version": "articles",
    "Withheld": "archive",
    "Writer": "archive",
}
OLD_IDIOMS = re.compile(
    r"\b(nobody|somebody|whoever|manners|(could not|cannot) be had|are none|of before|in peace|troubles)\b"
    r"|(?<!there) is no (number|address|file|feed|date|WARC)\b",
    re.IGNORECASE,
)
# What comments and docstrings had most of.
OLD_PERSONS = re.compile(
    r"\b(nobody|somebody|anybody|whoever|of before|of then|(could not|cannot) be had)\b", re.IGNORECASE
)


@cache
def public_classes() -> dict[str, list[str]]:
    """The modules that define each, by name; found once."""
    found = defaultdict(list)
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path.relative_to(ROOT).as_posix())
    return found


def glossary() -> set[str]:
    rows = (DOCS / "glossary.md").read_text("utf-8").split("| --- | --- |\n")[1].splitlines()
    return {word.strip() for row in rows for word in row.split("|")[1].split(",")}


def test_each_class_name_has_one_meaning() -> None:
    several = {name: paths for name, paths in public_classes().items() if len(paths) > 1}
    assert set(several) - SCRAPYS == SEVERAL_MEANINGS, several


def test_a_class_that_is_named_like_a_word_of_the_glossary_is_that_thing() -> None:
    words = {word.title().replace(" ", "") for word in glossary()}
    named = {name: paths[0].split("/")[1] for name, paths in public_classes().items() if name in words}
    assert named == MEANT


# The name that systems give to a user without rights.
USER = '"nobody"'


def messages(code: bytes) -> Iterator[str]:
    """The strings of a module that are not docstrings."""
    tree = ast.parse(code)
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value


def test_no_message_has_an_old_idiom() -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), text)
        for path in MODULES
        for text in messages(path.read_bytes())
        if OLD_IDIOMS.search(text) and text != USER.strip('"')
    }
    assert found == set()


def test_no_comment_or_docstring_speaks_of_nobody() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in MODULES
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if OLD_PERSONS.search(line.replace(USER, ""))
    ]
    assert found == []


def test_an_old_idiom_would_be_noticed() -> None:
    code = (
        b'"""Nobody reads this."""\ndef f(x):\n    raise ValueError(f"{x} is no number, whoever wrote it")\n'
    )
    assert [text for text in messages(code) if OLD_IDIOMS.search(text)] == [" is no number, whoever wrote it"]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.parent in {ROOT, DOCS}], ids=lambda page: page.name
)
def test_no_page_has_an_old_idiom(page: Path) -> None:
    text = page.read_text("utf-8").replace(USER, "")
    assert [line for line in text.splitlines() if OLD_IDIOMS.search(line)] == []
