"""Pages whose field values are known: read, parsed, and brought together by site."""

from __future__ import annotations

import gzip
import html
import json
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.pages.dom import parse_markup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    Cell = tuple[str | None, Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldPage:
    url: str
    html: str
    gold: Mapping[str, Sequence[str]]
    document: VirtualDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSite:
    """The pages of a site: some to learn from, others to test on."""

    name: str
    learn: Sequence[FieldPage]
    test: Sequence[FieldPage]

    @property
    def attributes(self) -> list[str]:
        """Those that some page to test on has."""
        return [one for one in self.test[0].gold if any(page.gold[one] for page in self.test)]

    def labelled(self, attribute: str, count: int) -> list[FieldPage]:
        """The first pages to learn from that have the attribute."""
        return [page for page in self.learn if page.gold[attribute]][:count]


def read_sites(path: Path, limit: int | None) -> list[FieldSite]:
    """The sites of a set, `limit` of them."""
    rows: defaultdict[str, list[dict[str, object]]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open() as lines:
        for line in lines:
            row = json.loads(line)
            rows[f"{row['vertical']}/{row['site']}"].append(row)
    return [_site(name, rows[name]) for name in sorted(rows)[:limit]]


def _site(name: str, rows: Sequence[Mapping[str, object]]) -> FieldSite:
    pages = [(row["role"], _page(row)) for row in rows]
    learn = [page for role, page in pages if role == "learn"]
    return FieldSite(name=name, learn=learn, test=[page for role, page in pages if role == "test"])


def _page(row: Mapping[str, object]) -> FieldPage:
    markup, url = str(row["html"]), str(row["url"])
    gold = row["gold"]
    assert isinstance(gold, dict)
    return FieldPage(url=url, html=markup, gold=gold, document=parsed(markup, url))


def parsed(markup: str, url: str) -> VirtualDocument:
    tree = parse_markup(markup)
    return VirtualDocument(tree=tree if tree is not None else parse_markup("<p></p>"), url=url)  # type: ignore[arg-type]


def fold(value: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", html.unescape(value)).casefold().split())


def is_right(value: str | None, gold: Sequence[str]) -> bool:
    return fold(value) in {fold(one) for one in gold} if value else not gold


def f1_of(cells: Sequence[Cell]) -> float:
    """Of one field, over its pages: (value given, values that are right)."""
    given = sum(value is not None for value, _ in cells)
    wanted = sum(bool(gold) for _, gold in cells)
    right = sum(value is not None and is_right(value, gold) for value, gold in cells)
    return 2 * right / (given + wanted) if right else 0.0
