"""What readers leave: by POST, from a page of ours alone. Nothing else here writes.

What is part of the archive's state goes to the inbox (`archive/inbox.py`), from where a run takes it up, or a
command that holds the lock. Saved searches are files beside it.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import parse_qsl, urlencode

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse
from starlette.routing import Route

from archiver.acquisition.sites.model import Strategy
from archiver.acquisition.sites.scope import site_address
from archiver.inspection.sites.details import known_number
from archiver.search.saved import forget_search, save_search
from archiver.store.whole_sites.orders import SiteAction, SiteOrder
from archiver.store.whole_sites.sites import site_by_id
from archiver.urls import LONGEST_URL
from archiver.web.crawling import MOST_REQUESTS
from archiver.web.guard import is_loopback
from archiver.web.view import parameters_from
from archiver.web.views.articles import ArticlesAsked, request_from

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from archiver.web.crawling import SiteCrawls
    from archiver.web.guard import GuardRules
    from archiver.web.opened import ArchiveReader

_LARGEST_FORM = 256 << 10
_SEE_OTHER = 303
_MOST_TOKENS = 500
_SPENT = object()
_OF_ANOTHER_TIME = "This form is of another time: go back, reload the page, and send it again."


class OnceTokens:
    """Words that hold for one form each, the newest ones."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, None] = OrderedDict()
        self._lock = Lock()

    def issue(self) -> str:
        token = secrets.token_urlsafe()
        with self._lock:
            self._known[token] = None
            while len(self._known) > _MOST_TOKENS:
                self._known.popitem(last=False)
        return token

    def spend(self, token: str) -> bool:
        """Whether it holds; it does not again."""
        with self._lock:
            return self._known.pop(token, _SPENT) is not _SPENT


@dataclass(frozen=True, slots=True)
class Writing:
    """A word that only pages of ours have: another site can send a form, but does not know it."""

    token: str = field(default_factory=secrets.token_urlsafe)
    # Of forms whose words hold once.
    once: OnceTokens = field(default_factory=OnceTokens)

    async def form(self, request: Request) -> dict[str, str]:
        """The fields of a form that a page of ours sent. Raises HTTPException for all others."""
        fields = dict(await _sent(request))
        if not hmac.compare_digest(fields.get("token", "").encode(), self.token.encode()):
            raise HTTPException(403, _OF_ANOTHER_TIME)
        return fields

    async def form_once(self, request: Request) -> QueryParams:
        """The same of a form whose word holds once, with all values of a field."""
        fields = QueryParams(await _sent(request))
        if not self.once.spend(fields.get("token", "")):
            raise HTTPException(403, _OF_ANOTHER_TIME)
        return fields


async def _sent(request: Request) -> list[tuple[str, str]]:
    _check_origin(request)
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _LARGEST_FORM:
            raise HTTPException(413, "The form is too large.")
    return parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)


def _check_origin(request: Request) -> None:
    """Browsers say which site a form was sent from; behind a server with TLS, it is called https."""
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    host = request.headers.get("host")
    is_ours = origin in {f"http://{host}", f"https://{host}"} if origin else site == "same-origin"
    if not is_ours:
        raise HTTPException(403, "This form was not sent by a page of this application.")


def writing_routes(reader: ArchiveReader, writing: Writing) -> list[Route]:
    async def save(request: Request) -> Response:
        fields = await writing.form(request)
        asked = parameters_from(ArticlesAsked, QueryParams(fields.get("search", "")), {})
        name = fields.get("name", "").strip()
        await run_in_threadpool(save_search, reader.folder, name, request_from(asked))
        return see(f"/articles?{urlencode({'saved': name})}")

    async def forget(request: Request) -> Response:
        fields = await writing.form(request)
        await run_in_threadpool(forget_search, reader.folder, fields.get("name", ""))
        return see("/articles")

    return [
        Route("/searches", save, methods=["POST"]),
        Route("/searches/forget", forget, methods=["POST"]),
    ]


class CrawlAsked(msgspec.Struct, frozen=True, kw_only=True):
    """A crawl that a form asks for: of a site that is known, or of one at an address."""

    url: Annotated[str, msgspec.Meta(max_length=LONGEST_URL)] = ""
    number: Annotated[int, msgspec.Meta(ge=1, le=2**53)] | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_REQUESTS)]
    strategy: Strategy = Strategy.AUTO


class OrderAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What is to become of the crawl of a site."""

    number: Annotated[int, msgspec.Meta(ge=1, le=2**53)]
    action: Literal["pause", "resume", "stop"]


def crawling_routes(
    reader: ArchiveReader, writing: Writing, crawls: SiteCrawls, rules: GuardRules
) -> list[Route]:
    async def start(request: Request) -> Response:
        asked = parameters_from(CrawlAsked, QueryParams(await _crawl_form(request)), {})
        known = await run_in_threadpool(_site_url, reader, asked.number) if asked.number else ""
        order = SiteOrder(
            action=SiteAction.START,
            # The same checks as of the command; a file, which that takes as well, is none.
            url=known or site_address(asked.url),
            strategy=asked.strategy,
            limit=asked.limit,
        )
        await run_in_threadpool(crawls.start, order)
        return see("/sites")

    async def change(request: Request) -> Response:
        asked = parameters_from(OrderAsked, QueryParams(await _crawl_form(request)), {})
        url = await run_in_threadpool(_site_url, reader, asked.number)
        await run_in_threadpool(crawls.order, SiteAction(asked.action), url)
        return see(f"/sites/{asked.number}")

    async def _crawl_form(request: Request) -> dict[str, str]:
        """A crawl asks others for something."""
        check_near(request, rules, "Crawls are begun")
        return await writing.form(request)

    return [
        Route("/sites/start", start, methods=["POST"]),
        Route("/sites/order", change, methods=["POST"]),
    ]


def check_near(request: Request, rules: GuardRules, what: str) -> None:
    """Only from this machine, or with the password. Raises HTTPException."""
    if not rules.password and not (request.client and is_loopback(request.client.host)):
        raise HTTPException(403, f"{what} from this machine, or with BROWSE_PASSWORD.")


def _site_url(reader: ArchiveReader, number: int) -> str:
    with reader.opened() as archive:
        known_number(archive.state, number)
        return site_by_id(archive.state, number).url


def see(address: str) -> Response:
    return RedirectResponse(address, _SEE_OTHER)
