"""Pages to begin with: those of the sample web, and of sets of real pages where there are any."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.documents.pages.model import Announcement, RawPage
from bench.extraction_sets import channels, read_set, set_files
from sample.messages import Request
from sample.server import make_sites

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from random import Random

    from bench.extraction_sets import Page
    from sample.site import Site

# So many pages are extracted together, at most, and so many learned from before.
_TOGETHER = 6
_DAY = 3


def sample_sites() -> list[tuple[RawPage, ...]]:
    """The pages of the sample web, as its servers would give them."""
    return [pages for site in make_sites(8931).values() if (pages := _pages_of(site))]


def _pages_of(site: Site) -> tuple[RawPage, ...]:
    found = []
    for entry in site.truth(_DAY):
        path = urlsplit(entry.link or "").path
        answer = site.respond(Request(method="GET", path=path, headers={}, day=_DAY, serial=0))
        summary = entry.body_paragraphs[0] if entry.body_paragraphs else None
        found.append(
            RawPage(
                url="",
                body=answer.body,
                content_type=answer.headers.get("Content-Type"),
                announcement=Announcement(title=entry.title, summary=summary),
            )
        )
    return tuple(found)


def real_sites(folder: Path) -> list[tuple[RawPage, ...]]:
    """The pages of sets whose articles are known, site by site."""
    pages = [page for file in set_files([folder]) for page in read_set(file)]
    return [tuple(map(_raw, site)) for site in channels(pages)]


def _raw(page: Page) -> RawPage:
    return RawPage(
        url="",
        body=page.html.encode("utf-8", "surrogatepass"),
        content_type="text/html; charset=utf-8",
        announcement=Announcement(title=page.title or None, summary=page.description or None),
    )


def some_of(sites: Sequence[tuple[RawPage, ...]], chance: Random) -> tuple[RawPage, ...]:
    """A few pages of one site."""
    site = chance.choice(sites)
    return tuple(chance.sample(site, min(len(site), chance.randint(1, 2 * _TOGETHER))))
