"""Lisière · Saum: a magazine in French and German, with JSON feeds and pages built of nameless divs."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from sample import clock, messages, prose
from sample.markup import inline, joined, render, shortened, slug, token
from sample.model import Article
from sample.site import Seed, Site

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sample.messages import Request, Response
    from sample.model import Block, TrueEntry, Version

WINDOW = 12
CULTURE_WINDOW = 8
_FIRST_DAY = -7
_AUTHORS = {"fr": ("Aurélie Combeferre", "Gaëtan Le Moël"), "de": ("Jörg Sänger", "Mareike Groß")}
_WORDS = {
    "fr": {
        "contents_title": "Dans cet article",
        "soon": "À paraître",
        "notes": "Le prochain numéro sera consacré aux ponts et à ceux qui restent sur l'autre rive.",
        "thanks": "Cet article vous a plu ? La revue vit de ses abonnés.",
        "share": "Partager · Imprimer · Envoyer",
        "also": "À lire aussi",
        "letter": "Recevoir notre lettre du vendredi",
    },
    "de": {
        "contents_title": "In diesem Beitrag",
        "soon": "Demnächst",
        "notes": "Das nächste Heft handelt von Brücken und von denen, die am anderen Ufer bleiben.",
        "thanks": "Hat Ihnen der Beitrag gefallen? Die Zeitschrift lebt von ihren Abonnenten.",
        "share": "Teilen · Drucken · Versenden",
        "also": "Lesen Sie auch",
        "letter": "Unser Brief am Freitag",
    },
}


@cache
def _article(number: int, day: int) -> Article:
    language = ("fr", "de")[number % 2]
    pool = prose.load(f"magazine_{language}")
    subjects = pool.subjects()
    subject = subjects[number // 2 % len(subjects)]
    section = subject.partition("/")[0]
    draft = prose.compose(pool, subject, f"lisière {number}")
    return Article(
        number=number + 870,
        path=f"/{section}/{slug(draft.title)}-{number + 870}",
        entry_id=f"urn:lisiere:{number + 870}",
        title=draft.title,
        author=_AUTHORS[language][number // 2 % 2],
        section=section,
        day=day,
        published=clock.moment(day, 8 * 60 + number * 41 % 300),
        blocks=draft.blocks,
        language=language,
    )


@cache
def published_until(day: int) -> tuple[Article, ...]:
    """Oldest first: one a day, and two on every third day."""
    days = [past for past in range(_FIRST_DAY, day + 1) for _ in range(2 if past % 3 == 0 else 1)]
    articles = (_article(number, past) for number, past in enumerate(days))
    return tuple(sorted(articles, key=lambda article: article.published))


def culture_until(day: int) -> tuple[Article, ...]:
    return tuple(article for article in published_until(day) if article.section == "culture")


@lru_cache(maxsize=1024)
def body_html(version: Version) -> str:
    """Blocks as HTML; a third of the articles set even their paragraphs in divs."""
    tag = "div" if version.article.number % 3 == 0 else "p"
    groups = groupby(version.blocks, key=lambda block: block.kind == "li")
    return joined(_list(blocks) if is_list else _blocks(blocks, tag) for is_list, blocks in groups)


def _list(blocks: Iterable[Block]) -> str:
    return f"<ul>{''.join(f'<li>{inline(block.text)}</li>' for block in blocks)}</ul>"


def _blocks(blocks: Iterable[Block], tag: str) -> str:
    return joined(_block(block, tag) for block in blocks)


def _block(block: Block, tag: str) -> str:
    text = inline(block.text)
    image = f'<img src="/img/{slug(block.text, 3)}.gif" alt="">'
    return {
        "p": f"<{tag}>{text}</{tag}>",
        "h2": f'<h2 id="{slug(block.text)}">{text}</h2>',
        "quote": f"<blockquote><{tag}>{text}</{tag}></blockquote>",
        "code": f"<pre><code>{escape(block.text, quote=False)}</code></pre>",
        "figure": f"<figure>{image}<figcaption>{text}</figcaption></figure>",
    }[block.kind]


class Magazine(Site):
    name = "magazine"
    host = "127.0.0.3"
    software = "lighttpd/1.4.71"
    seeds = (Seed("/feed.json", "culture", "1d"),)
    styles: ClassVar = {"/lisiere.css": "lisiere.css"}

    def route(self, request: Request) -> Response | None:
        if request.path == "/feed.json":
            return self._feed(published_until(request.day)[-WINDOW:], "Lisière · Saum", "/feed.json")
        if request.path == "/culture/feed.json":
            listed = culture_until(request.day)[-CULTURE_WINDOW:]
            return self._feed(listed, "Lisière · Saum : culture", "/culture/feed.json")
        if request.path in {"/culture/", "/savoirs/", "/lieux/"}:
            return self.home(request)
        found = (article for article in published_until(request.day) if article.path == request.path)
        return next((self._page(request, article.on(request.day)) for article in found), None)

    def home(self, request: Request) -> Response:
        section = request.path.strip("/")
        cards = (
            f'<div><div><a href="{article.path}">{escape(article.title)}</a></div>'
            f"<div>{escape(shortened(article.blocks[0].text))}</div></div>"
            for article in reversed(published_until(request.day)[-18:])
            if section in {"", article.section}
        )
        return messages.page(render("magazine_home.html", cards=joined(cards)))

    def truth(self, day: int) -> list[TrueEntry]:
        main = self.announced(published_until(day), day, "/feed.json", WINDOW)
        return main + self.announced(culture_until(day), day, "/culture/feed.json", CULTURE_WINDOW)

    def _page(self, request: Request, version: Version) -> Response:
        article = version.article
        dated = {"fr": clock.french, "de": clock.german}[article.language]
        headings = (block for block in version.blocks if block.kind == "h2")
        page = render(
            "magazine_page.html",
            **_WORDS[article.language],
            title=escape(article.title),
            author=article.author,
            language=article.language,
            section=article.section.title(),
            displayed=dated(article.published),
            contents=joined(
                f'<div><a href="#{slug(one.text)}">{escape(one.text)}</a></div>' for one in headings
            ),
            body=body_html(version),
            others=_others(article, request.day),
            nonce=token("lisière", request.serial),
            serial=request.serial,
        )
        return messages.page(page)

    def _feed(self, listed: tuple[Article, ...], title: str, path: str) -> Response:
        feed = {
            "version": "https://jsonfeed.org/version/1.1",
            "title": title,
            "home_page_url": f"{self.base}/",
            "feed_url": self.base + path,
            "language": "fr",
            "items": [self._item(article) for article in reversed(listed)],
        }
        text = json.dumps(feed, ensure_ascii=False, indent=1)
        return messages.page(text, content_type="application/feed+json; charset=utf-8")

    def _item(self, article: Article) -> dict[str, object]:
        return {
            "id": article.entry_id,
            "url": self.url(article),
            "title": article.title,
            "summary": shortened(article.blocks[0].text, 120),
            "content_html": f"<p>{inline(article.blocks[0].text)}</p>",
            "date_published": clock.iso_offset(article.published),
            "authors": [{"name": article.author}],
            "language": article.language,
            "tags": [article.section],
        }


def _others(article: Article, day: int) -> str:
    others = [other for other in published_until(day)[-4:] if other is not article]
    return joined(f'<div><a href="{other.path}">{escape(other.title)}</a></div>' for other in others)
