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
from sample.gazette.wordings import WORDINGS
from sample.markup import shortened, slug, token

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sample.gazette.model import Story
    from sample.gazette.stories import Published
    from sample.gazette.wordings import Wording

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

    @property
    def words(self) -> Wording:
        return WORDINGS[self.article.section]

    def ad(self, kind: str, place: str, rank: int = 0) -> str:
        ads = prose.lines("ads")
        number = self.article.number + 3 * rank + 5 * self.count(kind) + self.serial * self.is_restless
        return self.words.ad.format(
            place=place, number=number, image=f"/img/ad-{number}.gif", text=escape(ads[number % len(ads)])
        )

    def share_line(self) -> str:
        number = self.article.number
        return self.words.share.format(
            shares=12 * number + 7 * self.count("share counter"),
            comments=number + 4 * self.count("comment counter"),
        )

    def date_line(self) -> str:
        when = self.article.published
        return self.words.dates.format(
            iso=clock.iso(when),
            day=clock.british(when),
            ago=self.words.ages[min(self.count("relative date"), 2)],
            hour=9 + self.count("updated at"),
        )

    def views(self) -> str:
        count = 1200 + 31 * self.article.number + 407 * self.count("view counter")
        return self.words.views.format(count=count)

    def comments(self) -> str:
        shown = _said_of(self.article.name)[: 2 + 3 * self.count("comments")]
        names = (_READERS[rank % len(_READERS)] for rank in range(len(shown)))
        rows = (
            self.words.comment.format(name=name, text=escape(one))
            for name, one in zip(names, shown, strict=True)
        )
        return self.words.comments.format(rows="".join(rows))

    def links(self, kind: str, count: int) -> str:
        titles = _other_titles(f"{self.article.name} {kind} {self.count(kind)}", count)
        rows = "".join(f'<li><a href="/town/x-{slug(one)}">{escape(one)}</a></li>' for one in titles)
        return self.words.links.format(name=slug(kind), label=self.words.labels[kind], rows=rows)

    def newsletter(self) -> str:
        return self.words.newsletter if self.count("newsletter box") else ""

    def cookie_banner(self) -> str:
        return self.words.cookie_banner if self.count("cookie banner") else ""

    def author_box(self) -> str:
        name = escape(self.article.author)
        box = self.words.author_box.format(name=name, slug=slug(self.article.author))
        return box if self.count("author box") else ""

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
<link rel="stylesheet" href="/gazette.css">
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
