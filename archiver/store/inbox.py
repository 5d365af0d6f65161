"""Requests of readers become part of the state store: each is done and noted in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import insert

from archiver.store.campaigns.orders import KIND as CAMPAIGN
from archiver.store.campaigns.orders import CampaignOrder, apply_campaign_order
from archiver.store.schema import taken_requests
from archiver.store.whole_sites.orders import KIND as SITE
from archiver.store.whole_sites.orders import SiteOrder, apply_site_order
from archiver.store.withheld import KIND as WITHHOLD
from archiver.store.withheld import WithholdRequest, apply_withhold, known_requests

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.archive.inbox import InboxRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxKind:
    """How requests of a kind are read, and what is done with one: `apply(connection, what, made)`."""

    what: type[msgspec.Struct]
    apply: Callable[[Connection, Any, datetime], None]
    # Whether a state store that was lost needs it again: a wish of the moment is not one for ever.
    is_lasting: bool = True


# A new kind of request, such as a mark or a judgement, is one line here, and a function of its own.
KINDS: dict[str, InboxKind] = {
    WITHHOLD: InboxKind(what=WithholdRequest, apply=apply_withhold),
    CAMPAIGN: InboxKind(what=CampaignOrder, apply=apply_campaign_order),
    SITE: InboxKind(what=SiteOrder, apply=apply_site_order, is_lasting=False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenRequests:
    """Requests that are part of the store now, and those that cannot be, with the reasons."""

    done: tuple[InboxRequest, ...] = ()
    refused: tuple[tuple[InboxRequest, str], ...] = ()


def take_up(connection: Connection, requests: Sequence[InboxRequest], now: datetime) -> TakenRequests:
    """Do what is asked for, in order, unless it was done before. One that makes no sense stops no other."""
    known = known_requests(connection, [request.id for request in requests])
    refused: list[tuple[InboxRequest, str]] = []
    for request in requests:
        if request.id in known:
            continue
        try:
            _apply(connection, request, now)
        except (msgspec.DecodeError, LookupError) as error:
            refused.append((request, str(error)))
    names = {request.id for request, _ in refused}
    return TakenRequests(done=tuple(one for one in requests if one.id not in names), refused=tuple(refused))


def _apply(connection: Connection, request: InboxRequest, now: datetime) -> None:
    if request.kind not in KINDS:
        raise LookupError(f"{request.kind!r} is not a kind of request that this archiver knows")
    kind = KINDS[request.kind]
    kind.apply(connection, msgspec.json.decode(request.what, type=kind.what), request.made)
    connection.execute(insert(taken_requests).values(id=request.id, kind=request.kind, taken=now))
