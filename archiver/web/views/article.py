"""One article to read: its clean text, with the images that the archive kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from markupsafe import Markup

from archiver.archive.cdxj.lines import timestamp
from archiver.archive.objects.kinds import read_part
from archiver.articles.objects.model import ArchivedObject
from archiver.errors import ArchiveError
from archiver.inspection.contributions import (
    ShownContribution,
    contributions_to,
    count_contributions,
)
from archiver.inspection.history.model import ArticleHistory  # noqa: TC001 - msgspec reads it
from archiver.inspection.history.queries import known_article
from archiver.inspection.requisites import find_requisite
from archiver.web.markup import shown_markup
from archiver.web.view import WebView

if TYPE_CHECKING:
    from archiver.documents.pages.model import Image
    from archiver.inspection.history.model import VersionNote
    from archiver.web.framing import FramesSeen
    from archiver.web.opened import OpenedArchive

_MOST_IMAGES = 200
_MOST_CONTRIBUTIONS = 500
_FIGURE = Markup('<figure><img src="{}" alt="{}"></figure>\n')


class ArticleAsked(msgspec.Struct, frozen=True, kw_only=True):
    url: Annotated[str, msgspec.Meta(min_length=1, description="The address of an article")]
    version: Annotated[int, msgspec.Meta(ge=1, le=2**31)] | None = None


class ArticleRead(msgspec.Struct, frozen=True, kw_only=True):
    """A version of an article, and what is known of it over time."""

    history: ArticleHistory
    version: int
    object: ArchivedObject
    # Addresses of its images that the archive has, as they were about then.
    kept_images: tuple[str, ...] = ()
    # What readers wrote about it, answers behind what they answer; up to 500, of so many.
    contributions: tuple[ShownContribution, ...] = ()
    contribution_count: int = 0


def read_article(archive: OpenedArchive, asked: ArticleAsked) -> ArticleRead:
    history = known_article(archive.state, asked.url, archive.objects, archive.withheld)
    note = version_of(history, asked.version)
    read = read_part(archive.objects, note.object.file, note.object.offset, ArchivedObject)
    main = [read.image] if read.image else []
    images = dict.fromkeys(image.url for image in (*main, *read.images[:_MOST_IMAGES]))
    kept = tuple(url for url in images if find_requisite(archive.index, url, read.captured))
    return ArticleRead(
        history=history,
        version=note.version,
        object=read,
        kept_images=kept,
        contributions=contributions_to(archive.state, archive.objects, history.id, _MOST_CONTRIBUTIONS),
        contribution_count=count_contributions(archive.state, history.id),
    )


def reading(found: ArticleRead, frames: FramesSeen) -> Markup:
    """The article to read, with the images that the archive has."""
    stamp = timestamp(found.object.captured)

    def locate(url: str) -> str | None:
        return frames.kept(stamp, url) if url in found.kept_images else None

    lead = _lead_image(found.object)
    above = (
        Markup() if lead is None or not locate(lead.url) else _FIGURE.format(locate(lead.url), lead.alt or "")
    )
    return above + shown_markup(found.object.html, locate)


def _lead_image(read: ArchivedObject) -> Image | None:
    """The image that stands for the article, where it is not in it."""
    is_inside = read.image is not None and read.image.url in {one.url for one in read.images}
    return None if is_inside else read.image


def version_of(history: ArticleHistory, number: int | None) -> VersionNote:
    """The one with this number, or the newest."""
    found = {note.version: note for note in history.versions}
    if number is not None and number not in found:
        raise ArchiveError(f"{history.url} has no version {number}: it has 1 to {max(found)}")
    return found[number or max(found)]


ARTICLE = WebView(
    name="article",
    path="/article",
    about="An article in one of its versions",
    parameters=ArticleAsked,
    answer=ArticleRead,
    read=read_article,
    part="articles",
    extra={"reading": reading, "shown_markup": shown_markup},
)
