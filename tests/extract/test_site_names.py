"""The name of a site in the first heading of every page is not the title of an article."""

from __future__ import annotations

import pytest

from archiver.articles.methods.extraction import extract_group
from archiver.articles.model import Article
from archiver.documents.pages.model import Announcement, RawPage
from tests.extract.pages import BODY
from tests.extract.test_article_method import paragraphs

NOTES = "Ann's Harbour Notes"


def blog_page(
    number: int, top: str, *, title: str | None = None, said: Announcement | None = None, heading: str = "h2"
) -> RawPage:
    body = "".join(f"<p>{one}</p>" for one in paragraphs(number)) if number else BODY
    name = f"Fog {number}"
    html = f"""<html lang="en"><head><title>{title or name}</title></head><body><div class="top">{top}</div>
    <div class="post"><{heading}>{name}</{heading}><div class="text">{body}</div></div></body></html>"""
    return RawPage(
        url=f"http://blog.test/{number}",
        body=html.encode(),
        announcement=said or Announcement(),
        id=str(number),
    )


def titles(*pages: RawPage) -> list[str | None]:
    return [
        one.title if isinstance(one, Article) else None for one in extract_group(pages, "article").results
    ]


@pytest.mark.parametrize(
    "page",
    [
        # The feed is called so.
        blog_page(1, f"<h1>{NOTES}</h1>", said=Announcement(site=NOTES)),
        blog_page(1, f"<h1>{NOTES}</h1>", title=f"{NOTES}: Fog 1", said=Announcement(site=NOTES)),
        blog_page(1, f"<h1>{NOTES}</h1>", said=Announcement(site=f"{NOTES} - All posts")),
        # What stands before the title that was announced, as old blogs write it.
        blog_page(
            1, f"<h1>{NOTES}</h1>", title=f"{NOTES}: Fog 1", said=Announcement(title="Fog 1"), heading="b"
        ),
        # It leads to the site's first page.
        blog_page(1, f"<h1><a href='/'>{NOTES}</a></h1>", title=f"{NOTES} | Fog 1"),
        blog_page(1, f"<h1><a href='http://blog.test'>{NOTES}</a></h1>", heading="h3"),
        # The page's title has it behind that of the article, which has a heading of its own.
        blog_page(1, f"<h1>{NOTES}</h1>", title=f"Fog 1 - {NOTES}"),
        blog_page(1, f"<h1>{NOTES}</h1>", title=f"Fog 1 - {NOTES}", heading="h1"),
    ],
)
def test_name_of_the_site_is_not_the_title(page: RawPage) -> None:
    assert titles(page) == ["Fog 1"]


def test_first_heading_of_all_pages_is_not_the_title_of_any() -> None:
    pages = [blog_page(number, f"<h1>{NOTES}</h1>", title=NOTES) for number in range(1, 4)]
    assert titles(*pages) == [f"Fog {number}" for number in range(1, 4)]


@pytest.mark.parametrize("title", [NOTES, f"Fog 1 - {NOTES}"])
def test_heading_that_the_feed_announces_is_the_title_whatever_the_site_is_called(title: str) -> None:
    said = Announcement(title=NOTES, site=NOTES)
    assert titles(blog_page(1, f"<h1>{NOTES}</h1>", title=title, said=said)) == [NOTES]
