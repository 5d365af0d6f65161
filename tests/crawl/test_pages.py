"""What becomes of the pages that entries announce."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import Entry, atom, page, prose, publish, rss, stories, story
from tests.crawl.running import DAY, crawl
from tests.crawl.site import Answer, html, redirect, status, text, unavailable

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.documents import Story
    from tests.crawl.running import Archived
    from tests.crawl.site import Site

MINUTE = 60
HOUR = 3600


def titles(archived: Archived) -> list[str]:
    return sorted(one["title"] for one in archived.objects)


def test_a_page_is_fetched_once_whoever_announces_it(archive: Path, site: Site) -> None:
    shared, other = story(1), story(2)
    for one in (shared, other):
        site.add(one.path, one.page)
    tracked = replace(shared.entry, link=f"{shared.path}?utm_source=feed&utm_medium=rss#top", id="tracked")
    feeds = [
        site.add("/a.xml", rss([shared.entry, other.entry])),
        # Later than the first, whose address is the one that is asked for.
        site.add("/b.xml", atom([tracked]).but(delay=0.5)),
        # Two entries of one feed may share a link as well.
        site.add("/c.xml", rss([replace(shared.entry, id="one"), replace(shared.entry, id="two")])),
    ]
    first = crawl(archive, feeds)
    assert sorted(site.paths) == ["/a.xml", "/b.xml", "/c.xml", shared.path, other.path]
    assert titles(first) == sorted([shared.title, other.title])
    assert first.pending() == 0

    site.forget()
    late = site.add("/late.xml", rss([replace(shared.entry, id="late")]))
    second = crawl(archive, [*feeds, late], clock_offset=DAY)
    assert "/late.xml" in site.paths
    assert not site.to(shared.path)
    assert len(second.objects) == 2
    assert second.pending() == 0


def test_a_page_that_cannot_be_had_ends_in_the_way_its_answer_says(archive: Path, site: Site) -> None:
    endings = {
        story(1, "/plain"): (Answer(), "empty"),
        story(2, "/pdf"): (
            Answer(headers=(("Content-Type", "application/pdf"),), body=b"%PDF-1.7 x"),
            "not_html",
        ),
        story(3, "/members"): (status(401), "refused"),
        story(4, "/forbidden"): (status(403), "refused"),
        story(5, "/removed"): (status(451), "refused"),
        story(6, "/gone"): (status(410), "gone"),
        story(7, "/private/a"): (Answer(body=b"never"), "refused"),
        story(8, "/elsewhere"): (html("<p>Nothing that was announced.</p>"), "not_article"),
    }
    site.add("/robots.txt", text("User-agent: *\nDisallow: /private/\n"))
    for one, (answer, _) in endings.items():
        site.add(one.path, answer)
    # The same once more, but the feed carries what the pages refuse.
    carried = [story(20 + number, f"{one.path}-full") for number, one in enumerate(endings)]
    for bare, full in zip(endings, carried, strict=True):
        site.add(full.path, endings[bare][0])
    entries = [one.entry for one in endings] + [replace(one.entry, content=one.content) for one in carried]
    nowhere = [
        Entry(id="no-link", title="No link"),
        Entry(id="file", title="A file", link="file:///etc/passwd"),
        Entry(id="mail", title="A letter", link="mailto:editor@harbour.invalid"),
    ]
    feed = site.add("/feed.xml", rss([*entries, *nowhere]))

    # With one try, so that nothing is asked for again after days.
    run = crawl(archive, [feed], PAGE_TRIES=1)
    assert run.exit_code == 0
    assert run.pending() == 0
    outcomes = run.outcomes()
    assert {one.path: outcomes[site.url(one.path)] for one in endings} == {
        one.path: outcome for one, (_, outcome) in endings.items()
    }
    assert not site.to("/private/a")
    alone = run.rows("SELECT key, outcome FROM entries WHERE page_id IS NULL ORDER BY key")
    assert [tuple(row) for row in alone] == [("file", "no_link"), ("mail", "no_link"), ("no-link", "no_link")]
    assert_made_from_the_feed(
        run, feed, [one for one in carried if one.path not in {"/pdf-full", "/elsewhere-full"}]
    )


def assert_made_from_the_feed(run: Archived, feed: str, told: list[Story]) -> None:
    """Each of these has an object made from the feed's words, which points at the feed's record."""
    (record,) = run.responses(feed)
    made = {one["title"]: one for one in run.objects if one["method"] == "feed"}
    assert sorted(made) == sorted(one.title for one in told)
    for one in told:
        found = made[one.title]
        assert [found["warc"][name] for name in ("file", "offset", "record_id", "capture_id")] == [
            record.file,
            record.offset,
            record.id,
            record.id,
        ]
        assert found["text"].split("\n\n") == list(one.paragraphs)
        assert found["text"].split("\n\n")[0].encode() in record.payload


def test_a_page_that_fails_is_tried_again_until_it_answers_or_is_given_up(archive: Path, site: Site) -> None:
    told = {
        story(1, "/late"): [status(404), story(1).page],
        story(2, "/never"): [status(404)],
        story(3, "/broken"): [status(500)],
        story(4, "/reset"): [Answer(reset=True)],
        story(5, "/cut"): [story(5).page.but(cut=200), story(5).page],
        story(6, "/busy"): [unavailable("7200"), story(6).page],
        story(7, "/round"): [redirect("/round")],
    }
    full = story(8, "/broken-full")
    site.add(full.path, status(500))
    for one, answers in told.items():
        site.add(one.path, *answers)
    entries = [one.entry for one in told] + [replace(full.entry, content=full.content)]
    feed = site.add("/feed.xml", rss(entries))
    limits = {"PAGE_TRIES": 3, "PAGE_FIRST_WAIT": "1m", "PAGE_LONGEST_WAIT": "10m"}

    first = crawl(archive, [feed], **limits)
    assert first.exit_code == 0
    assert titles(first) == []
    assert first.pending() == len(entries)
    failures = {
        "not_found": 2,
        "server_error": 2,
        "connection": 1,
        "truncated": 1,
        "unavailable": 1,
        "redirects": 1,
    }
    assert first.report["page_failures"] == failures

    second = crawl(archive, [feed], clock_offset=2 * MINUTE, **limits)
    assert titles(second) == sorted([story(1).title, story(5).title])
    # The server asked for two hours.
    assert len(site.to("/busy")) == 1

    # The wait has grown.
    (wait,) = second.rows("SELECT next_try FROM pages WHERE url = ?", site.url("/broken"))
    assert wait["next_try"] / 1e6 > time.time() + 5 * MINUTE

    third = crawl(archive, [feed], clock_offset=DAY, **limits)
    assert third.pending() == 0
    outcomes = {url.removeprefix(site.origin): outcome for url, outcome in third.outcomes().items()}
    assert outcomes == {
        "/late": "stored",
        "/never": "gone",
        "/broken": "given_up",
        "/reset": "given_up",
        "/cut": "stored",
        "/busy": "stored",
        "/round": "given_up",
        "/broken-full": "stored",
    }
    assert len(site.to("/broken")) == 3
    assert [one["title"] for one in third.objects if one["method"] == "feed"] == [full.title]


def test_redirects_are_followed_and_the_article_is_known_by_where_it_is(
    archive: Path, site: Site, neighbour: Site
) -> None:
    one = story(1)
    final = neighbour.add("/final.html", one.page)
    site.add("/short", redirect("/longer", 301))
    site.add("/longer", redirect(final, 302))
    site.add("/other-short", redirect(final, 307))
    feed = site.add("/feed.xml", rss([replace(one.entry, link=p, id=p) for p in ("/short", "/other-short")]))
    run = crawl(archive, [feed])
    assert [record.status for record in run.responses(site.url("/short"))] == [301]
    (made,) = run.objects
    assert made["url"] == final
    assert run.outcomes() == {site.url("/short"): "stored", site.url("/other-short"): "unchanged"}


def test_a_changed_entry_asks_for_its_page_again_and_only_a_changed_article_is_a_version(
    archive: Path, site: Site
) -> None:
    edited, touched, quiet, renamed, retitled = told = stories(5)
    feed = publish(site, told)
    first = crawl(archive, [feed])
    assert [one["version"] for one in first.objects] == [1] * 5
    assert {tuple(one["change"]["kinds"]) for one in first.objects} == {("new",)}

    new_words = (*edited.paragraphs[:2], *prose(99, 2))
    site.add(edited.path, page(edited.title, new_words))
    site.add(quiet.path, page(quiet.title, prose(98)))
    site.add(retitled.path, page("A better title", retitled.paragraphs))
    entries = [
        replace(edited.entry, summary=f"Corrected: {edited.paragraphs[0]}"),
        replace(touched.entry, title=f"{touched.title}, updated"),
        quiet.entry,
        # Another id, the same link: the same entry.
        replace(renamed.entry, id="tag:another-scheme"),
        replace(retitled.entry, title="A better title"),
    ]
    site.add("/feed.xml", rss(entries))
    site.forget()
    second = crawl(archive, [feed], clock_offset=DAY)
    # What the feed did not announce anew is not asked for.
    assert sorted(site.paths) == sorted(["/feed.xml", edited.path, touched.path, retitled.path])
    assert (second.report["entries_new"], second.report["entries_changed"]) == (0, 3)
    assert second.report["outcomes"] == {"stored": 2, "unchanged": 1}
    later = {one["url"].removeprefix(site.origin): one for one in second.objects if one["version"] == 2}
    assert set(later) == {edited.path, retitled.path}
    assert later[edited.path]["change"]["kinds"] == ["text"]
    assert "title" in later[retitled.path]["change"]["kinds"]
    before = {one["id"]: one for one in second.objects if one["version"] == 1}
    for one in later.values():
        assert one["first_seen"] == before[one["id"]]["first_seen"]
        assert one["captured"] > before[one["id"]]["captured"]
    assert len(second.rows("SELECT id FROM entries")) == 5

    # Back to an earlier text is a version of its own; back to an earlier id is nothing.
    site.add(edited.path, edited.page)
    site.add("/feed.xml", rss([edited.entry, *entries[1:3], renamed.entry, entries[4]]))
    third = crawl(archive, [feed], clock_offset=2 * DAY)
    assert len(third.objects) == 8
    versions = [one for one in third.objects if one["url"] == site.url(edited.path)]
    assert [one["version"] for one in versions] == [1, 2, 3]
    assert versions[0]["digest"] == versions[2]["digest"] != versions[1]["digest"]


def test_a_capped_first_poll_goes_on_next_time(archive: Path, site: Site) -> None:
    told = stories(7)
    feed = publish(site, told)
    first = crawl(archive, [feed], MAX_PAGES_PER_CHANNEL=3)
    # In the feed's own order: the newest are what readers see first.
    assert titles(first) == sorted(one.title for one in told[:3])
    assert first.pending() == 4
    fresh = story(50)
    publish(site, [fresh, *told])
    second = crawl(archive, [feed], clock_offset=HOUR, MAX_PAGES_PER_CHANNEL=3)
    assert titles(second) == sorted(one.title for one in [*told[:6], fresh])
    third = crawl(archive, [feed], clock_offset=2 * HOUR, MAX_PAGES_PER_CHANNEL=3)
    assert titles(third) == sorted(one.title for one in [*told, fresh])
    assert all(len(site.to(one.path)) == 1 for one in told)


@pytest.mark.zoo
def test_a_time_limit_leaves_nothing_out_and_pending_pages_come_first(archive: Path, site: Site) -> None:
    told = stories(30)
    feeds = [publish(site, told), *(site.add(f"/{n}.xml", rss([]).but(delay=0.3)) for n in range(4))]
    for one in told:
        site.add(one.path, one.page.but(delay=0.3))
    # Until it answers everything waits, in the order in which it was handed out.
    site.add("/robots.txt", status(404).but(delay=0.5))
    # A delay, however short: without any, Scrapy 2.19 sends whatever it has at once.
    limits = {"CLOSESPIDER_TIMEOUT": 2, "DOWNLOAD_DELAY": 0.01}
    first = crawl(archive, feeds, **limits)
    assert first.exit_code == 0
    assert first.report["reason"] == "closespider_timeout"
    assert first.pending() + len(first.objects) == len(told)
    assert first.pending() > 4

    site.forget()
    second = crawl(archive, feeds, clock_offset=DAY, **limits)
    assert site.paths
    assert not [path for path in site.paths[:4] if path.endswith(".xml")], "feeds were asked for before pages"
    assert second.report["pages_fetched"] > 0
    third = crawl(archive, feeds, clock_offset=2 * DAY)
    assert third.pending() == 0
    assert titles(third) == sorted(one.title for one in told)
    assert {len(site.to(one.path)) for one in told} <= {0, 1}


def test_dates_and_names_come_from_whoever_knows_them_best(archive: Path, site: Site) -> None:
    one = story(1)
    site.add(one.path, one.page)
    entry = replace(
        one.entry, author="Bo Nib", updated=datetime(2026, 3, 4, 12, 0, tzinfo=UTC), title="The feed's title"
    )
    run = crawl(archive, [site.add("/feed.xml", atom([entry], title="Gazette"))])
    (made,) = run.objects
    assert made["title"] == one.title
    assert made["authors"] == ["Bo Nib"]
    assert made["published"] == "2026-03-02T08:30:00Z"
    assert made["updated"] == "2026-03-04T12:00:00Z"
    assert (made["channel"], made["channel_title"]) == (site.url("/feed.xml"), "Gazette")
    assert made["entry_id"] == entry.id
    assert made["language"] == "en"
    text = made["text"]
    assert all(paragraph in text for paragraph in one.paragraphs)
    for boilerplate in ("First!", "Most read", "All rights reserved", "Sport"):
        assert boilerplate not in text
