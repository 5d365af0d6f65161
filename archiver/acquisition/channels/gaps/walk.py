"""A site's own list walked page by page: what is missing stands between what the feed has and had."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.acquisition.channels.gaps.detect import is_too_old, moment_of
from archiver.digests import name_digest
from archiver.documents.lists.addresses import same_site, usual_archives
from archiver.documents.lists.model import SECOND, Ask, Seen, Step, Way
from archiver.urls import LONGEST_URL, is_web, request_url, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from archiver.documents.feeds.model import FeedEntry
    from archiver.documents.lists.model import ArchivePage, Bounds, Candidate, Plan

# With more other articles among the feed's own, for each of these, a list is that of a larger whole.
_MOST_OTHERS = 0.5
# Of five articles in a row, so many that were known are no chance.
_IN_A_ROW, _MOSTLY = 5, 3
# This many of the newest known entries must stand together where a page does not count on.
_TOGETHER = 2
# Of what the feed shows, a list may lack this share, or one: else it left out more. A guess.
_MOST_LEFT_OUT = 0.2
# Of a next page, more than this share is not newer than the page before, pinned ones and all. A guess.
_MOST_NEWER = 1 / 3
# A page's last so many tell where it ended: one of long ago may stand below its list.
_LAST = 3


def listing_page(
    plan: Plan, ask: Ask, page: ArchivePage, candidates: Sequence[Candidate], bounds: Bounds
) -> Step:
    """Take a page of a list, which is in the order of publication."""
    shown = digest_of(one.entry for one in candidates)
    listed = _newest_first(candidates, plan.edge)
    if ask.number == SECOND:
        plan = replace(plan, unseen=plan.feed, bottom=None)
        plan = queued(plan, _lists_at(page.archives), first=True)
        listed = _own_part(listed)
    elif _is_another_list(plan, ask, listed):
        return Step(plan=plan)
    if not listed or shown == plan.last:
        return Step(plan=plan, met=is_end_of_list(plan, ask))
    plan = _with_shown(plan, listed, shown)
    end = next((place for place in range(len(listed)) if _is_end(listed, place, plan.edge, ask)), None)
    new = [one.entry for one in listed[:end] if one.seen is Seen.NEW]
    found = tuple(entry for entry in new if not is_too_old(moment_of(entry), bounds.floor))
    is_over = end is not None or (bool(new) and not found) or is_last_of_list(plan, ask, page)
    if not is_over:
        plan = _with_further(plan, ask, page)
    return Step(plan=plan, found=found, met=is_over and _fits(plan))


def is_last_of_list(plan: Plan, ask: Ask, page: ArchivePage) -> bool:
    """Whether a list of several pages ends here: then it was read as a whole."""
    return plan.is_history and ask.number > SECOND and not page.following


def is_end_of_list(plan: Plan, ask: Ask) -> bool:
    """The same, where a page names a next one that is not there."""
    return plan.is_history and ask.way is Way.LISTING and ask.number > SECOND and _fits(plan)


def _own_part(listed: Sequence[Candidate]) -> Sequence[Candidate]:
    """What stands from the feed's first entry on; a list that has none of them is another list."""
    places = [place for place, one in enumerate(listed) if one.seen is Seen.SINCE]
    if not places or is_larger(stretch(listed, places), _MOST_OTHERS):
        return ()
    return listed[places[0] :]


def _newest_first(candidates: Sequence[Candidate], edge: Sequence[str]) -> Sequence[Candidate]:
    """Turns round an archive that begins with its oldest: all that was known stands above all that is new."""
    since = [place for place, one in enumerate(candidates) if one.seen is Seen.SINCE]
    before = [place for place, one in enumerate(candidates) if one.seen is Seen.BEFORE]
    is_turned = (
        bool(since)
        and len(before) >= _MOSTLY
        and before[-1] < since[0]
        and _edge_in(candidates[: since[0]], edge) >= min(_TOGETHER, len(edge))
    )
    return candidates[::-1] if is_turned else candidates


def _is_another_list(plan: Plan, ask: Ask, listed: Sequence[Candidate]) -> bool:
    """True for a page with newer entries than the page before, or with what was shown already."""
    dates = [at for one in listed if (at := moment_of(one.entry)) is not None]
    newer = sum(plan.bottom is not None and at > plan.bottom for at in dates)
    if newer > _MOST_NEWER * len(dates):
        return True
    feed, unseen = set(plan.feed), set(plan.unseen)
    again = sum((key := _key(one)) in feed and key not in unseen for one in listed)
    return not ask.is_counted and again > _MOST_NEWER * len(listed)


def _with_shown(plan: Plan, listed: Sequence[Candidate], shown: str) -> Plan:
    keys = set(map(_key, listed))
    dates = [at for one in listed if (at := moment_of(one.entry)) is not None]
    return replace(
        plan,
        last=shown,
        unseen=tuple(key for key in plan.unseen if key not in keys),
        bottom=max(dates[-_LAST:], default=plan.bottom),
    )


def _with_further(plan: Plan, ask: Ask, page: ArchivePage) -> Plan:
    number = ask.number + 1
    if page.following and same_site(page.following, [ask.url]):
        further = Ask(way=Way.LISTING, url=page.following, number=number, is_counted=page.is_counted)
        return queued(plan, [further], first=True)
    # A list that is cut short: what it lacks may be in an archive that nothing names.
    is_cut = ask.number == SECOND and not page.archives
    return queued(plan, _lists_at(usual_archives(ask.url))) if is_cut else plan


def _lists_at(urls: Sequence[str]) -> list[Ask]:
    return [Ask(way=Way.LISTING, url=url) for url in urls]


def _fits(plan: Plan) -> bool:
    """True if the list has what the feed shows: then it left out nothing else."""
    return len(plan.unseen) <= max(1, _MOST_LEFT_OUT * len(plan.feed))


def _is_end(listed: Sequence[Candidate], place: int, edge: Sequence[str], ask: Ask) -> bool:
    """True for a known entry in its turn; a single old one is reported beside the list."""
    if listed[place].seen is not Seen.BEFORE:
        return False
    row = listed[place : place + _IN_A_ROW]
    if not ask.is_counted:
        return bool(edge) and _edge_in(row, edge) >= min(_TOGETHER, len(edge))
    return not edge or _key(listed[place]) in edge or sum(one.seen is Seen.BEFORE for one in row) >= _MOSTLY


def _edge_in(row: Sequence[Candidate], edge: Sequence[str]) -> int:
    return len(set(edge) & set(map(_key, row)))


def _key(candidate: Candidate) -> str:
    return same_page_key(candidate.entry.link or "")


def stretch(candidates: Sequence[Candidate], places: Sequence[int]) -> Sequence[Candidate]:
    return candidates[places[0] : places[-1] + 1] if places else ()


def is_larger(between: Sequence[Candidate], most: float) -> bool:
    """True if, where the feed's own entries stand, there are many that it does not have: other sections."""
    others = sum(one.seen is Seen.NEW for one in between)
    return others > most * sum(one.seen is Seen.SINCE for one in between)


def digest_of(entries: Iterable[FeedEntry]) -> str:
    """Equal for documents that show the same entries, whatever their order."""
    return name_digest("\n".join(sorted({f"{one.id} {one.link} {one.title}" for one in entries})))


def queued(plan: Plan, asks: Sequence[Ask], *, first: bool = False) -> Plan:
    """The plan with these asks, each address once and never again."""
    known = {*plan.asked, *(one.url for one in plan.waiting)}
    new: dict[str, Ask] = {}
    for ask in asks:
        url = request_url(ask.url) if is_web(ask.url) else ""
        if url and url not in known and len(url) <= LONGEST_URL:
            new.setdefault(url, replace(ask, url=url, is_whole=plan.is_history))
    added = tuple(new.values())
    return replace(plan, waiting=(*added, *plan.waiting) if first else (*plan.waiting, *added))
