"""What a person wants of a campaign: that it stops, goes on, or takes a judgement."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select, update

from archiver.acquisition.campaigns.model import CampaignState
from archiver.errors import ConfigurationError
from archiver.store.campaigns.addresses import candidate_at
from archiver.store.campaigns.definitions import campaign_named
from archiver.store.campaigns.feeds import set_state
from archiver.store.schema import relevances

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.campaigns.model import Campaign

KIND = "campaign"


class CampaignAction(StrEnum):
    STOP = "stop"
    RESUME = "resume"
    RELEVANT = "relevant"
    IRRELEVANT = "irrelevant"


class CampaignOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What is to happen with a campaign, or what a person says of one of its pages."""

    action: CampaignAction
    campaign: str
    url: str = ""


def apply_campaign_order(connection: Connection, order: CampaignOrder, at: datetime) -> None:
    """Do what is ordered. LookupError: there is no such campaign, or it never fetched the page."""
    try:
        campaign = campaign_named(connection, order.campaign)
    except ConfigurationError as error:
        raise LookupError(str(error)) from error
    if order.action in {CampaignAction.STOP, CampaignAction.RESUME}:
        stops = order.action is CampaignAction.STOP
        set_state(connection, campaign.id, CampaignState.STOPPED if stops else _resumed(campaign, at), at)
        return
    row = candidate_at(connection, campaign.id, order.url)
    number = None if row is None else _judged_page(connection, row.id)
    here = relevances.c.candidate_id == number
    judged = int(order.action is CampaignAction.RELEVANT)
    if not connection.execute(update(relevances).where(here).values(judged=judged)).rowcount:
        raise LookupError(f"{order.campaign} has not fetched {order.url}")


def _resumed(campaign: Campaign, now: datetime) -> CampaignState:
    """It goes on where its budget and its days allow it."""
    if campaign.is_spent(campaign.requests, campaign.bytes):
        return CampaignState.SPENT
    return CampaignState.ENDED if campaign.is_over(now) else CampaignState.RUNNING


def _judged_page(connection: Connection, number: int) -> int:
    """The candidate whose page stands in the ranking: another one where several say the same."""
    query = select(relevances.c.same_as).where(relevances.c.candidate_id == number)
    return connection.execute(query).scalar() or number
