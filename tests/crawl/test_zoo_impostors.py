"""Impostors: no feed is silenced by another site's word, and no payload lost to one with its SHA-1."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import publish, rss, stories
from tests.crawl.running import DAY, crawl
from tests.crawl.site import Answer, Site
from tests.warc.collision import colliding_pair
from tests.zoo.impostors import PATHS, CollidingFiles, CopiedFeed

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.zoo


def test_a_copied_feed_does_not_silence_the_one_that_it_copies(archive: Path) -> None:
    told = stories(8)
    with Site("127.0.0.2") as victim:
        publish(victim, told[:6])
        own_link = f'<link xmlns="http://www.w3.org/2005/Atom" rel="self" href="{victim.url("/feed.xml")}"/>'

        def shown(*some: int) -> Answer:
            feed = rss([told[number].entry for number in some])
            return feed.but(body=feed.body.replace(b"<description>", own_link.encode() + b"<description>", 1))

        feed = victim.add("/feed.xml", shown(*range(6)))
        with CopiedFeed(shown(*range(6)), "127.0.0.3") as impostor:
            # The impostor is the older channel, which others are merged into.
            seeds = [impostor.url("/feed.xml"), feed]
            assert crawl(archive, seeds).exit_code == 0
            publish(victim, told[:7])
            victim.add("/feed.xml", shown(6, *range(6)))
            second = crawl(archive, seeds, clock_offset=DAY)
    assert {row["status"] for row in second.channels().values()} == {"active"}
    assert told[6].entry.title in {one["title"] for one in second.objects}


def test_files_with_one_sha1_are_both_kept(archive: Path) -> None:
    with CollidingFiles("127.0.0.2") as site:
        links = [site.url(path) for path in PATHS]
        entries = "".join(
            f"<item><guid>{link}</guid><title>A file</title><link>{link}</link></item>" for link in links
        )
        body = f'<rss version="2.0"><channel><title>Files</title>{entries}</channel></rss>'
        feed = site.add("/feed.xml", rss([]).but(body=body.encode()))
        found = crawl(archive, [feed])
    kept = [record.payload for record in found.records if record.url in links and record.type == "response"]
    assert sorted(kept) == sorted(colliding_pair())
