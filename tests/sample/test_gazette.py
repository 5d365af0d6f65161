"""The gazette does to its articles what its script says, and to nothing else."""

from __future__ import annotations

import contextlib
import html
import http.client
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest

from sample.gazette.history import LAST_DAY, absence_on, noise_on, story_on, updated_on
from sample.gazette.kinds import KINDS
from sample.gazette.model import LINK, texts
from sample.gazette.script import events, events_of
from sample.gazette.stories import SECTIONS, published
from sample.gazette.table import table
from sample.messages import Request
from sample.server import SampleWeb, make_sites
from sample.sites.gazette import Gazette

if TYPE_CHECKING:
    from sample.gazette.model import Event, Story

ROOT = Path(__file__).resolve().parents[2]
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(scope="module")
def gazette() -> Gazette:
    site = make_sites(8931)["gazette"]
    assert isinstance(site, Gazette)
    return site


def get(url: str, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=5)
    with contextlib.closing(connection):
        connection.request("GET", parts.path or "/", headers=headers or {})
        answer = connection.getresponse()
        return answer.status, dict(answer.headers), answer.read()


def body(gazette: Gazette, article: str, day: int, serial: int = 7) -> bytes:
    path = published()[article].path
    return gazette.respond(Request(method="GET", path=path, headers={}, day=day, serial=serial)).body


def shown(page: bytes) -> str:
    text = page.decode(
        "latin-1" if b"charset=iso-8859-1" in page or b'charset="iso-8859-1"' in page else "utf-8"
    )
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


def kinds_between(before: Story, after: Story) -> set[str]:
    """What a reader would call changed, told from the stories alone."""

    def parts(story: Story) -> dict[str, object]:
        everything = [text for block in story.blocks for text in (block.text, *block.items)]
        return {
            "title": story.title,
            "text": [text for block in story.blocks for text in texts(block)],
            "links": sorted(target for text in everything for _, target in LINK.findall(text)),
            "images": sorted(block.image for block in story.blocks if block.image),
        }

    old, new = parts(before), parts(after)
    return {name for name in old if old[name] != new[name]}


def last_day_before(event: Event) -> int:
    """The last day on which the article could be had."""
    return next(day for day in range(event.day - 1, -2, -1) if absence_on(event.article, day) is None)


def test_at_least_forty_kinds_of_which_half_are_real_happen_under_two_templates() -> None:
    assert {event.kind for event in events()} == set(KINDS)
    assert len(KINDS) >= 40
    assert sum(kind.is_real for kind in KINDS.values()) * 2 >= len(KINDS)
    for kind in KINDS:
        articles = {event.article for event in events() if event.kind == kind}
        assert len({name.split("-")[0] for name in articles}) >= 2, kind


def test_one_thing_happens_to_an_article_on_a_day_and_nothing_while_it_is_away() -> None:
    for name, article in published().items():
        happened = events_of(name)
        days = [event.day for event in happened]
        assert all(max(article.day, 0) < day <= LAST_DAY for day in days), name
        assert len(days) == len(set(days)), name
        # Whole sections are redesigned, also where an article is away.
        edits = [event for event in happened if not KINDS[event.kind].absence and event.kind != "redesign"]
        assert all(absence_on(name, event.day) is None for event in edits), name


def test_most_articles_see_both_edits_and_noise() -> None:
    struck = [{KINDS[event.kind].is_real for event in events_of(name)} for name in published()]
    assert sum(one == {True, False} for one in struck) >= len(struck) / 2


@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if not kind.absence])
def test_a_kind_changes_the_page_and_only_what_it_says_of_the_article(gazette: Gazette, kind: str) -> None:
    for event in (one for one in events() if one.kind == kind):
        if absence_on(event.article, event.day):
            continue
        before = last_day_before(event)
        assert body(gazette, event.article, before) != body(gazette, event.article, event.day), event
        found = kinds_between(story_on(event.article, before), story_on(event.article, event.day))
        wanted = set(KINDS[kind].kinds)
        assert found and found <= wanted if KINDS[kind].either else found == wanted, event


def test_pages_show_all_of_the_article_whatever_noise_is_around(gazette: Gazette) -> None:
    for event in events():
        if absence_on(event.article, event.day) is None:
            text, story = shown(body(gazette, event.article, event.day)), story_on(event.article, event.day)
            assert " ".join(story.title.split()) in text, event
            for piece in (one for block in story.blocks for one in texts(block)):
                assert " ".join(piece.split()) in text, event


def test_a_page_is_the_same_until_something_happens_to_it(gazette: Gazette) -> None:
    for name, article in published().items():
        days = range(max(article.day, 0) + 1, LAST_DAY + 1)
        happened = {day for event in events_of(name) for day in (event.day, event.until)}
        quiet = [day for day in days if day not in happened and not noise_on(name, day).get("every request")]
        for day in quiet[::9]:
            assert body(gazette, name, day) == body(gazette, name, day - 1, serial=8), (name, day)


def test_restless_pages_differ_in_every_answer(gazette: Gazette) -> None:
    event = next(one for one in events() if one.kind == "every request")
    answers = [body(gazette, event.article, event.day, serial) for serial in (1, 2)]
    assert answers[0] != answers[1]


def test_truth_counts_versions(gazette: Gazette) -> None:
    told = {one.article: one for one in gazette.histories(LAST_DAY)}
    assert len(told) == len(published()) == 64
    for name, one in told.items():
        real = [event for event in events_of(name) if KINDS[event.kind].is_real]
        assert one.versions == 1 + len(real)
        assert [change.day for change in one.changes if change.kinds] == [event.day for event in real]
    first = {one.article: one.versions for one in gazette.histories(0)}
    assert set(first.values()) == {1}
    assert len(first) == 40


@pytest.mark.parametrize(
    ("kind", "status"),
    [("not found", 404), ("gone", 410), ("to the front page", 302), ("soft not found", 200)],
)
def test_articles_go_and_come_back(web: SampleWeb, kind: str, status: int) -> None:
    event = next(one for one in events() if one.kind == kind and one.until is not None)
    link = web.base("gazette") + published()[event.article].path
    answers = {}
    for web.day in (event.day - 1, event.day, event.until or 0):
        answers[web.day] = get(link)
    assert [answer[0] for answer in answers.values()] == [200, status, 200]
    title = story_on(event.article, event.day).title
    assert title not in shown(answers[event.day][2])


def test_one_article_never_comes_back() -> None:
    (event,) = [one for one in events() if KINDS[one.kind].absence and one.until is None]
    assert absence_on(event.article, LAST_DAY) == "gone"


def test_feeds_tell_of_announced_edits_and_not_of_silent_ones(web: SampleWeb) -> None:
    silent = next(one for one in events() if KINDS[one.kind].kinds == ("text",) and not one.announced)
    loud = next(one for one in events() if KINDS[one.kind].kinds == ("text",) and one.announced)
    assert updated_on(silent.article, silent.day) == updated_on(silent.article, silent.day - 1)
    web.day = loud.day
    feed = ET.fromstring(get(f"{web.base('gazette')}/{loud.article.split('-')[0]}.atom")[2])
    stamps = {
        one.findtext(f"{ATOM}id", ""): one.findtext(f"{ATOM}updated", "") for one in feed.iter(f"{ATOM}entry")
    }
    mine = next(stamp for name, stamp in stamps.items() if name.endswith(loud.article))
    assert (
        datetime.fromisoformat(mine)
        == updated_on(loud.article, loud.day)
        > updated_on(loud.article, loud.day - 1)
    )


def test_validators_are_right_wrong_or_missing(web: SampleWeb) -> None:
    def asked(number: int, header: str, answer: str) -> tuple[int, str]:
        link = web.base("gazette") + published()[f"town-{number:02}"].path
        tag = get(link)[1][answer]
        status, headers, _ = get(link, {header: tag})
        return status, "same" if headers.get(answer) == tag else "other"

    assert asked(5, "If-None-Match", "ETag") == (304, "same")
    assert asked(1, "If-Modified-Since", "Last-Modified") == (304, "same")
    assert asked(2, "If-None-Match", "ETag") == (200, "other")
    _, headers, _ = get(web.base("gazette") + published()["town-03"].path)
    assert not {"ETag", "Last-Modified"} & set(headers)


def test_nobody_polls_the_gazette_who_does_not_ask_for_it(web: SampleWeb, tmp_path: Path) -> None:
    assert not any(web.base("gazette") in url for url in web.seeds)
    assert not [entry for entry in web.truth(0) if entry.site == "gazette"]
    seeds = tmp_path / "seeds.txt"
    command = [sys.executable, "-m", "sample", "--seeds", str(seeds), "--changes"]
    subprocess.run(command, check=True, cwd=ROOT, timeout=30)
    listed = [line for line in seeds.read_text().splitlines() if line.startswith("http")]
    assert len(listed) == len(SECTIONS)
    assert all("127.0.0.10" in line for line in listed)


def test_documents_have_the_script_as_it_is() -> None:
    assert table() in (ROOT / "docs" / "forty-changes.md").read_text("utf-8")


def test_the_log_tells_what_was_listed_when(web: SampleWeb) -> None:
    began = datetime.now(UTC)
    for name in web.names:
        for web.day in (1, 3):
            truth = {entry.feed_url: set() for entry in web.site(name).truth(web.day)}
            for entry in web.site(name).truth(web.day):
                truth[entry.feed_url] |= {entry.link} if entry.in_feed and entry.link else set()
            for url, links in truth.items():
                get(url)
                hit = web.log[-1]
                assert (hit.site, hit.path, hit.day) == (name, urlsplit(url).path, web.day)
                assert began <= hit.when <= datetime.now(UTC)
                assert set(hit.listed or ()) == links, url


def test_the_log_keeps_the_order_of_a_feed_and_of_a_front_page(web: SampleWeb) -> None:
    web.day = 2
    base = web.base("wire")
    for path in ("/wire.xml", "/"):
        page = get(base + path)[2].decode()
        listed = web.log[-1].listed
        assert listed
        places = [page.index(link.removeprefix(base) + ("<" if path != "/" else '"')) for link in listed]
        assert places == sorted(places)


def test_an_answer_that_says_not_modified_leaves_the_list_as_it_was(web: SampleWeb) -> None:
    url = f"{web.base('newspaper')}/rss.xml"
    # Other tests may have asked this web before.
    assert web.listed("newspaper", "/rss.xml", datetime(2000, 1, 1, tzinfo=UTC)) is None
    tag = get(url)[1]["ETag"]
    first = web.log[-1].listed
    assert get(url, {"If-None-Match": tag})[0] == 304
    assert web.log[-1].listed is None
    then = datetime.now(UTC)
    web.day = 1
    get(url)
    assert web.listed("newspaper", "/rss.xml", then) == first
    assert web.listed("newspaper", "/rss.xml", datetime.now(UTC)) == web.log[-1].listed != first
