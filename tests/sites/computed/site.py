"""Sites of any size, of which each page is computed when it is asked for: what they hold is known.

    site = ComputedSite("forum", seed=3, items=50_000)
    site.answer("/viewforum.php?f=2&start=25")

They have lists that show the same items (tags, authors, months), teasers, comments, profiles, paging of
several makes, six templates, a sitemap or none, and most traps of `tests.sites.generated`. The seed decides.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tests.sites.computed.addresses import Addresses
from tests.sites.computed.form import form_of
from tests.sites.computed.pages import Pages
from tests.sites.computed.texts import grams_of
from tests.sites.computed.traps import Traps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.sites.computed.served import Served

# Further pages of an item that has them: two to four.
_FEWEST, _RANGE = 1, 3
# Of a large site, the text of one item of so many stands for all.
_SAMPLED, _LARGE = 10, 12_000
_PLAIN_PAGES = ("about", "contact", "imprint")


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What a site holds, and what it costs to get it."""

    content: frozenset[str]
    lists: int  # pages of the cheapest lists that lead to all of it

    @property
    def ideal(self) -> int:
        return len(self.content) + self.lists + 1


class ComputedSite:
    """A site of about so many pages with content; it has grown by so many items since."""

    def __init__(
        self, kind: str, seed: int, items: int = 5000, *, grown: int = 0, host: str = "127.0.0.1"
    ) -> None:
        self.kind, self.seed, self.host = kind, seed, host
        self.name = f"{kind} {seed}"
        self.form = form_of(kind, seed, items)
        further = self.form.kind.further
        self.before = round(items / (1 + (_FEWEST + 1) / further)) if further else items
        self.total = self.before + grown
        self.addresses = Addresses(self.name, self.form)
        self._pages = Pages(self)
        self.traps = Traps(self, self._pages)
        self._asked: set[str] = set()
        self.requests: Counter[str] = Counter()

    # ── Answers ──────────────────────────────────────────────────────────────────────────────────────────

    def answer(self, target: str) -> Served:
        """What a request for a path with its query is answered with."""
        bare = self.traps.without_session(target)
        served = self._served(bare)
        if bare in self._asked and target != bare:
            served = replace(served, kind="sessions", is_trap=True)
        self._asked.add(bare)
        self.requests[served.kind] += 1
        return served

    def _served(self, target: str) -> Served:
        if target == "/robots.txt":
            return self._pages.robots()
        if target.startswith("/sitemap"):
            return self._pages.sitemap(target) or self.traps.nothing(target)
        plain, looks = self.traps.without_looks(target)
        place = self.addresses.place(plain)
        if place is not None and place.lists is None and self._has(place.number, place.page):
            page = self._pages.item(place.number, place.page, looks)
            return replace(page, kind=f"item ?{min(looks)}", is_trap=True, content="") if looks else page
        if place is not None and place.lists is not None:
            group, total = place.number, place.lists.grouping.count(self.total)
            if group < total and (
                place.page <= self.last_page(place.lists, group) or "endless" in self.form.traps
            ):
                page = self._pages.list(place.lists, group, place.page, looks)
                return replace(page, kind=f"list ?{min(looks)}", is_trap=True, content="") if looks else page
        return self._beside(target)

    def _beside(self, target: str) -> Served:
        if target == "/":
            return self._pages.home()
        if target.strip("/") in _PLAIN_PAGES and target.endswith("/"):
            return self._pages.plain_page(target.strip("/"))
        if target.startswith("/profile/") and target[9:].isdecimal():
            return self._pages.profile(int(target[9:]))
        return self.traps.answer(target) or self.traps.nothing(target)

    def _has(self, number: int, page: int) -> bool:
        return number < self.total and page <= self.pages_of(number)

    def pages_of(self, number: int) -> int:
        """How many pages an item has."""
        further = self.form.kind.further
        return 1 if not further or number % further else 1 + _FEWEST + (number // further) % _RANGE

    def last_page(self, lists: object, group: int) -> int:
        found = next(one for one in self.form.lists if one is lists)
        return max(1, -(-found.grouping.size(group, self.total) // self.form.per_page))

    # ── What is there ────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def truth(self) -> Truth:
        return Truth(content=frozenset(self._content(range(self.total))), lists=self._lists())

    def _content(self, numbers: Iterable[int]) -> Iterator[str]:
        for number in numbers:
            yield from (self.addresses.item(number, page + 1) for page in range(self.pages_of(number)))
        if self.kind == "docs":
            main = self.form.main
            yield from (self.addresses.list(main, one) for one in range(main.grouping.count(self.total)))

    def _lists(self) -> int:
        main = self.form.main
        groups = range(main.grouping.count(self.total))
        # Chapters have text of their own; the first page of a blog is that of its list.
        lists = 0 if self.kind == "docs" else sum(self.last_page(main, group) for group in groups)
        lists -= self.form.kind.home == "list"
        return min(lists, self.sitemaps + (self.sitemaps > 1)) if self.form.sitemap else lists

    @property
    def sitemaps(self) -> int:
        return -(-self.total // self.form.sitemap) if self.form.sitemap else 0

    @property
    def new_content(self) -> frozenset[str]:
        """What has come since it was crawled."""
        before = {
            self.addresses.list(self.form.main, one)
            for one in range(self.form.main.grouping.count(self.before))
        }
        return frozenset(self._content(range(self.before, self.total))) - before

    @property
    def changed_lists(self) -> int:
        """Pages of the cheapest lists that show something new, the first page of the site among them."""
        if self.form.sitemap:
            return 1 + self.sitemaps - (self.before // self.form.sitemap) + (self.sitemaps > 1)
        main, new = self.form.main, Counter[int]()
        for number in range(self.before, self.total):
            new.update(main.grouping.of(number))
        shown = sum(-(-many // self.form.per_page) for many in new.values())
        return shown if self.form.kind.home == "list" else shown + 1

    def text_share(self, content: set[str]) -> float:
        """Which share of the pairs of words of its content pages with these addresses have."""
        step = _SAMPLED if self.total > _LARGE else 1
        had: set[int] = set()
        missed: set[int] = set()
        for number in range(0, self.total, step):
            for page in range(1, self.pages_of(number) + 1):
                grams = grams_of(self._pages.texts(number, page))
                (had if self.addresses.item(number, page) in content else missed).update(grams)
        return len(had) / max(1, len(had | missed))
