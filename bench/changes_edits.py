"""Real edits of foreign pages: each changes what the gold text says, where it leads to, or what it shows."""

from __future__ import annotations

import itertools
import json
import re
from html import escape, unescape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from changes_kinds import IMAGES, LINKS, TEXT, TITLE, edit
from changes_source import span, words_of
from changes_words import composed, misspelt, other_number

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from changes_source import Segment, Source

_PLAIN_WORD = re.compile(r"(?<![\w&#;/-])[^\W\d_]{5,}(?![\w;-])")
_NUMBER = re.compile(r"(?<![\w&#;.,:/-])[1-9]\d{0,4}(?![\w;.,:/-]\d|\w|;)")
_SENTENCE_END = re.compile(r"[.!?][”\u2019\"']?\s+(?=[^\W\d_])")
# A shorter text may be a date or a name.
_SENTENCE = 12
_HREF = re.compile(r"(\shref\s*=\s*)(\"[^\"#]+\"|'[^'#]+')", re.IGNORECASE)


# Text.


@edit("letter", TEXT, "one letter of a word is put right")
def letter(page: Source, moment: int, rng: Random) -> str | None:
    return _replaced_word(page, moment, rng, _PLAIN_WORD, lambda word: misspelt(word, rng))


@edit("number", TEXT, "a number in prose is another")
def number(page: Source, moment: int, rng: Random) -> str | None:
    return _replaced_word(page, moment, rng, _NUMBER, lambda found: other_number(found, rng))


@edit("word", TEXT, "a word is replaced by another of the text")
def word(page: Source, moment: int, rng: Random) -> str | None:
    others = sorted(set(_PLAIN_WORD.findall(page.gold)))
    return _replaced_word(
        page,
        moment,
        rng,
        _PLAIN_WORD,
        lambda found: rng.choice(
            [one for one in others if one.casefold() != found.casefold()] or ["elsewhere"]
        ),
    )


@edit("words added", TEXT, "a few words are put into a sentence")
def words_added(page: Source, moment: int, rng: Random) -> str | None:
    more = composed(page.gold, rng, 3)
    if more is None:
        return None
    return _replaced_word(
        page, moment, rng, _PLAIN_WORD, lambda found: f"{found}, {more.rstrip('.').lower()},"
    )


@edit("sentence removed", TEXT, "the last sentence of a paragraph goes")
def sentence_removed(page: Source, moment: int, rng: Random) -> str | None:
    places = [
        (cut[-1].end(), one.end)
        for one in page.article
        if len(one.tokens) == 1
        and (cut := list(_SENTENCE_END.finditer(page.html, one.start, one.end)))
        # What follows must be words, not the rest of a quotation mark.
        and len(words_of(page.html[cut[-1].end() : one.end])) > 2
    ]
    return _changed(page, moment, rng.choice(places), "") if places else None


@edit("paragraph added", TEXT, "a paragraph more between two others")
def paragraph_added(page: Source, moment: int, rng: Random) -> str | None:
    return _put_behind(page, moment, rng, lambda text: f"\n<p>{text}</p>", length=rng.randint(18, 45))


@edit("paragraph removed", TEXT, "a paragraph goes")
def paragraph_removed(page: Source, moment: int, rng: Random) -> str | None:
    # Of two paragraphs one is half of the article: sites that do that publish another one.
    if len(page.paragraphs) < 3 or not _unlinked(page):
        return None
    return _changed(page, moment, span(rng.choice(_unlinked(page))), "")


@edit("paragraph replaced", TEXT, "a paragraph is written anew")
def paragraph_replaced(page: Source, moment: int, rng: Random) -> str | None:
    text = composed(page.gold, rng, rng.randint(18, 45))
    if len(page.paragraphs) < 3 or not _unlinked(page) or text is None:
        return None
    one = rng.choice(_unlinked(page))
    return _changed(page, moment, (one.start, one.end), text)


@edit("paragraphs swapped", TEXT, "two paragraphs change places")
def paragraphs_swapped(page: Source, moment: int, rng: Random) -> str | None:
    unlinked = _unlinked(page)
    places = [pair for pair in page.neighbours if pair[0] in unlinked and pair[1] in unlinked]
    if not places:
        return None
    first, second = map(span, rng.choice(places))
    html = page.html
    swapped = html[slice(*second)] + html[first[1] : second[0]] + html[slice(*first)]
    return _changed(page, moment, (first[0], second[1]), swapped)


@edit("quotation added", TEXT, "a quotation in a block of its own")
def quotation_added(page: Source, moment: int, rng: Random) -> str | None:
    return _put_behind(page, moment, rng, lambda text: f"<blockquote><p>“{text}”</p></blockquote>", length=20)


@edit("list item added", TEXT, "an item more in a list of the article")
def list_item_added(page: Source, moment: int, rng: Random) -> str | None:
    items = [one for one in page.article if one.tag == "li" and one.whole]
    text = composed(page.gold, rng, 9)
    if not items or text is None:
        return None
    return _changed(page, moment, (span(items[-1])[1],) * 2, f"<li>{text}</li>")


@edit("subheading changed", TEXT, "a subheading is another")
def subheading_changed(page: Source, moment: int, rng: Random) -> str | None:
    text = composed(page.gold, rng, 6)
    if text is None or not page.neighbours:
        return None
    behind = span(rng.choice(page.neighbours)[0])[1]
    heading = text.rstrip(".") if moment else composed(page.gold, rng, 6)
    return page.insert(behind, f"<h2>{heading}</h2>")


@edit("correction note", TEXT, "a word is put right, and a note at the end says so")
def correction_note(page: Source, moment: int, rng: Random) -> str | None:
    if not page.neighbours or not page.is_english:
        return None
    name = rng.choice(sorted(set(_PLAIN_WORD.findall(page.gold))))
    note = f"<p><em>Correction: an earlier version of this article was wrong about {escape(name)}.</em></p>"
    behind = span(page.neighbours[-1][1])[1]
    return _changed(page, moment, (behind, behind), note)


@edit("live update", TEXT, "three dated paragraphs more above the first")
def live_update(page: Source, moment: int, rng: Random) -> str | None:
    texts = [composed(page.gold, rng, rng.randint(15, 30)) for _ in range(3)]
    if not page.neighbours or None in texts:
        return None
    times = (f"{hour}.{rng.randint(10, 59)}" for hour in (17, 16, 15))
    news = "".join(f"<p><strong>{when}</strong> {text}</p>" for when, text in zip(times, texts, strict=True))
    return _changed(page, moment, (span(page.neighbours[0][0])[0],) * 2, news)


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
    new = rng.choice(sorted(set(_PLAIN_WORD.findall(page.gold))) or ["elsewhere"])
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
    return _changed(page, moment, match.span(), f'{match[1]}"{_address(page, rng)}"')


@edit("link added", LINKS, "words of a paragraph come to lead somewhere")
def link_added(page: Source, moment: int, rng: Random) -> str | None:
    return _replaced_word(
        page, moment, rng, _PLAIN_WORD, lambda found: f'<a href="{_address(page, rng)}">{found}</a>'
    )


@edit("link removed", LINKS, "words of a paragraph no longer lead anywhere")
def link_removed(page: Source, moment: int, rng: Random) -> str | None:
    found = _anchors(page)
    if not found:
        return None
    opening, closing = rng.choice(found)
    span = (opening[0], closing[1])
    return _changed(page, moment, span, page.html[opening[1] : closing[0]])


def _anchors(page: Source) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The links in the article's paragraphs that lead somewhere and have words: where they open and close."""
    found = []
    for one in page.article:
        tags = [token for token in one.tokens if token.name == "a"]
        for first, last in itertools.pairwise(tags):
            inside = page.html[first.end : last.start]
            is_pair = (first.kind, last.kind) == ("open", "close") and words_of(
                re.sub("<[^>]*>", " ", inside)
            )
            if is_pair and _HREF.search(page.html, first.start, first.end):
                found.append(((first.start, first.end), (last.start, last.end)))
    return found


def _address(page: Source, rng: Random) -> str:
    word = rng.choice(sorted(set(re.findall("[a-z]{5,}", page.gold.lower()))) or ["report"])
    host, year = urlsplit(page.url).netloc or "page.invalid", rng.randint(2005, 2024)
    return f"https://{host}/{year}/{word}-{rng.randint(100, 999)}.html"


# Images.


@edit("image added", IMAGES, "a figure more, with a caption", also=TEXT)
def image_added(page: Source, moment: int, rng: Random) -> str | None:
    return _put_behind(page, moment, rng, lambda text: _figure(page, rng, text), length=8)


@edit("image removed", IMAGES, "a figure goes")
def image_removed(page: Source, moment: int, rng: Random) -> str | None:
    return _put_behind(page, 1 - moment, rng, lambda _: _figure(page, rng, ""), length=8)


@edit("image swapped", IMAGES, "a figure shows another image")
def image_swapped(page: Source, moment: int, rng: Random) -> str | None:
    images = [_figure(page, rng, "") for _ in range(2)]
    return _put_behind(page, 1, rng, lambda _: images[moment], length=8)


@edit("caption", TEXT, "the words under an image are others", either=TEXT | IMAGES)
def caption(page: Source, moment: int, rng: Random) -> str | None:
    seed, other = rng.random(), composed(page.gold, rng, 9)
    fixed = type(rng)(seed)
    return _put_behind(
        page, 1, rng, lambda text: _figure(page, fixed, (other or "") if moment else text), length=9
    )


def _figure(page: Source, rng: Random, words: str) -> str:
    image = _address(page, rng).replace(".html", ".jpg")
    told = f"<figcaption>{words}</figcaption>" if words else ""
    return f'<figure><img src="{image}" alt="" width="640" height="427">{told}</figure>'


# What they share.


def _unlinked(page: Source) -> list[Segment]:
    """Paragraphs with which no link and no image goes."""
    return [one for one in page.paragraphs if not {token.name for token in one.tokens} & {"a", "img"}]


def _changed(page: Source, moment: int, span: tuple[int, int], new: str) -> str:
    return page.between(*span, new) if moment else page.html


def _put_behind(
    page: Source, moment: int, rng: Random, made: Callable[[str], str], *, length: int
) -> str | None:
    """With something new between two paragraphs of the article."""
    text = composed(page.gold, rng, length)
    if not page.neighbours or text is None:
        return None
    behind = span(rng.choice(page.neighbours)[0])[1]
    return _changed(page, moment, (behind, behind), made(text))


def _replaced_word(
    page: Source, moment: int, rng: Random, pattern: re.Pattern[str], made: Callable[[str], str]
) -> str | None:
    """With a word of the article's text replaced, where it stands in no link."""
    found = [
        match
        for one in page.article
        if len(one.words) >= _SENTENCE and not any(token.name == "a" for token in one.tokens)
        for token in one.tokens
        if token.kind == "text"
        for match in pattern.finditer(page.html, token.start, token.end)
    ]
    if not found:
        return None
    match = rng.choice(found)
    return _changed(page, moment, match.span(), made(match[0]))
