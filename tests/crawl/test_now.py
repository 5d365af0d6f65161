"""Polls by hand, seeds files that lost lines, and alarms that are true: as an operator meets them."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import publish, rss, stories
from tests.crawl.running import DAY, Archived, crawl, finish, start_crawl, write_seeds
from tests.crawl.site import Answer, conditional, status, text, unavailable
from tests.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere
    from tests.crawl.site import Site


def add_feeds(site: Site, count: int) -> list[str]:
    return [site.add(f"/{number}.xml", rss([])) for number in range(count)]


def test_a_seeds_file_that_lost_most_of_its_lines_ends_no_collection(archive: Path, site: Site) -> None:
    feeds = add_feeds(site, 10)
    crawl(archive, feeds)
    # A few are dropped, and said to be.
    few = crawl(archive, feeds[:8])
    assert few.exit_code == 0
    assert few.report["channels_dropped"] == feeds[8:]
    (note,) = [note for note in few.report["notes"] if "no longer polled" in note]
    assert note.startswith("2 channels are no longer polled")
    assert all(url in note for url in feeds[8:])
    assert note in few.stdout

    site.forget()
    lost = crawl(archive, feeds[:1], clock_offset=DAY)
    assert lost.exit_code == 1
    assert sorted(site.paths) == [f"/{number}.xml" for number in range(8)]
    (error,) = lost.report["errors"]
    assert error.startswith("7 of 8 channels are missing from the seeds in ")
    assert "-a drop=1" in error
    assert error in lost.stdout
    assert lost.report["channels_dropped"] == []

    site.forget()
    meant = crawl(archive, feeds[:1], clock_offset=2 * DAY, arguments={"drop": "1"})
    assert meant.exit_code == 0
    assert site.paths == ["/0.xml"]
    assert meant.report["channels_dropped"] == feeds[1:8]


@pytest.mark.zoo
def test_a_seeds_file_that_was_renamed_is_the_same_file(archive: Path, site: Site) -> None:
    feeds = add_feeds(site, 3)
    old = write_seeds(archive, feeds, "old.txt")
    crawl(archive, old)
    new = old.rename(archive.parent / "new.txt")
    run = crawl(archive, new)
    assert run.exit_code == 0
    assert f"{new} is taken for {old}, which is no longer there" in run.stdout
    assert {row["source"] for row in run.rows("SELECT source FROM listings")} == {str(new)}


def test_polls_by_hand_come_before_their_time_and_never_before_retry_after(
    archive: Path, site: Site, run_here: RunHere
) -> None:
    feed = site.add("/feed.xml", conditional(rss([]).but(("ETag", '"1"'))))
    busy = site.add("/busy.xml", unavailable("3000"))
    broken, gone = site.add("/broken.xml", status(500)), site.add("/gone.xml", status(410))
    seeds = [f"{feed} label=News", busy, broken, gone]
    settings = {"FAILING_SHARE": 1}
    crawl(archive, seeds, **settings)

    site.forget()
    nothing = crawl(archive, seeds, **settings)
    assert nothing.exit_code == 0
    (note,) = [note for note in nothing.report["notes"] if note.startswith("No channel was due")]
    assert f"; next: {feed} in " in note
    assert " minutes (every 1 h, as for every channel)" in note
    assert note in nothing.stdout

    failing = crawl(archive, seeds, arguments={"now": "failing"}, **settings)
    assert site.paths == ["/broken.xml"]
    assert f"{busy}, its server asked for rest (Retry-After); due in " in failing.stdout
    assert f"{gone}, it is retired" in failing.stdout

    site.forget()
    crawl(archive, seeds, arguments={"now": "1"}, **settings)
    assert sorted(site.paths) == ["/broken.xml", "/feed.xml"]
    # Politely: a conditional request.
    assert site.to("/feed.xml")[0].header("If-None-Match") == '"1"'
    site.forget()
    told = run_here("channels", archive, "poll", "News", busy, gone)
    assert told.exit_code == 1
    assert "1 channel is due now" in told.text
    assert f"{busy}, its server asked for rest" in told.text
    assert f"{gone} is retired and not polled" in told.told
    assert (
        "No channel and no label is called Weather" in run_here("channels", archive, "poll", "Weather").told
    )
    assert run_here("channels", archive, "poll").exit_code == 2
    assert run_here("channels", archive, "poll", "--failing").exit_code == 0
    crawl(archive, seeds, **settings)
    assert sorted(site.paths) == ["/broken.xml", "/feed.xml"]


@pytest.mark.zoo
def test_robots_are_obeyed_by_polls_by_hand(archive: Path, site: Site) -> None:
    feed = site.add("/feed.xml", rss([]))
    site.add("/robots.txt", text("User-agent: *\nDisallow: /feed.xml\n"))
    for arguments in ({}, {"now": "1"}):
        run = crawl(archive, [feed], arguments=arguments, FAILING_SHARE=1)
        assert run.report["polls"] == {"robots": 1}
    assert site.paths == []


@pytest.mark.zoo
def test_what_failed_for_a_setting_is_polled_when_the_setting_has_changed(archive: Path, site: Site) -> None:
    feed = publish(site, stories(1))
    refused = crawl(archive, [feed], ALLOW_PRIVATE_ADDRESSES=False)
    assert refused.report["polls"] == {"address": 1}
    again = crawl(archive, [feed], ALLOW_PRIVATE_ADDRESSES=False)
    assert again.report["polls"] == {}
    allowed = crawl(archive, [feed])
    assert allowed.report["polls"] == {"new": 1}
    assert "A setting that may have made them fail has changed" in allowed.stdout


def test_a_watch_ends_well_when_it_is_told_to(archive: Path, site: Site) -> None:
    feed, dead = site.add("/feed.xml", rss([])), site.add("/dead.xml", status(500))
    watching = start_crawl(archive, [dead, "not-a-url", feed], arguments={"watch": "1"}, FAILING_SHARE=0.1)
    wait_until(lambda: site.to("/dead.xml") and site.to("/feed.xml"))
    wait_until(lambda: len(Archived(archive).rows("SELECT id FROM channels WHERE polls = 1")) == 2)
    watching.send_signal(signal.SIGTERM)
    stopped = finish(watching, archive)
    assert stopped.exit_code == stopped.report["exit_code"] == 0
    assert stopped.report["reason"] == "shutdown"
    assert "50% of this run's channels fail" in stopped.stdout
    assert "Seed skipped: seeds.txt:2" in stopped.stderr


@pytest.mark.zoo
@pytest.mark.parametrize("moment", ["lock", "state.sqlite"])
def test_a_run_that_is_stopped_while_it_opens_the_archive_ends_well(
    archive: Path, site: Site, moment: str
) -> None:
    feed = site.add("/feed.xml", rss([]))
    starting = start_crawl(archive, [feed], arguments={"watch": "1"})
    wait_until((archive / moment).exists)
    starting.send_signal(signal.SIGTERM)
    stopped = finish(starting, archive)
    assert (stopped.exit_code, stopped.stderr) == (0, "")


@pytest.mark.zoo
def test_channels_of_other_seeds_raise_no_alarm(archive: Path, site: Site) -> None:
    dead = [site.add(f"/{number}.xml", status(404)) for number in range(3)]
    first = crawl(archive, write_seeds(archive, dead, "dead.txt"))
    assert first.exit_code == 1
    assert "100% of this run's channels fail" in first.stdout
    well = crawl(archive, write_seeds(archive, [site.add("/well.xml", rss([]))], "well.txt"))
    assert (well.exit_code, well.report["errors"]) == (0, [])


@pytest.mark.zoo
def test_a_bad_line_is_an_error_once_and_a_note_until_it_changes(archive: Path, site: Site) -> None:
    feed = site.add("/feed.xml", rss([]))
    first = crawl(archive, ["example.org/feed", feed])
    assert first.exit_code == 1
    second = crawl(archive, ["# moved", feed, "example.org/feed"])
    assert (second.exit_code, second.stderr) == (0, "")
    assert second.report["seed_problems"] == []
    assert any(
        "1 line is still skipped, as reported before: seeds.txt:3" in one for one in second.report["notes"]
    )
    third = crawl(archive, [feed, "example.org/feeds"])
    assert third.exit_code == 1
    assert len(third.report["seed_problems"]) == 1


def test_an_export_with_newsletters_and_feed_addresses_is_no_mistake(archive: Path, site: Site) -> None:
    site.add("/feed.xml", rss([], title=""))
    path = archive.parent / "export.opml"
    path.write_text(
        f'<opml><body><outline type="rss" text="The Harbour" xmlUrl="feed://{site.host}:{site.port}/feed.xml"/>'
        '<outline type="rss" text="Tide Letter" xmlUrl="mailto:tide@mail.example"/></body></opml>'
    )
    run = crawl(archive, path)
    assert (run.exit_code, run.stderr) == (0, "")
    assert site.paths == ["/feed.xml"]
    assert run.channel(site.url("/feed.xml"))["title"] == "The Harbour"
    assert "1 newsletter skipped: export.opml:1: Tide Letter comes by e-mail and has no feed" in run.stdout


@pytest.mark.parametrize(
    "known", [pytest.param(False, marks=pytest.mark.zoo, id="new"), pytest.param(True, id="known")]
)
def test_a_feed_that_breaks_off_is_a_failure(archive: Path, site: Site, known: bool) -> None:
    told = stories(2)
    whole = publish(site, told)
    if known:
        crawl(archive, [whole])
    site.add(
        "/feed.xml",
        Answer(
            headers=(("Content-Type", "application/rss+xml"), ("ETag", '"cut"')),
            body=b"<rss><channel><title>Bro",
        ),
        rss([]),
    )
    run = crawl(archive, [whole], clock_offset=DAY * known, FAILING_SHARE=1)
    assert run.report["polls"] == {"truncated": 1}
    assert run.rows("SELECT * FROM validators") == []
    assert run.channel(whole)["failures"] == 1
    assert run.channel(whole)["title"] != "Bro"
    site.forget()
    crawl(archive, [whole], arguments={"now": "failing"}, clock_offset=DAY * known)
    assert site.to("/feed.xml")[0].header("If-None-Match") is None
