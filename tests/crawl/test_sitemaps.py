"""A site with fifty articles is asked for its sitemap once a day, and an edit that it tells of is found."""

from __future__ import annotations

import gzip
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.crawl.checks import assert_whole
from tests.crawl.documents import page, rss, stories
from tests.crawl.running import DAY, crawl
from tests.crawl.site import Answer, Site, conditional, text

if TYPE_CHECKING:
    from tests.crawl.running import CrawlRun

NOW = datetime.now(UTC)
BEFORE = NOW - timedelta(days=2)
TOLD = stories(50)
EDITED = TOLD[6]


def sitemap(site: Site, edited: datetime) -> Answer:
    """Compressed, as many sites have it."""
    urls = "".join(
        f"<url><loc>{site.url(one.path)}</loc>"
        f"<lastmod>{(edited if one is EDITED else BEFORE).isoformat()}</lastmod></url>"
        for one in TOLD
    )
    body = gzip.compress(f"<urlset>{urls}</urlset>".encode(), mtime=0)
    return Answer(body=body, headers=(("Content-Type", "application/gzip"), ("ETag", f'"{edited}"')))


def index(site: Site) -> Answer:
    named = f"<sitemap><loc>{site.url('/stories.xml.gz')}</loc></sitemap>"
    return Answer(
        body=f"<sitemapindex>{named}</sitemapindex>".encode(), headers=(("Content-Type", "text/xml"),)
    )


@pytest.mark.zoo
def test_a_sitemap_tells_which_article_to_look_at(tmp_path_factory: pytest.TempPathFactory) -> None:
    archive = tmp_path_factory.mktemp("sitemaps") / "archive"
    runs: list[CrawlRun] = []
    asked: list[list[str | None]] = []
    with Site() as site:
        for one in TOLD:
            site.add(one.path, one.page)
        feed = site.add("/feed.xml", rss([replace(one.entry, published=BEFORE) for one in TOLD]))
        site.add("/robots.txt", text(f"User-agent: *\nDisallow:\nSitemap: {site.url('/index.xml')}\n"))
        site.add("/index.xml", index(site))
        for day in range(4):
            edited = NOW + timedelta(days=2, hours=-1) if day >= 2 else BEFORE
            if day >= 2:
                site.add(
                    EDITED.path, page(EDITED.title, [*EDITED.paragraphs, "The mayor has since resigned."])
                )
            site.add("/stories.xml.gz", conditional(sitemap(site, edited)))
            site.forget()
            runs.append(crawl(archive, [feed], clock_offset=day * DAY, RECHECK_SHARE=0.3))
            asked.append([one.header("If-None-Match") for one in site.to("/stories.xml.gz")])
    assert [run.exit_code for run in runs] == [0] * 4, runs
    # At first nothing is under watch; then it is asked for once a day, with what it gave.
    tags = [f'"{BEFORE}"', f'"{NOW + timedelta(days=2, hours=-1)}"']
    assert asked == [[], [None], [tags[0]], [tags[1]]]
    archived = runs[-1]
    assert [one["articles_told"] for one in archived.reports] == [0, 0, 1, 0]
    assert len([one for one in archived.objects if one["url"].endswith(EDITED.path)]) == 2
    assert archived.rows("SELECT told_true, false_alarms, lie FROM sitemaps")[0][:] == (1, 0, None)
    kept = [one.type for one in archived.records if one.url == site.url("/stories.xml.gz")]
    assert (kept.count("response"), kept.count("revisit")) == (2, 1)
    assert_whole(archived)
