"""What the seed of a generated site decides: its template, its addresses, its lists, its traps."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.sites.computed.groups import Consecutive, everything, scattered
from tests.sites.computed.kinds import KINDS, KindForm, ListForm
from tests.sites.computed.themes import THEMES, Theme

if TYPE_CHECKING:
    from tests.sites.computed.groups import Grouping

# Months that the items of a site are spread over.
_MONTHS = 60
# How likely a site has each trap.
TRAPS = {
    "calendar": 0.6, "stream": 0.5, "sessions": 0.2, "relative": 0.5, "missing": 0.6, "endless": 0.5,
    "print": 0.6, "near": 0.4, "reply": 0.7, "login": 0.6, "topics": 0.4, "host": 0.3, "deep": 0.4,
    "search": 0.5, "canonical": 0.1,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteLists:
    """The lists of one grouping on a site."""

    form: ListForm
    path: str
    grouping: Grouping


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteForm:
    kind: KindForm
    theme: Theme
    item: str  # how its address is written
    lists: tuple[SiteLists, ...]
    per_page: int
    paging: str  # path, page or start: where an address has the number of the page
    pager: str  # numbers, next, pair or more: which further pages a list links to
    teaser: str  # title, words, rich or full
    sitemap: int  # pages in a sitemap; 0: there is none
    named: bool  # robots.txt names the sitemap
    month: int  # items of a month
    traps: frozenset[str]
    related: str  # items that an item leads to: any, near or none

    @property
    def main(self) -> SiteLists:
        return next(one for one in self.lists if one.form.is_main)


def form_of(kind: str, seed: int, items: int) -> SiteForm:
    chance, form = random.Random(f"{kind} {seed} form"), KINDS[kind]
    month = max(5, items // _MONTHS)
    make = chance.randrange(12)
    lists = tuple(_lists(one, make, f"{kind} {seed}", items, month) for one in form.lists)
    traps = {name for name, likely in TRAPS.items() if chance.random() < likely}
    return SiteForm(
        kind=form,
        theme=THEMES[(seed + chance.randrange(2)) % len(THEMES)],
        item=form.items[make % len(form.items)],
        lists=lists,
        per_page=chance.choice(form.per_page),
        paging=chance.choice(("path", "page", "start")),
        pager=chance.choice(("numbers", "numbers", "next", "pair", "more")),
        teaser=chance.choice(("title", "words", "rich", "rich", "full" if kind == "blog" else "words")),
        sitemap=chance.choice((0, 0, 500, 2000)),
        named=chance.random() < 0.7,
        month=month,
        traps=frozenset(traps | set(form.looks)),
        related=chance.choice(("any", "near", "none")),
    )


def _lists(form: ListForm, make: int, key: str, items: int, month: int) -> SiteLists:
    return SiteLists(
        form=form, path=form.paths[make % len(form.paths)], grouping=_grouping(form, key, items, month)
    )


def _grouping(form: ListForm, key: str, items: int, month: int) -> Grouping:
    if not form.name:
        return everything()
    if form.length:
        return Consecutive(form.name, form.length if form.length > 0 else month)
    many = form.least + (items // form.per if form.per else 0)
    return scattered(form.name, max(2, min(many, form.most, items // 4)), key, form.each)
