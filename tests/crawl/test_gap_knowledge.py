"""A gap of a blog is filled in fewer requests where its software is known than where it is not."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.crawl.documents import rss, stories
from tests.crawl.gap_sites import latest, parameter
from tests.crawl.running import DAY, crawl
from tests.crawl.site import Answer, Site, status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tests.crawl.documents import Story
    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Request

pytestmark = [pytest.mark.xdist_group("gaps"), pytest.mark.zoo]

BEFORE, ALL, SHOWN = 6, 40, 4
GENERATOR = b"<generator>https://wordpress.org/?v=6.1.9</generator><item>"


def wordpress(site: Site, told: Sequence[Story], *, is_open: bool = True) -> None:
    """A feed that has pages, and an interface for programs, which may be closed."""

    def feed(request: Request) -> Answer:
        shown = latest(told, parameter(request, "paged") or 1, SHOWN)
        answer = rss(shown)
        return answer.but(body=answer.body.replace(b"<item>", GENERATOR, 1)) if shown else status(404)

    def posts(request: Request) -> Answer:
        after = request.target.partition("after=")[2].replace("%3A", ":")
        newer = [one for one in told[::-1] if one.published.isoformat() > after]
        items = [
            {
                "link": site.url(one.path),
                "date_gmt": f"{one.published:%Y-%m-%dT%H:%M:%S}",
                "title": {"rendered": one.title},
            }
            for one in newer
        ]
        return Answer(headers=(("Content-Type", "application/json"),), body=json.dumps(items).encode())

    site.add("/feed.xml", feed)
    site.add("/wp-json/wp/v2/posts", posts if is_open else status(401))


class Filled(NamedTuple):
    run: CrawlRun
    documents: list[str]


class Blog(NamedTuple):
    site: Site
    told: list[Story]
    before: Path


@pytest.fixture(scope="module")
def blog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Blog]:
    before = tmp_path_factory.mktemp("known") / "archive"
    told = stories(ALL)
    with Site("127.0.0.89") as site:
        for one in told:
            site.add(one.path, one.page)
        wordpress(site, told[:BEFORE])
        assert crawl(before, [site.url("/feed.xml")]).exit_code == 0
        yield Blog(site, told, before)


def fill(blog: Blog, folder: Path, *, is_open: bool = True, **settings: object) -> Filled:
    archive = shutil.copytree(blog.before, folder / "archive")
    wordpress(blog.site, blog.told, is_open=is_open)
    blog.site.forget()
    run = crawl(archive, [blog.site.url("/feed.xml")], clock_offset=DAY, **settings)
    pages = {one.path for one in blog.told}
    return Filled(run, [path for path in blog.site.paths if path not in pages][1:])


@pytest.mark.parametrize(
    ("settings", "most", "how"),
    [
        ({}, 2, "paged, site"),
        ({"is_open": False}, 9, "paged"),
        ({"SITE_KNOWLEDGE": ""}, 8, "paged"),
        ({"SITE_KNOWLEDGE": "/no/such/folder"}, 8, "paged"),
    ],
)
def test_a_gap_is_filled(
    blog: Blog, tmp_path: Path, settings: dict[str, object], most: int, how: str
) -> None:
    filled = fill(blog, tmp_path, **settings)  # type: ignore[arg-type]
    assert filled.run.exit_code == 0, filled.run
    (gap,) = filled.run.rows("SELECT * FROM gaps")
    missing = ALL - BEFORE - SHOWN
    assert (gap["state"], gap["how"], gap["filled"]) == ("filled", how, missing), dict(gap)
    assert (len(filled.documents), gap["documents"]) == (most, most), filled.documents
    titles = {one["title"] for one in filled.run.objects}
    assert titles == {one.title for one in blog.told[BEFORE - SHOWN :]}
    assert ("without SITE_KNOWLEDGE" in filled.run.stdout) is ("/no/such/folder" in settings.values())
