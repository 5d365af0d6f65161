"""Why a part of a page is taken for its article: the extractor's decision, drawn on the page."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads it
from typing import TYPE_CHECKING, Annotated

import msgspec

from archiver.articles.explain.explanation import Explanation  # noqa: TC001 - as above
from archiver.web.asking import LONGEST_URL, checked_url, moment_of
from archiver.web.view import WebView

if TYPE_CHECKING:
    from archiver.web.opened import OpenedArchive


class ExplainAsked(msgspec.Struct, frozen=True, kw_only=True):
    url: Annotated[
        str, msgspec.Meta(min_length=1, max_length=LONGEST_URL, description="An address of the Web")
    ]
    at: Annotated[str, msgspec.Meta(max_length=40, description="The capture nearest to this time or day")] = (
        ""
    )


class ExplainRead(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a page, and why; read anew, as the extractor of today reads it."""

    url: str
    captured: datetime
    explanation: Explanation


def read_explained(archive: OpenedArchive, asked: ExplainAsked) -> ExplainRead:
    url = checked_url(asked.url)
    archive.withheld.refuse(url)
    at = moment_of(asked.at) if asked.at else None
    drawn = archive.workers.explained(url, at, archive.withheld)
    assert drawn.explanation is not None  # noqa: S101 - that is what was drawn
    assert drawn.captured is not None  # noqa: S101 - likewise
    return ExplainRead(url=url, captured=drawn.captured, explanation=drawn.explanation)


EXPLAINED = WebView(
    name="explained",
    path="/explain",
    about="Why a part of a page is taken for its article",
    parameters=ExplainAsked,
    answer=ExplainRead,
    read=read_explained,
    part="articles",
)
