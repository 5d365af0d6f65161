"""Ways in that were tried: each of them is shut, and stays so."""

from __future__ import annotations

import http.client
import json
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import TYPE_CHECKING

import pytest

from archiver.archive.objects.kinds import read_part
from archiver.archive.warc.reader import open_file
from archiver.errors import RecordError
from archiver.search.query import parse
from archiver.search.snippets import snippet
from tests.acceptance.tools import tool
from tests.crawl.running import Archived
from tests.web.browsing import browsing
from tests.web.chromium import chromium, watched
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
    connection = http.client.HTTPConnection(host, timeout=90)
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
            Planted(
                url=page, body=SECRET, headers=(("Link", f'<{SITE}/wp-json/>; rel="https://api.w.org/"'),)
            ),
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
        assert asked(f"{base}{STAMP}mp_/{page}?x=2")[0] == 451
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


@pytest.mark.parametrize(
    ("site", "mode", "dest", "status"),
    [
        ("cross-site", "no-cors", "image", 403),
        ("cross-site", "navigate", "iframe", 403),
        ("same-site", "cors", "empty", 403),  # another port of this machine
        ("cross-site", "navigate", "document", 200),
        ("same-origin", "cors", "empty", 200),
        ("none", "navigate", "document", 200),
    ],
)
def test_pages_of_other_sites_can_link_here_and_nothing_else(
    planted: Shown, site: str, mode: str, dest: str, status: int
) -> None:
    told = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
    assert planted.get("/captures.json", headers=told).status == status


def test_no_name_server_learns_what_is_linked(planted: Shown) -> None:
    assert planted.get("/captures").headers["x-dns-prefetch-control"] == "off"


@pytest.mark.parametrize("name", ["../other/real.warc.gz", "/etc/hostname", "a/../../x", "\0"])
def test_an_index_leads_to_no_file_outside_of_its_archive(tmp_path: Path, name: str) -> None:
    (tmp_path / "warc").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "real.warc.gz").write_bytes(b"x")
    for read in (
        lambda: open_file(tmp_path / "warc", name),
        lambda: read_part(tmp_path / "warc", name, 0, dict),
    ):
        with pytest.raises(RecordError, match="is not the name of"):
            read()


def test_reports_of_runs_name_nothing_that_is_withheld(tmp_path: Path) -> None:
    archive = plant(tmp_path / "archive", [Planted(url=f"{SITE}/open", body="Open")])
    problem = {"url": "http://hidden.example/feed", "outcome": "timeout", "detail": ""}
    said = ["http://hidden.example/feed: cannot be read", "http://site.example/feed: cannot be read"]
    report = {
        "started": "2026-03-02T07:05:09+00:00", "ended": "2026-03-02T07:06:09+00:00", "reason": "finished",
        "exit_code": 0, "seconds": {"total": 60.0}, "channel_problems": [problem], "errors": said,
        "notes": said, "seed_problems": said, "channels_dropped": said,
    }  # fmt: skip
    (archive / "runs").mkdir()
    (archive / "runs" / "run-20260302T070509000000Z.json").write_text(json.dumps(report))
    with browsing(archive, "-s", "REPLAY_PYWB=") as shown:
        name = shown.get("/runs.json").json()["runs"][0]["name"]
        views = (f"/runs/{name}", f"/runs/{name}.json", "/", "/index.json")
        assert all("hidden.example" in shown.get(view).text for view in views[:2])
        order(archive, "hidden.example")
        for view in views:
            told = shown.get(view)
            assert (told.status, "hidden.example" in told.text) == (200, False), view
        assert shown.get(views[1]).json()["errors"] == said[1:]


@pytest.mark.zoo
def test_a_replayed_page_sends_no_packets_by_webrtc(tmp_path: Path) -> None:
    """No policy that browsers know forbids it: a page could tell any machine what it read."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outside, chromium() as browser:
        outside.bind(("127.0.0.1", 0))
        outside.settimeout(0.1)
        server = f"stun:127.0.0.1:{outside.getsockname()[1]}"
        run = (
            f"const one = new RTCPeerConnection({{iceServers: [{{urls: '{server}'}}]}});"
            "one.createDataChannel('x'); one.createOffer().then(found => one.setLocalDescription(found))"
        )
        inner = f"data:text/html,<script>{run}</script>"
        archive = plant(
            tmp_path / "archive",
            [
                Planted(url=f"{SITE}/own", body=f"<h1>Own</h1><script>{run}</script>"),
                Planted(url=f"{SITE}/frame", body=f'<h1>Frame</h1><iframe src="{inner}"></iframe>'),
            ],
        )
        with browsing(archive, "-s", f"REPLAY_PYWB={tool('wayback')}") as shown, watched(browser) as seen:
            for path, head in (("own", "Own"), ("frame", "Frame")):
                seen.page.goto(shown.address("/replay", url=f"{SITE}/{path}"))
                seen.page.frame_locator("iframe").get_by_role("heading", name=head).wait_for()
                seen.page.wait_for_timeout(1000)
                with pytest.raises(TimeoutError):
                    outside.recv(2000)


@pytest.mark.zoo
def test_a_page_that_takes_long_to_be_shown_keeps_no_other_waiting(tmp_path: Path) -> None:
    """Parsers and walks take a time that grows faster than some pages do."""
    url = f"{SITE}/deep.html"
    deep = b"<html><body><p>" + b"<b>" * 4_000_000 + b"deep</body></html>"
    archive = plant(tmp_path / "archive", [Planted(url=url, body=deep)])
    waited = []
    with browsing(archive) as shown, ThreadPoolExecutor(1) as pool:
        slow = pool.submit(asked, frame_of(shown, url))
        while not slow.done():
            began = time.monotonic()
            assert shown.get("/runs").status == 200
            waited.append(time.monotonic() - began)
        assert slow.result()[0] in {200, 503}
    assert max(waited) < 5
