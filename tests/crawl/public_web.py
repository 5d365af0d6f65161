"""Runs in a network of its own, where addresses of the public Web are on this machine and lead nowhere else.

usage: unshare --net python -m tests.crawl.public_web ARCHIVE

Prints as JSON what a crawl made of a public site that points at private addresses.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.crawl.documents import Entry, rss, story
from tests.crawl.running import crawl
from tests.crawl.site import Site, redirect, text

PUBLIC, OTHER = "93.184.215.14", "93.184.215.15"


def main(archive: Path) -> None:
    for words in (
        ["link", "set", "lo", "up"],
        *(["addr", "add", f"{ip}/32", "dev", "lo"] for ip in (PUBLIC, OTHER)),
    ):
        subprocess.run(["ip", *words], check=True)
    with Site(PUBLIC) as public, Site(OTHER) as other, Site("127.0.0.1") as private:
        secret = private.add("/secret", story(9).page)
        private.add("/feed.xml", rss([]))
        private.add("/robots.txt", text(""))
        one = story(1)
        public.add(one.path, one.page)
        public.add("/detour", redirect(secret))
        other.add("/robots.txt", redirect(private.url("/robots.txt")))
        links = {
            "public": one.path,
            "detour": "/detour",
            "loopback": secret,
            "name": f"http://localhost:{private.port}/secret",
            "number": f"http://2130706433:{private.port}/secret",
            "short": f"http://127.1:{private.port}/secret",
            "hex": f"http://0x7f000001:{private.port}/secret",
            "mapped": f"http://[::ffff:127.0.0.1]:{private.port}/secret",
            "anywhere": f"http://0.0.0.0:{private.port}/secret",
        }
        entries = [
            Entry(link=link, id=name, title=one.title, summary=one.paragraphs[0])
            for name, link in links.items()
        ]
        seeds = {
            "public": public.add("/feed.xml", rss(entries)),
            "private": private.url("/feed.xml"),
            "moved": public.add("/moved.xml", redirect(private.url("/feed.xml"), 301)),
            "robots": other.add("/feed.xml", rss([])),
        }
        run = crawl(archive, list(seeds.values()), ALLOW_PRIVATE_ADDRESSES=False, FAILING_SHARE=1)
        found = {
            "channels": {name: run.channel(url)["outcome"] for name, url in seeds.items()},
            "entries": {row["key"]: row["outcome"] for row in run.rows("SELECT key, outcome FROM entries")},
            "connections": private.connections,
            "objects": [made["url"] == public.url(one.path) for made in run.objects],
            "exit code": run.exit_code,
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
