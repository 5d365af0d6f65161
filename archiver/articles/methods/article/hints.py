"""What is known of an article before its page is read: from the feed, or else from the page's own head."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from archiver.documents.pages.languages import language_for
from archiver.documents.pages.statements import metas_of
from archiver.documents.pages.text import one_line, plain
from archiver.documents.pages.words import stop_words, tokens
from archiver.lexicon.elements import HEADLINES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.model import ParsedPage
    from archiver.documents.pages.blocks import Block
    from archiver.documents.pages.statements import Values

Triple = tuple[str, str, str]

_LEAST_LIKENESS = 0.4
_LONGEST_TITLE = 30
# An announcement of so many telling words is met by a text that has this share of them.
_TELLING, _LEAST_MET = 5, 0.15
# Where JSON-LD is broken, as it often is, the one string is still there.
_BODY_STRING = re.compile(r'"articleBody"\s*:\s*"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)


def triples(words: Sequence[str]) -> set[Triple]:
    return set(zip(words, words[1:], words[2:], strict=False))


@dataclass(frozen=True, kw_only=True)
class Hints:
    """The words that were announced, and those that the page states as its article's."""

    title: Sequence[str] = ()
    summary: Sequence[str] = ()
    stated: str = ""
    stop: frozenset[str] = frozenset()

    @cached_property
    def body(self) -> Sequence[str]:
        """The words of what is stated; where a wrapper serves, they are not needed."""
        return tokens(self.stated)

    @cached_property
    def _title_words(self) -> frozenset[str]:
        return frozenset(self.title)

    @cached_property
    def _announced(self) -> frozenset[str]:
        return frozenset((*self.title, *self.summary))

    @cached_property
    def _summary(self) -> set[Triple]:
        return triples(self.summary)

    @cached_property
    def _body(self) -> set[Triple]:
        return triples(self.body)

    def in_body(self, words: Sequence[str]) -> float | None:
        """The share of a text that the page states as its article's; None where it states nothing."""
        if not self.body:
            return None
        found = triples(words)
        return len(found & self._body) / len(found) if found else 0.5

    def touches_summary(self, words: Sequence[str]) -> bool:
        return bool(self._summary) and not self._summary.isdisjoint(
            zip(words, words[1:], words[2:], strict=False)
        )

    def announced_share(self, words: Sequence[str]) -> float:
        return len(self._announced.intersection(words)) / len(set(words)) if self._announced else 0.0

    def title_likeness(self, words: Sequence[str]) -> float:
        title = self._title_words
        return len(title.intersection(words)) / len(title.union(words)) if title else 0.0

    def is_title(self, words: Sequence[str]) -> bool:
        return bool(self._title_words) and self._title_words == set(words)

    def stop_share(self, words: Sequence[str]) -> float:
        return sum(map(self.stop.__contains__, words)) / len(words)

    def is_touched_by(self, words: Sequence[str]) -> bool:
        """Whether a text has any telling word of what was announced."""
        return any(word in self._announced and word not in self.stop for word in words)

    def is_met_by(self, words: Sequence[str]) -> bool:
        """Whether a text can be the one that was announced: it has some of the telling words."""
        telling = {word for word in self._announced if word not in self.stop and len(word) > 1}
        if len(telling) < _TELLING:
            return True
        return len(telling.intersection(words)) >= _LEAST_MET * len(telling)

    def title_place(self, blocks: Sequence[Block]) -> int | None:
        """Where the page shows its title: the heading most like it."""
        best, found = _LEAST_LIKENESS, None
        for place, block in enumerate(blocks):
            is_headline = block.node.tag == "h1"
            if block.node.tag in HEADLINES or (block.is_bold and len(block.words) < _LONGEST_TITLE):
                likeness = self.title_likeness(block.words) if self.title else 0.45 * is_headline
                likeness += 0.1 * is_headline
                if likeness > best:
                    best, found = likeness, place
        return found


def brief_hints_of(page: ParsedPage) -> Hints:
    """What was announced alone, without what the page states as its article's text."""
    title, summary = _announced(page)
    language = language_for(f"{title} {summary}", page.announcement.language, page.language) or "en"
    return Hints(title=tokens(title), summary=tokens(summary), stop=stop_words(language))


def hints_of(page: ParsedPage) -> Hints:
    """The feed's words first; where it has none, what the page's head says."""
    said, tree = page.announcement, page.tree
    title, summary = _announced(page)
    # The whole text from the feed, or from the page's markup: never the result, but it tells where that is.
    body = plain(said.content or "") or stated_body(tree)
    language = language_for(f"{title} {summary} {body[:500]}", said.language, page.language) or "en"
    return Hints(title=tokens(title), summary=tokens(summary), stated=body, stop=stop_words(language))


def _announced(page: ParsedPage) -> tuple[str, str]:
    """The title and the summary."""
    said, tree = page.announcement, page.tree
    metas = {} if said.title and said.summary else metas_of(tree)
    title = plain(said.title or "") or _title_of(metas, tree)
    return title, plain(said.summary or "") or _first(metas, "description", "og:description")


def _first(metas: Values, *names: str) -> str:
    return next((one_line(metas[name][0]) for name in names if name in metas), "")


def page_title(tree: Element) -> str:
    return _title_of(metas_of(tree), tree)


def _title_of(metas: Values, tree: Element) -> str:
    stated = _first(metas, "og:title", "twitter:title")
    return stated or one_line(tree.findtext(".//title") or "")


def stated_body(tree: Element) -> str:
    """The longest `articleBody` of the page's JSON-LD."""
    found = [text for script in tree.iter("script") for text in _bodies(script)]
    return plain(max(found, key=len, default=""))


def _bodies(script: Element) -> Iterator[str]:
    # The type first: the text of a script is long, and mostly of no use.
    if not (script.get("type") or "").startswith("application/ld+json"):
        return
    text = script.text or ""
    for match in _BODY_STRING.finditer(text) if "articleBody" in text else ():
        try:
            yield json.loads(f'"{match[1]}"', strict=False)
        except ValueError:
            yield match[1]
