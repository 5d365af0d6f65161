"""A small web with known topics: its pages, read once, in the words that crawls see."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from archiver.acquisition.campaigns.words import PageWords, word_ids

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class WebLink:
    to: int
    anchor: list[int]
    context: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPage:
    title: list[int]
    text: list[int]
    words: PageWords
    links: list[WebLink]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebTopic:
    name: str
    keywords: str
    pages: frozenset[int]
    draws: list[list[int]]

    @property
    def size(self) -> int:
        """Relevant pages that are not seeds."""
        return len(self.pages) - 3


class Web:
    """All pages; those that no crawl fetches are never read."""

    def __init__(self, folder: Path) -> None:
        self._raw = list(_lines(folder / "pages.jsonl.gz"))
        self._numbers = {page["id"]: number for number, page in enumerate(self._raw)}
        self._read: dict[int, WebPage] = {}
        self.topics = [self._topic(row) for row in _lines(folder / "topics.jsonl.gz")]

    def __len__(self) -> int:
        return len(self._raw)

    def _topic(self, row: dict[str, Any]) -> WebTopic:
        keywords = row["keywords"]
        return WebTopic(
            name=row["topic"],
            keywords=keywords if isinstance(keywords, str) else " ".join(keywords),
            pages=frozenset(self._numbers[page] for page in row["pages"]),
            draws=[[self._numbers[page] for page in draw] for draw in row["draws"]],
        )

    def page(self, number: int) -> WebPage:
        if number not in self._read:
            self._read[number] = self._read_page(self._raw[number])
        return self._read[number]

    def _read_page(self, raw: dict[str, Any]) -> WebPage:
        text = word_ids(raw["text"], LANGUAGE)
        links = [
            WebLink(
                self._numbers[link["to"]],
                word_ids(link["anchor"], LANGUAGE),
                word_ids(f"{link['before']} . {link['after']}", LANGUAGE),
            )
            for link in raw["links"]
        ]
        title = word_ids(raw["title"], LANGUAGE)
        return WebPage(title=title, text=text, words=PageWords.of(text), links=links)

    def targets(self, number: int) -> list[int]:
        """Where a page leads, each once, in the order of reading."""
        return list(dict.fromkeys(self._numbers[link["to"]] for link in self._raw[number]["links"]))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
