"""Noise of foreign pages: what stands around the article, and comes and goes without its author."""

from __future__ import annotations

from typing import TYPE_CHECKING

from changes_kinds import noise
from changes_source import span
from changes_words import composed

if TYPE_CHECKING:
    from random import Random

    from changes_source import Source

_ADS = (
    "Mattresses that let you sleep like a stone. Order before Sunday and save a third.",
    "Your next car is waiting: zero deposit, five years of service, one call away.",
    "Broadband at half the price for eighteen months. New customers only, terms apply.",
    "Book two nights by the sea and the third one is on us. Breakfast included.",
)
_READERS = ("Marla", "old_fisherman", "T. Quayle", "nightshift77", "Ottoline", "Ben from Hull")
# Advertisements come behind the first paragraphs.
_MIDDLE = 2


# Advertisements and boxes.


@noise("advertisement outside", "another advertisement above the page and below it")
def advertisement_outside(page: Source, moment: int, rng: Random) -> str | None:
    return _around(page, [_ad(rng, "ad-leaderboard", moment), _ad(rng, "ad-footer", moment)])


@noise("advertisement inside", "another advertisement between two paragraphs")
def advertisement_inside(page: Source, moment: int, rng: Random) -> str | None:
    return _in_the_middle(page, rng, _ad(rng, "ad-slot ad-inline", moment))


@noise("advertisement comes", "an advertisement between two paragraphs that was not there")
def advertisement_comes(page: Source, moment: int, rng: Random) -> str | None:
    return _in_the_middle(page, rng, _ad(rng, "advertisement", moment) if moment else "")


def _ad(rng: Random, names: str, moment: int) -> str:
    first = rng.randrange(len(_ADS))
    number = rng.randint(1000, 9999) + moment
    text = _ADS[(first + moment) % len(_ADS)]
    return (
        f'<div class="{names}" id="ad-{number}" data-ad-unit="/{number}/news"><span>Advertisement</span>'
        f'<a href="https://ads.page.invalid/click?c={number}"><img src="https://ads.page.invalid/b{number}.gif" '
        f'alt="" width="300" height="250"></a><p>{text}</p></div>'
    )


@noise("newsletter box", "an invitation to a newsletter between two paragraphs")
def newsletter_box(page: Source, moment: int, rng: Random) -> str | None:
    box = (
        '<div class="newsletter-signup"><h3>Sign up for our newsletter</h3><p>Get the day’s top stories in your '
        'inbox every morning.</p><form action="/newsletter"><input type="email" name="email">'
        "<button>Subscribe</button></form></div>"
    )
    return _in_the_middle(page, rng, box if moment else "")


@noise("cookie banner", "a banner asks for consent")
def cookie_banner(page: Source, moment: int, rng: Random) -> str | None:  # noqa: ARG001 - always the same
    banner = (
        '<div id="cookie-consent" role="dialog" class="consent-banner"><h2>We value your privacy</h2><p>We and our '
        "partners store and access information on a device, such as cookies, and process personal data, such as "
        "unique identifiers, for personalised advertisements and content.</p><button>Accept all</button></div>"
    )
    return _around(page, [banner if moment else "", ""])


@noise("author box", "a few words on the author behind the article")
def author_box(page: Source, moment: int, rng: Random) -> str | None:
    name = rng.choice(("Ada Wren", "Jon Marsh", "Priya Holt"))
    box = (
        f'<div class="author-bio"><img class="avatar" src="/avatars/{rng.randint(1, 99)}.jpg" alt="{name}"><h4>About '
        f"the author</h4><p>{name} is a senior reporter. Follow {name} on social media.</p></div>"
    )
    return _behind_article(page, box if moment else "")


@noise("meter", "how many articles are left to read this month")
def meter(page: Source, moment: int, rng: Random) -> str | None:
    left = rng.randint(3, 5) - moment
    return _around(page, ["", f'<div class="meter"><p>You have {left} free articles left this month.</p></div>'])


# Counters and dates.


@noise("share counter", "more shares below the headline")
def share_counter(page: Source, moment: int, rng: Random) -> str | None:
    count = rng.randint(20, 900) + moment * 37
    return _under_headline(page, f'<div class="share-bar"><span class="share-count">{count}</span> shares</div>')


@noise("comment counter", "more comments are counted below the headline")
def comment_counter(page: Source, moment: int, rng: Random) -> str | None:
    count = rng.randint(2, 90) + moment * 5
    return _under_headline(page, f'<a class="comment-count" href="#comments">{count} Comments</a>')


@noise("view counter", "more views behind the article")
def view_counter(page: Source, moment: int, rng: Random) -> str | None:
    count = rng.randint(1000, 9000) + moment * 411
    return _behind_article(page, f'<div class="post-views"><span>{count:,}</span> views</div>')


@noise("relative date", "hours ago become days ago")
def relative_date(page: Source, moment: int, rng: Random) -> str | None:
    hours = rng.randint(2, 20)
    told = "1 day ago" if moment else f"{hours} hours ago"
    return _under_headline(page, f'<span class="timeago">{told}</span>')


@noise("updated at", "the hour of the last update moves, and nothing else")
def updated_at(page: Source, moment: int, rng: Random) -> str | None:
    hour = rng.randint(6, 20) + moment
    day = f"2024-03-{rng.randint(10, 28)}"
    stamp = f'<time datetime="{day}T{hour:02}:05:00Z">{hour:02}:05 GMT, {day}</time>'
    return _under_headline(page, f'<p class="timestamp">Last updated: {stamp}</p>')


# Other people's words and other articles.


@noise("related links", "other links behind the article")
def related_links(page: Source, moment: int, rng: Random) -> str | None:
    return _behind_article(page, _links(page, rng, moment, "related-articles", "Related articles"))


@noise("related inside", "other links in a box between two paragraphs")
def related_inside(page: Source, moment: int, rng: Random) -> str | None:
    return _in_the_middle(page, rng, _links(page, rng, moment, "read-more", "Read more", count=2))


@noise("most read", "another list of what is read most")
def most_read(page: Source, moment: int, rng: Random) -> str | None:
    return _around(page, ["", _links(page, rng, moment, "most-read", "Most read", count=5)])


def _links(page: Source, rng: Random, moment: int, names: str, label: str, *, count: int = 4) -> str:
    titles = [composed(page.gold, rng, 7) or f"Another story number {rank}" for rank in range(2 * count)]
    chosen = titles[moment * count : (moment + 1) * count]
    rows = "".join(
        f'<li><a href="/news/{rng.randint(10000, 99999)}">{one.rstrip(".")}</a></li>' for one in chosen
    )
    return f'<aside class="{names}"><h3>{label}</h3><ul>{rows}</ul></aside>'


@noise("comments grow", "readers write more")
def comments_grow(page: Source, moment: int, rng: Random) -> str | None:
    wrote = [(rng.choice(_READERS), composed(page.gold, rng, rng.randint(8, 25)) or "Well said.") for _ in range(7)]
    shown = wrote if moment else wrote[:3]
    rows = "".join(
        f'<li class="comment"><cite>{who}</cite> <span>says:</span><p>{words}</p></li>' for who, words in shown
    )
    zone = f'<div id="comments"><h3>{len(shown)} Comments</h3><ol class="commentlist">{rows}</ol></div>'
    return _behind_article(page, zone)


@noise("ticker", "a strip of headlines above the page moves on")
def ticker(page: Source, moment: int, rng: Random) -> str | None:
    told = [composed(page.gold, rng, 8) or "Nothing new" for _ in range(2)]
    return _around(page, [f'<div class="breaking-ticker"><b>Breaking</b> <a href="/live">{told[moment]}</a></div>', ""])


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
