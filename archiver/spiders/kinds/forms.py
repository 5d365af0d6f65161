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


_SENT_AGAIN = (307, 308)


class FormKind(Kind[FormProbe]):
    """Asks a form, by POST only where its file and the settings allow it. Answers are archived first."""

    source = FormSource

    def request(self, target: FormProbe) -> Request:
        headers = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
        context = (("form", target.form),)
        sent = target.submission
        if sent is None:
            return Request(target.url, headers=headers, meta={"context": context})
        return Request(
            target.url,
            method=sent.method,
            body=sent.body,
            headers={**headers, "Content-Type": sent.content_type},
            # Redirects that would send the same again, and elsewhere, are not followed.
            meta={"context": context, "handle_httpstatus_list": list(_SENT_AGAIN)},
        )

    async def read(self, response: Response, target: FormProbe) -> FormFetch:
        return FormFetch(
            target=target,
            url=response.url,
            capture=response.meta["capture"],
            failed=failure_of_response(response, machine_now()),
            size=body_size(response),
            redirects=(*response.meta.get("redirect_urls", ()), response.url)[1:],
        )

    def failed(self, target: FormProbe, url: str, failed: Failed) -> FormFetch:
        return FormFetch(target=target, url=url, failed=failed)
