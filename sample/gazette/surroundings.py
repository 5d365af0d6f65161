"""What stands around an article on its page, by how often each kind of noise has struck it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from html import escape
from random import Random
from typing import TYPE_CHECKING

from sample import clock, prose
from sample.gazette.model import plain
from sample.markup import shortened, slug, token

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sample.gazette.model import Story
    from sample.gazette.stories import Published

_READERS = ("Marla", "Old Fisherman", "T. Quayle", "Nightshift", "Ottoline", "Ben of the Fell")
_SITE = "The Fell Gazette"


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """An article on its page: who, what noise, and the number of the request."""

    article: Published
    story: Story
    url: str
    noise: Mapping[str, int] = field(default_factory=dict)
    serial: int = 0

    def count(self, kind: str) -> int:
        return self.noise.get(kind, 0)

    @property
    def is_restless(self) -> bool:
        return self.count("every request") > 0

    def ad(self, kind: str, names: str, rank: int = 0) -> str:
        ads = prose.lines("ads")
        place = self.article.number + 3 * rank + 5 * self.count(kind) + self.serial * self.is_restless
        return (
            f'<div class="{names}"><span>Advertisement</span><a href="/out/{place}">'
            f'<img src="/img/ad-{place}.gif" alt="" width="300" height="90"></a>'
            f"<p>{escape(ads[place % len(ads)])}</p></div>"
        )

    def share_line(self) -> str:
        number = self.article.number
        shares = 12 * number + 7 * self.count("share counter")
        comments = self.count("comment counter") * 4 + number
        return (
            f'<div class="share"><span class="shares">{shares}</span> shares '
            f'<a class="talk" href="#comments">{comments} comments</a></div>'
        )

    def date_line(self) -> str:
        when = self.article.published
        ago = ("3 hours ago", "2 days ago", "last week")[min(self.count("relative date"), 2)]
        hour = 9 + self.count("updated at")
        return (
            f'<p class="dates"><time datetime="{clock.iso(when)}">{clock.british(when)}</time> '
            f'<span class="ago">{ago}</span> <span class="updated">Updated at {hour:02}:15</span></p>'
        )

    def views(self) -> str:
        count = 1200 + 31 * self.article.number + 407 * self.count("view counter")
        return f'<p class="views">Read {count} times</p>'

    def comments(self) -> str:
        shown = _said_of(self.article.name)[: 2 + 3 * self.count("comments")]
        rows = "".join(
            f'<li class="comment"><cite>{_READERS[rank % len(_READERS)]}</cite><p>{escape(one)}</p></li>'
            for rank, one in enumerate(shown)
        )
        return f'<section id="comments" class="comments"><h3>Comments</h3><ol>{rows}</ol></section>'

    def links(self, kind: str, names: str, label: str, count: int) -> str:
        titles = _other_titles(f"{self.article.name} {kind} {self.count(kind)}", count)
        rows = "".join(f'<li><a href="/town/x-{slug(one)}">{escape(one)}</a></li>' for one in titles)
        return f'<aside class="{names}"><h3>{label}</h3><ul>{rows}</ul></aside>'

    def newsletter(self) -> str:
        if not self.count("newsletter box"):
            return ""
        return (
            '<div class="newsletter"><h3>The fells in your inbox</h3><p>Sign up for our newsletter and never '
            'miss a story.</p><form action="/newsletter"><input name="email" type="email">'
            "<button>Sign up</button></form></div>"
        )

    def cookie_banner(self) -> str:
        if not self.count("cookie banner"):
            return ""
        return (
            '<div id="consent" class="cookie-banner"><p>We use cookies to make this site better, and so do '
            "our 214 partners. You can change your mind at any time.</p><button>Accept</button></div>"
        )

    def author_box(self) -> str:
        if not self.count("author box"):
            return ""
        name = escape(self.article.author)
        return (
            f'<div class="author-box"><img src="/img/{slug(name)}.gif" alt="{name}"><h4>About {name}</h4>'
            f"<p>{name} writes about the fells and keeps bees. The newsroom passes letters on.</p></div>"
        )

    def scripts(self) -> str:
        weight = self.count("page weight")
        nonce = token(self.article.name, self.serial if self.is_restless else weight)
        state = "".join(f"<script>window.s{rank}='{nonce}';</script>" for rank in range(1 + 12 * weight))
        style = f"<style>.w{weight}{{margin:{weight}px}}</style>"
        return f'{state}{style}<input type="hidden" name="csrf" value="{nonce}">'

    def head(self) -> str:
        title, url = escape(self.story.title), self.url
        first = next(block.text for block in self.story.blocks if block.kind == "p")
        published = clock.iso_offset(self.article.published)
        modified = clock.iso_offset(clock.moment(self.article.day + 1, 60 * self.count("dates in the head")))
        data = {
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "headline": self.story.title,
            "datePublished": published,
            "dateModified": modified,
            "author": {"@type": "Person", "name": self.article.author},
        }
        return f"""<title>{title} – {_SITE}</title>
<link rel="canonical" href="{url}">
<meta property="og:type" content="article"><meta property="og:title" content="{title}">
<meta property="og:site_name" content="{_SITE}">
<meta name="description" content="{escape(shortened(plain(first)))}">
<meta property="article:published_time" content="{published}">
<meta property="article:modified_time" content="{modified}">
<script type="application/ld+json">{json.dumps(data, ensure_ascii=True)}</script>"""


@cache
def _said_of(article: str) -> list[str]:
    """All that readers will ever write about it."""
    pool = prose.load("blog")
    said = [prose.fill(pool, one, f"{article} {one}") for one in pool.topics["comments"].paragraphs]
    Random(article).shuffle(said)
    return said


@cache
def _other_titles(seed: str, count: int) -> list[str]:
    rng, pool = Random(seed), prose.load("newspaper")
    return [prose.compose(pool, rng.choice(pool.subjects()), f"{rng.random()}").title for _ in range(count)]
