"""What crawls have learned is used: by crawls of other sites of the template, and by later ones."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import insert

from archiver.acquisition.sites.learning.labels import AGAIN, LinkLabel
from archiver.acquisition.sites.learning.pattern_files import (
    FilePattern,
    PatternFile,
    PatternOrigin,
    believed_of,
    write_patterns,
)
from archiver.acquisition.sites.learning.told import learned_patterns
from archiver.acquisition.sites.model import SITES, Strategy
from archiver.store.schema import scopes, visits, wrappers
from archiver.store.whole_sites.choosing import SiteWish, choose_sites
from archiver.store.whole_sites.label_book import labels_of_site, make_label
from archiver.store.whole_sites.label_notes import label_notes, wrappers_by_shape
from tests.sites.computed.site import ComputedSite
from tests.sites.walking import NOW, walk
from tests.store.test_wrappers import wrapper

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.acquisition.sites.learning.told import LearnedPattern
    from archiver.store.database import Database

URL = "http://b.example/"
LEARNED = SiteWish(strategy=Strategy.LEARNED)
FILE = """
format: 1
site: http://a.example/
learned: {on: now, requests: 1}
patterns:
- {path: (/nav/a /page/#)+ (/h2/a /#/*), role: content, gain: 90, example: "http://a.example/7/some-post?x=1"}
- {path: (/nav/a /page/#)+, role: list, gain: 80, state: sleeping}
- {path: (/nav/a /page/#)+ (/p/a /tag/w), role: aside, gain: 0, state: sleeping}
"""


def _begun(connection: Connection, text: str) -> int:
    wish = SiteWish(strategy=Strategy.LEARNED, believed=believed_of(text.encode(), "f.yaml"))
    return choose_sites(connection, [URL], wish, NOW, NOW).sites[0].id


def test_a_site_begins_with_what_a_file_says_and_keeps_what_it_knows(database: Database) -> None:
    number = database.run(_begun, FILE)
    rows = {LinkLabel(row.path, row.shape): row for row in database.run(labels_of_site, number)}
    item, pager = rows[LinkLabel("/h2/a", "#/*")], rows[LinkLabel("/nav/a", "page/#")]
    tag = rows[LinkLabel("/p/a", "tag/w")]
    assert (item.gains, item.fetched, item.paid, item.source_id) == ((90.0,), 0, 0, pager.id)
    assert item.example == f"{URL}7/some-post?x=1"
    assert (pager.gains, pager.series, pager.source_id) == ((80.0,), 1, None)
    assert not any(tag.gains)
    told = {
        one.pattern.steps[-1].path: (one.role, one.state)
        for one in learned_patterns(database.run(label_notes, number))
    }
    assert told == {
        "/h2/a": ("unknown", "expected"),
        "/nav/a": ("unknown", "expected"),
        "/p/a": ("unknown", "sleeping"),
    }
    database.run(_begun, FILE.replace("90", "10"))
    assert database.run(labels_of_site, number) == list(rows.values())


def test_what_was_learned_is_known_after_a_later_crawl(database: Database, tmp_path: Path) -> None:
    walked = walk(database, tmp_path, ComputedSite("blog", 1, 20), wish=LEARNED)
    before = _gains(database, walked.site_id)
    grown = ComputedSite("blog", 1, 20, grown=4)
    later = NOW + timedelta(days=7)
    again = walk(database, tmp_path, grown, wish=SiteWish(again="new"), at=later)
    assert again.site_id == walked.site_id
    assert walked.content | again.content >= grown.truth.content
    after = _gains(database, walked.site_id)
    items, lists = "/h2.card-title/a /#/#/*)", "/a.page-link /?page)+"
    main = {step for step in before if step[0].endswith((items, lists))}
    assert {role for _, role in main} == {"content", "list"}
    assert all(after.get(step, 0) > before[step] / 2 for step in main), "as when they were first followed"


def _gains(database: Database, number: int) -> dict[tuple[str, str], float]:
    """What patterns brought, by their last steps and what they lead to."""
    found = learned_patterns(database.run(label_notes, number))
    return {(str(one.pattern.steps[-1]), one.role): one.gain for one in found if one.gain}


def test_what_was_looked_at_again_counts_for_the_label_it_was_found_by(database: Database) -> None:
    number = database.run(_begun, FILE)

    def visited(connection: Connection) -> None:
        rows = {row.shape: row.id for row in labels_of_site(connection, number)}
        again = make_label(connection, number, LinkLabel(AGAIN, "page/#"), f"{URL}page/2")
        for name, via, label in (("page/2", "", again), ("7/a", "page/2", rows["#/*"])):
            values = {
                "site_id": number,
                "key": name,
                "url": URL + name,
                "host": "b.example",
                "via": URL + via,
            }
            values |= {"action": "link", "reading": "page", "level": "", "is_further": False, "depth": 1}
            values |= {"rank": 3, "state": "settled", "next_try": NOW, "label_id": label}
            connection.execute(insert(visits).values(**values))

    database.run(visited)
    notes = {one.record.shape: one for one in database.run(label_notes, number)}
    assert set(notes) == {"#/*", "page/#", "tag/w"}
    assert notes["page/#"].led == {notes["#/*"].record.id: 1}
    assert notes["#/*"].example == f"{URL}7/a"


KEPT = [(-1, "few", 2, None), (-1, "most", 9, None), (-1, "old", 99, NOW), (-3, "other", 100, None)]


def test_the_wrapper_of_a_kind_of_pages_is_the_one_that_served_most(database: Database) -> None:
    def kept(connection: Connection) -> None:
        names = {-1: f"{URL} #/*", -2: f"{URL} page/#", -3: "http://b.example/x/ #/*"}
        rows = [{"id": number, "source": SITES, "name": name} for number, name in names.items()]
        connection.execute(insert(scopes), rows)
        for number, name, pages, outdated in KEPT:
            values = {"scope_id": number, "id": name, "extractor": "x", "wrapper": wrapper(name)}
            values |= {"learned": NOW, "pages": pages, "outdated": outdated}
            connection.execute(insert(wrappers).values(**values))

    database.run(kept)
    assert database.run(wrappers_by_shape, URL) == {"#/*": "most"}


def _crawled(database: Database, folder: Path, site: ComputedSite, text: str = "") -> int:
    """How many requests a crawl makes beyond what is needed for all of the content."""
    believed = believed_of(text.encode(), "f.yaml") if text else ()
    walked = walk(database, folder, site, wish=SiteWish(strategy=Strategy.LEARNED, believed=believed))
    truth = site.truth
    assert walked.content >= truth.content
    return walked.requests - truth.ideal


def _in_file(one: LearnedPattern) -> FilePattern:
    role, state = one.role.value, one.state.value
    return FilePattern(path=one.pattern, role=role, gain=one.gain, state=state, example=one.example)


@pytest.mark.zoo
def test_what_one_site_taught_halves_the_exploration_of_another(database: Database, tmp_path: Path) -> None:
    _crawled(database, tmp_path, ComputedSite("forum", 2, 60))
    found = learned_patterns(database.run(label_notes, 1))
    patterns = tuple(_in_file(one) for one in found if one.pages)
    origin = PatternOrigin(on="now", requests=1)
    text, _ = write_patterns(PatternFile(format=1, site=URL, learned=origin, patterns=patterns))
    without = _crawled(database, tmp_path, ComputedSite("forum", 2, 80, host="127.0.0.2"))
    with_them = _crawled(database, tmp_path, ComputedSite("forum", 2, 80, host="127.0.0.3"), text)
    assert 0 <= with_them <= without / 2
