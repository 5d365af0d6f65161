"""Real edits of foreign pages that concern a headline, links or images."""

from __future__ import annotations

import json
import re
from html import escape, unescape
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from changes_edits import paragraph_replaced
from changes_kinds import IMAGES, LINKS, TEXT, TITLE, edit
from changes_places import PLAIN_WORD, changed, put_behind, replaced_word
from changes_source import words_of
from changes_words import composed

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from changes_source import Source

_HREF = re.compile(r"(\shref\s*=\s*)(\"[^\"#]+\"|'[^'#]+')", re.IGNORECASE)


# The title.


@edit("headline", TITLE, "the headline is another, and what repeats it", also=TEXT)
def headline(page: Source, moment: int, rng: Random) -> str | None:
    titles = _titles(page, rng)
    if titles is None:
        return None
    return _said_otherwise(page.html, *titles) if moment else page.html


@edit("headline and text", TITLE | TEXT, "headline and a paragraph change at once")
def headline_and_text(page: Source, moment: int, rng: Random) -> str | None:
    first, titles = paragraph_replaced(page, moment, rng), _titles(page, rng)
    if first is None or titles is None:
        return None
    return _said_otherwise(first, *titles) if moment else first


def _titles(page: Source, rng: Random) -> tuple[str, str] | None:
    """The headline, and the same with another word."""
    title = _headline_words(page)
    old = [one for one in (title or "").split() if one.isalpha() and len(one) > 3]
    if title is None or not old:
        return None
    new = rng.choice(sorted(set(PLAIN_WORD.findall(page.gold))) or ["elsewhere"])
    return title, title.replace(
        rng.choice(old), new if new.casefold() not in title.casefold() else "Elsewhere", 1
    )


def _headline_words(page: Source) -> str | None:
    one = page.headline
    if one is None or sum(token.kind == "text" for token in one.tokens) != 1:
        return None
    return " ".join(unescape(page.html[one.start : one.end]).split()) if len(one.tokens) == 1 else None


def _said_otherwise(html: str, old: str, new: str) -> str:
    """The page with another headline, wherever and however it is spelt."""
    spellings: tuple[Callable[[str], str], ...] = (
        str,
        lambda text: escape(text, quote=False),
        escape,
        lambda text: escape(text).replace("&#x27;", "&#039;"),
        lambda text: escape(text).replace("&#x27;", "&#39;"),
        lambda text: json.dumps(text)[1:-1],
        lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    )
    for spelt in {spelling(old): spelling(new) for spelling in spellings}.items():
        html = html.replace(*spelt)
    return html


# Links.


@edit("link target", LINKS, "a link leads elsewhere")
def link_target(page: Source, moment: int, rng: Random) -> str | None:
    found = [match for one in _anchors(page) if (match := _HREF.search(page.html, *one[0]))]
    if not found:
        return None
    match = rng.choice(found)
    return changed(page, moment, match.span(), f'{match[1]}"{_address(page, rng)}"')


@edit("link added", LINKS, "words of a paragraph come to lead somewhere")
def link_added(page: Source, moment: int, rng: Random) -> str | None:
    return replaced_word(
        page, moment, rng, PLAIN_WORD, lambda found: f'<a href="{_address(page, rng)}">{found}</a>'
    )


@edit("link removed", LINKS, "words of a paragraph no longer lead anywhere")
def link_removed(page: Source, moment: int, rng: Random) -> str | None:
    found = _anchors(page)
    if not found:
        return None
    opening, closing = rng.choice(found)
    span = (opening[0], closing[1])
    return changed(page, moment, span, page.html[opening[1] : closing[0]])


def _anchors(page: Source) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The links in the article's paragraphs that lead somewhere and have words: where they open and close."""
    found = []
    for one in page.body or page.article:
        tags = [token for token in one.tokens if token.name == "a"]
        for first, last in pairwise(tags):
            inside = page.html[first.end : last.start]
            is_pair = (first.kind, last.kind) == ("open", "close") and words_of(
                re.sub("<[^>]*>", " ", inside)
            )
            href = _HREF.search(page.html, first.start, first.end)
            # Where another link leads there too, the article still does.
            if is_pair and href and page.html.count(href[2]) == 1:
                found.append(((first.start, first.end), (last.start, last.end)))
    return found


def _address(page: Source, rng: Random) -> str:
    word = rng.choice(sorted(set(re.findall("[a-z]{5,}", page.gold.lower()))) or ["report"])
    host, year = urlsplit(page.url).netloc or "page.invalid", rng.randint(2005, 2024)
    return f"https://{host}/{year}/{word}-{rng.randint(100, 999)}.html"


# Images.


@edit("image added", IMAGES, "a figure more, with a caption", also=TEXT)
def image_added(page: Source, moment: int, rng: Random) -> str | None:
    return put_behind(page, moment, rng, lambda text: _figure(page, rng, text), length=8)


@edit("image removed", IMAGES, "a figure goes")
def image_removed(page: Source, moment: int, rng: Random) -> str | None:
    return put_behind(page, 1 - moment, rng, lambda _: _figure(page, rng, ""), length=8)


@edit("image swapped", IMAGES, "a figure shows another image")
def image_swapped(page: Source, moment: int, rng: Random) -> str | None:
    images = [_figure(page, rng, "") for _ in range(2)]
    return put_behind(page, 1, rng, lambda _: images[moment], length=8)


@edit("caption", TEXT, "the words under an image are others", either=TEXT | IMAGES)
def caption(page: Source, moment: int, rng: Random) -> str | None:
    seed, other = rng.random(), composed(page.gold, rng, 9)
    fixed = type(rng)(seed)
    return put_behind(
        page, 1, rng, lambda text: _figure(page, fixed, (other or "") if moment else text), length=9
    )


def _figure(page: Source, rng: Random, words: str) -> str:
    image = _address(page, rng).replace(".html", ".jpg")
    told = f"<figcaption>{words}</figcaption>" if words else ""
    return f'<figure><img src="{image}" alt="" width="640" height="427">{told}</figure>'
