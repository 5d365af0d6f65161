"""Sites that are crawled as a whole: a list, with crawls to begin, and one with all that is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from archiver.acquisition.sites.model import Strategy
from archiver.inspection.sites.as_text import text_in_words
from archiver.inspection.sites.details import SitePlaces, read_site
from archiver.inspection.sites.listing import read_sites
from archiver.inspection.sites.model import SiteDetails, SiteList
from archiver.inspection.sites.plot import text_svg
from archiver.web.crawling import MOST_REQUESTS
from archiver.web.rendering import trusted
from archiver.web.view import NothingAsked, WebView

if TYPE_CHECKING:
    from markupsafe import Markup

    from archiver.web.opened import OpenedArchive

_STATES = {
    "open": "not finished",
    "done": "all that was found was visited",
    "paused": "it rests until it is resumed",
    "stopped": "it was ended before it was finished",
}
_STRATEGIES = {
    Strategy.AUTO: "automatic",
    Strategy.KNOWN: "knowledge base",
    Strategy.LEARNED: "learned links",
    Strategy.SITEMAP: "its sitemaps",
    Strategy.BLIND: "all links",
}


class SiteAsked(msgspec.Struct, frozen=True, kw_only=True):
    number: Annotated[int, msgspec.Meta(ge=1, le=2**53, description="The number of a site")]


def _read_list(archive: OpenedArchive, _: NothingAsked) -> SiteList:
    return read_sites(archive.state, archive.folder, archive.now, archive.withheld)


def _read_one(archive: OpenedArchive, asked: SiteAsked) -> SiteDetails:
    places = SitePlaces(state=archive.state, folder=archive.folder, withheld=archive.withheld)
    return read_site(places, asked.number, archive.now)


def plot(found: SiteDetails) -> Markup:
    return trusted((text_svg(found.curve, title="Text over requests"),))


_EXTRA = {"states": _STATES, "strategies": _STRATEGIES, "most_requests": MOST_REQUESTS}
SITES = WebView(
    name="sites",
    path="/sites",
    about="Sites that are crawled as a whole, and how far each is",
    parameters=NothingAsked,
    answer=SiteList,
    read=_read_list,
    part="sites",
    extra=_EXTRA,
)
SITE = WebView(
    name="site",
    path="/sites/{number}",
    about="All that is known of a site: its levels, its text over requests, patterns, broken links",
    parameters=SiteAsked,
    answer=SiteDetails,
    read=_read_one,
    part="sites",
    extra={**_EXTRA, "plot": plot, "text_in_words": text_in_words},
)
