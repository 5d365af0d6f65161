"""What the sources that an archive has say of a page, each as blocks of its outline."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
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
# A text of which less stands on the page is not of this page, or of another state of it.
_ON_PAGE = 0.9
# Of the pairs of neighbouring words of a block.
_HALF = 0.5
# The confidence from which on the choice of the method `article` is a label: at .9 its F1 is .94 to .96
# (docs/extraction.md).
_SURE = 0.9
# Names under which people mark the text of an article as a field.
ARTICLE_FIELDS = frozenset({"article", "body", "content", "text"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What is said of a page elsewhere: its entry's content, and texts that people marked as the article."""

    content: str | None = None
    marks: tuple[str, ...] = ()


def labelled_page(page: ParsedPage, article: Article | None, said: Said, *, channel: int = 0) -> LabelledPage:
    """All that is said of a page, which must be as it was parsed: making an article takes parts out of it."""
    outline = outline_of(page.cleaned)
    return LabelledPage(
        url=page.url,
        site=registered_domain(host_of(page.url)) or host_of(page.url),
        channel=channel,
        words=tuple(len(block.words) for block in outline.blocks),
        labels=tuple(_labels(page, outline, article, said)),
    )


def has_sources(content: str | None, body: bytes) -> bool:
    """Whether anything but the extractor speaks of a page, told quickly and without reading it."""
    return len((content or "").split()) >= _LEAST_WORDS or b"articleBody" in body


def _labels(page: ParsedPage, outline: Outline, article: Article | None, said: Said) -> Iterator[BlockLabels]:
    told = {
        LabelSource.USER: _marked(outline, said.marks),
        LabelSource.FEED: _blocks_of_text(outline, plain(said.content or "")),
        LabelSource.STATEMENT: _stated(page, outline),
    }
    if article is not None and article.confidence >= _SURE:
        source = LabelSource.WRAPPER if article.wrapper else LabelSource.CONSENSUS
        told[source] = blocks_saying(outline, tokens(article.text))
    for source, blocks in told.items():
        if blocks:
            yield BlockLabels(source=source, blocks=blocks)


def _marked(outline: Outline, marks: Sequence[str]) -> tuple[int, ...]:
    """What people marked is the article however short it is; the longest of several marks."""
    return blocks_saying(outline, tokens(plain(max(marks, key=len, default=""))))


def _stated(page: ParsedPage, outline: Outline) -> tuple[int, ...]:
    """Blocks of `articleBody`: the text of JSON-LD where the page shows it, else elements of microdata."""
    if found := _blocks_of_text(outline, stated_body(page.tree)):
        return found
    bodies = [node for node in outline.nodes if node.is_body]
    return tuple(sorted({place for node in bodies for place in range(node.start, node.end)}))


def _blocks_of_text(outline: Outline, text: str) -> tuple[int, ...]:
    """Blocks that stand in a text, if that is long enough and stands on the page itself."""
    words = tokens(text)
    if len(words) < _LEAST_WORDS:
        return ()
    shown = {pair for block in outline.blocks for pair in pairwise(block.words)}
    pairs = set(pairwise(words))
    return blocks_saying(outline, words) if len(pairs & shown) >= _ON_PAGE * len(pairs) else ()


def blocks_saying(outline: Outline, words: Sequence[str]) -> tuple[int, ...]:
    """Blocks of which at least half stands in a text, by pairs of neighbouring words."""
    pairs, single = set(pairwise(words)), set(words)
    return tuple(
        place for place, block in enumerate(outline.blocks) if _share(block.words, pairs, single) >= _HALF
    )


def _share(block: Sequence[str], pairs: set[tuple[str, str]], single: set[str]) -> float:
    own = set(pairwise(block))
    # A block of one word has no pair: it is itself.
    return len(own & pairs) / len(own) if own else float(block[0] in single)
