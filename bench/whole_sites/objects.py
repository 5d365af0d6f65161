"""The objects of a crawl, held against what the application holds: items and comments, author and time."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from .applications import AUTHOR, DAY, TIME
from .truth import grams_of, page_key, plain, time_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

    from .applications import Application
    from .truth import Comment, Gram, Item, Truth

# Of an item's pairs of words, how many its article must have to be that item.
ENOUGH = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectScore:
    """Shares from 0 to 1; None where the truth or the pages say nothing."""

    items: float
    text: float
    """Pairs of words of the truth that stand in objects."""
    f1: float
    """Of the texts of items that were found, the mean."""
    titles: float
    authors: float | None
    times: float | None
    comments: float
    """Found below their item, with the right author, and the right time where it is known."""
    comments_found: float
    comment_authors: float
    comment_times: float | None
    more: int
    """Articles that are no items: lists, pages of users."""


def read_objects(folder: Path, kind: str) -> list[dict[str, Any]]:
    """Read the newest line of each object of a kind."""
    newest: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob(f"{kind}-*.jsonl")):
        for line in path.read_text().splitlines():
            written = json.loads(line)
            newest[written["id"]] = written
    return list(newest.values())


def score_objects(
    truth: Truth, app: Application, articles: list[dict[str, Any]], contributions: list[dict[str, Any]]
) -> ObjectScore:
    found = dict(_found_items(truth, articles))
    said = _SaidBelow(articles, contributions)
    matches = [(comment, said.of(item, comment)) for item, comment in truth.comments]
    timed = [(comment, match) for comment, match in matches if comment.time is not None]
    keys = {page_key(item.url) for item in truth.items}
    return ObjectScore(
        items=_share(item.url in found for item in truth.items),
        text=_text_share(truth, articles, contributions),
        f1=fmean([_f1(item, found[item.url]) for item in truth.items if item.url in found] or [0.0]),
        titles=_share(
            plain(item.title) == plain(found.get(item.url, {}).get("title") or "") for item in truth.items
        ),
        authors=_share_or_none(
            _right_author(item, found.get(item.url)) for item in _said_of(truth, app, AUTHOR)
        ),
        times=_share_or_none(
            _right_time(item, found.get(item.url), app) for item in _said_of(truth, app, TIME)
        ),
        comments=_share(_is_right(comment, match) for comment, match in matches),
        comments_found=_share(match is not None for _, match in matches),
        comment_authors=_share(
            match is not None and _author_of(match) == comment.author for comment, match in matches
        ),
        comment_times=_share_or_none(_same_minute(comment.time, match) for comment, match in timed),
        more=sum(page_key(article["url"]) not in keys for article in articles),
    )


class _SaidBelow:
    """Contributions by their words and the item whose page they stand on."""

    def __init__(self, articles: list[dict[str, Any]], contributions: list[dict[str, Any]]) -> None:
        self._urls = {article["id"]: article["url"] for article in articles}
        self._by_words: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for contribution in contributions:
            self._by_words[plain(contribution["text"])].append(contribution)
        self._taken: set[str] = set()

    def of(self, item: Item, comment: Comment) -> dict[str, Any] | None:
        """Find the one that stands for a comment; each stands for one."""
        words = plain(comment.text)
        # A wiki signs behind the words.
        for ending in ("", f" {plain(comment.author)}"):
            for candidate in self._by_words.get(words + ending, ()):
                if candidate["id"] not in self._taken and self._is_below(item, candidate):
                    self._taken.add(candidate["id"])
                    return candidate
        return None

    def _is_below(self, item: Item, candidate: dict[str, Any]) -> bool:
        pages = {candidate["page_url"], self._urls.get(candidate["article"], "")}
        wanted = page_key(item.url)
        return any(_belongs(page_key(page), wanted) for page in pages if page)


def _belongs(page: str, item: str) -> bool:
    """Tell whether a page is an item's: its own, a further page of its comments, or its page for talk."""
    return (
        page == item
        or page.startswith((f"{item}/", f"{item}?", f"{item}&"))
        or page.replace("Talk:", "") == item
    )


def _found_items(truth: Truth, articles: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    by_key = {
        page_key(url): each for each in articles for url in (each.get("canonical_url"), each["url"]) if url
    }
    for item in truth.items:
        article = by_key.get(page_key(item.url))
        if article is not None:
            wanted = _grams(item.text)
            if len(wanted & _grams(article["text"])) >= ENOUGH * len(wanted):
                yield item.url, article


def _text_share(truth: Truth, articles: list[dict[str, Any]], contributions: list[dict[str, Any]]) -> float:
    wanted = truth.grams_in_blocks()
    texts = [article["title"] or "" for article in articles]
    texts += [line for each in (*articles, *contributions) for line in each["text"].splitlines()]
    return len(wanted & grams_of(texts)) / len(wanted)


def _said_of(truth: Truth, app: Application, what: str) -> list[Item]:
    if what in app.unsaid:
        return []
    told = [item for item in truth.items if item.kind not in app.bare]
    return [item for item in told if (item.author if what == AUTHOR else item.time)]


def _right_author(item: Item, article: dict[str, Any] | None) -> bool:
    return article is not None and plain(item.author) in {plain(each) for each in article["authors"]}


def _right_time(item: Item, article: dict[str, Any] | None, app: Application) -> bool:
    if article is None or item.time is None:
        return False
    if app.time_is == TIME:
        return _minute(time_of(article.get("published"))) == _minute(item.time)
    day = article.get("published_day") if app.time_is == DAY else _day_of_change(article)
    return bool(day == item.time.date().isoformat())


def _day_of_change(article: dict[str, Any]) -> str | None:
    """Find what the page says of its last change, whose moment is not certain without a zone."""
    told = ((article.get("times") or {}).get("modified") or {}).get("day")
    return told or (article.get("updated") or "")[:10] or None


def _is_right(comment: Comment, match: dict[str, Any] | None) -> bool:
    if match is None or _author_of(match) != comment.author:
        return False
    return comment.time is None or _same_minute(comment.time, match)


def _same_minute(time: datetime | None, match: dict[str, Any] | None) -> bool:
    """Tell whether the minute is right; without a zone, as it stands on the page: they run in UTC."""
    if match is None:
        return False
    try:
        return _minute(time_of(match.get("published") or match.get("published_text"))) == _minute(time)
    except ValueError:
        return False


def _minute(time: datetime | None) -> datetime | None:
    # Most pages do not show seconds.
    return time.replace(second=0, microsecond=0) if time else None


def _author_of(match: dict[str, Any]) -> str:
    return str(match.get("author") or "")


def _f1(item: Item, article: dict[str, Any]) -> float:
    wanted, had = _grams(item.text), _grams(article["text"])
    common = len(wanted & had)
    return 2 * common / (len(wanted) + len(had)) if common else 0.0


def _grams(text: str) -> set[Gram]:
    return grams_of(text.splitlines())


def _share(judged: Iterable[bool]) -> float:
    kept = list(judged)
    return sum(kept) / len(kept) if kept else 1.0


def _share_or_none(judged: Iterable[bool]) -> float | None:
    kept = list(judged)
    return sum(kept) / len(kept) if kept else None
