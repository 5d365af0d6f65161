"""Where a document of a site leads, of what is known of it."""

from __future__ import annotations

from archiver.acquisition.sites.model import (
    Followed,
    PendingVisit,
    Site,
    SiteState,
    Strategy,
    VisitRead,
    VisitReading,
)
from archiver.acquisition.sites.plan import after_visit

POST = "http://blog.example/a-ferry/"
SITE = Site(
    id=1,
    url="http://blog.example/",
    scope="blog.example/",
    strategy=Strategy.KNOWN,
    state=SiteState.OPEN,
    way=Strategy.KNOWN,
    type="wordpress",
)
OLDER = Followed(url=f"{POST}comment-page-1/", action="older-comments", to="post", is_repeat=True)
NEWER = Followed(url=f"{POST}comment-page-3/", action="newer-comments", to="post", is_repeat=True)


def visit(url: str, action: str, whole: str | None) -> PendingVisit:
    return PendingVisit(
        id=1,
        url=url,
        host="blog.example",
        site=SITE,
        via=POST,
        action=action,
        reading=VisitReading.PAGE,
        level="post",
        whole=whole,
        depth=2,
    )


def wanted(asked: PendingVisit) -> list[str]:
    read = VisitRead(is_content=True, level="post", follow=(OLDER, NEWER))
    return [one.url for one in after_visit(SITE, asked, asked.url, read).wanted]


def test_an_item_leads_to_its_further_pages_in_both_directions() -> None:
    assert wanted(visit(POST, "sitemap", None)) == [OLDER.url, NEWER.url]


def test_a_further_page_of_an_item_does_not_lead_back() -> None:
    """The third page of comments is what the post itself shows: asked for, it would be the same once more."""
    assert wanted(visit(f"{POST}comment-page-2/", "older-comments", POST)) == [OLDER.url]
    assert wanted(visit(f"{POST}comment-page-2/", "newer-comments", POST)) == [NEWER.url]
