"""Campaigns: a list, one with its ranking to judge, and why a page is where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from archiver.inspection.campaigns.as_text import PARTS, SIGNALS, STATES, worth_in_words
from archiver.inspection.campaigns.details import (
    PER_PAGE,
    CampaignPlaces,
    read_campaign_details,
    read_campaigns,
    read_reasons,
)
from archiver.inspection.campaigns.model import CampaignDetails, CampaignList, WhyPage
from archiver.inspection.campaigns.plot import harvest_svg, harvest_words
from archiver.urls import LONGEST_URL, same_page_key
from archiver.web.rendering import trusted
from archiver.web.view import NothingAsked, WebView

if TYPE_CHECKING:
    from markupsafe import Markup

    from archiver.web.opened import OpenedArchive

_STATES = {
    "running": "it goes on with each run",
    "stopped": "a person stopped it",
    "spent": "its budget is spent",
    "ended": "its days are over",
}
_ORDERS = {
    "best": "the most relevant first",
    "doubtful": "doubtful ones: your word teaches most here",
    "refused": "judged not relevant",
}
_FOUND_BY = {
    "seed": "a seed",
    "example": "an example",
    "link": "a link",
    "api": "a post",
    "feed": "a feed",
}
Name = Annotated[str, msgspec.Meta(max_length=60, description="The name of a campaign")]


class CampaignAsked(msgspec.Struct, frozen=True, kw_only=True):
    name: Name
    order: Annotated[
        Literal["best", "doubtful", "refused"], msgspec.Meta(description="Which pages, in which order")
    ] = "best"
    page: Annotated[int, msgspec.Meta(ge=1, le=100_000, description=f"{PER_PAGE} pages each")] = 1


class ReasonsAsked(msgspec.Struct, frozen=True, kw_only=True):
    name: Name
    url: Annotated[str, msgspec.Meta(max_length=LONGEST_URL, description="Of a page, or of one that waits")]


def _places(archive: OpenedArchive) -> CampaignPlaces:
    return CampaignPlaces(state=archive.state, folder=archive.folder, withheld=archive.withheld)


def _read_list(archive: OpenedArchive, _: NothingAsked) -> CampaignList:
    return read_campaigns(_places(archive))


def _read_one(archive: OpenedArchive, asked: CampaignAsked) -> CampaignDetails:
    return read_campaign_details(_places(archive), asked.name, asked.order, asked.page, archive.now)


def _read_reasons(archive: OpenedArchive, asked: ReasonsAsked) -> WhyPage:
    return read_reasons(_places(archive), asked.name, asked.url)


def plot(found: CampaignDetails) -> Markup:
    return trusted((harvest_svg(found.status.curve),))


_EXTRA = {"states": _STATES, "orders": _ORDERS, "ways": _FOUND_BY, "per_page": PER_PAGE}
CAMPAIGNS = WebView(
    name="campaigns",
    path="/campaigns",
    about="Campaigns, what each has spent, and how many relevant pages it has",
    parameters=NothingAsked,
    answer=CampaignList,
    read=_read_list,
    part="campaigns",
    extra=_EXTRA,
)
CAMPAIGN = WebView(
    name="campaign",
    path="/campaigns/{name}",
    about="A campaign: its budget, its harvest, its ranking with reasons, its queue, hosts and feeds",
    parameters=CampaignAsked,
    answer=CampaignDetails,
    read=_read_one,
    part="campaigns",
    extra={**_EXTRA, "plot": plot, "harvest_words": harvest_words, "key": same_page_key},
)
REASONS = WebView(
    name="campaign_reasons",
    path="/campaigns/{name}/reasons",
    about="Why a page of a campaign, or an address that waits, has its score: every signal and every part",
    parameters=ReasonsAsked,
    answer=WhyPage,
    read=_read_reasons,
    part="campaigns",
    extra={
        **_EXTRA,
        "page_states": STATES,
        "worth_in_words": worth_in_words,
        "signal_words": SIGNALS,
        "part_words": PARTS,
    },
)
