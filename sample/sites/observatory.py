"""The observatory: pages that are empty until their scripts have asked for the text; and hostile ones."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from sample import clock, messages
from sample.markup import joined, shortened, xml
from sample.model import plain
from sample.site import Seed, Site
from sample.sites.stories import story

if TYPE_CHECKING:
    from sample.messages import Request, Response
    from sample.model import Article, Block, TrueEntry

WINDOW = 20
_STORIES = 4
# So many blocks come with the page; the others when a reader has scrolled to the end, one at a time.
_AT_ONCE = 3

# The same for every page: what it shows, it takes from its own address.
_SHELL = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>The Hilltop Observatory</title>
<link rel="stylesheet" href="/observatory.css">
<script async src="https://www.google-analytics.com/analytics.js"></script></head>
<body><noscript>You need to enable JavaScript to read the observatory.</noscript>
<div id="root"></div><script src="/app.js"></script></body></html>
"""
_APP = """
const root = document.getElementById("root");
const shown = (block) => "<" + block.kind + ">" + block.text + "</" + block.kind + ">" +
  "<div class=gap></div>";
async function open() {
  const story = await (await fetch("/api" + location.pathname + ".json")).json();
  document.title = story.title + " - The Hilltop Observatory";
  root.innerHTML = "<header><a href='/'>Home</a> <a href='/about'>About</a></header><article><h1>" +
    story.title + "</h1><p class=byline>By " + story.author + ", <time datetime='" + story.published + "'>" +
    story.day + "</time></p>" + story.blocks.map(shown).join("") + "<p id=more></p></article>" +
    "<footer>The Hilltop Observatory, visit " + Math.floor(Math.random() * 1e9) + "</footer>";
  let next = story.blocks.length;
  new IntersectionObserver(async (seen) => {
    if (!seen.some((one) => one.isIntersecting) || next >= story.count) return;
    const request = new XMLHttpRequest();
    request.open("GET", "/api" + location.pathname + "/" + next++ + ".json");
    request.onload = () => document.getElementById("more").insertAdjacentHTML(
      "beforebegin", shown(JSON.parse(request.responseText)));
    request.send();
  }).observe(document.getElementById("more"));
}
open();
"""
_STYLE = "body { font: 18px/1.5 serif; max-width: 40em; margin: auto } .gap { height: 500px }"
# Each of them does what a page must not do, and says something first.
_HOSTILE = {
    "loop": "while (true) {}",
    "windows": "setInterval(() => window.open('/popup'), 10)",
    "downloads": "setInterval(() => { const a = document.createElement('a'); a.download = 'x';"
    " a.href = 'data:application/octet-stream,x'; a.click() }, 10)",
    "memory": "const kept = []; const more = () => { for (let i = 0; i < 20; i++)"
    " kept.push(new Uint8Array(5e6).fill(i + 1)); setTimeout(more, 0) }; more()",
    "elsewhere": "const there = 'http://FOREIGN'; fetch(there + '/fetch').catch(() => 0);"
    " new WebSocket('ws://FOREIGN/socket'); navigator.sendBeacon(there + '/beacon', 'x');"
    " if (navigator.serviceWorker) navigator.serviceWorker.register('/sw.js').catch(() => 0);"
    " new EventSource(there + '/events'); new RTCPeerConnection({iceServers: [{urls: 'stun:FOREIGN'}]})"
    ".createOffer(); setTimeout(() => location.href = there + '/leave', 50)",
}


@cache
def published_until(day: int) -> tuple[Article, ...]:
    """Oldest first: some before day 0, and one a day."""
    days = [-1] * _STORIES + list(range(1, day + 1))
    found = [
        story(f"observatory-{rank}", number=40 + rank, day=one, path=f"/story/{rank}")
        for rank, one in enumerate(days)
    ]
    return tuple(sorted(found, key=lambda article: article.published))


class Observatory(Site):
    name = "observatory"
    host = "127.0.0.11"
    seeds = (Seed("/feed.xml", "science"), Seed("/hostile.xml", "hostile"))
    is_extra = True
    # Who is called by pages that must not call: a host and port of the test's own.
    foreign = "127.0.0.1:9"

    def home(self, request: Request) -> Response:  # noqa: ARG002 - the same for all
        return messages.page(_SHELL)

    def route(self, request: Request) -> Response | None:
        path = request.path
        files = {
            "/app.js": (_APP, "text/javascript"),
            "/observatory.css": (_STYLE, "text/css"),
            "/feed.xml": (self._feed(request.day), "application/rss+xml"),
            "/hostile.xml": (self._hostile_feed(), "application/rss+xml"),
        }
        if path in files:
            return messages.page(files[path][0], content_type=files[path][1])
        if path.startswith("/hostile/"):
            return self._hostile(path.removeprefix("/hostile/"))
        if path.startswith("/api/story/"):
            return self._data(path.removeprefix("/api").removesuffix(".json"), request.day)
        known = any(article.path == path for article in published_until(request.day))
        return messages.with_etag(request, messages.page(_SHELL)) if known else None

    def truth(self, day: int) -> list[TrueEntry]:
        return self.announced(published_until(day), day, "/feed.xml", WINDOW)

    def _data(self, path: str, day: int) -> Response | None:
        """A story as its page asks for it: the first blocks, or one that comes later."""
        for article in published_until(day):
            blocks = article.on(day).blocks
            if path == article.path:
                return _json(_about(article, blocks))
            rest = path.removeprefix(f"{article.path}/")
            if rest != path and rest.isdecimal() and int(rest) < len(blocks):
                return _json(_block(blocks[int(rest)]))
        return None

    def _hostile(self, name: str) -> Response | None:
        if name not in _HOSTILE:
            return None
        script = _HOSTILE[name].replace("FOREIGN", self.foreign)
        head = "<!DOCTYPE html><html><head><title></title></head>"
        said = f"root.textContent = 'This is what {name} says.';"
        begin = '<body><div id="root"></div><script>const root = document.getElementById("root");'
        return messages.page(f"{head}{begin} {said}\n{script}</script></body></html>")

    def _feed(self, day: int) -> str:
        items = (
            f"<item><title>{xml(one.title)}</title><link>{self.url(one)}</link><guid>{self.url(one)}</guid>"
            f"<description>{xml(shortened(one.blocks[0].text))}</description>"
            f"<pubDate>{clock.rfc822(one.published)}</pubDate></item>"
            for one in reversed(published_until(day)[-WINDOW:])
        )
        return self._rss("The Hilltop Observatory", joined(items))

    def _hostile_feed(self) -> str:
        addresses = (f"{self.base}/hostile/{name}" for name in _HOSTILE)
        items = (
            f"<item><title>{one}</title><link>{one}</link><guid>{one}</guid></item>" for one in addresses
        )
        return self._rss("Pages that must not be let loose", joined(items))

    def _rss(self, title: str, items: str) -> str:
        about = f"<title>{title}</title><link>{self.base}/</link><description>{title}</description>"
        head = '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0">'
        return f"{head}<channel>{about}{items}</channel></rss>"


def _about(article: Article, blocks: tuple[Block, ...]) -> dict[str, object]:
    return {
        "title": escape(article.title),
        "author": escape(article.author),
        "published": clock.iso(article.published),
        "day": clock.british(article.published),
        "count": len(blocks),
        "blocks": [_block(one) for one in blocks[:_AT_ONCE]],
    }


def _block(block: Block) -> dict[str, str]:
    return {"kind": "h2" if block.kind == "h2" else "p", "text": escape(plain(block.text))}


def _json(value: object) -> Response:
    return messages.page(json.dumps(value), content_type="application/json")
