"""A search taken away: as a feed to follow, as one page, as a book."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import msgspec
from starlette.responses import Response
from starlette.routing import Route

from archiver.inspection.history.changes import store_name
from archiver.inspection.history.model import urn_of
from archiver.inspection.selection.atom import search_feed
from archiver.inspection.selection.epub import write_epub
from archiver.inspection.selection.model import chosen_articles
from archiver.inspection.selection.page import selection_page
from archiver.search.opening import open_index
from archiver.search.searching import search
from archiver.web.feeds import MEDIA_TYPE
from archiver.web.view import parameters_from
from archiver.web.views.articles import ArticlesAsked, requested

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request

    from archiver.inspection.selection.model import ChosenArticle
    from archiver.search.model import SearchResult
    from archiver.web.opened import ArchiveReader, OpenedArchive

EPUB = "application/epub+zip"


def selection_routes(reader: ArchiveReader) -> list[Route]:
    def route(path: str, answer: Callable[[OpenedArchive, ArticlesAsked, str], Response]) -> Route:
        def answered(request: Request) -> Response:
            asked = parameters_from(ArticlesAsked, request.query_params, {})
            with reader.opened() as archive:
                return answer(archive, asked, str(request.url))

        return Route(path, answered)

    return [
        route("/search.atom", _as_feed),
        route("/selection.html", _as_page),
        route("/selection.epub", _as_book),
    ]


def _title(asked: ArticlesAsked) -> str:
    return asked.saved or (f"Search: {asked.q}" if asked.q else "Articles")


def _as_feed(archive: OpenedArchive, asked: ArticlesAsked, address: str) -> Response:
    request = msgspec.structs.replace(requested(archive, asked), after="")
    with open_index(archive.folder, archive.state) as index:
        found = search(index, archive.state, archive.objects, request, hidden=archive.is_hidden)
    said = msgspec.json.encode(msgspec.structs.replace(request, limit=1)).decode()
    name = urn_of(("search", *store_name(archive.state), said))
    document = search_feed(name, _title(asked), found.hits, archive.now, address=address)
    return Response("".join(document), media_type=MEDIA_TYPE)


def _as_page(archive: OpenedArchive, asked: ArticlesAsked, _: str) -> Response:
    title = _title(asked)
    content = selection_page(title, _chosen(archive, asked), archive.now)
    return _file(content.encode("utf-8", "replace"), "text/html; charset=utf-8", "articles.html")


def _as_book(archive: OpenedArchive, asked: ArticlesAsked, _: str) -> Response:
    file = BytesIO()
    write_epub(file, _title(asked), _chosen(archive, asked), archive.now)
    return _file(file.getvalue(), EPUB, "articles.epub")


def _chosen(archive: OpenedArchive, asked: ArticlesAsked) -> Sequence[ChosenArticle]:
    with open_index(archive.folder, archive.state) as index:
        found: SearchResult = search(
            index, archive.state, archive.objects, requested(archive, asked), hidden=archive.is_hidden
        )
        return list(chosen_articles(index, archive.objects, found.hits, lambda _: None))


def _file(content: bytes, kind: str, name: str) -> Response:
    named = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=named)
