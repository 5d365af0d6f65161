"""An article over time: its versions and absences, and what is different between two versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from archiver.errors import ArchiveError
from archiver.inspection.history.articles import read_said
from archiver.inspection.history.diff_html import columns_html, inline_html, lists_html, title_html
from archiver.inspection.history.diff_page import Compared, facts_of, nothing_differs
from archiver.inspection.history.difference import Difference, compare_articles
from archiver.inspection.history.model import ArticleHistory, VersionNote
from archiver.inspection.history.queries import known_article
from archiver.web.rendering import trusted
from archiver.web.view import WebView
from archiver.web.views.article import version_of

if TYPE_CHECKING:
    from markupsafe import Markup

    from archiver.web.opened import OpenedArchive


class HistoryAsked(msgspec.Struct, frozen=True, kw_only=True):
    url: Annotated[str, msgspec.Meta(min_length=1, description="The address of an article")]


def read_history(archive: OpenedArchive, asked: HistoryAsked) -> ArticleHistory:
    return known_article(archive.state, asked.url, archive.objects, archive.withheld)


Number = Annotated[int, msgspec.Meta(ge=1, le=2**31)]


class DifferenceAsked(msgspec.Struct, frozen=True, kw_only=True):
    url: Annotated[str, msgspec.Meta(min_length=1, description="The address of an article")]
    before: Number | None = None
    now: Number | None = None
    layout: Literal["inline", "columns"] = "inline"


class DifferenceRead(msgspec.Struct, frozen=True, kw_only=True):
    """Two versions of an article, and what became of the words of the first."""

    article: ArticleHistory
    before: VersionNote
    now: VersionNote
    difference: Difference
    language: str | None = None


def read_difference(archive: OpenedArchive, asked: DifferenceAsked) -> DifferenceRead:
    article = known_article(archive.state, asked.url, archive.objects, archive.withheld)
    now = version_of(article, asked.now)
    if now.version == 1 and asked.before is None:
        raise ArchiveError(f"{article.url} has nothing before version 1 to compare it with")
    before = version_of(article, asked.before or now.version - 1)
    old, new = (read_said(archive.objects, note.object) for note in (before, now))
    return DifferenceRead(
        article=article,
        before=before,
        now=now,
        difference=compare_articles(old, new),
        language=new.language or old.language,
    )


def compared(read: DifferenceRead) -> Compared:
    return Compared(
        article=read.article,
        before=read.before,
        now=read.now,
        difference=read.difference,
        language=read.language,
    )


def text_html(read: DifferenceRead, layout: str) -> Markup:
    heads = (f"Version {read.before.version}", f"Version {read.now.version}")
    difference = read.difference
    text = (
        columns_html(difference, heads) if layout == "columns" else inline_html(difference, is_foldable=True)
    )
    return trusted((*title_html(difference), '<h2 lang="en">Text</h2>', *text, *lists_html(difference)))


HISTORY = WebView(
    name="history",
    path="/history",
    about="The versions of an article, when each came, and what changed",
    parameters=HistoryAsked,
    answer=ArticleHistory,
    read=read_history,
    part="articles",
)
DIFFERENCE = WebView(
    name="difference",
    path="/diff",
    about="What is different between two versions of an article",
    parameters=DifferenceAsked,
    answer=DifferenceRead,
    read=read_difference,
    part="articles",
    extra={
        "compared": compared,
        "facts_of": facts_of,
        "nothing_differs": nothing_differs,
        "text_html": text_html,
    },
)
