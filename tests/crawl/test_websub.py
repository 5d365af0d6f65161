"""A crawl that watches, and a hub that tells it what is new."""

from __future__ import annotations

import http.client
import signal
import socket
from typing import TYPE_CHECKING

import pytest

from tests.crawl.checks import assert_whole
from tests.crawl.documents import rss, stories
from tests.crawl.running import Archived, finish, scrapy, start_crawl
from tests.crawl.test_running import wait_until
from tests.websub.hub import Hub, ask_back, send

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.crawl.documents import Story
    from tests.crawl.site import Answer, Site

ATOM = "http://www.w3.org/2005/Atom"


def with_hub(told: Sequence[Story], topic: str, hub: str) -> Answer:
    named = {"hub": hub, "self": topic}
    links = "".join(f'<a:link xmlns:a="{ATOM}" rel="{rel}" href="{href}"/>' for rel, href in named.items())
    plain = rss([one.entry for one in told])
    return plain.but(
        ("ETag", f'"{len(told)}"'),
        body=plain.body.replace(b"<description>", links.encode() + b"<description>", 1),
    )


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.mark.zoo
def test_a_hub_is_asked_believed_when_it_signs_and_left_in_the_end(
    archive: Path, site: Site, request: pytest.FixtureRequest
) -> None:
    told, port = stories(2), free_port()
    for one in told:
        site.add(one.path, one.page)
    with Hub(lease=8) as hub:
        feed = site.url("/feed.xml")
        site.add("/feed.xml", with_hub(told[:1], feed, hub.url))
        settings = {"WEBSUB_URL": f"http://127.0.0.1:{port}/hooks/", "WEBSUB_PORT": port}
        watching = start_crawl(archive, [feed], arguments={"watch": "1"}, **settings)
        request.addfinalizer(watching.kill)
        wait_until(lambda: hub.agreed)
        ((callback, form),) = hub.agreed.items()
        assert (form["hub.topic"], hub.refused) == (feed, 0)
        assert len(callback.rpartition("/")[2]) >= 32

        # Nobody else can make us do anything.
        assert ask_back(callback, "subscribe", "http://example.org/other", "x", 9)[0] == 404
        assert ask_back(callback, "unsubscribe", feed, "x", 9)[0] == 404
        assert send(callback + "x", "POST", b"new!")[0] == 410
        assert send(callback, "POST", b"new!")[0] == 202
        assert hub.tell(b"new!", secret="guessed") == [202]
        assert send(callback, "PUT", b"new!")[0] == 501

        with pytest.raises((ConnectionError, http.client.HTTPException)):
            send(callback, "POST", b"x" * 5_000_000)

        # The lease is renewed before it is over.
        wait_until(lambda: len(hub.asked) >= 2)
        assert len(site.to("/feed.xml")) == 1

        site.add("/feed.xml", with_hub(told, feed, hub.url))
        assert hub.tell(b"<rss>lies, which nobody reads</rss>") == [202]
        wait_until(lambda: len(Archived(archive).objects) == 2)
        assert [asked.header("If-None-Match") for asked in site.to("/feed.xml")] == [None, '"1"']
        channel = Archived(archive).channel(feed)
        assert channel["why"] == "every 1 d, since its hub tells us what is new"
        assert channel["next_poll"] - channel["last_poll"] > 20 * 3600e6

        assert scrapy(archive, "channels", "remove", feed).exit_code == 0
        wait_until(lambda: not hub.agreed)
        assert hub.asked[-1]["hub.mode"] == "unsubscribe"
        wait_until(lambda: not Archived(archive).rows("SELECT * FROM subscriptions"))
        watching.send_signal(signal.SIGTERM)
        stopped = finish(watching, archive)
    assert (stopped.exit_code, stopped.stderr) == (0, "")
    assert stopped.report["polls"] == {"new": 2}
    # What passes between us and a hub is no part of the Web: its secret stays out of the archive.
    assert form["hub.secret"].encode() not in b"".join(record.block for record in stopped.records)
    assert_whole(stopped)
