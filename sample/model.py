"""What the sites publish: articles made of blocks, their edits, and the truth that tests compare with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

BlockKind = Literal["p", "h2", "quote", "li", "code", "figure"]
Kind = Literal[
    "article",
    "gone",
    "forbidden_with_content",
    "disallowed",
    "pdf",
    "redirect",
    "no_link",
    "unavailable",
    "empty",
    "login",
    "not_found",
]


@dataclass(frozen=True, slots=True)
class Block:
    """One block of an article; `text` may carry *emphasis* and ^links^."""

    kind: BlockKind
    text: str


Blocks = tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A real change to an article; `announced` when the feed's own date moves with it."""

    when: datetime
    day: int
    apply: Callable[[Blocks], Blocks]
    announced: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Article:
    """An article with its whole history; compared by identity, so that renders can be cached."""

    number: int
    path: str
    entry_id: str
    title: str
    author: str
    section: str
    day: int
    published: datetime
    blocks: Blocks
    edits: tuple[Edit, ...] = ()
    language: str = "en"

    def on(self, day: int) -> Version:
        return _version(self, sum(edit.day <= day for edit in self.edits))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Version:
    """An article as it reads on some day."""

    article: Article
    blocks: Blocks
    revision: int
    updated: datetime
    changed: datetime

    @property
    def paragraphs(self) -> list[str]:
        return [plain(block.text) for block in self.blocks if block.kind != "figure"]

    @property
    def captions(self) -> list[str]:
        return [plain(block.text) for block in self.blocks if block.kind == "figure"]


@lru_cache(maxsize=4096)
def _version(article: Article, revision: int) -> Version:
    blocks, updated, changed = article.blocks, article.published, article.published
    for edit in article.edits[:revision]:
        blocks, changed = edit.apply(blocks), edit.when
        updated = edit.when if edit.announced else updated
    return Version(article=article, blocks=blocks, revision=revision, updated=updated, changed=changed)


def plain(text: str) -> str:
    """The text as a reader sees it, without the marks of emphasis and links."""
    return text.replace("*", "").replace("^", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueEntry:
    """What is true of one feed entry on one day."""

    site: str
    feed_url: str
    entry_id: str
    link: str | None
    title: str
    published: datetime
    kind: Kind
    body_paragraphs: list[str]
    revision: int
    in_feed: bool
    author: str = ""
    language: str = "en"
    captions: list[str]


# The kinds that have a text somewhere: on the page, in the feed, or behind a robots.txt.
_READABLE = {"article", "forbidden_with_content", "disallowed", "redirect", "no_link"}


def true_entry(
    article: Article,
    day: int,
    *,
    site: str,
    feed_url: str,
    entry_id: str,
    link: str | None,
    in_feed: bool,
    kind: Kind = "article",
) -> TrueEntry:
    version, readable = article.on(day), kind in _READABLE
    return TrueEntry(
        site=site,
        feed_url=feed_url,
        entry_id=entry_id,
        link=link,
        title=article.title,
        published=article.published,
        kind=kind,
        body_paragraphs=version.paragraphs if readable else [],
        revision=version.revision,
        in_feed=in_feed,
        author=article.author,
        language=article.language,
        captions=version.captions if readable else [],
    )
