"""Short features, used by the sites whose point is not what they publish but how."""

from __future__ import annotations

from functools import cache, lru_cache
from html import escape

from sample import clock, prose
from sample.markup import inline, joined, render
from sample.model import Article, Version

_AUTHORS = ("Pascoe Lyle", "Minna Dray", "The Weathercock")


@cache
def story(key: str, *, number: int, day: int, path: str = "", title: str = "") -> Article:
    """A feature that depends on `key` and `number` alone."""
    pool = prose.load("weathercock")
    subjects = pool.subjects()
    draft = prose.compose(pool, subjects[number % len(subjects)], f"weathercock {key} {number}")
    return Article(
        number=number,
        path=path or f"/stories/{key}",
        entry_id=f"weathercock:{key}",
        title=title or draft.title,
        author=_AUTHORS[number % len(_AUTHORS)],
        section="Features",
        day=day,
        published=clock.moment(day, 7 * 60 + number * 53 % 840),
        blocks=draft.blocks,
    )


@lru_cache(maxsize=256)
def body_html(version: Version) -> str:
    return joined(f"<p>{inline(block.text)}</p>" for block in version.blocks)


def story_page(version: Version, *, serial: int) -> str:
    article = version.article
    return render(
        "weathercock_page.html",
        title=escape(article.title),
        author=escape(article.author),
        displayed=article.published.strftime("%d/%m/%y"),
        body=body_html(version),
        serial=serial,
        vane=("north", "north-east", "east", "south", "west")[serial % 5],
    )
