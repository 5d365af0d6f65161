"""Every command block of the documents that a new user follows is run, and prints what is shown."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.docs.following import DOCUMENTS, TOOLS, Followed, document_blocks, follow
from tests.docs.markdown import Block, check

# One process follows all documents.
pytestmark = pytest.mark.xdist_group("documents")

BLOCKS = [block for document in DOCUMENTS for block in document_blocks(document)]
RUN = [block for block in BLOCKS if not block.is_shown_only]


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Followed:
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing and os.environ.get("CI") != "true":
        pytest.skip(f"The documents need {', '.join(missing)}: install it")
    return follow(tmp_path_factory.mktemp("documents"))


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.name)
def test_every_block_is_run_or_says_why_not(block: Block) -> None:
    check(block)


@pytest.mark.parametrize("block", RUN, ids=lambda block: block.name)
def test_a_block_prints_what_is_shown(block: Block, followed: Followed) -> None:
    problems = [step.problem for step in followed.steps if step.block == block]
    assert problems
    assert not any(problems), "\n\n".join(
        [*problems, "If the document is out of date: python -m tests.docs.refresh"]
    )


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_reader_who_follows_a_document_changes_nothing_that_git_sees(
    document: str, followed: Followed
) -> None:
    assert followed.changes[document] == ""
