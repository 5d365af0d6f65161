"""Metrics of a crawl that watches, read by the parser of the specification's own library."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from tests.crawl.documents import rss, stories
from tests.crawl.running import Archived, crawl, finish, start_crawl
from tests.crawl.test_running import wait_until
from tests.crawl.test_websub import free_port
from tests.websub.hub import send

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.site import Site


def samples(body: str) -> dict[str, float]:
    """Each sample by its name and its one label."""
    return {
        f"{one.name}{'/'.join(['', *one.labels.values()])}": one.value
        for family in text_string_to_metric_families(body)
        for one in family.samples
    }


@pytest.mark.zoo
def test_a_crawl_that_watches_tells_what_it_did_and_what_is_due(
    archive: Path, site: Site, request: pytest.FixtureRequest
) -> None:
    told, port = stories(2), free_port()
    for one in told:
        site.add(one.path, one.page)
    site.add("/feed.xml", rss([one.entry for one in told]))
    watching = start_crawl(archive, [site.url("/feed.xml")], arguments={"watch": "1"}, METRICS_PORT=port)
    request.addfinalizer(watching.kill)
    wait_until(lambda: len(Archived(archive).objects) == 2)
    status, body = send(f"http://127.0.0.1:{port}/metrics", "GET")
    assert status == 200
    found = samples(body.decode() if isinstance(body, bytes) else body)
    assert found["archiver_polls_total/new"] == 1
    assert found["archiver_entries_total/new"] == 2
    assert found["archiver_pages_fetched_total"] == 2
    assert found["archiver_articles_total/stored"] == 2
    assert found["archiver_due/channels"] == 0
    assert found["archiver_next_poll_timestamp_seconds"] > found["archiver_run_start_timestamp_seconds"]
    assert found["process_resident_memory_bytes"] > 0
    assert send(f"http://127.0.0.1:{port}/other", "GET")[0] == 404
    watching.send_signal(signal.SIGTERM)
    assert finish(watching, archive).exit_code == 0


@pytest.mark.zoo
def test_port_that_is_taken_ends_the_crawl_in_words(archive: Path, site: Site) -> None:
    site.add("/feed.xml", rss([]))
    taken = int(site.url("/").rsplit(":", 1)[1].strip("/"))
    done = crawl(archive, [site.url("/feed.xml")], arguments={"watch": "1"}, METRICS_PORT=taken)
    assert done.exit_code == 1
    assert "Cannot serve metrics" in done.stderr
