"""A small web of several hosts with known relevance: a flood among other things, and a trap."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.crawl.documents import Entry, rss
from tests.crawl.site import Answer, html

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.crawl.site import Site

_FLOOD = [
    "flood",
    "river",
    "gauge",
    "dyke",
    "sandbags",
    "evacuation",
    "crest",
    "levee",
    "water",
    "rescue",
    "embankment",
]
_OTHER = [
    "football",
    "election",
    "museum",
    "recipe",
    "concert",
    "budget",
    "theatre",
    "garden",
    "bicycle",
    "school",
    "tax",
    "opera",
]
_PLAIN = [
    "people",
    "morning",
    "street",
    "town",
    "council",
    "said",
    "yesterday",
    "week",
    "later",
    "report",
    "area",
    "many",
    "house",
]
PAGES = 14


def story(number: int, words: Sequence[str], links: Sequence[tuple[str, str]], head: str = "") -> Answer:
    chance = random.Random(number)
    lines = [" ".join(chance.choice(words if place % 3 else _PLAIN) for place in range(60)) for _ in range(3)]
    title = " ".join(chance.choice(words) for _ in range(4)).capitalize()
    told = "".join(f'<li><a href="{url}">{text}</a></li>' for url, text in links)
    body = "".join(f"<p>{line.capitalize()}.</p>" for line in lines)
    return html(
        f'<html lang="en"><head><title>{title} {number}</title>{head}</head><body><h1>{title}</h1>{body}'
        f"<ul>{told}</ul></body></html>"
    )


class FloodWeb:
    """Hosts whose even pages are about a flood; relevant pages lead to relevant ones more often than not."""

    def __init__(self, make_site: Callable[..., Site], hosts: int = 3, *, feeds: bool = False) -> None:
        # With feeds, each host announces pages that nothing else leads to.
        self._head = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">' if feeds else ""
        self.sites = [make_site(f"127.0.0.{number + 11}") for number in range(hosts)]
        self.relevant: set[str] = set()
        for place, site in enumerate(self.sites):
            for number in range(PAGES):
                self._add(place, site, number)
        for site in self.sites:
            self._add_front(site)
        self._add_trap(self.sites[-1])
        for place, site in enumerate(self.sites if feeds else ()):
            self._add_feed(place, site)

    def _add_feed(self, place: int, site: Site) -> None:
        for number in range(6):
            words = _FLOOD if number % 2 == 0 else _OTHER
            site.add(f"/news/{number}", story(5000 + 100 * place + number, words, ()))
        told = [Entry(link=f"/news/{number}", title=self._anchor(number)) for number in range(6)]
        site.add("/feed.xml", rss(told, title=f"The gazette of {place}"))

    def _add(self, place: int, site: Site, number: int) -> None:
        is_flood = number % 2 == 0
        words = _FLOOD if is_flood else _OTHER
        others = [(number + step) % PAGES for step in ((2, 4, 1) if is_flood else (2, 3, 1))]
        links = [(f"/story/{other}", self._anchor(other)) for other in others]
        near = self.sites[(place + 1) % len(self.sites)]
        links.append((near.url(f"/story/{number}"), self._anchor(number)))
        site.add(f"/story/{number}", story(1000 * place + number, words, links, self._head))
        if is_flood:
            self.relevant.add(site.url(f"/story/{number}"))

    def _anchor(self, number: int) -> str:
        chance = random.Random(number)
        return " ".join(chance.choice(_FLOOD if number % 2 == 0 else _OTHER) for _ in range(4))

    def _add_front(self, site: Site) -> None:
        links = [(f"/story/{number}", self._anchor(number)) for number in range(4)]
        links.append(("/calendar/0", "calendar"))
        site.add("/", story(7, _PLAIN, links))

    def _add_trap(self, site: Site) -> None:
        for day in range(200):
            site.add(f"/calendar/{day}", story(5, _PLAIN, [(f"/calendar/{day + 1}", "next day")]))

    @property
    def asked(self) -> list[str]:
        """All requests, with their hosts."""
        return [site.url(one.target) for site in self.sites for one in site.requests]


def campaign_text(web: FloodWeb, requests: int, more: str = "") -> str:
    seeds = ", ".join(site.url("/") for site in web.sites)
    return (
        "campaign: flood\nlanguages: [en]\nkeywords: [flood, dyke, sandbags]\n"
        f"seeds: [{seeds}]\nbudget: {{requests: {requests}}}\n{more}"
    )
