"""A whole site is crawled: by its sitemap, by every link, on after a limit, and again."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.crawl.checks import assert_whole
from tests.crawl.documents import prose, stories
from tests.crawl.running import crawl
from tests.crawl.site import Answer, html, text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.crawl.documents import Story
    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Site

TOLD = stories(6)


def crawl_site(archive: Path, site: Site, **arguments: str) -> CrawlRun:
    return crawl(archive, spider="site", arguments={"url": site.url("/")} | arguments)


def links(paths: Sequence[str]) -> str:
    return "".join(f'<li><a href="{path}">{path.strip("/").replace("-", " ")}</a></li>' for path in paths)


def front(paths: Sequence[str]) -> Answer:
    words = " ".join(prose(99, 1))
    return html(
        f"<html><body><h1>The Harbour Gazette</h1><p>{words}</p><ul>{links(paths)}</ul></body></html>"
    )


def sitemap_of(site: Site, told: Sequence[Story]) -> Answer:
    listed = "".join(f"<url><loc>{site.url(one.path)}</loc></url>" for one in told)
    return Answer(body=f"<urlset>{listed}</urlset>".encode(), headers=(("Content-Type", "text/xml"),))


@pytest.fixture
def blog(site: Site) -> Site:
    """A blog whose front page shows two of its stories."""
    for one in TOLD:
        site.add(one.path, one.page)
    site.add("/", front([one.path for one in TOLD[:2]]))
    return site


def articles(run: CrawlRun) -> set[str]:
    return {one["url"] for one in run.objects}


def asked(site: Site) -> list[str]:
    return [one.target for one in site.requests if one.target != "/robots.txt"]


def test_a_sitemap_leads_to_pages_that_nothing_links_to(archive: Path, blog: Site) -> None:
    blog.add("/robots.txt", text(f"User-agent: *\nDisallow:\nSitemap: {blog.url('/all.xml')}\n"))
    blog.add("/all.xml", sitemap_of(blog, TOLD))

    run = crawl_site(archive, blog)

    assert run.exit_code == 0, run.stderr
    assert {blog.url(one.path) for one in TOLD} <= articles(run)
    assert {"/", "/all.xml", *(one.path for one in TOLD)} <= set(asked(blog))
    assert len(asked(blog)) == len(set(asked(blog))), "each once"
    assert_whole(run)
    (lead,) = {one["lead"]["source"] for one in run.objects}
    assert lead == "sites"


def test_by_sitemap_nothing_is_asked_for_that_it_does_not_name(archive: Path, blog: Site) -> None:
    blog.add("/robots.txt", text(f"User-agent: *\nDisallow:\nSitemap: {blog.url('/all.xml')}\n"))
    blog.add("/all.xml", sitemap_of(blog, TOLD))

    run = crawl_site(archive, blog, strategy="sitemap")

    assert run.exit_code == 0, run.stderr
    assert sorted(asked(blog)) == sorted(["/", "/all.xml", *(one.path for one in TOLD)]), "each once"


def test_without_a_sitemap_links_that_lead_on_are_followed(archive: Path, blog: Site) -> None:
    chained = [*TOLD[1:], None]
    for one, following in zip(TOLD, chained, strict=True):
        more = links([following.path]) if following else ""
        words = "".join(f"<p>{words}</p>" for words in one.paragraphs)
        title = f"<title>{one.title}</title>"
        blog.add(
            one.path,
            html(
                f"<html><head>{title}</head><body><article><h1>{one.title}</h1>{words}</article>{more}</body></html>"
            ),
        )
    blog.add("/", front([TOLD[0].path]))

    run = crawl_site(archive, blog)

    assert {blog.url(one.path) for one in TOLD} <= articles(run)
    (row,) = run.rows("SELECT way, state FROM sites")
    assert tuple(row) == ("learned", "done")


def test_a_run_that_reached_its_limit_is_gone_on_with(archive: Path, blog: Site) -> None:
    blog.add("/robots.txt", text(f"User-agent: *\nDisallow:\nSitemap: {blog.url('/all.xml')}\n"))
    blog.add("/all.xml", sitemap_of(blog, TOLD))

    first = crawl_site(archive, blog, limit="4")
    assert len(asked(blog)) == 4
    assert first.exit_code == 0, first.stderr
    second = crawl_site(archive, blog)

    assert {blog.url(one.path) for one in TOLD} <= articles(second)
    assert len(asked(blog)) == len(set(asked(blog))), "nothing is asked for twice"


def test_a_finished_site_is_crawled_again_where_that_is_asked_for(archive: Path, blog: Site) -> None:
    blog.add("/robots.txt", text(f"User-agent: *\nDisallow:\nSitemap: {blog.url('/all.xml')}\n"))
    blog.add("/all.xml", sitemap_of(blog, TOLD[:5]), sitemap_of(blog, TOLD))
    crawl_site(archive, blog)
    before = len(asked(blog))

    refused = crawl_site(archive, blog)
    assert len(asked(blog)) == before
    assert "again=new" in refused.stdout
    run = crawl_site(archive, blog, again="new")

    assert set(asked(blog)[before:]) == {"/", "/all.xml", TOLD[5].path}, "what is known is not asked for"
    assert blog.url(TOLD[5].path) in articles(run)
    assert all(one["version"] == 1 for one in run.objects)


def test_a_page_that_is_visited_again_is_asked_for_once(archive: Path, blog: Site) -> None:
    blog.add("/", front([one.path for one in TOLD]))
    crawl_site(archive, blog)
    blog.forget()

    run = crawl_site(archive, blog, again="all")

    times = Counter(asked(blog))
    assert {one.path: times[one.path] for one in TOLD} == dict.fromkeys((one.path for one in TOLD), 1)
    assert run.report["pages_fetched"] == len(TOLD) + 1
    looks = run.rows("SELECT looks FROM pages WHERE article_id IS NOT NULL")
    # How often it was looked at again.
    assert {row["looks"] for row in looks} == {1}


def known_front(generator: str, paths: Sequence[str]) -> Answer:
    """A front page of known software, in a template that is not known."""
    return html(
        f"""<html><head><meta name="generator" content="{generator}"><title>Rope</title></head><body>
        <div class="top">{links(paths)}</div></body></html>"""
    )


@pytest.mark.parametrize("generator", ["Hugo 0.111.3", "Jekyll v4.3.1"])
def test_a_known_site_whose_templates_are_not_is_crawled_by_its_links(
    archive: Path, site: Site, generator: str
) -> None:
    for one, following in zip(TOLD, [*TOLD[1:], TOLD[0]], strict=True):
        words = "".join(f"<p>{words}</p>" for words in one.paragraphs)
        body = f"<div><h1>{one.title}</h1>{words}</div>{links([following.path, '/assets/feed.xml'])}"
        site.add(one.path, html(f"<html><head><title>{one.title}</title></head><body>{body}</body></html>"))
    avoided = "/tags/ferry/" if "Hugo" in generator else "/assets/ferry/"
    site.add("/", known_front(generator, [TOLD[0].path, avoided]))

    run = crawl_site(archive, site)

    assert {site.url(one.path) for one in TOLD} <= articles(run)
    assert avoided not in asked(site), "what is to be avoided is known"
    (row,) = run.rows("SELECT way, type, state FROM sites")
    assert tuple(row) == ("learned", generator.split(maxsplit=1)[0].lower(), "done")


def test_the_sitemap_of_a_plugin_is_the_one_that_robots_txt_names(archive: Path, site: Site) -> None:
    """WordPress's own is switched off; the plugin's names what is no post, too."""
    site.add("/robots.txt", text(f"User-agent: *\nDisallow:\nSitemap: {site.url('/sitemap_index.xml')}\n"))
    for one in TOLD:
        site.add(one.path, one.page)
    names = [site.url("/post-sitemap.xml"), site.url("/category-sitemap.xml")]
    index = "".join(f"<sitemap><loc>{name}</loc></sitemap>" for name in names)
    site.add("/sitemap_index.xml", Answer(body=f"<sitemapindex>{index}</sitemapindex>".encode()))
    site.add("/post-sitemap.xml", sitemap_of(site, TOLD))
    site.add("/", known_front("WordPress 6.1.9", [TOLD[0].path]))

    run = crawl_site(archive, site)

    assert {site.url(one.path) for one in TOLD} <= articles(run)
    assert "/category-sitemap.xml" not in asked(site)
    assert len(asked(site)) == len(TOLD) + 4, "the front page, WordPress's own sitemap, two of the plugin's"


def test_pages_in_a_menu_are_asked_for_where_no_list_names_them(archive: Path, site: Site) -> None:
    *posts, about = TOLD
    for one in TOLD:
        site.add(one.path, one.page)
    site.add("/wp-sitemap.xml", sitemap_of(site, posts))
    menu = f'<ul><li class="page_item"><a href="{about.path}">About</a></li></ul>'
    older = '<a class="next page-numbers" href="/page/2/">Older</a>'
    shown = f'<h2 class="entry-title"><a href="{posts[0].path}">{posts[0].title}</a></h2>'
    head = '<head><meta name="generator" content="WordPress 6.1.9"></head>'
    site.add("/", html(f'<html>{head}<body class="home blog">{menu}{shown}{older}</body></html>'))

    run = crawl_site(archive, site)

    assert {site.url(one.path) for one in TOLD} <= articles(run)
    assert sorted(asked(site)) == sorted(["/", "/wp-sitemap.xml", *(one.path for one in TOLD)]), (
        "no list twice"
    )


@pytest.mark.parametrize("arguments", [{"strategy": "guess"}, {"limit": "many"}, {"colour": "red"}])
def test_a_mistake_is_told_before_anything_is_asked_for(
    archive: Path, blog: Site, arguments: dict[str, str]
) -> None:
    run = crawl_site(archive, blog, **arguments)

    assert run.exit_code == 2 or "-a " in run.stderr, run.stderr
    assert not blog.requests
