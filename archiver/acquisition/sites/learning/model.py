"""What a page gives to learn from, and what is known of links of one kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from archiver.acquisition.sites.traps.forms import Rank


# Of all pairs of words of a page, one in so many is kept: means over many pages decide.
GRAIN = 4


class Teaser(msgspec.Struct, frozen=True, array_like=True):
    """Text that may announce the page that a link leads to."""

    url: str  # of that page
    path: str  # of the link
    pairs: tuple[int, ...]
    is_title: bool  # what the link says can be the title of a page


class ShownText(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs of words of a page as hashes, one in a few of them."""

    own: tuple[int, ...] = ()
    teasers: tuple[Teaser, ...] = ()
    is_unlisted: bool = False  # the page asks not to be listed by search engines


class LabelRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What came of links of one kind so far."""

    id: int
    path: str
    shape: str
    rank: Rank  # of the addresses that they lead to
    waiting: int = 0  # addresses that were not asked for
    fetched: int = 0
    # New pairs of words of the last pages, and how many new addresses each showed of which kinds.
    gains: tuple[float, ...] = ()
    leads: tuple[tuple[tuple[int, int], ...], ...] = ()
    # Over all pages: the sum of the gains, and how many pages had any.
    gained: float = 0.0
    paid: int = 0
    # Pages whose text was compared with their teaser; those that contain it.
    checked: int = 0
    held: int = 0
    is_poor: bool = False  # they stand only on pages that say nothing themselves
    is_last: bool = False  # the site asks not to follow them
    series: int = 0  # links that say that they lead to a further page
    others: int = 0  # links that do not
    found: int = 0  # new addresses on all pages
    again: int = 0  # tries after it did not pay
    again_at: int = 64  # waiting addresses for the next one
    # Where lists are looked at again: pages with something unknown; and since the last such page of any list,
    # those with news that others have shown, and those without news.
    fresh: int = 0
    covered: int = 0
    idle: int = 0
    source: int | None = None  # the kind of the page on which the first link stood

    @property
    def is_series(self) -> bool:
        """Whether most of them say that they lead to a further page."""
        return self.series > self.others
