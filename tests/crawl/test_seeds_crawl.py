"""Seeds files on the command line: what is polled because of them, and what no longer is."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import front_page, page, publish, rss, stories
from tests.crawl.running import DAY, ROOT, crawl, write_seeds
from tests.crawl.site import html, text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.running import Archived
    from tests.crawl.site import Site


def labels(archived: Archived) -> dict[str, list[str]]:
    return {url: json.loads(row["labels"]) for url, row in archived.channels().items()}


def test_seeds_come_from_text_opml_and_csv_and_importing_them_again_changes_nothing(
    archive: Path, site: Site
) -> None:
    plain, deep, flat, table = (
        site.add(f"/{name}.xml", rss([])) for name in ("plain", "deep", "flat", "table")
    )
    shared = site.add("/shared.xml", rss([]))
    files = {
        "a.txt": f"# Harbour\n\n{plain} label=Ships every=2h\n{shared} label=Text\n",
        "b.opml": '<?xml version="1.0"?><opml version="2.0"><body><outline text="World"><outline text="Sea">'
        f'<outline type="rss" text="Deep" xmlUrl="{deep}"/></outline></outline>'
        f'<outline type="rss" text="Flat" xmlUrl="{flat}"/></body></opml>',
        "c.csv": f'url,label,every\n{table},"Trade,Money",1d\n{shared},Table,\n',
    }
    for name, content in files.items():
        (archive.parent / name).write_text(content)
    paths = [archive.parent / name for name in files]
    first = crawl(archive, ",".join(str(path) for path in paths))
    assert first.exit_code == 0
    assert first.report["polls"] == {"unchanged": 5}
    assert labels(first) == {
        plain: ["Ships"],
        deep: ["World", "Sea"],
        flat: [],
        table: ["Trade", "Money"],
        shared: ["Text", "Table"],
    }
    every = {url: row["every"] for url, row in first.channels().items()}
    assert every == {plain: 7200.0, deep: None, flat: None, table: 86400.0, shared: None}

    # The same files by other names for them, from a folder of the project: nothing is due, nothing is new.
    folder = ROOT / "tests" / "crawl"
    site.forget()
    relative = ",".join(os.path.relpath(path, folder) for path in paths)
    second = crawl(archive, relative, folder=folder, ARCHIVE_DIR=os.path.relpath(archive, folder))
    assert second.exit_code == 0
    assert second.report["polls"] == {}
    assert [tuple(row) for row in second.channels().values()] == [
        tuple(row) for row in first.channels().values()
    ]
    assert site.requests == []

    # One file alone polls what it lists and leaves the rest alone; what it no longer lists, another does.
    paths[2].write_text(f"url\n{table}\n")
    third = crawl(archive, paths[2], clock_offset=2 * DAY)
    assert site.paths == ["/table.xml"]
    assert {row["status"] for row in third.channels().values()} == {"active"}
    assert labels(third)[table] == []


def test_a_seed_that_is_removed_is_no_longer_polled_and_keeps_its_history(archive: Path, site: Site) -> None:
    told = stories(2)
    kept, dropped = site.add("/kept.xml", rss([])), publish(site, told, "/dropped.xml")
    crawl(archive, [kept, dropped])
    site.forget()
    second = crawl(archive, [kept], clock_offset=DAY)
    assert site.paths == ["/kept.xml"]
    assert second.channel(dropped)["status"] == "unlisted"
    assert len(second.objects) == len(second.rows("SELECT id FROM entries")) == 2
    # Named again, it goes on where it was.
    third = crawl(archive, [kept, dropped], clock_offset=2 * DAY)
    assert third.channel(dropped)["status"] == "active"
    assert third.channel(dropped)["outcome"] == "unchanged"
    assert len(third.objects) == 2


def test_a_bad_line_is_named_and_the_good_ones_are_crawled(archive: Path, site: Site) -> None:
    good = site.add("/good.xml", rss([]))
    lines = [
        good,
        "ftp://files.invalid/feed.xml",
        f"{site.url('/other.xml')} evry=2h",
        "user:secret@host.invalid",
    ]
    run = crawl(archive, lines)
    assert run.exit_code == 1
    assert site.paths == ["/good.xml"]
    said = run.stdout + run.stderr
    for number in (2, 3, 4):
        assert f"seeds.txt:{number}: " in said
    assert [problem.partition(": ")[0] for problem in run.report["seed_problems"]] == [
        f"seeds.txt:{number}" for number in (2, 3, 4)
    ]
    assert "secret" not in said + json.dumps(run.report)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(None, "does not exist", id="missing"),
        pytest.param("# nothing yet\n\n", "holds no seeds", id="empty"),
        pytest.param("<opml><body>", "broken XML", id="broken"),
    ],
)
def test_a_file_that_cannot_be_used_stops_the_run_before_anything_is_fetched(
    archive: Path, site: Site, content: str | None, reason: str
) -> None:
    good = write_seeds(archive, [site.add("/feed.xml", rss([]))])
    bad = archive.parent / "bad.txt"
    if content is not None:
        bad.write_text(content)
    run = crawl(archive, f"{good},{bad}")
    assert run.exit_code == 1
    assert site.connections == 0
    assert reason in run.stderr
    assert "bad.txt" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_file_that_was_emptied_drops_nothing_until_a_person_says_so(archive: Path, site: Site) -> None:
    feeds = [site.add(f"/{name}.xml", rss([])) for name in ("one", "two")]
    seeds = write_seeds(archive, feeds)
    crawl(archive, seeds)
    seeds.write_text("# nothing left\n")
    site.forget()
    emptied = crawl(archive, seeds, clock_offset=DAY)
    assert emptied.exit_code == 1
    assert sorted(site.paths) == ["/one.xml", "/two.xml"]
    assert "ERROR: 2 of 2 channels are missing from the seeds in " in emptied.stdout
    meant = crawl(archive, seeds, clock_offset=2 * DAY, arguments={"drop": "1"})
    assert meant.exit_code == 0
    assert {row["status"] for row in meant.channels().values()} == {"unlisted"}
    # From then on there is nothing that it could have lost.
    again = crawl(archive, seeds, clock_offset=3 * DAY)
    assert again.exit_code == 1
    assert "holds no seeds" in again.stderr


def test_feeds_are_discovered_on_sites_and_guessed_only_where_none_is_named(
    archive: Path, make_site: Callable[[str], Site]
) -> None:
    names, hides, lacks, leads, shuts = (make_site(f"127.0.0.{number}") for number in (11, 12, 13, 14, 15))
    told = stories(4)
    publish(names, told[:1], "/news/feed.xml")
    front = names.add("/news/", front_page(["feed.xml", "/second.xml"]))
    names.add("/second.xml", rss([]))
    # Never asked for: the page names its feeds.
    names.add("/rss.xml", rss([]))
    hides.add("/", front_page())
    publish(hides, told[1:2], "/feed.xml")
    lacks.add("/", page("A page", ["With no feed anywhere."]))
    # As Trac has it: the page of what is new names a feed, the front page does not.
    elsewhere = f'<a href="{lacks.url("/journal")}">Journal</a>'
    leads.add("/", html(f'<body>{elsewhere}<a href="/blog">Blog</a><a href="/timeline">Timeline</a></body>'))
    leads.add("/blog", html('<body><a href="/blog/2">Older</a><a href="/blog/news">News</a></body>'))
    leads.add("/timeline", front_page(["/changes.atom"]))
    publish(leads, told[2:3], "/changes.atom")
    # The first link may not be followed, and the second one is a feed itself.
    shuts.add("/robots.txt", text("User-agent: *\nDisallow: /syndication\n"))
    shuts.add("/", html('<body><a href="/syndication">RSS</a><a href="/everything">News</a></body>'))
    publish(shuts, told[3:], "/everything")
    sites = [front, hides.url("/"), lacks.url("/"), leads.url("/"), shuts.url("/")]

    run = crawl(archive, [f"{front} label=News every=3h", *sites[1:]])
    channels = run.channels()
    assert {channels[url]["kind"] for url in (*sites[:2], *sites[3:])} == {"site"}
    assert channels[sites[2]]["outcome"] == "not_a_feed"
    # One hop, on the same site, and only after the well-known addresses.
    asked = [path for path in leads.paths if path not in {"/robots.txt", told[2].path}]
    assert (asked[0], asked[-3:]) == ("/", ["/blog", "/timeline", "/changes.atom"])
    assert "/journal" not in lacks.paths
    assert "/syndication" not in shuts.paths
    assert {note for note in run.report["notes"] if "found on" in note} == {
        f"{site} names no feed itself; found on {where}: {feed}"
        for site, where, feed in (
            (sites[3], leads.url("/timeline"), leads.url("/changes.atom")),
            (sites[4], shuts.url("/everything"), shuts.url("/everything")),
        )
    }
    found = {url: row for url, row in channels.items() if url not in sites}
    assert set(found) == {
        names.url("/news/feed.xml"),
        names.url("/second.xml"),
        hides.url("/feed.xml"),
        leads.url("/changes.atom"),
        shuts.url("/everything"),
    }
    assert {row["outcome"] for row in found.values()} == {"new", "unchanged"}
    assert len(run.objects) == 4
    assert "/rss.xml" not in names.paths
    assert run.report["channels_found"] == 5
    # What a site's seed says holds for its feeds.
    feed = found[names.url("/news/feed.xml")]
    assert (json.loads(feed["labels"]), feed["every"]) == (["News"], 3 * 3600.0)

    # A day later the feeds are polled, not the sites; without the site, its feeds are not polled either.
    for host in (names, hides, lacks):
        host.forget()
    later = crawl(archive, sites[1:], clock_offset=DAY)
    assert names.paths == []
    assert hides.paths == ["/feed.xml"]
    assert later.channel(names.url("/second.xml"))["status"] == "unlisted"
    assert len(later.channels()) == len(channels)
