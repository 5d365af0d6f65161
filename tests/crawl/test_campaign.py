"""A campaign is run: the most relevant pages first, within its budget, and again after an end."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from archiver.archive.warc.exchanges import kept_exchanges
from archiver.running.campaign_start import spent_since
from tests.crawl.checks import assert_warcs_pass
from tests.crawl.flood_web import FloodWeb, campaign_text, story
from tests.crawl.networks import WordPress, many_said, posts_of
from tests.crawl.running import DAY, crawl, finish, scrapy, start_crawl
from tests.crawl.site import html, redirect
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Site


# Two of each of three hosts.
UNDER_WAY = 6
WORDS = ["flood", "dyke", "water", "crest", "rescue", "night", "bridge", "school", "farm"]


def run_campaign(archive: Path, text: str, **settings: str) -> CrawlRun:
    archive.parent.mkdir(exist_ok=True)
    file = archive.parent / "flood.yaml"
    file.write_text(text)
    chosen: dict[str, object] = {"CAMPAIGN_PER_HOST_DELAY": "0"} | settings
    return crawl(archive, spider="campaign", arguments={"file": str(file)}, **chosen)


def test_relevant_pages_come_first_and_the_budget_is_kept_to_the_request(
    archive: Path, make_site: Callable[..., Site]
) -> None:
    web = FloodWeb(make_site)
    run = run_campaign(archive, campaign_text(web, 30))
    assert run.exit_code == 0, run.stderr
    assert len(web.asked) == 30
    pages = [url for url in web.asked if not url.endswith(("/robots.txt", "/"))]
    assert sum(url in web.relevant for url in pages) >= 0.7 * len(pages)
    assert sum("/calendar/" in url for url in web.asked) <= 2
    assert_warcs_pass(run)


@pytest.mark.zoo
def test_a_file_that_is_edited_holds_for_the_run_that_is_on(
    archive: Path, make_site: Callable[..., Site]
) -> None:
    web = FloodWeb(make_site)
    file = archive.parent / "flood.yaml"
    file.write_text(campaign_text(web, 60))
    slow: dict[str, object] = {"CAMPAIGN_PER_HOST_DELAY": "0.8"}
    process = start_crawl(archive, spider="campaign", arguments={"file": str(file)}, **slow)
    until = time.monotonic() + 60
    while len(web.asked) < 8 and time.monotonic() < until:
        time.sleep(0.05)
    file.write_text(campaign_text(web, 40, 'scope: {deny: ["*/story/*"]}\n'))
    run = finish(process, archive)
    assert run.exit_code == 0, run.stderr
    assert "flood: revision 2 of its definition" in run.report["notes"]
    waiting = run.rows("SELECT url, revision FROM candidates WHERE state = 'waiting'")
    assert {row["revision"] for row in waiting} <= {2}
    assert not [row["url"] for row in waiting if "/story/" in row["url"]]
    assert len(web.relevant - set(web.asked)) > 0
    pages = [url for url in web.asked if not url.endswith("/robots.txt")]
    assert len(pages) == len(set(pages))
    assert len(web.asked) <= 40


@pytest.mark.zoo
def test_a_redirect_to_a_page_that_was_fetched_is_settled_at_once(archive: Path, site: Site) -> None:
    links = [("/flood", "The flood at the dyke"), ("/moved", "More"), ("/moved/again", "More")]
    site.add("/", story(0, WORDS, links))
    site.add("/flood", story(1, WORDS, []))
    for target in ("/moved", "/moved/again"):
        site.add(target, redirect("/flood"))
    run = run_campaign(archive, f"campaign: flood\nkeywords: [flood, dyke]\nseeds: ['{site.url('/')}']\n")
    assert run.exit_code == 0, run.stderr
    assert len(site.to("/flood")) == 1
    rows = run.rows("SELECT state, tries FROM candidates WHERE url LIKE ?", site.url("/moved%"))
    assert {tuple(row) for row in rows} <= {("done", 0), ("dropped", 0)}
    assert len(rows) == 2


@pytest.mark.zoo
def test_a_redirect_out_of_the_scope_is_not_followed(archive: Path, make_site: Callable[..., Site]) -> None:
    paper, denied = make_site("127.0.0.11"), make_site("127.0.0.12")
    paper.add("/", story(0, WORDS, [("/away", "The flood at the dyke")]))
    paper.add("/away", redirect(denied.url("/flood")))
    denied.add("/flood", story(1, WORDS, []))
    text = f"campaign: flood\nkeywords: [flood, dyke]\nseeds: ['{paper.url('/')}']\n"
    run = run_campaign(archive, text + "scope: {hosts_deny: [127.0.0.12]}\n")
    assert run.exit_code == 0, run.stderr
    assert paper.to("/away")
    assert not denied.requests
    (row,) = run.rows("SELECT state, outcome FROM candidates WHERE url = ?", paper.url("/away"))
    assert tuple(row) == ("dropped", "denied")


@pytest.mark.zoo
def test_bytes_are_counted_alike_during_a_run_and_after_a_crash(archive: Path, site: Site) -> None:
    links = [("/flood", "The flood at the dyke"), ("/copy", "More of the flood"), ("/moved", "The flood")]
    site.add("/", story(0, WORDS, links))
    for path in ("/flood", "/copy"):
        site.add(path, story(1, WORDS, []))
    site.add("/moved", redirect("/gone"))
    run = run_campaign(archive, f"campaign: flood\nkeywords: [flood, dyke]\nseeds: ['{site.url('/')}']\n")
    assert run.exit_code == 0, run.stderr
    (row,) = run.rows("SELECT requests, bytes FROM campaigns")
    kept = [one for path in (archive / "warc").glob("*.warc.gz") for one in kept_exchanges(path)]
    assert {"/robots.txt", "/moved", "/gone"} <= {one.url.removeprefix(site.url("")) for one in kept}
    assert spent_since(archive / "warc", "flood", datetime.fromtimestamp(0, UTC)) == tuple(row)
    # The copy is a revisit in WARC, whose block is without a body: it came all the same.
    sizes = {one.url: one for one in kept}
    copy, page = sizes[site.url("/copy")], sizes[site.url("/flood")]
    assert copy.received_size == page.received_size > min(copy.size, page.size)


@pytest.mark.zoo
def test_the_requests_of_a_day_are_those_of_all_runs(archive: Path, make_site: Callable[..., Site]) -> None:
    web = FloodWeb(make_site)
    text = campaign_text(web, 30).replace("requests: 30", "requests: 30, bytes: 1MB, days: 9, per_day: 8")
    for _ in range(2):
        run = run_campaign(archive, text)
        assert run.exit_code == 0, run.stderr
        assert len(web.asked) == 8
    assert run_campaign(archive, text.replace("per_day: 8", "per_day: 10")).exit_code == 0
    assert len(web.asked) == 10
    found = json.loads(scrapy(archive, "campaign", "status", "flood", "--json").stdout)
    assert (found["requests"], found["budget"], found["budget_bytes"]) == (10, 30, 10**6)
    assert found["bytes"] > 0
    told = tuple(found[name] for name in ("days", "budget_days", "requests_of_last_day", "budget_per_day"))
    assert told == (0, 9, 10, 10)
    lines = scrapy(archive, "campaign", "status", "flood").stdout.splitlines()
    spent = [" ".join(line.split()) for line in lines[1:5]]
    assert [line for line in spent if "bytes" not in line] == [
        "requests 10 of 30",
        "days 0 of 9",
        "per day 10 of 10 requests in 24 hours",
    ]
    assert " of 1 MB" in spent[1]


@pytest.mark.zoo
def test_what_a_day_left_over_is_asked_for_by_the_same_run(
    archive: Path, make_site: Callable[..., Site]
) -> None:
    web = FloodWeb(make_site)
    file, text = archive.parent / "flood.yaml", campaign_text(web, 30)
    file.write_text(text.replace("requests: 30", "requests: 30, per_day: 4"))
    arguments = {"file": str(file), "watch": "1"}
    process = start_crawl(archive, spider="campaign", arguments=arguments, CAMPAIGN_PER_HOST_DELAY="0")
    seeds = {site.url("/") for site in web.sites}
    try:
        wait_until(lambda: len(web.asked) == 4)
        # Of three seeds, the rules of their hosts left one request.
        assert len(seeds & set(web.asked)) < len(seeds)
        file.write_text(text)
        wait_until(lambda: seeds <= set(web.asked), seconds=20)
    finally:
        process.terminate()
        process.communicate(timeout=20)


@pytest.mark.zoo
def test_a_campaign_has_ended_once_whatever_runs_come_later(archive: Path, site: Site) -> None:
    site.add("/", story(0, WORDS, []))
    text = f"campaign: flood\nkeywords: [flood]\nseeds: ['{site.url('/')}']\nbudget: {{days: 2}}\n"
    ended = []
    for day in (0, 2, 5):
        run = run_campaign(archive, text, CLOCK_OFFSET=str(day * DAY))
        assert run.exit_code == 0, run.stderr
        ended += run.rows("SELECT state, ended FROM campaigns")
    assert [row["state"] for row in ended] == ["running", "ended", "ended"]
    assert ended[1]["ended"] == ended[2]["ended"]
    assert "flood is over: 2 days were its budget" in run.report["notes"]


@pytest.mark.zoo
def test_a_host_stays_open_to_others_when_the_budget_for_its_rules_is_spent(
    archive: Path, make_site: Callable[..., Site]
) -> None:
    spent, slow, wanted = (make_site(f"127.0.0.{number}") for number in (11, 12, 13))
    spent.add("/", redirect(wanted.url("/away")))
    # By then, the first campaign has nothing left for the robots.txt of where its page leads.
    slow.add("/", story(0, WORDS, [(wanted.url("/flood"), "The flood at the dyke")]).but(delay=2.0))
    wanted.add("/flood", story(1, WORDS, []))
    for name, site, requests in (("one", spent, 2), ("two", slow, 9)):
        text = f"campaign: {name}\nkeywords: [flood, dyke]\nseeds: ['{site.url('/')}']\n"
        (archive.parent / f"{name}.yaml").write_text(f"{text}budget: {{requests: {requests}}}\n")
    files = ",".join(str(archive.parent / f"{name}.yaml") for name in ("one", "two"))
    chosen: dict[str, object] = {"CAMPAIGN_PER_HOST_DELAY": "0"}
    run = crawl(archive, spider="campaign", arguments={"file": files}, **chosen)
    assert run.exit_code == 0, run.stderr
    assert not wanted.to("/away")
    assert wanted.to("/flood")


@pytest.mark.zoo
def test_pages_are_ranked_by_what_the_file_says_now(archive: Path, make_site: Callable[..., Site]) -> None:
    web = FloodWeb(make_site)
    # One page at least is about what the file says afterwards.
    text = campaign_text(web, 24).replace("seeds: [", f"seeds: [{web.sites[0].url('/story/1')}, ")
    assert run_campaign(archive, text).exit_code == 0
    before = best_of(archive)
    assert sum(url in web.relevant for url in before) >= 4
    # The budget is spent: nothing is fetched, but the revision is known.
    run = run_campaign(archive, text.replace("flood, dyke, sandbags", "opera, theatre, museum, football"))
    assert run.exit_code == 0, run.stderr
    assert best_of(archive) == before
    done = scrapy(archive, "campaign", "rank", "flood")
    assert done.exit_code == 0, done.stderr
    lines = (archive / "campaigns" / "flood" / "ranking.jsonl").read_text().splitlines()
    ranked = [json.loads(line)["url"] for line in lines]
    assert ranked[:6] == best_of(archive)
    others = {url for url in ranked if "/story/" in url} - web.relevant
    assert others
    assert set(ranked[: len(others)]) == others


def best_of(archive: Path) -> list[str]:
    done = scrapy(archive, "campaign", "top", "flood", "-n", "6", "--json")
    return [page["url"] for page in json.loads(done.stdout)]


@pytest.mark.zoo
def test_posts_and_pages_share_one_budget_and_posts_lead_to_pages(
    archive: Path, make_site: Callable[..., Site], site: Site
) -> None:
    web = FloodWeb(make_site)
    wanted = web.sites[0].url("/story/12")
    network = WordPress(site, many_said(3))
    network.edit(1, words=f'The flood at the dyke: <a href="{wanted}">sandbags</a>')
    more = f"apis: [{network.begin().strip(' -')}]\nscope: {{hosts_deny: [paper.example]}}\n"
    run = run_campaign(archive, campaign_text(web, 30, more))
    assert run.exit_code == 0, run.stderr
    assert len(web.asked) + len(site.requests) == 30
    assert len(posts_of(run)) == 3
    (row,) = run.rows("SELECT found_by, state FROM candidates WHERE url = ?", wanted)
    assert row["found_by"] == "api"
    kept = [one for path in (archive / "warc").glob("*.warc.gz") for one in kept_exchanges(path)]
    assert {one.context.get("campaign") for one in kept} == {"flood"}


@pytest.mark.zoo
def test_a_site_whose_relevant_pages_name_an_api_is_asked_through_it(
    archive: Path, make_site: Callable[..., Site], site: Site
) -> None:
    web = FloodWeb(make_site)
    network = WordPress(site, many_said(24))
    network.begin()
    for number in range(1, 25):
        about = "The flood came over the dyke, and sandbags held it" if number % 2 else "A night at the opera"
        network.edit(number, words=f"{about}, as paper {number} says.")
    named = f'<link rel="https://api.w.org/" href="{site.url("/wp-json/")}">'
    others = "".join(f'<a href="/2026/06/{number}/">Mark {number}</a>' for number in range(1, 25))
    told = "<p>The flood at the dyke: sandbags hold the flood, and the dyke holds.</p>" * 3
    site.add("/", html(f"<html lang=en><head><title>Flood blog</title>{named}</head>{told}{others}</html>"))
    text = campaign_text(web, 40, "scope: {hosts_deny: [paper.example]}\n")
    run = run_campaign(archive, text.replace("seeds: [", f"seeds: [{site.url('/')}, "))
    assert run.exit_code == 0, run.stderr
    assert len(web.asked) + len(site.requests) == 40
    # What the searches find is not asked for as a page; what they do not find may be.
    pages = [one.target for one in site.requests if one.target.startswith("/2026/")]
    assert not [target for target in pages if int(target.split("/")[-2]) % 2]
    rows = run.rows("SELECT score FROM relevances WHERE url LIKE ?", site.url("/2026/%"))
    assert len(rows) == len(posts_of(run)) == 12
    assert all(row["score"] > 0.5 for row in rows)
    waiting = run.rows(
        "SELECT url FROM candidates WHERE state = 'waiting' AND url LIKE ?", site.url("/2026/%")
    )
    assert {int(row["url"].split("/")[-2]) % 2 for row in waiting} <= {0}
    done = scrapy(
        archive, "campaign", "export", "flood", "--top", "50", "--wacz", str(archive / "flood.wacz")
    )
    assert done.exit_code == 0, done.stderr


@pytest.mark.zoo
@pytest.mark.parametrize("after", [3, 9, 17, 26])
def test_a_campaign_that_is_killed_goes_on_with_the_budget_that_is_left(
    archive: Path, make_site: Callable[..., Site], after: int
) -> None:
    web = FloodWeb(make_site)
    file = archive.parent / "flood.yaml"
    file.write_text(campaign_text(web, 34))
    chosen: dict[str, object] = {"CAMPAIGN_PER_HOST_DELAY": "0"}
    process = start_crawl(archive, spider="campaign", arguments={"file": str(file)}, **chosen)
    with process:
        until = time.monotonic() + 60
        while len(web.asked) < after and time.monotonic() < until:
            time.sleep(0.005)
        process.kill()
    run = run_campaign(archive, file.read_text())
    assert run.exit_code == 0, run.stderr
    kept = [one for path in (archive / "warc").glob("*.warc.gz") for one in kept_exchanges(path)]
    assert sum(one.context.get("campaign") == "flood" for one in kept) == 34
    # What was under way when the run was killed is asked for again, and counted again.
    assert 34 <= len(web.asked) <= 34 + UNDER_WAY
    pages = [one.url for one in kept if not one.url.endswith("/robots.txt")]
    assert len(pages) - len(set(pages)) <= UNDER_WAY
    assert len(web.relevant & set(pages)) >= 15
    status = json.loads(scrapy(archive, "campaign", "status", "flood", "--json").stdout)
    assert (status["requests"], status["state"]) == (34, "spent")
