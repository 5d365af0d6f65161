"""Feeds of wikis link to differences: the pages themselves are fetched, and get the versions."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.crawl.documents import Entry, atom, page, prose, rss
from tests.crawl.running import DAY, crawl
from tests.crawl.site import Answer, Site, not_found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Request

pytestmark = pytest.mark.xdist_group("wikis")

TITLES = ("Harbour", "Library", "Fountain")
LAST_WEEK = datetime.now(UTC).replace(microsecond=0) - timedelta(days=7)


class Revision(NamedTuple):
    """What a wiki knows of one change."""

    title: str
    number: int
    before: int
    made: datetime
    text: str


class Wiki:
    """What was changed, the first change first, and what each page says now."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.revisions: list[Revision] = []
        self.gone: set[str] = set()

    def edit(self, title: str, text: str, made: datetime) -> None:
        before = max((one.number for one in self.revisions if one.title == title), default=0)
        number = len(self.revisions) + 1
        self.revisions.append(Revision(title, number, before, made, text))

    def page(self, title: str) -> Answer:
        if title in self.gone:
            return not_found()
        texts = [one.text for one in self.revisions if one.title == title]
        return page(title, (*prose(TITLES.index(title) + 700), texts[-1]))


class MediaWiki(Wiki):
    """Pages are at /wiki/; the script that shows differences is closed to robots, as it often is."""

    feed = "/api.php?action=feedrecentchanges&feedformat=atom"

    def publish(self) -> None:
        for title in TITLES:
            self.site.add(f"/wiki/{title}", self.page(title))
        self.site.add("/index.php", self._script)
        self.site.add("/robots.txt", Answer(body=b"User-agent: *\nDisallow: /index.php\n"))
        answer = atom(
            [self._entry(one) for one in reversed(self.revisions)], link="/wiki/Special:RecentChanges"
        )
        for title in sorted(self.gone):
            deleted = Entry(link=f"/wiki/{title}", title=title, published=None, updated=datetime.now(UTC))
            answer = _with_entry(answer, atom([deleted]))
        generator = b"<generator>MediaWiki 1.39.17</generator></feed>"
        self.site.add("/api.php", replace(answer, body=answer.body.replace(b"</feed>", generator)))

    def _script(self, request: Request) -> Answer:
        return page("Difference between revisions", (f"What {request.target} changed.", *prose(9)))

    def _entry(self, one: Revision) -> Entry:
        link = f"{self.site.origin}/index.php?title={one.title}&diff={one.number}&oldid={one.before}"
        difference = f"<table><tr><td>{one.text} Line 1</td></tr></table>"
        return Entry(
            link=link,
            id=link,
            title=one.title,
            summary=difference,
            published=None,
            updated=one.made,
            author="Admin",
        )


class DokuWiki(Wiki):
    """Pages and differences are at one address, and only the last change of each page is listed."""

    feed = "/feed.php"

    def publish(self) -> None:
        self.site.add("/doku.php", self._script)
        last = {one.title: one for one in self.revisions}
        self.site.add("/feed.php", rss([self._entry(one) for one in reversed(list(last.values()))]))

    def _script(self, request: Request) -> Answer:
        if "do=diff" in request.target:
            return page("Differences", (f"What {request.target} changed.", *prose(9)))
        return self.page(request.target.partition("id=")[2].capitalize())

    def _entry(self, one: Revision) -> Entry:
        rev = int(one.made.timestamp())
        link = f"{self.site.origin}/doku.php?id={one.title.lower()}&rev={rev}&do=diff"
        return Entry(link=link, title=f"{one.title.lower()} - edited", published=one.made, author="Anonymous")


def _with_entry(answer: Answer, other: Answer) -> Answer:
    added = other.body[other.body.index(b"<entry>") : other.body.index(b"</feed>")]
    return replace(answer, body=answer.body.replace(b"</feed>", added + b"</feed>"))


class Town(NamedTuple):
    wikis: dict[str, Wiki]
    requests: dict[str, list[str]]
    runs: tuple[CrawlRun, ...]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    archive = tmp_path_factory.mktemp("wikis") / "archive"
    with Site("127.0.0.81") as one, Site("127.0.0.82") as other:
        wikis: dict[str, MediaWiki | DokuWiki] = {"mediawiki": MediaWiki(one), "dokuwiki": DokuWiki(other)}
        for hour in range(6):
            for wiki in wikis.values():
                wiki.edit(TITLES[hour % 3], f"Edited {hour + 1} times.", LAST_WEEK + timedelta(hours=hour))
        runs = [_run(archive, wikis, 0)]
        for wiki in wikis.values():
            wiki.site.forget()
            wiki.edit("Harbour", "The quay was repaired by nine engineers.", datetime.now(UTC))
            wiki.edit("Harbour", "The quay was repaired by ten engineers.", datetime.now(UTC))
        wikis["mediawiki"].gone.add("Fountain")
        runs.append(_run(archive, wikis, DAY))
        requests = {name: [request.target for request in wiki.site.requests] for name, wiki in wikis.items()}
        yield Town(dict(wikis), requests, tuple(runs))


def _run(archive: object, wikis: dict[str, MediaWiki | DokuWiki], offset: float) -> CrawlRun:
    for wiki in wikis.values():
        wiki.publish()
    # What is not announced is not looked at here.
    feeds = [wiki.site.url(wiki.feed) for wiki in wikis.values()]
    return crawl(archive, feeds, clock_offset=offset, RECHECK_SHARE=0)  # type: ignore[arg-type]


NAMES = pytest.mark.parametrize("name", ["mediawiki", "dokuwiki"])


def objects_of(town: Town, name: str) -> list[dict[str, object]]:
    origin = town.wikis[name].site.origin
    return [one for one in town.runs[-1].objects if str(one["url"]).startswith(origin)]


@NAMES
def test_each_page_is_an_article_and_no_difference_is(town: Town, name: str) -> None:
    assert [run.exit_code for run in town.runs] == [0, 0], town.runs
    made = sorted((one["title"], one["version"]) for one in objects_of(town, name))
    assert made == [("Fountain", 1), ("Harbour", 1), ("Harbour", 2), ("Library", 1)]
    assert not any("diff" in str(one["url"]) for one in objects_of(town, name))


@NAMES
def test_a_page_is_fetched_once_however_many_changes_are_announced(town: Town, name: str) -> None:
    of_pages = [one for one in town.requests[name] if "harbour" in one.lower() or "library" in one.lower()]
    assert len(of_pages) == 1, town.requests[name]
    assert "diff" not in of_pages[0]


@NAMES
def test_a_version_is_as_old_as_its_last_change(town: Town, name: str) -> None:
    first = [one for one in objects_of(town, name) if one["version"] == 1 and one["title"] == "Harbour"]
    assert first[0]["updated"] == f"{LAST_WEEK + timedelta(hours=3):%Y-%m-%dT%H:%M:%SZ}"
    for one in objects_of(town, name):
        assert (one["published"], one["authors"], one["summary"]) == (None, [], None)


@NAMES
def test_entries_keep_their_own_links(town: Town, name: str) -> None:
    channel = town.runs[-1].channel(town.wikis[name].site.url(town.wikis[name].feed))["id"]
    rows = town.runs[-1].rows("SELECT entry, pending FROM entries WHERE channel_id = ?", channel)
    linked = [row for row in rows if "diff" in str(row["entry"]) and "changed_page" in str(row["entry"])]
    assert len(linked) == {"mediawiki": 8, "dokuwiki": 4}[name]
    assert not any(row["pending"] for row in linked)


def test_a_page_that_was_deleted_is_looked_for_and_gets_no_version(town: Town) -> None:
    assert "/wiki/Fountain" in town.requests["mediawiki"]
    assert town.runs[-1].reports[-1]["errors"] == []
