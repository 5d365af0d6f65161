"""What the names of elements say: classes and identifiers, sorted into kinds of things on a page."""

from __future__ import annotations

import re
from functools import lru_cache

# Soft evidence, whose weight is fitted. No name decides alone, and none is of one site.
KINDS: dict[str, str] = {
    "comments": r"comment|disqus|respond|\breply|replies|discussion|reaction|livefyre|talkback|feedback",
    "related": (
        r"relate|recommend|popular|trending|latest|suggest|similar|outbrain|taboola|recirc|mostread"
        r"|read-?next|up-?next|read-?more|\bmore\b|teaser|\bcards?\b|also|promoted|headlines|carousel"
        r"|\bfeed\b|\blist\b|listing|index|recent"
    ),
    "share": (
        r"share|sharing|social|addthis|facebook|twitter|follow|\btools?\b|toolbar|utility|utilities"
        r"|\bprint\b|email"
    ),
    "promotion": (
        r"newsletter|subscri|sign-?up|promo|sponsor|\bads?\b|advert|banner|donat|\bcta\b|callout|paywall"
        r"|premium|regist|log-?in|sign-?in|modal|pop-?up|overlay|cookie|consent|gdpr|notice|\balert"
        r"|marketing|campaign|offer|dfp|gpt|inline-?link|partner"
    ),
    "navigation": r"\bnav|menu|breadcrumb|paginat|pager|sitemap|\bskip|masthead|topbar|navbar|toc\b",
    "header": r"header|\bhead\b|\btop\b|hero|title|headline",
    "footer": r"footer|foot\b|copyright|legal|disclaim|colophon|bottom|\bend\b|after",
    "side": r"side-?bar|\bside\b|aside|\brail|widget|\bright\b|secondary|complementary|column",
    "author": r"author|byline|\bbio|contributor|writer|avatar|profile|vcard",
    "about": (
        r"\bmeta|date|time|publish|posted|\binfo|\btags?\b|kicker|eyebrow|label|topic|categor"
        r"|section-?name"
    ),
    "media": (
        r"caption|gallery|figure|image|photo|credit|slideshow|video|player|media|\bslide|\bimg|pic\b"
        r"|picture|thumb"
    ),
    "hidden": r"hidden|hide\b|visually|sr-only|screen-?reader|noprint|no-print|collapse",
    "body": (
        r"article-?(?:body|text|content|copy|main|inner)|story-?(?:body|text|content|copy)"
        r"|entry-?(?:content|body|text)|post-?(?:content|body|text|entry)|body-?(?:text|copy|content)"
        r"|rich-?text|prose|paragraph|main-?(?:content|text|body)|content-?(?:body|text|main|inner)"
        r"|text-?(?:body|content)|\bcopy\b|wysiwyg"
    ),
    "article": r"article|story|entry|\bpost|content|\btext|main|blog|\bbody|news",
    "box": (
        r"quote|factbox|fact-?box|infobox|\bbox\b|embed|tweet|instagram|summary|excerpt|standfirst|\bdek\b"
        r"|subhead|lead\b|lede|intro|deck|bullets|highlights|key-?points"
    ),
}
_PATTERNS = tuple(re.compile(pattern) for pattern in KINDS.values())
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SEPARATORS = re.compile(r"[_\s./:]+")

BIT = {kind: 1 << place for place, kind in enumerate(KINDS)}


@lru_cache(maxsize=50_000)
def kinds_of(names: str) -> int:
    """The kinds that the names of an element speak of, a bit each."""
    kinds = 0
    for name in _SEPARATORS.sub(" ", _CAMEL.sub("-", names)).lower().split():
        kinds |= _kinds_of_one(name)
    return kinds


# Elements have ever new names, and these are made of few.
@lru_cache(maxsize=50_000)
def _kinds_of_one(name: str) -> int:
    return sum(1 << place for place, pattern in enumerate(_PATTERNS) if pattern.search(name))
