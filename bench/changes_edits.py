"""Real edits of the text of foreign pages: each changes what the gold text says."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from changes_kinds import TEXT, edit
from changes_places import PLAIN_WORD, changed, opening, put_behind, replaced_word, unlinked
from changes_source import span, words_of
from changes_words import composed, misspelt, other_number

if TYPE_CHECKING:
    from random import Random

    from changes_source import Source

_NUMBER = re.compile(r"(?<![\w&#;.,:/-])[1-9]\d{0,4}(?![\w;.,:/-]\d|\w|;)")
_SENTENCE_END = re.compile(r"[.!?][”\u2019\"']?\s+(?=[^\W\d_])")


@edit("letter", TEXT, "one letter of a word is put right")
def letter(page: Source, moment: int, rng: Random) -> str | None:
    return replaced_word(page, moment, rng, PLAIN_WORD, lambda word: misspelt(word, rng))


@edit("number", TEXT, "a number in prose is another")
def number(page: Source, moment: int, rng: Random) -> str | None:
    return replaced_word(page, moment, rng, _NUMBER, lambda found: other_number(found, rng))


@edit("word", TEXT, "a word is replaced by another of the text")
def word(page: Source, moment: int, rng: Random) -> str | None:
    others = sorted(set(PLAIN_WORD.findall(page.gold)))
    return replaced_word(
        page,
        moment,
        rng,
        PLAIN_WORD,
        lambda found: rng.choice(
            [one for one in others if one.casefold() != found.casefold()] or ["elsewhere"]
        ),
    )


@edit("words added", TEXT, "a few words are put into a sentence")
def words_added(page: Source, moment: int, rng: Random) -> str | None:
    more = composed(page.gold, rng, 3)
    if more is None:
        return None
    return replaced_word(page, moment, rng, PLAIN_WORD, lambda found: f"{found}, {more.rstrip('.').lower()},")


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
    return changed(page, moment, rng.choice(places), "") if places else None


@edit("paragraph added", TEXT, "a paragraph more between two others")
def paragraph_added(page: Source, moment: int, rng: Random) -> str | None:
    return put_behind(page, moment, rng, lambda text: f"<p>{text}</p>", length=rng.randint(18, 45))


@edit("paragraph removed", TEXT, "a paragraph goes")
def paragraph_removed(page: Source, moment: int, rng: Random) -> str | None:
    # Of two paragraphs one is half of the article: sites that do that publish another one.
    if len(page.paragraphs) < 3 or not unlinked(page):
        return None
    return changed(page, moment, span(rng.choice(unlinked(page))), "")


@edit("paragraph replaced", TEXT, "a paragraph is written anew")
def paragraph_replaced(page: Source, moment: int, rng: Random) -> str | None:
    text = composed(page.gold, rng, rng.randint(18, 45))
    if len(page.paragraphs) < 3 or not unlinked(page) or text is None:
        return None
    one = rng.choice(unlinked(page))
    return changed(page, moment, (one.start, one.end), text)


@edit("paragraphs swapped", TEXT, "two paragraphs change places")
def paragraphs_swapped(page: Source, moment: int, rng: Random) -> str | None:
    free = unlinked(page)
    places = [pair for pair in page.neighbours if pair[0] in free and pair[1] in free]
    if not places:
        return None
    first, second = map(span, rng.choice(places))
    html = page.html
    swapped = html[slice(*second)] + html[first[1] : second[0]] + html[slice(*first)]
    return changed(page, moment, (first[0], second[1]), swapped)


@edit("quotation added", TEXT, "a quotation in a block of its own")
def quotation_added(page: Source, moment: int, rng: Random) -> str | None:
    return put_behind(page, moment, rng, lambda text: f"<blockquote><p>“{text}”</p></blockquote>", length=20)


@edit("list item added", TEXT, "an item more in a list of the article")
def list_item_added(page: Source, moment: int, rng: Random) -> str | None:
    items = [
        one
        for one in page.article
        # A list of links may be one of contents.
        if one.tag == "li" and one.whole and not any(token.name == "a" for token in one.tokens)
    ]
    text = composed(page.gold, rng, 9)
    if not items or text is None:
        return None
    return changed(page, moment, (span(items[-1])[1],) * 2, f"<li>{text}</li>")


@edit("subheading changed", TEXT, "a subheading is another")
def subheading_changed(page: Source, moment: int, rng: Random) -> str | None:
    text = composed(page.gold, rng, 6)
    if text is None or not page.neighbours:
        return None
    behind = span(rng.choice(page.neighbours)[0])[1]
    heading = text.rstrip(".") if moment else composed(page.gold, rng, 6)
    return page.insert(behind, f"<h2>{heading}</h2>")


@edit("correction note", TEXT, "a note at the end says what was wrong")
def correction_note(page: Source, moment: int, rng: Random) -> str | None:
    if not page.neighbours or not page.is_english:
        return None
    name = rng.choice(sorted(set(PLAIN_WORD.findall(page.gold))))
    last = page.neighbours[-1][1]
    note = f"<em>Correction: an earlier version of this article was wrong about {escape(name)}.</em></p>"
    return changed(page, moment, (span(last)[1],) * 2, opening(page, last) + note)


@edit("live update", TEXT, "three dated paragraphs more above the first")
def live_update(page: Source, moment: int, rng: Random) -> str | None:
    texts = [composed(page.gold, rng, rng.randint(15, 30)) for _ in range(3)]
    if not page.neighbours or None in texts:
        return None
    times = (f"{hour}.{rng.randint(10, 59)}" for hour in (17, 16, 15))
    first = page.neighbours[0][0]
    begin = opening(page, first)
    news = "".join(
        f"{begin}<strong>{when}</strong> {text}</p>" for when, text in zip(times, texts, strict=True)
    )
    return changed(page, moment, (span(first)[0],) * 2, news)
