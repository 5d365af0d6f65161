"""Ways in that were tried: each of them is shut, and stays so."""

from __future__ import annotations

import http.client
import re
import time
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import TYPE_CHECKING

import pytest

from archiver.search.query import parse
from archiver.search.snippets import snippet
from tests.acceptance.tools import tool
from tests.crawl.running import Archived
from tests.web.browsing import browsing
from tests.web.planted import FIRST, SITE, Planted, plant
from tests.web.test_withheld import order

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.browsing import Shown

pytestmark = pytest.mark.xdist_group("web")

STAMP = f"{FIRST:%Y%m%d%H%M%S}"
SECRET = "What a court had taken down"


def asked(address: str, **headers: str) -> tuple[int, bytes]:
    """What is at an address, asked for as it is written: nothing is made regular on the way."""
    _, _, host, path = address.split("/", 3)
    connection = http.client.HTTPConnection(host, timeout=30)
    try:
        connection.request("GET", f"/{path}", headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def frame_of(shown: Shown, url: str, **given: object) -> str:
    found = re.search(r'<iframe [^>]*src="([^"]+)"', shown.get("/replay", url=url, **given).text)
    assert found is not None
    return unescape(found[1])


@pytest.mark.zoo
def test_pywb_shows_nothing_withheld_by_any_spelling(tmp_path: Path) -> None:
    """pywb looks for what is like an address where it has nothing else, and reads hosts as it likes."""
    page, host = f"{SITE}/secret.html", "http://hidden.example/x"
    archive = plant(
        tmp_path / "archive",
        [
            Planted(url=f"{SITE}/open", body="Open"),
            # WordPress says so of every page.
            Planted(url=page, body=SECRET, headers=(("Link", f'<{SITE}/wp-json/>; rel="https://api.w.org/"'),)),
            Planted(url=host, body=SECRET, headers=(("Link", f'<{SITE}/open>; rel="original"'),)),
        ],
    )
    with browsing(archive, "-s", f"REPLAY_PYWB={tool('wayback')}") as shown:
        base = frame_of(shown, f"{SITE}/open").partition(STAMP)[0]
        spellings = [
            *(f"{page}{more}" for more in ("", "?x=2", "?_=12")),
            *(page.replace("site", one, 1) for one in ("http://site", "%73ite", "si%09te", "/%2Fsite")),
            *(host.replace(".", dot) for dot in (".", "%2e", "..", "%EF%BC%8E")),
            *(host.replace("hidden", one) for one in ("x%40hidden", "http%3A//hidden", "%EF%BD%88idden")),
        ]
        shows = {url: SECRET.encode() in asked(f"{base}{STAMP}mp_/{url}")[1] for url in spellings}
        assert sum(shows.values()) > 5, "these are ways in"
        order(archive, page)
        order(archive, "hidden.example")
        for url in spellings:
            for kind in ("", "mp_", "id_"):
                assert SECRET.encode() not in asked(f"{base}{STAMP}{kind}/{url}")[1], url
        assert asked(f"{base}{STAMP}mp_/{host}")[0] == 451
        assert asked(f"{base}{STAMP}mp_/{host.replace('.', '%2e')}")[0] == 451
        assert b"Open" in asked(f"{base}{STAMP}mp_/{SITE}/open")[1]
        assert asked(f"{base}{STAMP}mp_/{SITE}/never")[0] == 404


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("a " * 50_000, " OR ".join(["a"] * 30)),
        ("a " * 50_000, f'"{"a " * 200}"'),
        ("\u4e00" * 50_000, "\u4e00 " * 60),
        ("abc " * 25_000, " ".join(f"abc{'*' * number}" for number in range(1, 60))),
    ],
)
def test_a_text_that_says_one_thing_over_and_over_takes_no_time(text: str, typed: str) -> None:
    """It took half a minute of the whole application's time for each such article that was found."""
    before = time.process_time()
    assert any(piece.marked for piece in snippet(text, parse(typed).terms))
    assert time.process_time() - before < 2


def test_an_order_holds_at_once_for_pages_that_were_just_drawn(shown: Shown, sample_archive: Path) -> None:
    """They are remembered for a minute."""
    rebuilt = next(
        found
        for number in range(1, 9)
        if (found := shown.get(f"/rebuild/{number}.json")).status == 200
        and found.json()["rebuilt"]["articles"]
    ).json()
    at, number = rebuilt["rebuilt"]["at"], rebuilt["number"]
    url = next(one["url"] for one in rebuilt["rebuilt"]["articles"] if one["version"])
    views = [("/explain.json", {"url": url}), (f"/rebuild/{number}.json", {"at": at})]
    assert all(url in shown.get(path, **given).text for path, given in views)
    frame = re.search(r'<iframe [^>]*src="([^"]+)"', shown.get("/explain", url=url).text)
    assert frame is not None
    assert asked(unescape(frame[1]))[0] == 200
    order(sample_archive, url)
    try:
        assert [shown.get(path, **given).status for path, given in views] == [451, 200]
        assert url not in shown.get(views[1][0], at=at).text
        assert asked(unescape(frame[1]))[0] == 451
    finally:
        order(sample_archive, url, lift=True)
    assert all(url in shown.get(path, **given).text for path, given in views)


@pytest.mark.zoo
def test_pages_that_take_long_to_draw_leave_room_for_others(shown: Shown, sample_archive: Path) -> None:
    url = Archived(sample_archive).objects[0]["url"]
    with ThreadPoolExecutor(30) as many:
        drawn = [
            many.submit(shown.get, "/explain.json", url=url, at=f"2020-01-{day:02}") for day in range(1, 31)
        ]
        statuses = [one.result().status for one in drawn]
    assert set(statuses) == {200, 503}
