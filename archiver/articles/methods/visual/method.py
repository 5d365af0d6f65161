"""The method `visual`: the blocks that look like an article, and the element that holds most of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.methods.article.decisions import decided
from archiver.articles.methods.article.hints import hints_of
from archiver.articles.methods.article.judge import JudgedPage
from archiver.articles.methods.article.selection import choose, copied, kept_blocks
from archiver.articles.methods.article.siblings import pool_of
from archiver.articles.methods.visual.inlinks import with_inlinks
from archiver.articles.methods.visual.model import model_in, shipped_model
from archiver.articles.methods.visual.recognition import seen_page
from archiver.articles.model import Found, Selection

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from archiver.articles.methods.visual.model import VisualModel
    from archiver.articles.methods.visual.recognition import SeenPage
    from archiver.articles.model import ParsedPage, Wrapper

# Fewer words are a caption or a notice.
_LEAST_WORDS = 14


class VisualMethod:
    """What is seen and who links there, and nothing of names and tags."""

    def __init__(self, article: VisualModel | None = None, title: VisualModel | None = None) -> None:
        self.article_model = article or shipped_model("article")
        self.title_model = title or shipped_model("title")

    def use(self, models: Path) -> None:
        """Take what was trained on an archive, where there is any."""
        self.article_model, self.title_model = model_in(models, "article"), model_in(models, "title")

    def find(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found:  # noqa: ARG002
        seen = [seen_page(page, title=self.title_model) for page in with_inlinks(pages)]
        pool = pool_of([one.sight.outline for one in seen], [page.announcement.title for page in pages])
        pairs = zip(pages, seen, strict=True)
        return Found(selections=[self._selection(page, one, pool.shared) for page, one in pairs])

    def find_known(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found | None:  # noqa: ARG002
        """Nothing is learned, so nothing is known."""
        return None

    def likelihoods(self, page: ParsedPage, seen: SeenPage, shared: frozenset[str]) -> Sequence[float]:
        """How likely each block is of the article, after what is decided on purpose."""
        found = self.article_model.likelihoods(self.article_model.margins(seen.texts, seen.bags).tolist())
        judged = decided(JudgedPage(first=found, second=found), seen.sight.outline, hints_of(page), shared)
        return judged.second

    def _selection(self, page: ParsedPage, seen: SeenPage, shared: frozenset[str]) -> Selection | None:
        outline = seen.sight.outline
        likely = self.likelihoods(page, seen, shared)
        node = choose(outline, likely)
        kept = kept_blocks(node, likely) if node else []
        words = sum(len(outline.blocks[place].words) for place in kept)
        if words < _LEAST_WORDS:
            return None
        mean = sum(likely[place] * len(outline.blocks[place].words) for place in kept) / words
        part = copied(outline, kept)
        look = seen.title.text[:80] if seen.title else ""
        evidence: dict[str, str | float] = {
            "looked like the title": look,
            "layout": seen.sight.layout.quality,
        }
        return Selection(node=part.node, dropped=part.dropped, confidence=round(mean, 4), evidence=evidence)
