"""The task that reads an answer of an API from its record."""
# ruff: noqa: PLC0415 - what performs it is imported by workers alone

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time

import msgspec

from archiver.documents.apis.model import ApiPage, ApiQuery, ApiResponse, Cursor
from archiver.running.workers import DocumentTask


class ApiRead(msgspec.Struct, frozen=True, kw_only=True):
    page: ApiPage | None = None
    problem: str = ""


class ReadApi(DocumentTask[ApiRead], frozen=True, kw_only=True):
    """Read the posts of an answer, and what to ask for next."""

    query: ApiQuery
    cursor: Cursor
    date: datetime
    # Whether posts are left out whose authors do not want to be archived.
    nobot: bool = True

    def perform(self) -> ApiRead:
        from archiver.documents.apis.registry import reader_of

        stored = self.stored()
        response = ApiResponse(
            url=self.url,
            status=stored.status or 0,
            headers=stored.headers,
            body=stored.content,
            date=self.date,
        )
        page = reader_of(self.query.api).read(response, self.query, self.cursor)
        return ApiRead(page=_without_unwanted(page) if self.nobot else page)


def _without_unwanted(page: ApiPage) -> ApiPage:
    kept = tuple(post for post in page.posts if not post.is_unwanted)
    withheld = page.withheld + len(page.posts) - len(kept)
    return msgspec.structs.replace(page, posts=kept, withheld=withheld)
