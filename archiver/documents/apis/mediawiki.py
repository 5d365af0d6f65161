"""MediaWiki: the pages that a search finds, each as its last revision has it, and where they lead outside.

https://www.mediawiki.org/wiki/API:Main_page
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

import msgspec

from archiver.documents.apis.limits import BUSY_SECONDS, refused, wait_of
from archiver.documents.apis.model import ApiPage, ApiRequest, Post, PostAuthor
from archiver.documents.apis.sites import page_link
from archiver.documents.apis.values import (
    MOST_LINKS,
    Json,
    address,
    at,
    decoded,
    items,
    moment,
    name,
    names,
    noted,
    pointer,
    said,
    text,
)
from archiver.documents.contributions import ContributionKind
from archiver.documents.pages.model import Link

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.documents.apis.model import ApiQuery, ApiResponse, Cursor

_PER_PAGE = 50  # the most that it gives without rights of a bot
# Seconds by which its databases may be behind: else it asks to come back later. Recommended for bots.
_MAXLAG = 5
_ALWAYS = {"format": "json", "formatversion": "2", "maxlag": str(_MAXLAG)}
# What a page of the wiki says of its API: really simple discovery, whose address is that of the API.
_RELATION = "EditURI"
_BUSY = frozenset({"maxlag", "ratelimited", "readonly"})


def request(query: ApiQuery, cursor: Cursor, now: datetime) -> ApiRequest:  # noqa: ARG001 - as readers have it
    """A page of the wiki, which names the API; then what a search finds; then each page that is new."""
    if not cursor.root:
        is_api = urlsplit(query.base).path.endswith("api.php")
        return _ask(query.base, {"action": "query", "meta": "siteinfo"}) if is_api else _page_of(query)
    if cursor.waiting:
        wanted = {"action": "parse", "oldid": cursor.waiting[0]["revision"]}
        wanted |= {"prop": "text|externallinks|categories", "disableeditsection": "1", "disabletoc": "1"}
        return _ask(cursor.root, wanted)
    wanted = {"action": "query", "generator": "search", "gsrsearch": query.value, "gsrlimit": str(_PER_PAGE)}
    # Without it, a wiki that searches in its own database looks at titles alone.
    wanted["gsrwhat"] = "text"
    wanted |= {"prop": "info|revisions", "inprop": "url", "rvprop": "ids|timestamp|user"}
    going_on = decoded(cursor.at.encode()) if cursor.at else {}
    return _ask(cursor.root, wanted | {key: str(value) for key, value in going_on.items()})


def _page_of(query: ApiQuery) -> ApiRequest:
    return ApiRequest(url=query.base + "/", accept="text/html,*/*;q=0.5")


def _ask(root: str, wanted: dict[str, str]) -> ApiRequest:
    return ApiRequest(url=f"{root}?{urlencode(wanted | _ALWAYS)}")


def read(response: ApiResponse, query: ApiQuery, cursor: Cursor) -> ApiPage:
    if page := refused(response, cursor):
        return page
    if not cursor.root:
        return _found(response, query, cursor)
    answer = decoded(response.body)
    if isinstance(at(answer, "error"), dict):
        return _error(response, answer["error"], cursor)
    if cursor.waiting:
        return _one_page(response, answer, cursor)
    return _list(response, answer, cursor)


def _found(response: ApiResponse, query: ApiQuery, cursor: Cursor) -> ApiPage:
    """Where the API is: what a page of the wiki links to, without its query."""
    if urlsplit(query.base).path.endswith("api.php"):
        root: str | None = query.base
    else:
        root = page_link(response, _RELATION)
    if root is None:
        told = "the page does not name an API: write its address, which ends with api.php"
        return ApiPage(problem=told, is_final=True)
    root = urlsplit(root)._replace(query="", fragment="").geturl()
    return ApiPage(next=msgspec.structs.replace(cursor, root=root), wait=wait_of(response))


def _error(response: ApiResponse, error: Json, cursor: Cursor) -> ApiPage:
    """Errors come with status 200."""
    code, told = text(error, "code"), f"{text(error, 'code')}: {text(error, 'info')[:200]}"
    if code in _BUSY:
        return ApiPage(next=cursor, wait=max(wait_of(response), BUSY_SECONDS), problem=told)
    if cursor.waiting:  # such as a page that was deleted since it was found
        return _behind(response, cursor)
    return ApiPage(problem=told, is_final=True)


def _list(response: ApiResponse, answer: Json, cursor: Cursor) -> ApiPage:
    """The pages that were found, of which those wait to be read whose revision is another than before."""
    waiting, links = [], []
    states = cursor.states
    for page in items(answer, "query", "pages"):
        number, revision = text(page, "pageid"), text(page, "revisions", 0, "revid")
        url = address(page, "canonicalurl") or address(page, "fullurl")
        if not number or not revision or url is None:
            continue
        links.append(Link(url=url, text=name(page, "title") or ""))
        if states.get(number) != revision:
            states = noted(states, number, revision)
            told = {"revision": revision, "url": url, "title": text(page, "title")}
            told |= {"user": text(page, "revisions", 0, "user"), "language": text(page, "pagelanguage")}
            waiting.append(told | {"timestamp": text(page, "revisions", 0, "timestamp")})
    going_on = at(answer, "continue")
    here = msgspec.json.encode(going_on).decode() if isinstance(going_on, dict) else ""
    after = msgspec.structs.replace(cursor, at=here, waiting=tuple(waiting), states=states)
    return ApiPage(links=tuple(links), next=after, is_over=not here and not waiting, wait=wait_of(response))


def _one_page(response: ApiResponse, answer: Json, cursor: Cursor) -> ApiPage:
    post = _post(answer, cursor.waiting[0])
    return _behind(response, cursor, (post,) if post else ())


def _behind(response: ApiResponse, cursor: Cursor, posts: tuple[Post, ...] = ()) -> ApiPage:
    """What follows the page that was asked for; the round is over with the last one of a list at its end."""
    after = msgspec.structs.replace(cursor, waiting=cursor.waiting[1:])
    is_over = not after.waiting and not after.at
    return ApiPage(posts=posts, next=after, is_over=is_over, wait=wait_of(response))


def _post(answer: Json, told: dict[str, str]) -> Post | None:
    if not isinstance(at(answer, "parse", "text"), str):
        return None
    words, html, links = said(text(answer, "parse", "text"), told["url"])
    named_links = (address(one, base=told["url"]) for one in items(answer, "parse", "externallinks"))
    outside = {url for url in named_links if url}
    named = {link.url: link for link in links if link.url in outside}
    others = tuple(Link(url=url, text="") for url in sorted(outside - named.keys()))
    shown = [one for one in items(answer, "parse", "categories") if not at(one, "hidden")]
    return Post(
        id=told["url"],
        pointer=pointer("parse", "text"),
        url=told["url"],
        kind=ContributionKind.REVISION,
        author=PostAuthor(name=told["user"] or None, handle=told["user"] or None),
        published=moment(told["timestamp"]),
        language=told["language"] or None,
        title=told["title"] or None,
        text=words,
        html=html,
        links=(*named.values(), *others)[:MOST_LINKS],
        tags=tuple(one.replace("_", " ") for one in names(shown, "category")),
    )
