"""Sites whose first answer looks final, and is not: what they have is in the archive some days later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.crawl.running import DAY, crawl
from tests.zoo.final import (
    STORY,
    EmptyAtFirst,
    ForbidsAtFirst,
    NamesCredentials,
    RefusesAtFirst,
    UnaskedFeed,
    UnaskedNotModified,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.site import Site

KINDS: tuple[type[Site], ...] = (
    EmptyAtFirst,
    UnaskedNotModified,
    UnaskedFeed,
    RefusesAtFirst,
    ForbidsAtFirst,
    NamesCredentials,
)


@pytest.mark.zoo
def test_what_looks_final_is_asked_for_again(archive: Path, make_site: Callable[..., Site]) -> None:
    hosts = {kind: make_site(f"127.0.0.{number}", kind) for number, kind in enumerate(KINDS, start=61)}
    feeds = {kind: host.url("/feed.xml") for kind, host in hosts.items()}
    first = crawl(archive, list(feeds.values()), FAILING_SHARE=1)
    pages = {kind: first.outcomes().get(host.url(STORY.path), "unknown") for kind, host in hosts.items()}
    assert pages == dict.fromkeys(KINDS) | {UnaskedFeed: "unknown", NamesCredentials: "stored"}
    assert first.channel(feeds[UnaskedFeed])["outcome"] == "unasked"
    assert first.report["page_failures"] == {"empty": 1, "unasked": 1, "refused": 1, "robots": 1}

    # Followed without what was in the address: not sent, and stored in the record of the redirect alone.
    (asked,) = hosts[NamesCredentials].to("/moved.html")
    assert b"hunter2" not in asked.raw
    assert asked.header("Authorization") is None
    assert "hunter2" not in first.stdout + first.stderr
    stored = [*archive.glob("objects/*"), *archive.glob("runs/*"), *archive.glob("state.sqlite*")]
    assert not [path.name for path in stored if b"hunter2" in path.read_bytes()]
    assert first.responses(hosts[NamesCredentials].url("/moved.html"))

    second = crawl(archive, list(feeds.values()), clock_offset=4 * DAY, FAILING_SHARE=1)
    outcomes = {kind: second.outcomes()[host.url(STORY.path)] for kind, host in hosts.items()}
    assert outcomes == dict.fromkeys(KINDS, "stored")
    assert len(second.objects) == len(KINDS)
