"""The command as an operator, cron and systemd meet it."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import publish, rss, stories
from tests.crawl.running import DAY, Archived, crawl, finish, scrapy, start_crawl
from tests.crawl.site import status
from tests.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.site import Site


WRONG_USAGE = {
    "another spider": (["crawl", "fedes"], None, "No spider is called 'fedes'"),
    "misspelt argument": (["crawl", "feeds", "-a", "seed=x.txt"], None, "Unknown -a seed"),
    "no file": (["crawl", "feeds", "-a", "seeds="], None, "-a seeds= names no file"),
    "wrong interval": (["crawl", "feeds", "-s", "POLL_INTERVAL=often"], None, "POLL_INTERVAL='often'"),
    "wrong store": (["crawl", "feeds", "-s", "STATE_URL=nosuch://x"], None, "STATE_URL='nosuch://x'"),
    "unknown profile": (["crawl", "feeds"], "corn", "SCRAPY_PROJECT=corn is not in scrapy.cfg"),
    "unknown action": (["channels", "destroy"], None, "destroy is not an action"),
    "no address": (["channels", "add", "example.invalid/feed"], None, "no scheme"),
}


@pytest.mark.parametrize(("words", "profile", "message"), WRONG_USAGE.values(), ids=WRONG_USAGE)
def test_wrong_usage_is_explained_and_exits_with_2(
    archive: Path, words: list[str], profile: str | None, message: str
) -> None:
    run = scrapy(archive, *words, profile=profile)
    assert run.exit_code == 2
    assert message in run.stdout + run.stderr
    assert "Traceback" not in run.stderr
    assert not (archive / "runs").exists()


def test_cron_hears_nothing_while_all_is_well_and_everything_when_it_is_not(
    archive: Path, site: Site
) -> None:
    told = stories(2)
    good, dead = publish(site, told), site.add("/dead.xml", status(404))
    others = [site.add(f"/{number}.xml", rss([])) for number in range(3)]
    first = crawl(archive, [good, dead, *others], profile="cron")
    # One dead feed among many is in the report, not in the exit code.
    assert (first.exit_code, first.stdout, first.stderr) == (0, "", "")
    assert first.report["profile"] == "cron"
    assert first.report["reason"] == "finished"
    assert [problem["url"] for problem in first.report["channel_problems"]] == [dead]
    assert first.report["outcomes"] == {"stored": 2}

    for url in others:
        site.add(url.removeprefix(site.origin), status(500))
    second = crawl(archive, [good, dead, *others], profile="cron", clock_offset=DAY)
    assert second.exit_code == 1
    assert "ERROR: 80% of this run's channels fail, more than FAILING_SHARE=0.5" in second.stdout
    assert dead in second.stdout
    # Where an operator finds that normal, it is.
    third = crawl(archive, [good, dead, *others], profile="cron", clock_offset=9 * DAY, FAILING_SHARE=0.9)
    assert (third.exit_code, third.stdout, third.stderr) == (0, "", "")
    assert len(third.reports) == 3


def test_a_person_is_told_what_was_kept_and_where(archive: Path, site: Site) -> None:
    feed = publish(site, stories(3))
    run = crawl(archive, [feed])
    assert (run.exit_code, run.stderr) == (0, "")
    for words in ("1 polled: 1 with something new", "3 new, 0 changed", "3 fetched", "3 stored"):
        assert words in run.stdout
    (warc,) = run.warcs
    (objects,) = (archive / "objects").iterdir()
    assert str(warc) in run.stdout
    assert str(objects) in run.stdout
    # What was lost from the archive must not pass in silence.
    objects.unlink()
    again = crawl(archive, [feed])
    assert again.exit_code == 1
    assert f"{objects} is missing" in again.stdout


@pytest.mark.zoo
def test_watching_polls_what_falls_due_until_it_is_told_to_stop(archive: Path, site: Site) -> None:
    told = stories(2)
    feed = publish(site, told[:1])
    first = crawl(archive, [f"{feed} every=1m"])
    due_in = first.channel(feed)["next_poll"] / 1e6 - time.time()
    assert 40 < due_in < 70
    publish(site, told)
    site.forget()
    new = site.add("/new.xml", rss([]))
    # The schedule's clock is set to a little before the first channel is due.
    watching = start_crawl(
        archive,
        [f"{feed} every=1m", new],
        arguments={"watch": "1"},
        clock_offset=due_in - 5,
    )
    wait_until(lambda: site.to("/new.xml"))
    assert not site.to("/feed.xml")
    # A second run has nothing to do, and is not an error.
    second = crawl(archive, [feed])
    assert (second.exit_code, second.stderr) == (0, "")
    assert f"(process {watching.pid}) is working on {archive}" in second.stdout
    assert len(second.reports) == 1
    wait_until(lambda: len(Archived(archive).objects) == 2)
    assert len(site.to("/feed.xml")) == 1
    watching.send_signal(signal.SIGTERM)
    stopped = finish(watching, archive)
    assert stopped.exit_code == 0
    assert stopped.stderr == ""
    assert stopped.report["reason"] == "shutdown"
    assert stopped.report["polls"] == {"new": 1, "unchanged": 1}
    assert len(stopped.warcs) == 2
    assert not list((archive / "warc").glob("*.open"))


def test_sigterm_ends_a_run_soon_and_the_next_one_goes_on(archive: Path, site: Site) -> None:
    told = stories(12)
    feed = publish(site, told)
    process = start_crawl(archive, [feed], DOWNLOAD_DELAY=2)
    wait_until(lambda: len(site.paths) > 1)
    process.send_signal(signal.SIGTERM)
    started = time.monotonic()
    stopped = finish(process, archive)
    assert stopped.exit_code == 0
    # Eight pages were waiting, each for its two seconds.
    assert time.monotonic() - started < 10
    assert stopped.report["reason"] == "shutdown"
    assert stopped.stdout.startswith("Interrupted by Ctrl-C or SIGTERM; the next run goes on")
    left = stopped.report["left"]["pages"]
    assert f"\nLeft       {left} pages to fetch" in stopped.stdout
    assert f"\nReport     {next((archive / 'runs').glob('run-*.json'))}\n" in stopped.stdout
    rest = crawl(archive, [feed])
    assert (rest.exit_code, rest.report["pages_tried"], rest.report["left"]["pages"]) == (0, left, 0)
    assert "Left " not in rest.stdout
    assert sorted(one["title"] for one in rest.objects) == sorted(one.title for one in told)
    assert all(len(site.to(one.path)) == 1 for one in told)
