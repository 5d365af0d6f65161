"""Noise of foreign pages: what stands around the article, and comes and goes without its author."""

from __future__ import annotations

from typing import TYPE_CHECKING

import changes_furniture as furniture
from changes_kinds import noise
from changes_source import span
from changes_words import composed

if TYPE_CHECKING:
    from random import Random

    from changes_source import Source

_READERS = ("Marla", "old_fisherman", "T. Quayle", "nightshift77", "Ottoline", "Ben from Hull")
# Advertisements come behind the first paragraphs.
_MIDDLE = 2


# Advertisements and boxes.


@noise("advertisement outside", "another advertisement above the page and below it")
def advertisement_outside(page: Source, moment: int, rng: Random) -> str | None:
    return _around(page, [_ad(rng, moment), _ad(rng, moment)])


@noise("advertisement inside", "another advertisement between two paragraphs")
def advertisement_inside(page: Source, moment: int, rng: Random) -> str | None:
    return _in_the_middle(page, rng, _ad(rng, moment))


@noise("advertisement comes", "an advertisement between two paragraphs that was not there")
def advertisement_comes(page: Source, moment: int, rng: Random) -> str | None:
    ad = _ad(rng, moment)
    return _in_the_middle(page, rng, ad if moment else "")


def _ad(rng: Random, moment: int) -> str:
    names, label = rng.choice(furniture.AD_BOXES)
    first, number = rng.randrange(len(furniture.ADS)), rng.randint(1000, 9999) + moment
    text = furniture.ADS[(first + moment) % len(furniture.ADS)]
    return (
        f'<div class="{names}" id="unit-{number}"><span>{label}</span>'
        f'<a href="https://ads.page.invalid/click?c={number}">'
        f'<img src="https://ads.page.invalid/b{number}.gif" '
        f'alt="" width="300" height="250"></a><p>{text}</p></div>'
    )


@noise("newsletter box", "an invitation to a newsletter between two paragraphs")
def newsletter_box(page: Source, moment: int, rng: Random) -> str | None:
    box = rng.choice(furniture.NEWSLETTERS)
    return _in_the_middle(page, rng, box if moment else "")


@noise("cookie banner", "a banner asks for consent")
def cookie_banner(page: Source, moment: int, rng: Random) -> str | None:
    banner = rng.choice(furniture.CONSENTS)
    return _around(page, [banner if moment else "", ""])


@noise("author box", "a few words on the author behind the article")
def author_box(page: Source, moment: int, rng: Random) -> str | None:
    name = rng.choice(("Ada Wren", "Jon Marsh", "Priya Holt"))
    box = rng.choice(furniture.BIOS).format(name=name, number=rng.randint(1, 99))
    return _behind_article(page, box if moment else "")


@noise("meter", "how many articles are left to read this month")
def meter(page: Source, moment: int, rng: Random) -> str | None:
    return _around(page, ["", rng.choice(furniture.METERS).format(left=rng.randint(3, 5) - moment)])


# Counters and dates.


@noise("share counter", "more shares below the headline")
def share_counter(page: Source, moment: int, rng: Random) -> str | None:
    return _under_headline(
        page, rng.choice(furniture.SHARES).format(count=rng.randint(20, 900) + moment * 37)
    )


@noise("comment counter", "more comments are counted below the headline")
def comment_counter(page: Source, moment: int, rng: Random) -> str | None:
    return _under_headline(
        page, rng.choice(furniture.COMMENT_COUNTS).format(count=rng.randint(2, 90) + moment * 5)
    )


@noise("view counter", "more views behind the article")
def view_counter(page: Source, moment: int, rng: Random) -> str | None:
    return _behind_article(
        page, rng.choice(furniture.VIEWS).format(count=rng.randint(1000, 9000) + moment * 411)
    )


@noise("relative date", "hours ago become days ago")
def relative_date(page: Source, moment: int, rng: Random) -> str | None:
    told = rng.choice(furniture.AGES)[moment].format(hours=rng.randint(4, 20))
    return _under_headline(page, rng.choice(furniture.AGE_BOXES).format(told=told))


@noise("updated at", "the hour of the last update moves, and nothing else")
def updated_at(page: Source, moment: int, rng: Random) -> str | None:
    stamp = rng.choice(furniture.STAMPS)
    return _under_headline(
        page, stamp.format(hour=rng.randint(1, 10) + moment, day=f"2024-03-{rng.randint(10, 28)}")
    )


# Other people's words and other articles.


@noise("related links", "other links behind the article")
def related_links(page: Source, moment: int, rng: Random) -> str | None:
    return _behind_article(page, _related(page, rng, moment, *rng.choice(furniture.RELATED)))


@noise("related inside", "other links in a box between two paragraphs")
def related_inside(page: Source, moment: int, rng: Random) -> str | None:
    box = rng.choice(furniture.READ_MORE)
    links = _links(page, rng, moment, 2)
    rows = "".join(f"<li>{one}</li>" for one in links)
    return _in_the_middle(page, rng, box.format(rows=rows, first=links[0]))


@noise("most read", "another list of what is read most")
def most_read(page: Source, moment: int, rng: Random) -> str | None:
    return _around(page, ["", _related(page, rng, moment, "most-read", "Most read")])


def _related(page: Source, rng: Random, moment: int, names: str, label: str) -> str:
    rows = "".join(f"<li>{one}</li>" for one in _links(page, rng, moment, 4))
    return f'<aside class="{names}"><h3>{label}</h3><ul>{rows}</ul></aside>'


def _links(page: Source, rng: Random, moment: int, count: int) -> list[str]:
    titles = [composed(page.gold, rng, 7) or f"Another story number {rank}" for rank in range(2 * count)]
    numbers = [rng.randint(10000, 99999) for _ in titles]
    links = [
        f'<a href="/news/{number}">{one.rstrip(".")}</a>' for number, one in zip(numbers, titles, strict=True)
    ]
    return links[moment * count : (moment + 1) * count]


@noise("comments grow", "readers write more")
def comments_grow(page: Source, moment: int, rng: Random) -> str | None:
    wrote = [
        (rng.choice(_READERS), composed(page.gold, rng, rng.randint(8, 25)) or "Well said.") for _ in range(7)
    ]
    shown = wrote if moment else wrote[:3]
    rows = "".join(f'<li class="comment"><cite>{who}</cite> says:<p>{words}</p></li>' for who, words in shown)
    return _behind_article(page, rng.choice(furniture.ZONES).format(count=len(shown), rows=rows))


@noise("ticker", "a strip of headlines above the page moves on")
def ticker(page: Source, moment: int, rng: Random) -> str | None:
    told = [composed(page.gold, rng, 8) or "Nothing new" for _ in range(2)]
    return _around(page, [rng.choice(furniture.TICKERS).format(told=told[moment]), ""])


# Where they stand.


def _around(page: Source, pieces: list[str]) -> str | None:
    """One piece behind `<body>`, the other before `</body>`."""
    start, end = page.at_body(end=False), page.at_body(end=True)
    if start is None or end is None or end <= start:
        return None
    return page.html[:start] + pieces[0] + page.html[start:end] + pieces[1] + page.html[end:]


def _in_the_middle(page: Source, rng: Random, piece: str) -> str | None:
    """Between two paragraphs of the article."""
    if len(page.neighbours) <= _MIDDLE:
        return None
    return page.insert(span(rng.choice(page.neighbours[_MIDDLE:])[0])[1], piece)


def _behind_article(page: Source, piece: str) -> str | None:
    """Behind its last paragraph."""
    return page.insert(span(page.neighbours[-1][1])[1], piece) if page.neighbours else None


def _under_headline(page: Source, piece: str) -> str | None:
    if page.headline is None or page.headline.whole is None:
        return None
    return page.insert(page.headline.whole[1], piece)
