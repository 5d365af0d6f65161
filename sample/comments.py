"""What readers write under posts: a few more words every day or two."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from sample import clock, prose

if TYPE_CHECKING:
    from datetime import datetime

    from sample.model import Article


class Comment(NamedTuple):
    """What a reader wrote under a post, and when."""

    when: datetime
    name: str
    text: str


@cache
def comments(pool_name: str, article: Article) -> tuple[Comment, ...]:
    """All the comments that the post will ever have, oldest first."""
    pool, rng = prose.load(pool_name), Random(article.entry_id)
    templates = list(pool.topics["comments"].paragraphs)
    rng.shuffle(templates)
    texts = [prose.fill(pool, words, f"{article.entry_id} {rank}") for rank, words in enumerate(templates)]
    return tuple(_comment(article, rank, text) for rank, text in enumerate(texts))


def _comment(article: Article, rank: int, text: str) -> Comment:
    name, _, words = text.partition(": ")
    day = article.day + rank * 3 // 2 + article.number % 2
    return Comment(clock.moment(day, 22 * 60 + rank), name, words)


def comments_until(pool_name: str, article: Article, day: int) -> list[Comment]:
    return [comment for comment in comments(pool_name, article) if comment.when <= clock.now(day)]
