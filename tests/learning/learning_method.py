"""A method that learns, small enough to know what it will do.

With two pages or more it learns where most paragraphs of each are; by what it learned it reads one alone.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from typing import TYPE_CHECKING

from archiver.articles.model import Found, Selection, Wrapper

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.model import ParsedPage


class Learning:
    def find(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found:
        for page in pages:
            if page.tree.xpath("//meta[@name='poison']"):
                os.abort()
            if page.tree.xpath("//meta[@name='riddle']"):
                raise LookupError("a riddle")
        known = next((one for one in memory if all(page.cleaned.xpath(one.xpath) for page in pages)), None)
        outdated = [] if known else [one.id for one in memory]
        learned = [] if known or len(pages) < 2 else [learn(pages)]
        used = known or (learned[0] if learned else None)
        return Found(
            selections=[self._select(page, used, pages) for page in pages], learned=learned, outdated=outdated
        )

    def find_known(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found | None:
        found = self.find(pages, memory)
        return found if all(one and one.wrapper for one in found.selections) else None

    def _select(
        self, page: ParsedPage, used: Wrapper | None, pages: Sequence[ParsedPage]
    ) -> Selection | None:
        found = page.cleaned.xpath(used.xpath) if used else []
        return Selection(
            node=found[0] if found else page.cleaned.find("body"),
            confidence=0.9 if found else 0.1,
            evidence={},
            wrapper=used.id if used and found else None,
            siblings=tuple(one.id for one in pages if one is not page),
        )


def learn(pages: Sequence[ParsedPage]) -> Wrapper:
    """The path that most paragraphs of most pages have above them."""
    votes = Counter(path_to(fullest(page.cleaned)) for page in pages)
    xpath = min(votes, key=lambda one: (-votes[one], one))
    return Wrapper(
        id=hashlib.sha256(xpath.encode()).hexdigest()[:12],
        xpath=xpath,
        signature=(),
        kept=("p",),
        dropped=(),
        furniture=(),
        samples=tuple(sorted(page.id for page in pages)),
        confidence=votes[xpath] / len(pages),
    )


def fullest(tree: Element) -> Element:
    return max(tree.iter("div", "article", "section", "main"), key=lambda one: len(one.findall("p")))


def path_to(node: Element) -> str:
    return f"//{node.tag}[@class='{node.get('class', '')}']"
