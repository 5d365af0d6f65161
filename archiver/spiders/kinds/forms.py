"""Requests of forms, and what their answers become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request

from archiver.acquisition.items import FormFetch
from archiver.acquisition.targets import FormProbe
from archiver.clock import machine_now
from archiver.running.sources.forms import FormSource
from archiver.spiders.failures import failure_of_response
from archiver.spiders.headers import body_size
from archiver.spiders.kinds import Kind

if TYPE_CHECKING:
    from scrapy.http import Response

    from archiver.acquisition.outcomes import Failed


class FormKind(Kind[FormProbe]):
    """Asks a form by GET. What the answer says is read when it is in the archive."""

    source = FormSource

    def request(self, target: FormProbe) -> Request:
        return Request(
            target.url,
            headers={"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
            meta={"context": (("form", target.form),)},
        )

    async def read(self, response: Response, target: FormProbe) -> FormFetch:
        return FormFetch(
            target=target,
            url=response.url,
            capture=response.meta["capture"],
            failed=failure_of_response(response, machine_now()),
            size=body_size(response),
        )

    def failed(self, target: FormProbe, url: str, failed: Failed) -> FormFetch:
        return FormFetch(target=target, url=url, failed=failed)
