"""What pages need to be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request

from archiver.acquisition.items import RequisiteFetch
from archiver.acquisition.targets import PendingRequisite
from archiver.clock import machine_now
from archiver.running.sources.requisites import RequisiteSource
from archiver.spiders.failures import failure_of_response
from archiver.spiders.headers import body_size
from archiver.spiders.kinds import Kind
from archiver.urls import redact

if TYPE_CHECKING:
    from scrapy.http import Response

    from archiver.acquisition.outcomes import Failed

# After everything else.
_PRIORITY = -10


class RequisiteKind(Kind[PendingRequisite]):
    source = RequisiteSource

    def request(self, target: PendingRequisite) -> Request:
        return Request(
            target.url,
            headers={"Accept": "*/*"},
            meta={"context": (("via", redact(target.via)), ("hopType", target.kind))},
            priority=_PRIORITY,
        )

    async def read(self, response: Response, target: PendingRequisite) -> RequisiteFetch:
        return RequisiteFetch(
            requisite_id=target.id,
            url=response.url,
            kind=target.kind,
            depth=target.depth,
            capture=response.meta["capture"],
            failed=failure_of_response(response, machine_now()),
            size=body_size(response),
        )

    def failed(self, target: PendingRequisite, url: str, failed: Failed) -> RequisiteFetch:  # noqa: ARG002
        return RequisiteFetch(
            requisite_id=target.id, url=target.url, kind=target.kind, depth=target.depth, failed=failed
        )
