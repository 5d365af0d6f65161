"""Pairs of captures compared, in the worker process: both read alike, each beside its whole page."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from archiver.articles.methods.extraction import parse_page
from archiver.articles.methods.parts import cut_page
from archiver.articles.methods.registry import FIELDS
from archiver.articles.model import NoArticle
from archiver.articles.versions.boilerplate import boilerplate_of
from archiver.articles.versions.judge import judge
from archiver.articles.versions.model import FIELDS as OF_FIELDS
from archiver.articles.versions.model import Change, Judgement
from archiver.articles.versions.reading import Reading, compared_page
from archiver.errors import RecordError
from archiver.running.workers.fields import has_new_values
from archiver.running.workers.page_tasks import PagesJudged, ReadPages
from archiver.running.workers.pages import SeveralPages, raw_page, read_pages
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from archiver.articles.model import Article
    from archiver.articles.versions.boilerplate import Boilerplate
    from archiver.articles.versions.reading import ComparedPage
    from archiver.running.workers.page_tasks import JudgePages, PageRead, PageToRead, Pair

# More would tell little more.
_MOST_SIBLINGS = 6


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
    others = _others(task)
    return PagesJudged(judgements=tuple(_with_fields(task, pair, read, others) for pair, read in found))


def _with_fields(
    task: JudgePages, pair: Pair, before: PageRead, others: Callable[[str], Boilerplate]
) -> Judgement | None:
    """What changed in the article, and in its fields: both captures were read by today's wrapper."""
    is_changed = has_new_values(before.article or before.instead, pair.article, pair.before.fields_by)
    if pair.article.method == FIELDS and before.instead is not None:
        return Judgement(change=Change(kinds=(OF_FIELDS,)) if is_changed else None)
    judgement = _judged(task, pair, before.article, others)
    if judgement is None or not is_changed:
        return judgement
    change = judgement.change or Change(kinds=(), similarity=1.0)
    return replace(judgement, change=replace(change, kinds=(*change.kinds, OF_FIELDS)))


def _others(task: JudgePages) -> Callable[[str], Boilerplate]:
    """What the siblings of a page have in common; they are read once, and only where they are needed."""

    @cache
    def siblings() -> list[tuple[str, ComparedPage]]:
        found = []
        for page in task.siblings[:_MOST_SIBLINGS]:
            with suppress(RecordError):
                parsed = parse_page(raw_page(task.folder, page))
                if not isinstance(parsed, NoArticle):
                    found.append((same_page_key(page.url), compared_page(parsed)))
        return found

    def others(url: str) -> Boilerplate:
        key = same_page_key(url)
        return boilerplate_of([sibling for other, sibling in siblings() if other != key])

    return others


def _judged(
    task: JudgePages, pair: Pair, before: Article | None, others: Callable[[str], Boilerplate]
) -> Judgement | None:
    if before is None:
        return None
    old = _reading(task.folder, pair.before, before)
    new = _reading(task.folder, pair.now, pair.article)
    if old is None or new is None:
        return None
    return judge(
        old,
        new,
        lambda: others(pair.now.url),
        volatile=pair.volatile,
        is_moment_later=pair.is_moment_later,
    )


def _reading(folder: str, page: PageToRead, article: Article) -> Reading | None:
    raw = SeveralPages(folder, page).page
    # Beside a part are other articles, and what happens to them is not an edit of it.
    parsed = cut_page(raw, page.part) if page.part else parse_page(raw)
    if parsed is None or isinstance(parsed, NoArticle):
        return None
    return Reading(article=article, page=compared_page(parsed))
