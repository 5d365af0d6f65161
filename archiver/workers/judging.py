"""Pairs of captures compared, in the worker process: both read alike, each beside its whole page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.extract.methods import parse_page
from archiver.extract.model import NoArticle
from archiver.versions.judge import judge
from archiver.versions.outline import outline_of
from archiver.versions.reading import Reading
from archiver.workers.messages import PagesJudged, ReadPages
from archiver.workers.pages import raw_page, read_pages

if TYPE_CHECKING:
    from archiver.extract.model import Article
    from archiver.versions.model import Judgement
    from archiver.workers.messages import JudgePages, PageToRead, Pair


def judge_pages(task: JudgePages) -> PagesJudged:
    """What changed between the two captures of each pair."""
    before = read_pages(
        ReadPages(
            folder=task.folder,
            method=task.method,
            pages=tuple(pair.before for pair in task.pairs),
            memory=task.memory,
            siblings=task.siblings,
        )
    )
    found = zip(task.pairs, before.pages, strict=True)
    return PagesJudged(judgements=tuple(_judged(task, pair, read.article) for pair, read in found))


def _judged(task: JudgePages, pair: Pair, before: Article | None) -> Judgement | None:
    if before is None:
        return None
    old = _reading(task.folder, pair.before, before)
    new = _reading(task.folder, pair.now, pair.article)
    return judge(old, new) if old and new else None


def _reading(folder: str, page: PageToRead, article: Article) -> Reading | None:
    parsed = parse_page(raw_page(folder, page))
    return None if isinstance(parsed, NoArticle) else Reading(article=article, outline=outline_of(parsed))
