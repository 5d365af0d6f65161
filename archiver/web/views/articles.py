"""Articles found by their words and by filters, the newest first."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads it
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from archiver.display.spans import parse_span
from archiver.errors import ConfigurationError
from archiver.search.index import NoIndex
from archiver.search.model import CHANGES, KINDS_OF_HITS, SearchRequest, SearchResult
from archiver.search.opening import open_index
from archiver.search.saved import saved_search, saved_searches
from archiver.search.searching import search
from archiver.web.view import WebView

if TYPE_CHECKING:
    from archiver.web.opened import OpenedArchive

Change = Literal["new", "edited", "title", "text", "links", "images", "fields", "gone", "back"]
Kind = Literal["article", "pdf", "comment", "post", "revision"]
Words = Annotated[str, msgspec.Meta(max_length=500)]


class ArticlesAsked(msgspec.Struct, frozen=True, kw_only=True):
    """What `scrapy search` takes, under the same names."""

    q: Annotated[str, msgspec.Meta(max_length=500, description='Words, "phrases", -not, OR, begin*')] = ""
    channel: tuple[Words, ...] = ()
    label: tuple[Words, ...] = ()
    author: Words = ""
    category: Words = ""
    language: Words = ""
    since: Annotated[str, msgspec.Meta(description="From this time or day on")] = ""
    until: Annotated[str, msgspec.Meta(description="Up to this time or day")] = ""
    change: Change | None = None
    kind: Kind | None = None
    confidence: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    order: Literal["newest", "rank"] = "newest"
    versions: Literal["newest", "all"] = "newest"
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 20
    saved: Annotated[str, msgspec.Meta(max_length=200, description="The name of a saved search")] = ""
    after: Annotated[str, msgspec.Meta(max_length=100, description="`next` of the answer before")] = ""


class ArticlesFound(msgspec.Struct, frozen=True, kw_only=True):
    """What was found; or why there can be no search."""

    result: SearchResult = SearchResult()
    # What was searched for.
    request: SearchRequest
    saved: tuple[str, ...] = ()  # the names of all saved searches
    problem: str | None = None


def read_articles(archive: OpenedArchive, asked: ArticlesAsked) -> ArticlesFound:
    request, names = requested(archive, asked), tuple(saved_searches(archive.folder))
    try:
        with open_index(archive.folder, archive.state) as index:
            found = search(index, archive.state, archive.objects, request, hidden=archive.is_hidden)
    except NoIndex as error:
        return ArticlesFound(request=request, saved=names, problem=str(error))
    return ArticlesFound(result=found, request=request, saved=names)


def requested(archive: OpenedArchive, asked: ArticlesAsked) -> SearchRequest:
    """What is searched for: where a saved search is named, that one."""
    if not asked.saved:
        return request_from(asked)
    saved = saved_search(archive.folder, asked.saved)
    return msgspec.structs.replace(saved, limit=asked.limit, after=asked.after)


def request_from(asked: ArticlesAsked) -> SearchRequest:
    return SearchRequest(
        words=asked.q,
        channel=asked.channel,
        label=asked.label,
        author=asked.author,
        category=asked.category,
        language=asked.language,
        since=_moment(asked.since, "first"),
        until=_moment(asked.until, "last"),
        change=asked.change or "",
        kind=asked.kind or "",
        confidence=asked.confidence,
        ranked=asked.order == "rank",
        all_versions=asked.versions == "all",
        limit=asked.limit,
        after=asked.after,
    )


def _moment(text: str, end: Literal["first", "last"]) -> datetime | None:
    try:
        return getattr(parse_span(text), end) if text.strip() else None
    except ValueError as error:
        raise ConfigurationError(str(error)) from error


ARTICLES = WebView(
    name="articles",
    path="/articles",
    about="Articles that have these words, the newest first",
    parameters=ArticlesAsked,
    answer=ArticlesFound,
    read=read_articles,
    part="articles",
    extra={"changes": CHANGES, "kinds": KINDS_OF_HITS},
)
