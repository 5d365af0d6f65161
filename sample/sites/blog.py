"""Slack Water: one person's blog, with full content in Atom, growing comments and an author who edits."""

from __future__ import annotations

from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, ClassVar

from sample import clock, messages, prose
from sample.comments import Comment, comments_until
from sample.edits import addition, misspelt, typo_fix
from sample.markup import inline, joined, render, slug, token, xml
from sample.model import Article, Edit
from sample.site import Seed, Site

if TYPE_CHECKING:
    from sample.messages import Request, Response
    from sample.model import Blocks, TrueEntry, Version

WINDOW = 10
_FIRST_DAY = -9
_GAPS = (2, 1, 2, 2, 1)
_UPDATES = (
    "Update: several of you wrote to say that the third step is easier with two people. It is. I was alone.",
    "Update: it happened again last night, an hour later, and this time I had a witness and a thermometer.",
    "Update: Bram has read this and wishes it to be known that he never said anything of the kind.",
    "Update: the photographs came back from the chemist and are all of my thumb. I shall try again.",
)


def _day_of(number: int) -> int:
    rounds, rest = divmod(number, len(_GAPS))
    return _FIRST_DAY + rounds * sum(_GAPS) + sum(_GAPS[:rest])


@cache
def post(number: int) -> Article:
    pool = prose.load("blog")
    subjects = pool.subjects()
    draft = prose.compose(pool, subjects[number * 3 % len(subjects)], f"slack water {number}")
    day = _day_of(number)
    published = clock.moment(day, 19 * 60 + number * 37 % 180)
    blocks, edits = _history(number, day, draft.blocks)
    return Article(
        number=number + 212,
        path=f"/{published:%Y/%m}/{slug(draft.title, 6)}-{number + 212}",
        entry_id=f"tag:slackwater.example,2026:post-{number + 212}",
        title=draft.title,
        author="Ines Corvell",
        section="Boats",
        day=day,
        published=published,
        blocks=blocks,
        edits=edits,
    )


def _history(number: int, day: int, blocks: Blocks) -> tuple[Blocks, tuple[Edit, ...]]:
    """The post as first published, and what the author did to it later."""
    update = _UPDATES[number % len(_UPDATES)]
    if number == 4:
        return misspelt(blocks, 1), (typo_fix(1, blocks, 1), addition(6, update))
    if number == 3:
        return blocks, (addition(2, update),)
    if number == 2:
        return misspelt(blocks, 2), (typo_fix(3, blocks, 2, announced=False),)
    if number > 4 and number % 4 == 1:
        return blocks, (addition(day + 5, update, announced=False),)
    if number > 4 and number % 4 == 3:
        return misspelt(blocks, 0), (typo_fix(day + 2, blocks, 0),)
    return blocks, ()


@cache
def published_until(day: int) -> tuple[Article, ...]:
    """Oldest first."""
    count = 0
    while _day_of(count) <= day:
        count += 1
    return tuple(post(number) for number in range(count))


@lru_cache(maxsize=1024)
def body_html(version: Version) -> str:
    paragraphs = [f"<p>{inline(block.text)}</p>" for block in version.blocks]
    # She has a camera on some days.
    if version.article.number % 2 == 0:
        paragraphs.insert(2, f'<p><img src="/img/post-{version.article.number}.gif" alt="" width="320"></p>')
    return joined(paragraphs)


def _comment_html(comment: Comment) -> str:
    return (
        f'<li class="u-comment"><b>{escape(comment.name)}</b> <time>{comment.when:%d.%m.%Y %H:%M}</time>'
        f"<p>{escape(comment.text)}</p></li>"
    )


class Blog(Site):
    name = "blog"
    host = "127.0.0.2"
    software = "Caddy"
    seeds = (Seed("/atom.xml", "blogs", "2h"),)
    robots = None
    styles: ClassVar = {"/style.css": "slackwater.css"}

    def route(self, request: Request) -> Response | None:
        if request.path == "/atom.xml":
            return self._feed(request)
        for article in published_until(request.day):
            if article.path == request.path:
                return self._page(request, article.on(request.day))
        return None

    def home(self, request: Request) -> Response:
        posts = (
            f'<li class="h-entry"><time>{article.published:%Y-%m-%d}</time> '
            f'<a class="u-url p-name" href="{article.path}">{escape(article.title)}</a></li>'
            for article in reversed(published_until(request.day))
        )
        return messages.page(render("blog_home.html", posts=joined(posts)))

    def truth(self, day: int) -> list[TrueEntry]:
        return self.announced(published_until(day), day, "/atom.xml", WINDOW)

    def _page(self, request: Request, version: Version) -> Response:
        said = comments_until("blog", version.article, request.day)
        changed = max([version.changed, *(comment.when for comment in said)])
        page = render(
            "blog_page.html",
            **_head(version),
            body=body_html(version),
            comments=joined(map(_comment_html, said)),
            count=f"{len(said)} comment{'' if len(said) == 1 else 's'}",
            nonce=token("slack", request.serial),
            serial=request.serial,
            neighbour=self.bases.get("wordpress", ""),
            planet=self.bases.get("planet", ""),
            **_neighbours(version.article, request.day),
        )
        return messages.with_last_modified(request, messages.page(page), changed)

    def _feed(self, request: Request) -> Response:
        listed = published_until(request.day)[-WINDOW:]
        versions = [article.on(request.day) for article in reversed(listed)]
        answer = messages.page(_atom(self.base, versions), content_type="application/atom+xml; charset=utf-8")
        return messages.with_last_modified(request, answer, max(version.changed for version in versions))


def _head(version: Version) -> dict[str, object]:
    article = version.article
    return {
        "title": escape(article.title),
        "number": article.number,
        "path": article.path,
        "published": clock.iso(article.published),
        "displayed": article.published.strftime("%d %b %Y, about %H:%M"),
        "revision": version.revision,
    }


def _neighbours(article: Article, day: int) -> dict[str, str]:
    posts = published_until(day)
    place = posts.index(article)
    near = [*posts[max(place - 1, 0) : place], *posts[place + 1 : place + 2]]
    return {
        "pager": " | ".join(f'<a href="{other.path}">{escape(other.title)}</a>' for other in near),
        "lately": joined(
            f'<li><a href="{other.path}">{escape(other.title)}</a></li>' for other in posts[-4:]
        ),
    }


def _atom(base: str, versions: list[Version]) -> str:
    latest = max(version.updated for version in versions)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<title>Slack Water</title>
<subtitle>Boats, wireless and weather</subtitle>
<id>tag:slackwater.example,2026:feed</id>
<link rel="self" href="{base}/atom.xml"/>
<link rel="alternate" type="text/html" href="{base}/"/>
<updated>{clock.iso(latest)}</updated>
<author><name>Ines Corvell</name></author>
{joined(_entry(base, version) for version in versions)}
</feed>
"""


def _entry(base: str, version: Version) -> str:
    article = version.article
    return f"""<entry>
<title>{xml(article.title)}</title>
<id>{article.entry_id}</id>
<link rel="alternate" type="text/html" href="{base}{article.path}"/>
<published>{clock.iso(article.published)}</published>
<updated>{clock.iso(version.updated)}</updated>
<content type="html">{xml(body_html(version))}</content>
</entry>"""
