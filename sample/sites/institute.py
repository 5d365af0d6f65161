"""The Port Elmet Tidal Office: bulletins in ISO-8859-1, laid out in tables, announced in RSS 1.0."""

from __future__ import annotations

from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING

from sample import clock, messages, prose
from sample.edits import addition
from sample.markup import inline, joined, render, shortened, xml
from sample.model import Article
from sample.site import Seed, Site

if TYPE_CHECKING:
    from sample.messages import Request, Response
    from sample.model import TrueEntry, Version

WINDOW = 8
_FIRST_DAY = -12
_LATIN = "iso-8859-1"
_ERRATUM = (
    "Erratum: the second figure above was misprinted in the first issue of this bulletin. We apologise."
)


@cache
def bulletin(rank: int) -> Article:
    """One every second day, dated without an hour; every fifth gets an erratum four days later."""
    pool, number, day = prose.load("institute"), rank + 311, _FIRST_DAY + 2 * rank
    subjects = pool.subjects()
    draft = prose.compose(pool, subjects[rank * 2 % len(subjects)], f"elmet {rank}")
    return Article(
        number=number,
        path=f"/bulletins/2026/b{number:04}.htm",
        entry_id="",
        title=draft.title,
        author="Port Elmet Tidal Office",
        section="Bulletins",
        day=day,
        published=clock.moment(day),
        blocks=draft.blocks,
        edits=(addition(max(day + 4, 1), _ERRATUM),) if rank % 5 == 4 else (),
    )


@cache
def published_until(day: int) -> tuple[Article, ...]:
    """Oldest first."""
    return tuple(bulletin(rank) for rank in range((day - _FIRST_DAY) // 2 + 1))


@lru_cache(maxsize=256)
def _body(version: Version) -> str:
    """Unclosed paragraphs on odd bulletins, line breaks on even ones."""
    texts = [inline(block.text).replace("<em>", "<I>").replace("</em>", "</I>") for block in version.blocks]
    return (
        "<BR><BR>\n".join(texts)
        if version.article.number % 2 == 0
        else joined(f"<P>{text}" for text in texts)
    )


class Institute(Site):
    name = "institute"
    host = "127.0.0.4"
    software = "Apache/1.3.33 (Unix)"
    seeds = (Seed("/news.rdf", "institutions", "12h"),)
    robots = "User-agent: *\nCrawl-delay: 0.2\nDisallow: /cgi-bin/\n"

    def entry_id(self, article: Article) -> str:
        return self.url(article)

    def route(self, request: Request) -> Response | None:
        if request.path == "/news.rdf":
            text = _rdf(self.base, published_until(request.day)[-WINDOW:][::-1])
            return messages.page(text, content_type="application/rdf+xml", encoding=_LATIN)
        found = (article for article in published_until(request.day) if article.path == request.path)
        return next((self._page(request, article.on(request.day)) for article in found), None)

    def home(self, request: Request) -> Response:
        rows = (
            f"<TR><TD>{article.published:%d/%m/%Y}</TD>"
            f'<TD><A HREF="{article.path[1:]}">{escape(article.title)}</A></TD></TR>'
            for article in reversed(published_until(request.day))
        )
        head = "<HTML><HEAD><TITLE>Port Elmet Tidal Office</TITLE></HEAD><BODY><H1>Bulletins</H1>"
        return _page(f"{head}<TABLE>{joined(rows)}</TABLE></BODY></HTML>")

    def truth(self, day: int) -> list[TrueEntry]:
        return self.announced(published_until(day), day, "/news.rdf", WINDOW)

    def _page(self, request: Request, version: Version) -> Response:
        article = version.article
        text = render(
            "institute_page.html",
            title=escape(article.title),
            number=article.number,
            displayed=clock.british(article.published),
            body=_body(version),
            up="../..",
            previous=f"b{article.number - 1:04}.htm",
            tide=f"{request.day * 48 % 720 // 60:02}.{request.day * 48 % 60:02}",
            visitors=f"{88120 + request.serial:07}",
            serial=request.serial,
        )
        return _page(text)


def _page(text: str) -> Response:
    return messages.page(text, content_type="text/html", encoding=_LATIN)


def _rdf(base: str, listed: tuple[Article, ...]) -> str:
    order = joined(f'<rdf:li rdf:resource="{base}{article.path}"/>' for article in listed)
    return f"""<?xml version="1.0" encoding="ISO-8859-1"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="{base}/news.rdf">
<title>Port Elmet Tidal Office: bulletins</title>
<link>{base}/</link>
<description>Notices of the Office</description>
<items><rdf:Seq>
{order}
</rdf:Seq></items>
</channel>
{joined(_item(base, article) for article in listed)}
</rdf:RDF>
"""


def _item(base: str, article: Article) -> str:
    return f"""<item rdf:about="{base}{article.path}">
<title>{xml(article.title)}</title>
<link>{base}{article.path}</link>
<description>{xml(shortened(article.blocks[0].text))}</description>
<dc:date>{article.published:%Y-%m-%d}</dc:date>
</item>"""
