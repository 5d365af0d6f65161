"""What the names of elements say of words within: that they are no part of the article around them."""

from __future__ import annotations

import re
from functools import lru_cache

# Narrower than `class_names`, which are weighed: these decide alone, and only within or beside an article.
ZONES: dict[str, str] = {
    "promotion": (
        r"\bads?\b|advert|adslot|adunit|\badsense|sponsor|\bpromo|newsletter|subscri(?:be|ption)|sign-?up"
        r"|donat|\bcta\b|cookie|consent|\bdfp\b|\bgpt\b|commercial|marketing|\bbanner|affiliate|paid-?content"
        r"|outbrain|taboola|\bmpu\b|leaderboard"
    ),
    "related": (
        r"relate[ds]|recommend|trending|popular|most-?(?:read|viewed|shared)|read-?(?:next|more|also)|up-?next"
        r"|also-?(?:read|like)|suggest|similar|recirc|more-?(?:from|on|stories|news|articles)|further-?reading"
        r"|see-?also|you-?(?:may|might)"
    ),
    "comments": r"comments?\b|disqus|livefyre|\brespond\b|talkback|\bcoral\b|hyvor",
    "share": (
        r"\bshar(?:e|es|ing|ebar|etools)\b|\bsocial|addthis|addtoany|sharethis|\bcounters?\b|reactions?\b"
    ),
    "author": r"\bauthors?\b|\bbyline|\bbio\b|biograph|contributor|vcard|about-?the-?author",
    "navigation": r"\bnav(?:bar|igation)?\b|\bmenu|breadcrumb|paginat|\bpager\b|\btoc\b",
    "footer": r"\bfooter|copyright|\blegal\b|disclaim",
    "side": r"side-?bar|\baside|\brail\b|widget",
    "caption": r"\bcaption",
    "stamp": r"\bdate|\btime\b|time-?stamp|publish|posted|updated|\bmeta\b|byline|dateline",
}
BIT = {name: 1 << place for place, name in enumerate(ZONES)}
_PATTERNS = [(BIT[name], re.compile(pattern)) for name, pattern in ZONES.items()]
_TAGS = {
    "nav": BIT["navigation"],
    "footer": BIT["footer"],
    "aside": BIT["side"],
    "form": BIT["promotion"],
    "time": BIT["stamp"],
    "figcaption": BIT["caption"],
}
# What `role` says in their place.
ROLES = {
    "navigation": BIT["navigation"],
    "banner": BIT["navigation"],
    "search": BIT["navigation"],
    "contentinfo": BIT["footer"],
    "complementary": BIT["side"],
}
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SEPARATORS = re.compile(r"[^a-z]+")

# What is not of the article even where extraction took it for a part of it.
NEVER = ("promotion", "related", "comments", "share", "author", "navigation")
_NEVER = [(name, BIT[name]) for name in NEVER]
# Beside an article, also these.
BESIDE = sum(BIT[name] for name in (*NEVER, "footer", "side"))


@lru_cache(maxsize=50_000)
def zones_of(tag: str, names: str) -> int:
    """The zones that an element's tag and names speak of, a bit each."""
    zones = _TAGS.get(tag, 0)
    if names:
        plain = _SEPARATORS.sub("-", _CAMEL.sub("-", names).lower())
        zones |= sum(bit for bit, pattern in _PATTERNS if pattern.search(plain))
    return zones


def noise_in(zones: int) -> str:
    """The name of the first of the zones that is never of an article; empty if none is."""
    return next((name for name, bit in _NEVER if zones & bit), "")
