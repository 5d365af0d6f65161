"""What the sources that an archive has say of a page, each as blocks of its outline."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from archiver.articles.labels.model import BlockLabels, LabelledPage, LabelSource
from archiver.articles.methods.article.hints import stated_body
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.text import plain
from archiver.documents.pages.words import tokens
from archiver.domains import registered_domain
from archiver.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.articles.model import Article, ParsedPage
    from archiver.documents.pages.blocks import Outline

# A text that is shorter is a summary. Full content of feeds is longer than this on nine pages in ten: guess.
_LEAST_WORDS = 150
# So many words have at least so many characters, markup not counted.
_LEAST_CHARACTERS = 2 * _LEAST_WORDS
# A text of which less stands on the page is not of this page, or of another state of it.
_ON_PAGE = 0.9
# Of the pairs of neighbouring words of a block.
_HALF = 0.5
# The confidence from which on the choice of the method `article` is a label: at .9 its F1 is .94 to .96
# (docs/extraction.md).
_SURE = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What is said of a page elsewhere: its entry's content, and texts that people marked as the article."""

    content: str | None = None
    marks: tuple[str, ...] = ()


def labelled_page(page: ParsedPage, article: Article | None, said: Said, *, channel: int = 0) -> LabelledPage:
    """All that is said of a page, whose `cleaned` tree must be whole: making an article takes parts out."""
    blocks = _Blocks(outline_of(page.cleaned))
    return LabelledPage(
        url=page.url,
        site=registered_domain(host_of(page.url)) or host_of(page.url),
        channel=channel,
        words=tuple(len(block.words) for block in blocks.outline.blocks),
        labels=tuple(_labels(page, blocks, article, said)),
    )


def has_sources(content: str | None, body: bytes) -> bool:
    """Whether anything but the extractor speaks of a page, told quickly and without reading it."""
    return len(content or "") >= _LEAST_CHARACTERS or b"articleBody" in body


def _labels(page: ParsedPage, blocks: _Blocks, article: Article | None, said: Said) -> Iterator[BlockLabels]:
    told = {
        # What people marked is the article however short it is; the longest of several marks.
        LabelSource.USER: blocks.saying(tokens(plain(max(said.marks, key=len, default="")))),
        LabelSource.FEED: blocks.of_text(plain(said.content or "")),
        LabelSource.STATEMENT: _stated(page, blocks),
    }
    if article is not None and article.confidence >= _SURE:
        source = LabelSource.WRAPPER if article.wrapper else LabelSource.CONSENSUS
        told[source] = blocks.saying(tokens(article.text))
    for source, found in told.items():
        if found:
            yield BlockLabels(source=source, blocks=found)


def _stated(page: ParsedPage, blocks: _Blocks) -> tuple[int, ...]:
    """Blocks of `articleBody`: the text of JSON-LD where the page shows it, else elements of microdata."""
    if found := blocks.of_text(stated_body(page.tree)):
        return found
    bodies = [node for node in blocks.outline.nodes if node.is_body]
    return tuple(sorted({place for node in bodies for place in range(node.start, node.end)}))


def blocks_saying(outline: Outline, words: Sequence[str]) -> tuple[int, ...]:
    """Blocks of which at least half stands in a text, by pairs of neighbouring words."""
    return _Blocks(outline).saying(words)


class _Blocks:
    """The blocks of a page by their pairs of neighbouring words, made once for all sources."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        # A block of one word has no pair: it is itself.
        self._pairs: list[set[tuple[str, ...]]] = [
            set(pairwise(block.words)) or {(block.words[0],)} for block in outline.blocks
        ]

    def of_text(self, text: str) -> tuple[int, ...]:
        """Blocks that stand in a text, if that is long enough and stands on the page itself."""
        words = tokens(text) if len(text) >= _LEAST_CHARACTERS else ()
        if len(words) < _LEAST_WORDS:
            return ()
        pairs: set[tuple[str, ...]] = set(pairwise(words))
        shown = len(pairs.intersection(chain.from_iterable(self._pairs)))
        return self._saying(words, pairs) if shown >= _ON_PAGE * len(pairs) else ()

    def saying(self, words: Sequence[str]) -> tuple[int, ...]:
        """Blocks of which at least half stands in a text."""
        return self._saying(words, set(pairwise(words))) if words else ()

    def _saying(self, words: Sequence[str], pairs: set[tuple[str, ...]]) -> tuple[int, ...]:
        known = {*pairs, *((word,) for word in words)}
        return tuple(place for place, own in enumerate(self._pairs) if len(own & known) >= _HALF * len(own))
