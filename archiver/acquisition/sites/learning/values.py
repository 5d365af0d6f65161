"""What a request for one more page of a kind is expected to bring: new pairs of words.

A page is worth the pairs of words that no page before it has shown. A list is worth what it leads to: where
each of its pages shows ten new addresses of articles, eleven requests bring ten articles. So all kinds of
links are weighed on one scale, and sitemaps, paged lists and articles compete with each other.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.acquisition.sites.learning.labels import BEYOND, LOOKED_AT_AGAIN, REST, SITEMAP
from archiver.acquisition.sites.traps.forms import Rank

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from archiver.acquisition.sites.learning.model import LabelRecord

# Pages of a kind that are remembered one by one.
WINDOW = 10
# What pays less than this share of what a page of the site usually brings is not asked for.
LEAST_SHARE = 0.12
# Before anything of a site is known: pairs of words of a page.
_USUAL = 100.0
# What a kind of links is believed to bring before one was followed, as a share of what is usual; and how many
# pages that belief counts for.
_HOPE, _HOPE_OF_SERIES = 0.6, 1.0
# The same for addresses with two parameters, with more, and for those that look like another view.
_HOPES_BY_TIER = {2: 0.5, 3: 0.4, 4: 0.3, 5: 0.3}
_WEIGHT = 0.5
# The same for addresses with parameters, most of which are another look at something: one page decides.
_WEIGHT_OF_LOOKS = 0.2
# Pages without a gain that are counted beside those that were seen: a single one proves little.
_DOUBT = 0.5
# The hope for links that stand on pages without text of their own: for several, and for a single one.
_POOR_MANY, _POOR_FEW = 0.8, 0.25
# And for what seems to lie behind the end of a list: two pages without a gain are enough.
_BEYOND_LISTS = 0.5
_SEVERAL = 3
# For how many kinds of links that belief counts among all with as many parameters.
_TIER_WEIGHT = 3
# What leads to something over several lists is worth less than what leads there at once.
_FURTHER = 0.7
_ROUNDS = 3
# Below this share of what is usual, one page of a kind is asked for at a time: it may be over.
_SURE_SHARE = 0.4
# Pages that bring something each time, and how much on average, are asked for though it is little: comments
# that stand on pages of their own are short.
_STEADY_PAGES = 5
_STEADY_SHARE, _STEADY_LEAST = 0.06, 0.02
# Teasers that were found on the pages they announce, for them to be asked for before others.
_LEAST_HELD = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelValues:
    """What kinds of links are worth."""

    usual: float  # pairs of words that a page of the site brings that brings any
    of: Mapping[int, float]  # a request for one more page of each kind
    seen: Mapping[int, float]  # the same by what came of it alone, without hope

    @property
    def least(self) -> float:
        return LEAST_SHARE * self.usual

    def pays(self, record: LabelRecord) -> bool:
        """Whether one more page of a kind is worth a request."""
        return self.of[record.id] >= self.least or self._is_steady(record)

    def _is_steady(self, record: LabelRecord) -> bool:
        """Whether each of the last pages said something that no other says."""
        gains = record.gains
        return (
            len(gains) >= _STEADY_PAGES
            and not _has_parameters(record)
            and min(gains) >= _STEADY_LEAST * self.usual
            and sum(gains) >= len(gains) * _STEADY_SHARE * self.usual
        )


def usual_gain(gained: float, paid: int) -> float:
    return gained / paid if paid else _USUAL


def values_of(records: Sequence[LabelRecord]) -> LabelValues:
    usual = usual_gain(sum(one.gained for one in records), sum(one.paid for one in records))
    means = {one.id: sum(one.gains) / (_DOUBT + len(one.gains)) for one in records if one.gains}
    plenty = {one.id for one in records if _is_plenty(one)}
    leads = {one.id: _leads(one, plenty) for one in records if one.leads}
    seen = dict(means)
    for _ in range(_ROUNDS):
        seen = {number: _with_leads(means[number], leads, number, means, seen, usual) for number in means}
    hopes = _hopes(records, seen, usual)
    worth: dict[int, float] = {}
    for one in records:
        weight = _WEIGHT_OF_LOOKS if _has_parameters(one) else _WEIGHT
        own = (weight * hopes[one.id] + sum(one.gains)) / (weight + len(one.gains))
        worth[one.id] = max(own, _with_leads(own, leads, one.id, means, seen, usual))
    return LabelValues(usual=usual, of=worth, seen=seen)


def _is_plenty(record: LabelRecord) -> bool:
    """Whether so many addresses with parameters wait that being led to more of them is worth nothing.

    Ids of visits make addresses of pages that are known, and new ones on every page.
    """
    return _has_parameters(record) and record.waiting > WINDOW + record.fetched


def _leads(record: LabelRecord, plenty: Collection[int]) -> dict[int, float]:
    """How many new addresses of each kind a page shows, but for those of which there are plenty."""
    found: dict[int, float] = defaultdict(float)
    for page in record.leads:
        for label, many in page:
            if label not in plenty:
                found[label] += many / len(record.leads)
    return found


def _with_leads(
    own: float,
    leads: Mapping[int, Mapping[int, float]],
    number: int,
    means: Mapping[int, float],
    seen: Mapping[int, float],
    usual: float,
) -> float:
    """The gain of a request, where what a page leads to is requested as well, as far as that pays."""
    gain, requests = own, 1.0
    for label, many in leads.get(number, {}).items():
        worth = max(means[label], _FURTHER * seen[label]) if label in means else 0.0
        if worth >= LEAST_SHARE * usual:
            gain += many * worth
            requests += many
    return gain / requests


def _hopes(records: Sequence[LabelRecord], seen: Mapping[int, float], usual: float) -> dict[int, float]:
    """What each kind is believed to bring by others with the same path, or a like form of addresses."""
    shapes: dict[str, list[tuple[int, float, int]]] = defaultdict(list)
    paths: dict[str, list[tuple[int, float, int]]] = defaultdict(list)
    # Filters of a list come in all combinations.
    queries: dict[str, list[tuple[int, float, int]]] = defaultdict(list)
    for one in records:
        if one.gains:
            known = (one.id, max(sum(one.gains), seen[one.id] * len(one.gains)), len(one.gains))
            shapes[one.shape].append(known)
            paths[one.path].append(known)
            if tier(one):
                queries[_bare(one)].append(known)
    tiers = _tier_means(records, seen, usual)
    found: dict[int, float] = {}
    for one in records:
        share = _HOPES_BY_TIER.get(tier(one), _HOPE_OF_SERIES if one.is_series else _HOPE)
        hope = min(usual * share, tiers[tier(one)])
        if one.is_poor and not _is_rich(one.id, shapes[one.shape], usual):
            hope *= _POOR_MANY if one.waiting >= _SEVERAL else _POOR_FEW
        is_beyond = one.path.endswith(BEYOND) and one.path != REST
        # Pages behind the end of a list are judged by their own kind, not by the pages before the end.
        hope *= _BEYOND_LISTS if is_beyond else 1.0
        alike = [] if is_beyond else [shapes[one.shape]]
        alike += [paths[one.path]] if one.path != SITEMAP else []
        alike += [queries[_bare(one)]] if tier(one) else []
        # Filters and other looks at a list stand side by side: where one brings nothing, others hardly do.
        weight = _WEIGHT if _has_parameters(one) else 1.0
        found[one.id] = min(_blended(hope, weight, one.id, known) for known in alike)
    return found


def _is_rich(own: int, alike: Sequence[tuple[int, float, int]], usual: float) -> bool:
    """Whether addresses of the same form are known to pay, wherever links to them stand."""
    pages = sum(many for number, _, many in alike if number != own)
    gained = sum(gain for number, gain, _ in alike if number != own)
    return pages >= _SEVERAL and gained >= _SURE_SHARE * usual * pages


def _bare(record: LabelRecord) -> str:
    """The form of the addresses without their parameters."""
    return record.shape.partition("?")[0]


def _tier_means(records: Sequence[LabelRecord], seen: Mapping[int, float], usual: float) -> dict[int, float]:
    """What kinds of links with so many parameters were worth: where none of them was, others hardly are."""
    known: dict[int, list[float]] = defaultdict(list)
    for one in records:
        known[tier(one)] += [seen[one.id]] if one.id in seen else []
    hope = usual * _HOPE_OF_SERIES
    return {
        number: (_TIER_WEIGHT * hope + sum(worth)) / (_TIER_WEIGHT + len(worth)) if number else hope
        for number, worth in known.items()
    }


def _blended(hope: float, weight: float, own: int, known: Iterable[tuple[int, float, int]]) -> float:
    """A hope that counts as so many pages beside those of others that were seen."""
    total, pages = weight * hope, weight
    for number, gained, many in known:
        if number != own:
            total += gained
            pages += many
    return total / pages


def chosen(
    records: Sequence[LabelRecord], values: LabelValues, room: int, under_way: Collection[int | None] = ()
) -> list[tuple[int, int]]:
    """The kinds of which pages are asked for next, and how many of each.

    What has parameters waits until nothing else is left: it may show again what plain addresses show.
    """
    paying = [one for one in records if one.waiting and _is_weighed(one) and values.pays(one)]
    first = min(map(tier, paying), default=0)
    # Of what has parameters one kind after the other is tried: what comes of it tells of the others.
    is_trying = bool(first) and any(one.id in under_way and not one.fetched for one in records)
    found: list[tuple[int, int]] = []
    for one in sorted((one for one in paying if tier(one) == first), key=lambda one: _order(one, values)):
        # One at a time, until it is known what comes of it, and when it may be over.
        is_sure = one.fetched >= _SEVERAL and values.of[one.id] >= _SURE_SHARE * values.usual
        if not is_sure and (one.id in under_way or (is_trying and not one.fetched)):
            continue
        is_trying |= bool(first) and not one.fetched
        many = min(room, one.waiting) if is_sure else 1
        found.append((one.id, many))
        room -= many
        if room <= 0:
            break
    return found


def _is_weighed(record: LabelRecord) -> bool:
    """Whether the worth of links decides; lists that are looked at again have their turn: see `looks`."""
    return record.path not in LOOKED_AT_AGAIN


def _order(record: LabelRecord, values: LabelValues) -> tuple[float, ...]:
    """What lists announce comes first, then what brings most."""
    is_announced = record.held >= _LEAST_HELD and 2 * record.held >= record.checked
    return (-is_announced, -values.of[record.id], -record.waiting, record.id)


def tier(record: LabelRecord) -> int:
    return max(record.rank - Rank.PAGES, Rank.MANY - Rank.PAGES if record.is_last else 0, 0)


def _has_parameters(record: LabelRecord) -> bool:
    """Not those that the site asks not to follow: pages that list all others may be among them."""
    return record.rank > Rank.PAGES


def is_teaser(checked: int, held: int, *, is_title: bool) -> bool:
    """Whether text around links of a kind announces the pages that they lead to, of which some contain it."""
    return 2 * held >= checked if checked else is_title
