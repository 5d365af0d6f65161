"""Every command block of the documents that a new user follows is run, and prints what is shown."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.docs.following import DOCUMENTS, TOOLS, Followed, document_blocks, failures, follow
from tests.docs.markdown import Block, check

if TYPE_CHECKING:
    from pathlib import Path

# One process follows all documents.
pytestmark = pytest.mark.xdist_group("documents")

BLOCKS = [block for document in DOCUMENTS for block in document_blocks(document)]
RUN = [block for block in BLOCKS if not block.is_shown_only]
# What README.md shows, and what needs nothing that was made in another document.
FIRST = [
    block
    for block in RUN
    if block.document == "README.md" and (block.language == "console" or "ran in" not in block.notes)
]


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Followed:
    need_tools()
    return follow(tmp_path_factory.mktemp("documents"))


def need_tools() -> None:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing and os.environ.get("CI") != "true":
        pytest.skip(f"The documents need {', '.join(missing)}: install it")


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.name)
def test_every_block_is_run_or_says_why_not(block: Block) -> None:
    check(block)


def test_what_a_new_user_does_first_prints_what_is_shown(tmp_path: Path) -> None:
    need_tools()
    followed = follow(tmp_path, FIRST)
    assert {step.block.name for step in followed.steps} == {block.name for block in FIRST}
    assert followed.steps[0].shown.command == "make crawl"
    assert not any(step.problem for step in followed.steps), "\n\n".join(failures(followed))
    assert set(followed.changes.values()) == {""}


@pytest.mark.zoo
@pytest.mark.parametrize("block", RUN, ids=lambda block: block.name)
def test_a_block_prints_what_is_shown(block: Block, followed: Followed) -> None:
    problems = [step.problem for step in followed.steps if step.block == block]
    assert problems
    assert not any(problems), "\n\n".join(
        [*problems, "If the document is out of date: python -m tests.docs.refresh"]
    )


@pytest.mark.zoo
@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_reader_who_follows_a_document_changes_nothing_that_git_sees(
    document: str, followed: Followed
) -> None:
    assert followed.changes[document] == ""
