"""Generated sites with every kind of trap are crawled to their end: all content, hardly any trap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.store.whole_sites.families import skipped_of
from archiver.store.whole_sites.sites import site_by_id
from tests.sites.generated import KINDS, Answer, GeneratedSite, generated_sites
from tests.sites.walking import walk

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.store.database import Database

# Traps that are fallen into before they are known: no more of them on a larger site.
MOST_TRAPS = 60


def _check(database: Database, folder: Path, site: GeneratedSite) -> None:
    walked = walk(database, folder, site, most=20 * len(site.items) + 500)
    assert database.run(site_by_id, walked.site_id).state == "done", "the crawl ends by itself"
    assert walked.content == site.content
    assert walked.traps.total() <= MOST_TRAPS, walked.traps
    assert len(walked.targets) == len(set(walked.targets))
    skipped = database.run(skipped_of, walked.site_id)
    assert {one.reason for one in skipped} >= {"nothing_new", "too_long", "host_in_path"}
    assert all(1 <= len(one.examples) <= 3 for one in skipped)


def test_a_site_with_every_trap_is_crawled_to_its_end(database: Database, tmp_path: Path) -> None:
    _check(database, tmp_path, GeneratedSite("blog", 3, items=25))


def test_near_duplicates_that_come_first_do_not_hide_the_pages_behind(
    database: Database, tmp_path: Path
) -> None:
    """Fast views of the first threads are linked to from elsewhere: these threads have nothing new then."""
    _check(database, tmp_path, GeneratedSite("forum", 1013, items=30))


@pytest.mark.zoo
@pytest.mark.parametrize("site", generated_sites(150), ids=lambda site: site.name)
def test_every_kind_of_site_with_every_trap(site: GeneratedSite, database: Database, tmp_path: Path) -> None:
    _check(database, tmp_path, site)


class _LongList(GeneratedSite):
    """Five hundred pages of a list, each with one item: the only way to them."""

    def _answer(self, target: str) -> Answer:
        if target in self._by_path:
            item = self._by_path[target]
            text = "".join(f"<p>{one}</p>" for one in item.paragraphs)
            return Answer(body=f"<html><body><h1>{item.title}</h1>{text}</body></html>", content=item.path)
        number = 1 if target == "/" else int(target.removeprefix("/list?page="))
        if number > len(self.items):
            return Answer(body="<html><body><p>There is nothing more.</p></body></html>", is_trap=True)
        item = self.items[number - 1]
        following = f'<a href="/list?page={number + 1}">Next</a>'
        return Answer(
            body=f'<html><body><h2><a href="{item.path}">{item.title}</a></h2>{following}</body></html>'
        )


@pytest.mark.zoo
@pytest.mark.parametrize("kind", KINDS)
def test_five_hundred_pages_of_a_list_are_followed_to_its_end(
    kind: str, database: Database, tmp_path: Path
) -> None:
    site = _LongList(kind, 1, items=500)
    site.events = []
    walked = walk(database, tmp_path, site)
    assert walked.content == site.content
    assert walked.traps.total() <= 1
