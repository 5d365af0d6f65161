"""What readers say of campaigns: judgements of pages, and that one stops or goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.routing import Route

from archiver.archive.inbox import leave
from archiver.clock import machine_now
from archiver.errors import ArchiveError
from archiver.inspection.campaigns.details import known_campaign
from archiver.inspection.campaigns.reading import read_why
from archiver.store.campaigns.orders import KIND, CampaignAction, CampaignOrder
from archiver.urls import LONGEST_URL
from archiver.web.rendering import address, path_part
from archiver.web.view import parameters_from
from archiver.web.writing import check_near, see

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from archiver.web.guard import GuardRules
    from archiver.web.opened import ArchiveReader
    from archiver.web.writing import Writing


class CampaignOrderAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What a form says of a campaign or, with an address, of one of its pages; and where to go back to."""

    campaign: Annotated[str, msgspec.Meta(max_length=60)]
    action: CampaignAction
    url: Annotated[str, msgspec.Meta(max_length=LONGEST_URL)] = ""
    order: Literal["best", "doubtful", "refused"] = "best"
    page: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 1


_OF_PAGES = {CampaignAction.RELEVANT, CampaignAction.IRRELEVANT}


def judging_routes(reader: ArchiveReader, writing: Writing, rules: GuardRules) -> list[Route]:
    async def take(request: Request) -> Response:
        check_near(request, rules, "Campaigns are judged, stopped and resumed")
        fields = await writing.form(request)
        asked = parameters_from(CampaignOrderAsked, QueryParams(fields), {})
        await run_in_threadpool(_leave, reader, asked)
        return see(_back(asked))

    return [Route("/campaigns/order", take, methods=["POST"])]


def _leave(reader: ArchiveReader, asked: CampaignOrderAsked) -> None:
    """Leave it for the run that is on, or for the next one."""
    url = asked.url if asked.action in _OF_PAGES else ""
    with reader.opened() as archive:
        known_campaign(archive.state, asked.campaign)
        if asked.action in _OF_PAGES and read_why(archive.state, asked.campaign, url).relevance is None:
            raise ArchiveError(f"{asked.campaign} has not fetched {url}: only pages are judged")
    order = CampaignOrder(action=asked.action, campaign=asked.campaign, url=url)
    leave(reader.folder, KIND, order, machine_now())


def _back(asked: CampaignOrderAsked) -> str:
    order = asked.order if asked.order != "best" else None
    path = f"/campaigns/{path_part(asked.campaign)}"
    return address(path, order=order, page=asked.page if asked.page > 1 else None)
