"""A page written for the tests, captures of it, and what the judge says of two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.methods.extraction import extract_group, parse_page
from archiver.articles.model import Article, ParsedPage
from archiver.articles.versions.judge import judge
from archiver.articles.versions.reading import Reading, compared_page
from archiver.documents.pages.model import Announcement, RawPage

if TYPE_CHECKING:
    from archiver.articles.versions.model import Judgement

URL = "https://post.example.org/2024/05/lighthouse.html"
TITLE = "Lighthouse keeper leaves after forty winters"

STORY = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Lighthouse keeper leaves after forty winters | Island Post</title>
<meta property="og:site_name" content="Island Post">
<meta property="og:title" content="Lighthouse keeper leaves after forty winters">
</head><body>
<nav class="top-nav"><a href="/">Home</a> <a href="/sport">Sport</a> <a href="/weather">Weather</a></nav>
<main><article class="story">
<h1>Lighthouse keeper leaves after forty winters</h1>
<p class="posted">Updated 12:31, 4 May 2024</p>
<div class="story-body">
<p>The last keeper of the northern lighthouse packed her books on Friday, after forty winters on a rock that
ships see before they see the land. A helicopter took her home before the storm came in from the west.</p>
<p>She had kept a diary of every ship that passed, 12 people were saved in those years, and the museum has
asked for <a href="/museum/diaries">all of the diaries</a> to be shown in the old customs house next year.</p>
<figure><img src="/img/lighthouse-640x480.jpg" alt="The tower"><figcaption>The tower in the winter of 1987,
seen from the supply boat.</figcaption></figure>
<p>From June a small computer will switch the lamp on and off. The harbour board says that it costs less than
the coal for one winter, and that nobody has to live where the waves break the windows every second year.</p>
<h2>What comes after the lamp</h2>
<p>Fishermen are not so sure. \u201cShe saw what no camera sees,\u201d said one of them, whom she found in
the fog of 2003, when his engine had stopped and the tide was carrying the boat on to the western reef.</p>
<ul><li>The tower is open on Sundays in summer.</li><li>The boat leaves at nine from the old pier.</li>
<li>Children under ten travel for nothing.</li></ul>
<table><tr><th>Year</th><th>Ships seen</th></tr><tr><td>1984</td><td>2,310</td></tr>
<tr><td>2023</td><td>418</td></tr></table>
<p>The keeper herself will move to the mainland, where her sister has a garden and no view of the sea at all.
She says that she has looked at it for long enough, and that the roses need somebody who gets up early.</p>
</div>
<div class="share-bar"><a href="/share">Share</a> <span>218 shares</span></div>
</article>
<aside class="sidebar"><h3>Most read</h3><ul><li><a href="/a1">Council votes on the new pier</a></li>
<li><a href="/a2">Herring is back in the bay</a></li></ul></aside></main>
<section id="comments"><h3>14 comments</h3><p>I was on that boat, and I never thanked her.</p></section>
<footer>Island Post, 12 Quay Street. All rights reserved.</footer></body></html>"""


def capture(markup: str, *, title: str | None = TITLE, url: str = URL) -> Reading:
    """A page as a crawl reads it."""
    raw = RawPage(
        url=url,
        body=markup.encode(),
        content_type="text/html; charset=utf-8",
        announcement=Announcement(title=title),
    )
    (article,) = extract_group([raw]).results
    assert isinstance(article, Article), article
    page = parse_page(raw)
    assert isinstance(page, ParsedPage)
    return Reading(article=article, page=compared_page(page))


def changed(*replacements: tuple[str, str], story: str = STORY) -> str:
    """The story with other words; what is replaced must be there."""
    for old, new in replacements:
        assert old in story, old
        story = story.replace(old, new)
    return story


def judged(before: str, now: str) -> Judgement:
    return judge(capture(before), capture(now))


def kinds(before: str, now: str) -> tuple[str, ...]:
    change = judged(before, now).change
    return change.kinds if change else ()
