"""What must never happen: visits to private addresses, and secrets where others can read them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from base64 import b64encode
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import publish, rss, stories, story
from tests.crawl.running import DAY, ROOT, crawl, scrapy
from tests.crawl.site import redirect, status

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.site import Site


def test_private_addresses_are_refused_before_anything_connects(archive: Path, site: Site) -> None:
    port = site.port
    feeds = [
        publish(site, stories(1)),
        f"http://localhost:{port}/feed.xml",
        f"http://[::1]:{port}/feed.xml",
        f"http://127.1:{port}/feed.xml",
        f"http://2130706433:{port}/feed.xml",
        "http://10.0.0.1/feed.xml",
        "http://192.168.1.1/feed.xml",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.64.0.1/feed.xml",
        "http://[fe80::1]/feed.xml",
    ]
    run = crawl(archive, feeds, ALLOW_PRIVATE_ADDRESSES=None)
    assert site.connections == 0
    assert {url: row["outcome"] for url, row in run.channels().items()} == dict.fromkeys(feeds, "address")
    assert run.records == []


def test_a_public_site_cannot_send_the_crawl_to_a_private_address(archive: Path) -> None:
    if not shutil.which("unshare") or not shutil.which("ip"):
        pytest.skip("a network of its own needs unshare and ip")
    alone = ["unshare", "--map-root-user", "--net"]
    if subprocess.run([*alone, "ip", "link", "set", "lo", "up"], check=False, capture_output=True).returncode:
        pytest.skip("a network of its own cannot be had here")
    command = [*alone, sys.executable, "-m", "tests.crawl.public_web", archive]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    assert found["connections"] == 0
    assert found["channels"] == {
        "public": "new",
        "private": "address",
        "moved": "address",
        "robots": "unchanged",
    }
    assert found["entries"].pop("public") == "stored"
    assert set(found["entries"].values()) == {"refused"}
    assert found["objects"] == [True]


def test_passwords_and_tokens_are_used_and_shown_to_nobody(
    archive: Path, site: Site, neighbour: Site
) -> None:
    secrets = ["S3cret%21", "S3cret!", "tok-abc123", "K3y-456", "p@ss"]
    one = story(1)
    site.add(one.path, one.page)
    entry = replace(one.entry, link=f"{one.path}?token=tok-abc123&page=2")
    site.add("/private.xml", rss([entry]))
    site.add("/token.xml", rss([]))
    site.add("/dead.xml", status(500))
    site.add("/away.xml", redirect(neighbour.add("/theirs.xml", rss([]))))
    feeds = [
        site.url("/private.xml", credentials="reader:S3cret%21"),
        site.url("/token.xml?token=tok-abc123&format=rss"),
        site.url("/dead.xml?api_key=K3y-456", credentials="reader:S3cret%21"),
        site.url("/away.xml", credentials="reader:p%40ss"),
        "http://reader:S3cret%21@name.invalid/feed.xml?token=tok-abc123",
    ]
    log = archive.parent / "crawl.log"
    run = crawl(archive, feeds, LOG_LEVEL="DEBUG", LOG_FILE=log)
    expected = "Basic " + b64encode(b"reader:S3cret!").decode()
    assert [request.header("Authorization") for request in site.to("/private.xml")] == [expected]
    assert [request.target for request in site.to("/token.xml")] == ["/token.xml?token=tok-abc123&format=rss"]
    # Passwords are for the host that they were given for.
    assert [request.header("Authorization") for request in neighbour.to("/theirs.xml")] == [None]
    assert not [r for r in site.to(one.path) if r.header("Authorization") or r.header("Referer")]
    (made,) = run.objects
    assert made["url"] == site.url(f"{one.path}?token=***&page=2")
    listed = scrapy(archive, "channels")
    again = crawl(archive, clock_offset=DAY)
    paused = scrapy(archive, "channels", "pause", feeds[0])
    shown = {
        "log": log.read_text(),
        "output": run.stdout + run.stderr + again.stdout + again.stderr,
        "channels": listed.stdout + listed.stderr + paused.stdout + paused.stderr,
        "objects": json.dumps(run.objects),
        "reports": json.dumps(run.reports),
    }
    for place, said in shown.items():
        for secret in [*secrets, expected]:
            assert secret not in said, f"{secret} is in the {place}"
    assert not [record.url for record in run.records if "@" in (record.url or "")]
    # Not because nothing was said.
    assert site.url("/private.xml").removeprefix("http://") in shown["log"]
    assert "/dead.xml" in shown["reports"]
    assert "token=***" in shown["channels"]
