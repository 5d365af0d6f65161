"""The first page: whether the archive is well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.inspection.overview.model import Overview
from archiver.inspection.overview.read import WholeArchive, read_overview
from archiver.inspection.overview.tallies import Tallies
from archiver.inspection.statistics.plots import days_svg
from archiver.web.rendering import trusted
from archiver.web.view import NothingAsked, WebView

if TYPE_CHECKING:
    from markupsafe import Markup

    from archiver.web.opened import OpenedArchive

_TALLIES = Tallies()


def _read(archive: OpenedArchive, _: NothingAsked) -> Overview:
    whole = WholeArchive(
        folder=archive.folder, state=archive.state, tallies=_TALLIES, withheld=archive.withheld
    )
    return read_overview(whole, archive.now)


def plot(found: Overview, what: str) -> Markup:
    """New entries or articles, day by day."""
    counts = [(one.day, getattr(one, what)) for one in found.days]
    return trusted((days_svg(counts, what, f"New {what} a day"),))


OVERVIEW = WebView(
    name="overview",
    path="/",
    about="Whether the archive is well, at a glance",
    parameters=NothingAsked,
    answer=Overview,
    read=_read,
    part="overview",
    extra={"plot": plot},
)
