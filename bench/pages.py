"""Pages of a made-up newspaper: each one different, each the same whenever it is asked for."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import cache
from html import escape

SMALLEST, LARGEST = 30_000, 200_000
FEED_LENGTH = 500


def _words(text: str) -> list[str]:
    return text.replace("\n", " ").split(" | ")


_SUBJECTS = _words(
    """The city council | A group of researchers | The ministry of transport | Local farmers | The central
bank | The harbour authority | A court in the capital | The national museum | Two former ministers |
The teachers' union | An independent commission | The regional hospital | Volunteers of the coast
guard | The largest grid operator | A panel of historians | The opposition | Several start-ups | The
film festival | The weather service | A small publisher | Engineers at the institute | The mayor's
office | Residents of the old town | The football club | The water board"""
)
_VERBS = _words(
    """has approved | rejects | is preparing | published | has postponed | defends | questions | welcomed |
wants to extend | will present | is examining | has quietly dropped | criticised | is financing | has
completed | plans to replace | warned against | agreed on | is reviewing | has doubled | intends to
close | took over | announced | lost the dispute over | reopened"""
)
_OBJECTS = _words(
    """a new timetable for night trains | the budget for flood protection | an archive of radio recordings |
the merger of two laboratories | a report on soil erosion | the bridge over the estuary | stricter
limits for noise | a programme for apprentices | the sale of the old brewery | its forecast for the
coming year | a fund for small cinemas | the excavation beside the cathedral | a map of groundwater
levels | the contract with its supplier | a ban on plastic nets | the rules for short-term rentals | a
translation of the letters | the extension of the tram line | tests of a cheaper battery | the reform
of the pension scheme | a study of migrating storks | the repair of the sea wall | its plan for heat
waves"""
)
_TAILS = _words(
    """after months of negotiations behind closed doors | although the costs are still disputed | according
to a statement | despite protests in several districts | while experts call for patience | with
immediate effect | as first reported on Monday | because earlier attempts had failed | until the end
of the season | for the first time since {year} | at a price of {n} million | in {place} and the
surrounding villages | by a majority of {n} votes | following a complaint from {place} | to the
surprise of many | without naming a date | under the condition that {place} takes part | in the hope
of saving {n} per cent"""
)
_PLACES = _words(
    "Ardmore | Belcastel | Cölpin | Dunvegan | Évora | Fjällnäs | Gorizia | Hoorn | Ivrea | Jelgava | Kotor"
)
_SECTIONS = ("politics", "business", "culture", "science", "sport", "region")
_NAMES = ("Ana Brandt", "Jonas Keller", "Miriam Osei", "Pavel Novák", "Sofia Lindqvist", "Tom Whitaker")


def _sentence(rng: random.Random) -> str:
    tail = rng.choice(_TAILS).format(
        year=rng.randint(1951, 2019), n=rng.randint(2, 98), place=rng.choice(_PLACES)
    )
    return f"{rng.choice(_SUBJECTS)} {rng.choice(_VERBS)} {rng.choice(_OBJECTS)} {tail}."


_POOL = [_sentence(random.Random(number)) for number in range(6000)]
# One long JSON string without quotes or angle brackets inside, of which each page embeds a different stretch.
_STATE = " ".join(_POOL[:4000])


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What the feed and the page say in common."""

    index: int
    path: str
    title: str
    summary: str
    section: str
    author: str
    published: datetime


@cache
def story(index: int) -> Story:
    rng = random.Random(f"story {index}")
    subject, verb, thing, place = (rng.choice(words) for words in (_SUBJECTS, _VERBS, _OBJECTS, _PLACES))
    published = datetime(2025, 6, 1, 12, tzinfo=UTC) - timedelta(minutes=7 * index)
    section = _SECTIONS[index % len(_SECTIONS)]
    slug = "-".join(thing.lower().split()[-3:])
    lead = f"{subject} {verb} {thing}, a spokesperson said in {place} on {published:%A}."
    return Story(
        index=index,
        path=f"/{section}/{published:%Y/%m}/{slug}-{index}.html",
        title=f"{place}: {subject} {verb} {thing}",
        summary=f"{lead} {_POOL[rng.randrange(len(_POOL))]}",
        section=section,
        author=_NAMES[rng.randrange(len(_NAMES))],
        published=published,
    )


def index_of(path: str) -> int | None:
    """Which page a path means; only the number at its end counts."""
    number = path.rpartition("-")[2].removesuffix(".html")
    return int(number) if path.endswith(".html") and number.isascii() and number.isdigit() else None


def _links(count: int, kind: str) -> str:
    return "".join(
        f'<li class="{kind}-item"><a href="/{kind}/{n}">{_POOL[n][:24]}</a></li>' for n in range(count)
    )


_STYLE = "".join(
    f".c{n}-block{{margin:{n % 9}px auto;padding:.{n}em;color:#{n * 4099 % 0xFFFFFF:06x}}}" for n in range(90)
)
_SCRIPT = "".join(f'dl.push({{"slot":{n},"size":[{n * 7 % 970},90],"key":"z{n * n}"}});' for n in range(60))
_HEAD = (
    '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/s/main.css">'
    '<link rel="alternate" type="application/rss+xml" title="The Loopback" href="/feed.xml">'
    f"<style>{_STYLE}</style><script>var dl=[];{_SCRIPT}</script></head>"
)
_NAV = f'<header class="top"><a href="/">The Loopback</a><nav><ul>{_links(40, "nav")}</ul></nav></header>'
_FOOT = (
    f'<footer><ul>{_links(50, "service")}</ul><p class="legal">All rights reserved. Reproduction needs '
    f"permission.</p></footer><script>{_SCRIPT}</script></body></html>"
)


def page(index: int) -> bytes:
    told = story(index)
    rng = random.Random(f"page {index}")
    size = SMALLEST * (LARGEST / SMALLEST) ** (rng.random() ** 1.3)
    parts = [_opening(told), _NAV, *_article(told, rng, size), _sidebar(index, rng)]
    parts += _comments(rng, 0.4 * (size - sum(map(len, parts)) - len(_FOOT)))
    missing = max(0, int(size) - sum(map(len, parts)) - len(_FOOT))
    start = rng.randrange(len(_STATE) - LARGEST)
    parts.append(f'<script type="application/json" id="state">"{_STATE[start : start + missing]}"</script>')
    return "".join((*parts, _FOOT)).encode()


def _opening(told: Story) -> str:
    title, summary = escape(told.title), escape(told.summary)
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title} - The Loopback</title>'
        f'<meta property="og:title" content="{title}"><meta name="description" content="{summary}">'
        f'<meta property="article:published_time" content="{told.published.isoformat()}">'
        f'<meta name="author" content="{told.author}"><link rel="canonical" href="{told.path}">{_HEAD}<body>'
    )


def _article(told: Story, rng: random.Random, size: float) -> list[str]:
    when = f'<time datetime="{told.published.isoformat()}">{told.published:%d %B %Y, %H:%M}</time>'
    opening = f'<main><article class="story"><h1>{escape(told.title)}</h1>'
    by = f'<p class="by">By {told.author}, {when}</p>'
    parts = [opening, by, f'<p class="lead">{escape(told.summary)}</p>']
    for number in range(8 + int(size / 12_000)):
        if number % 5 == 3:
            parts.append(f'<figure><img src="/i/{told.index}-{number}.jpg" alt="A photo"></figure>')
        parts.append(f"<p>{' '.join(rng.choices(_POOL, k=rng.randint(3, 7)))}</p>")
    return [*parts, "</article>"]


def _sidebar(index: int, rng: random.Random) -> str:
    cards = "".join(
        f'<div class="card"><a href="{other.path}"><img loading="lazy" src="/t/{other.index}.jpg" alt="">'
        f"<h3>{escape(other.title)}</h3></a></div>"
        for other in (story(max(0, index - back)) for back in (1, 2, 3, 4))
    )
    read = "".join(f'<li><a href="/most-read/{n}">{rng.choice(_POOL)[:60]}</a></li>' for n in range(10))
    return f"</main><aside><h2>More stories</h2>{cards}<h2>Most read</h2><ol>{read}</ol></aside>"


def _comment(number: int) -> str:
    text = " ".join(_POOL[number : number + 3])
    return f'<div class="comment" id="c{number}"><b>reader{number % 997}</b><p>{text}</p></div>'


_COMMENTS = [_comment(number) for number in range(3000)]
_COMMENT_SIZE = sum(map(len, _COMMENTS)) / len(_COMMENTS)


def _comments(rng: random.Random, size: float) -> list[str]:
    # A stretch of ready-made comments: composing each one would cost more than all the rest of the page.
    count = max(0, int(size / _COMMENT_SIZE))
    start = rng.randrange(len(_COMMENTS) - count)
    return [
        '<section class="comments"><h2>Comments</h2>',
        *_COMMENTS[start : start + count],
        "</section>",
    ]


def feed(number: int, pages: int, base: str) -> bytes:
    """The feed that announces the pages from `number * FEED_LENGTH` on."""
    indexes = range(number * FEED_LENGTH, min(pages, (number + 1) * FEED_LENGTH))
    entries = "\n".join(_entry(story(index), base) for index in indexes)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel>'
        f"<title>The Loopback, part {number}</title><link>{base}/</link><description>News</description>\n"
        f"{entries}\n</channel></rss>\n"
    ).encode()


def _entry(told: Story, base: str) -> str:
    return (
        f"<item><title>{escape(told.title)}</title><link>{base}{told.path}</link>"
        f"<guid>{base}{told.path}</guid><pubDate>{format_datetime(told.published, usegmt=True)}</pubDate>"
        f"<category>{told.section}</category><description>{escape(told.summary)}</description></item>"
    )


def feed_count(pages: int) -> int:
    return -(-pages // FEED_LENGTH)
