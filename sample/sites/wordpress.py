"""Hollin Moor Notes: a local history group whose feeds must be discovered from its home page."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, ClassVar

from sample import clock, messages, prose
from sample.comments import Comment, comments_until
from sample.edits import addition
from sample.markup import inline, joined, render, shortened, slug, token, xml
from sample.model import Article
from sample.site import Seed, Site

if TYPE_CHECKING:
    from sample.messages import Request, Response
    from sample.model import TrueEntry, Version

WINDOW = 10
_PAGE = re.compile(r"/page/([1-9]\d{0,3})/")
_GAPS = (1, 2, 1, 1)
_FIRST_DAY = -6
_AUTHORS = ("Joan T.", "secretary", "Ted Yeadon")
_NOTE = "Edit: Nell has found the missing page, and it bears out every word of the above. Minutes to follow."


def _day_of(rank: int) -> int:
    rounds, rest = divmod(rank, len(_GAPS))
    return _FIRST_DAY + rounds * sum(_GAPS) + sum(_GAPS[:rest])


@cache
def post(rank: int) -> Article:
    pool, day = prose.load("wordpress"), _day_of(rank)
    subjects = pool.subjects()
    draft = prose.compose(pool, subjects[rank * 5 % len(subjects)], f"hollin {rank}")
    published = clock.moment(day, 10 * 60 + rank * 71 % 500)
    return Article(
        number=rank * 3 + 1204,
        path=f"/{published:%Y/%m}/{slug(draft.title, 7)}-{rank + 1}/",
        entry_id=f"?p={rank * 3 + 1204}",
        title=draft.title,
        author=_AUTHORS[rank % len(_AUTHORS)],
        section="Notes",
        day=day,
        published=published,
        blocks=draft.blocks,
        edits=(addition(max(day + 3, 1), _NOTE),) if rank % 6 == 2 else (),
    )


@cache
def published_until(day: int) -> tuple[Article, ...]:
    """Oldest first."""
    count = 0
    while _day_of(count) <= day:
        count += 1
    return tuple(post(rank) for rank in range(count))


@lru_cache(maxsize=512)
def body_html(version: Version) -> str:
    return joined(f"<p>{inline(block.text)}</p>" for block in version.blocks)


class WordPress(Site):
    name = "wordpress"
    host = "127.0.0.5"
    software = "Apache"
    seeds = (Seed("/", "history", "6h"),)
    styles: ClassVar = {"/wp-content/themes/moor/style.css": "moor.css"}
    robots = "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n"

    def entry_id(self, article: Article) -> str:
        return f"{self.base}/{article.entry_id}"

    def route(self, request: Request) -> Response | None:
        if request.path == "/feed/":
            return _rss(self._posts_feed(request.day))
        if request.path == "/comments/feed/":
            return _rss(self._comments_feed(request.day))
        if number := _PAGE.fullmatch(request.path):
            return self._list(request, int(number[1]))
        found = (article for article in published_until(request.day) if article.path == request.path)
        return next((self._page(request, article.on(request.day)) for article in found), None)

    def home(self, request: Request) -> Response:
        return self._list(request, 1)

    def _list(self, request: Request, number: int) -> Response:
        """One of the pages that list all posts, the newest first."""
        newest = published_until(request.day)[::-1]
        listed = newest[(number - 1) * WINDOW : number * WINDOW]
        if not listed:
            return messages.error(404, "Oops! That page can&rsquo;t be found.")
        posts = (
            f'<article class="post hentry"><h2 class="entry-title"><a href="{self.url(article)}">'
            f'{escape(article.title)}</a></h2><div class="entry-summary"><p>'
            f"{escape(shortened(article.blocks[0].text))}</p></div></article>"
            for article in listed
        )
        nonce = token("home", request.serial)
        older = f'<div class="nav-previous"><a href="{self.base}/page/{number + 1}/">Older posts</a></div>'
        pager = f'<nav class="navigation posts-navigation"><div class="nav-links">{older}</div></nav>\n'
        return messages.page(
            render(
                "wordpress_home.html",
                posts=joined(posts),
                base=self.base,
                nonce=nonce,
                classes="home blog" if number == 1 else f"blog paged paged-{number}",
                pager=pager if len(newest) > number * WINDOW else "",
            )
        )

    def truth(self, day: int) -> list[TrueEntry]:
        """The posts; the feed of comments announces no articles of its own."""
        return self.announced(published_until(day), day, "/feed/", WINDOW)

    def _page(self, request: Request, version: Version) -> Response:
        article, posts = version.article, published_until(request.day)
        said = comments_until("wordpress", article, request.day)
        page = render(
            "wordpress_page.html",
            **self._head(article),
            body=body_html(version),
            comments=joined(_comment(comment, rank, article) for rank, comment in enumerate(said)),
            count=f"{len(said)} thought{'' if len(said) == 1 else 's'}",
            related=joined(self._link(other) for other in posts[:3] if other is not article),
            recent=joined(f"<li>{self._link(other)}</li>" for other in reversed(posts[-5:])),
            pager=" ".join(self._link(other) for other in posts[-3:] if other is not article),
            nonce=token("hollin", request.serial),
            serial=request.serial,
        )
        return messages.page(page)

    def _head(self, article: Article) -> dict[str, object]:
        return {
            "base": self.base,
            "url": self.url(article),
            "title": escape(article.title),
            "number": article.number,
            "author": article.author,
            "published": clock.iso_offset(article.published),
            "displayed": clock.american(article.published),
        }

    def _link(self, article: Article) -> str:
        return f'<a href="{self.url(article)}" rel="bookmark">{escape(article.title)}</a>'

    def _posts_feed(self, day: int) -> str:
        listed = published_until(day)[-WINDOW:]
        return self._channel("Hollin Moor Notes", "/feed/", joined(map(self._item, reversed(listed))))

    def _comments_feed(self, day: int) -> str:
        said = [
            (comment, f"{self.url(article)}#comment-{article.number}{rank}", article.title)
            for article in published_until(day)
            for rank, comment in enumerate(comments_until("wordpress", article, day))
        ]
        latest = sorted(said, key=lambda one: one[0].when, reverse=True)[:10]
        items = joined(_comment_item(*one) for one in latest)
        return self._channel("Comments for Hollin Moor Notes", "/comments/feed/", items)

    def _channel(self, title: str, path: str, items: str) -> str:
        return f"""<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"
	xmlns:content="http://purl.org/rss/1.0/modules/content/"
	xmlns:dc="http://purl.org/dc/elements/1.1/"
	xmlns:atom="http://www.w3.org/2005/Atom"
	xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
<channel>
	<title>{title}</title>
	<atom:link href="{self.base}{path}" rel="self" type="application/rss+xml" />
	<link>{self.base}</link>
	<description>The newsletter of a local history group, in no particular order</description>
	<sy:updatePeriod>hourly</sy:updatePeriod>
	<sy:updateFrequency>1</sy:updateFrequency>
{items}
</channel>
</rss>
"""

    def _item(self, article: Article) -> str:
        url = self.url(article)
        excerpt = f"<p>{escape(shortened(article.blocks[0].text))} [&#8230;]</p>"
        title = f'<a href="{url}">{escape(article.title)}</a>'
        origin = f"<p>The post {title} appeared first on Hollin Moor Notes.</p>"
        return f"""	<item>
		<title>{xml(article.title)}</title>
		<link>{url}</link>
		<dc:creator><![CDATA[{article.author}]]></dc:creator>
		<pubDate>{clock.rfc822(article.published)}</pubDate>
		<category><![CDATA[Notes]]></category>
		<guid isPermaLink="false">{self.entry_id(article)}</guid>
		<description><![CDATA[{excerpt}
{origin}]]></description>
	</item>"""


def _rss(text: str) -> Response:
    return messages.page(text, content_type="application/rss+xml; charset=UTF-8")


def _comment(comment: Comment, rank: int, article: Article) -> str:
    return (
        f'<li id="comment-{article.number}{rank}" class="comment depth-1">'
        f'<div class="comment-author vcard"><b class="fn">{escape(comment.name)}</b>'
        f' <span class="says">says:</span></div><div class="comment-metadata">'
        f'<time datetime="{clock.iso_offset(comment.when)}">{clock.american(comment.when)}</time></div>'
        f'<div class="comment-content"><p>{escape(comment.text)}</p></div></li>'
    )


def _comment_item(comment: Comment, url: str, title: str) -> str:
    return f"""	<item>
		<title>Comment on {xml(title)} by {xml(comment.name)}</title>
		<link>{url}</link>
		<dc:creator><![CDATA[{comment.name}]]></dc:creator>
		<pubDate>{clock.rfc822(comment.when)}</pubDate>
		<guid isPermaLink="false">{url}</guid>
		<description>{xml(comment.text)}</description>
	</item>"""
