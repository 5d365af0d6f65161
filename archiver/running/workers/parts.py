"""The part of a page that an entry announced, in the worker process; the whole page where there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.articles.extract.catalogue import DEFAULT
from archiver.articles.extract.model import Article, NoArticle
from archiver.articles.extract.parts import ZONE, part_of
from archiver.documents.pages.words import tokens
from archiver.documents.parts import ANY_ZONE, is_zone, share_of
from archiver.lexicon.notices import NOTHING_THERE

if TYPE_CHECKING:
    from archiver.documents.pages.model import RawPage
    from archiver.running.workers.messages import Beside, PageToRead

# A part with so much of the page's article is the article: `#article-body` and the like.
_WHOLE = 0.8
# Two parts with more than so much in common are one.
_ONE = 0.5


def read_part(
    asked: PageToRead, page: RawPage, whole: Article | NoArticle, method: str = DEFAULT
) -> tuple[Article | NoArticle, str]:
    """The article of the part that is asked for, and which part that is; else the page's, which is none."""
    if not asked.part:
        return whole, ""
    mine = part_of(page, asked.part, method)
    if asked.is_known_part:
        # The rest of the page is not what has become of it.
        return mine or NoArticle(outcome="not_article", reason=NOTHING_THERE), asked.part
    if not isinstance(mine, Article) or _is_most_of(mine, whole):
        return whole, ""
    # Only held against it: no vote is taken on them.
    others = [(one, part_of(_as_announced(page, one), one.part or ANY_ZONE, ZONE)) for one in asked.beside]
    found = [(one, theirs) for one, theirs in others if isinstance(theirs, Article)]
    # An article that is announced twice is not two: only what is apart from it makes it a part.
    if is_zone(asked.part) and all(_are_one(mine, theirs) for _, theirs in found):
        return whole, ""
    same = next((one for one, theirs in found if one.is_older and _are_one(mine, theirs)), None)
    if same is None:
        return mine, asked.part
    theirs = part_of(_as_announced(page, same), same.part, method) if same.part else None
    return (theirs, same.part) if theirs is not None else (whole, "")


def _as_announced(page: RawPage, other: Beside) -> RawPage:
    return replace(page, announcement=other.announcement)


def _is_most_of(part: Article, whole: Article | NoArticle) -> bool:
    return isinstance(whole, Article) and share_of(tokens(part.text), tokens(whole.text)) >= _WHOLE


def _are_one(part: Article, other: Article) -> bool:
    mine, theirs = sorted((tokens(part.text), tokens(other.text)), key=len)
    return share_of(mine, theirs) > _ONE
