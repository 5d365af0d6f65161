"""Campaigns as they are shown in a browser: a list, one with its ranking, and why a page is where it is."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import inspect

from archiver.acquisition.campaigns.queue import score_of
from archiver.archive.inbox import waiting
from archiver.archive.lock import is_locked
from archiver.errors import ArchiveError, ConfigurationError
from archiver.inspection.campaigns.model import CampaignDetails, CampaignList, CampaignNote, WaitingAddress
from archiver.inspection.campaigns.reading import ranked_page, read_status, read_why
from archiver.store.campaigns.definitions import all_campaigns, campaign_named
from archiver.store.campaigns.feeds import count_polled, feeds_of
from archiver.store.campaigns.orders import KIND, CampaignAction, CampaignOrder
from archiver.store.campaigns.queue import evidence_of
from archiver.store.campaigns.showing import best_waiting, count_shown, pages_shown, whole_harvest
from archiver.store.campaigns.tallies import tally
from archiver.store.schema import campaigns
from archiver.urls import redact, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection, Row

    from archiver.acquisition.campaigns.model import Campaign
    from archiver.archive.withheld import Withheld
    from archiver.inspection.campaigns.model import CampaignStatus, RankedPage, WhyPage
    from archiver.store.campaigns.showing import PageOrder

# Pages of a ranking at a time, addresses of the queue, and feeds.
PER_PAGE, _WAITING, _FEEDS = 25, 15, 30
_ENDING = {CampaignAction.STOP, CampaignAction.RESUME}


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignPlaces:
    """Where campaigns are read."""

    state: Connection
    folder: Path
    withheld: Withheld


def read_campaigns(places: CampaignPlaces) -> CampaignList:
    """All campaigns. A store of an archiver that had none can still be read."""
    has_any = inspect(places.state).has_table(campaigns.name)
    orders = list(_orders(places.folder))
    notes = [_note(places.state, one, orders) for one in all_campaigns(places.state)] if has_any else []
    return CampaignList(campaigns=tuple(notes), is_running=is_locked(places.folder))


def _note(state: Connection, campaign: Campaign, orders: list[CampaignOrder]) -> CampaignNote:
    found = tally(state, campaign.id)
    return CampaignNote(
        name=campaign.name,
        about=campaign.definition.about,
        state=campaign.state,
        requests=campaign.requests,
        budget=campaign.definition.budget.requests,
        fetched=found.fetched,
        relevant=found.relevant,
        waiting=found.waiting,
        feeds=count_polled(state, campaign),
        ordered=_ordered(campaign.name, orders),
    )


def known_campaign(state: Connection, name: str) -> Campaign:
    """The campaign of a name; ArchiveError where the archive has none."""
    try:
        if inspect(state).has_table(campaigns.name):
            return campaign_named(state, name)
    except ConfigurationError as error:
        raise ArchiveError(str(error)) from error
    raise ArchiveError(f"There is no campaign {name}")


def read_campaign_details(
    places: CampaignPlaces, name: str, order: PageOrder, page: int, now: datetime
) -> CampaignDetails:
    """One campaign, with a part of its ranking; nothing of it that is withheld."""
    state, hides = places.state, places.withheld.hides
    campaign = known_campaign(state, name)
    orders = list(_orders(places.folder))
    after = (page - 1) * PER_PAGE
    rows = pages_shown(state, campaign.id, order, most=PER_PAGE, after=after)
    feeds = [one for one in feeds_of(state, campaign.id) if not hides(one.url)]
    return CampaignDetails(
        status=_status(state, campaign, now),
        days_left=_days_left(campaign, now),
        ordered=_ordered(name, orders),
        is_running=is_locked(places.folder),
        pages=tuple(_ranked(rows, after, places.withheld)),
        total=count_shown(state, campaign.id, order),
        judging=_judging(name, orders),
        waiting=tuple(
            _address(row) for row in best_waiting(state, campaign.id, _WAITING) if not hides(row.url)
        ),
        feeds=tuple(sorted(feeds, key=lambda one: not one.is_polled)[:_FEEDS]),
    )


def _status(state: Connection, campaign: Campaign, now: datetime) -> CampaignStatus:
    """Its curve goes on to where it stands now."""
    found = read_status(state, campaign.name, now)
    last = (campaign.requests, round(whole_harvest(state, campaign.id), 2))
    curve = tuple(point for point in found.curve if point[0] < last[0])
    return msgspec.structs.replace(found, curve=(*curve, last) if found.fetched else ())


def _ranked(rows: Any, after: int, withheld: Withheld) -> Iterator[RankedPage]:  # noqa: ANN401 - rows of relevances
    for place, row in enumerate(rows, after + 1):
        if not withheld.hides(row.url):
            yield msgspec.structs.replace(ranked_page(place, row), url=redact(row.url))


def _address(row: Row[Any]) -> WaitingAddress:
    told = evidence_of(row.evidence).told
    return WaitingAddress(url=redact(row.url), score=score_of(row.rank), anchor=told, found_by=row.found_by)


def _days_left(campaign: Campaign, now: datetime) -> int | None:
    days = campaign.definition.budget.days
    return None if days is None else max(0, days - (now - campaign.began).days)


def read_reasons(places: CampaignPlaces, name: str, url: str) -> WhyPage:
    """Why a page or an address has its score; ArchiveError where the campaign does not know it."""
    known_campaign(places.state, name)
    places.withheld.refuse(url)
    try:
        return read_why(places.state, name, url)
    except ConfigurationError as error:
        raise ArchiveError(str(error).partition(": `")[0]) from error


# ── What waits in the inbox ──────────────────────────────────────────────────────────────────────────────


def _orders(folder: Path) -> Iterator[CampaignOrder]:
    """What was ordered, the oldest first; what cannot be read is told by the run that takes it up."""
    for request in waiting(folder).requests:
        if request.kind == KIND:
            with suppress(msgspec.DecodeError):
                yield msgspec.json.decode(request.what, type=CampaignOrder)


def _ordered(name: str, orders: list[CampaignOrder]) -> str | None:
    found = [one.action for one in orders if one.campaign == name and one.action in _ENDING]
    return found[-1] if found else None


def _judging(name: str, orders: list[CampaignOrder]) -> dict[str, bool]:
    mine = (one for one in orders if one.campaign == name and one.action not in _ENDING)
    return {same_page_key(one.url): one.action is CampaignAction.RELEVANT for one in mine}
