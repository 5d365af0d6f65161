"""The choice in the middle of several."""

from __future__ import annotations

import pytest

from archiver.articles.methods.article.consensus import (
    Vote,
    agreement,
    blocks_in,
    trafilatura_text,
    verdict_of,
    vote,
)
from archiver.articles.methods.article.judge import JudgedPage
from archiver.articles.methods.article.selection import pairs_of
from archiver.documents.pages.words import tokens
from tests.extract.production.samples import outlined, tree_of

# Six blocks of six words, all different.
OUTLINE = outlined(
    "".join(f"<p>{' '.join(f'{block}x{word}' for word in range(6))}</p>" for block in range(6))
)


def candidate(voter: str, *kept: int) -> Vote:
    return Vote(voter=voter, kept=kept, pairs=pairs_of(OUTLINE, kept))


@pytest.mark.parametrize(
    ("choices", "winner"),
    [
        # Two agree, and the third is outvoted, wherever it stands.
        ([(1, 2, 3), (1, 2, 3), (4, 5)], (1, 2, 3)),
        ([(4, 5), (1, 2, 3), (1, 2, 3)], (1, 2, 3)),
        # One is in the middle: the smallest has too little, the largest too much.
        ([(2,), (1, 2, 3), (0, 1, 2, 3, 4, 5)], (1, 2, 3)),
        # All disagree alike: the first has seen most.
        ([(0, 1), (2, 3), (4, 5)], (0, 1)),
        # A voter that finds nothing does not win against one that finds something.
        ([(), (1, 2), (1, 2, 3)], (1, 2)),
        # Two that find nothing do not agree on anything.
        ([(1, 2), (), ()], (1, 2)),
        ([(), (), (3, 4)], (3, 4)),
        ([(), (), ()], ()),
    ],
)
def test_choice_that_the_others_agree_with_most_wins(
    choices: list[tuple[int, ...]], winner: tuple[int, ...]
) -> None:
    verdict = verdict_of([candidate(str(place), *kept) for place, kept in enumerate(choices)])
    assert verdict.winner.kept == winner
    assert verdict.agreement[verdict.winner.voter] == 1
    assert len(verdict.candidates) == len(choices)


def test_agreement_is_f1_in_pairs_of_words() -> None:
    one, half = candidate("a", 0), candidate("b", 1)
    assert agreement(one, one) == 1
    assert agreement(one, half) == 0
    # 5 pairs of one block are among the 11 of two.
    assert agreement(one, candidate("c", 0, 1)) == pytest.approx(2 * 5 / 16)
    assert agreement(candidate("d"), candidate("e")) == 1


def test_every_voter_has_a_candidate() -> None:
    page = "<p>The ferry</p>"
    verdict = vote(tree_of(page), outlined(page), JudgedPage(first=[0.9], second=[0.9]))
    assert [one.voter for one in verdict.candidates] == ["weighed", "strict", "trafilatura"]
    assert verdict.winner.kept == [0]


def test_page_without_blocks_has_an_empty_verdict() -> None:
    verdict = vote(tree_of(""), outlined(""), JudgedPage(first=[], second=[]))
    assert not verdict.winner.kept


def test_block_that_is_mostly_in_another_text_is_its_choice() -> None:
    outline = outlined("<p>The night ferry sails again</p><p>Share this story now</p><p>Ferry</p><p>Fog</p>")
    assert blocks_in(outline, tokens("On Friday the night ferry sails on")) == [0, 2]
    assert blocks_in(outline, []) == []


@pytest.mark.parametrize(
    "markup", ["", "<p>x</p>", "<table>" * 50, "<p>&#xd;</p>", "<a href='http://['>x</a>"]
)
def test_other_extractor_that_finds_nothing_has_no_vote_and_raises_nothing(markup: str) -> None:
    assert isinstance(trafilatura_text(tree_of(markup)), str)


def judged_as(*second: float) -> JudgedPage:
    return JudgedPage(first=second, second=second)


def test_words_that_hardly_tell_make_a_choice_less_certain() -> None:
    """Two voters may agree by chance on what neither is sure of."""
    tree = tree_of("".join(f"<p>{block.text}</p>" for block in OUTLINE.blocks))
    sure = vote(tree, OUTLINE, judged_as(0.95, 0.95, 0.95, 0.95, 0.05, 0.05))
    unsure = vote(tree, OUTLINE, judged_as(0.95, 0.95, 0.7, 0.7, 0.3, 0.05))
    assert sure.winner.kept == unsure.winner.kept
    assert (sure.doubt, unsure.doubt) == (0, 0.75)
    assert unsure.certainty == pytest.approx(sure.certainty * (1 - 0.75 / 2))
    # Where nearly all of a page is in doubt, that is all that can be said.
    assert vote(tree, OUTLINE, judged_as(0.7, 0.3, 0.3, 0.3, 0.3, 0.3)).doubt == 1
