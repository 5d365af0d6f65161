"""Pages that answer in place of an article, and articles of which only the beginning is there.

What needs no language counts first: addresses, JSON-LD, fields for passwords, classes of the body, numbers of
errors. Words of a few languages come second, and never alone: a page with much text, or one that states when
its article was published, is what it claims to be.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.documents.pages.statements import statements_of
from archiver.documents.pages.text import one_line, plain, text_of
from archiver.documents.pages.words import tokens
from archiver.lexicon.notices import ASKS_TO_LOG_IN, CHECKS, NOT_FOUND, NOTHING_THERE, SUBSCRIBE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element as Element

    from archiver.articles.model import ParsedPage
    from archiver.documents.pages.statements import Linked, Statements

PAYWALL = "paywall"

# In words. An answer in place of an article is shorter than this, a beginning of one shorter than that.
LONGEST_ANSWER = 150
LONGEST_BEGINNING = 250
# Of the length that the page states for the whole article.
LEAST_OF_WHOLE = 0.6
END = 600  # characters
MOST_REFRESH_SECONDS = 10
MOST_HEADINGS = 3
_OUTER_BOXES = 5
LONGEST_HEAD = 300
# Characters; few texts have longer ones on average.
_WORD = 8
MOST_INPUTS = 500
MOST_PARTS = 20

_ERROR_CLASS = re.compile(
    r"(?:^|[\s_-])(?:error|page)?-?(?:404|410|notfound|not-found)(?:[\s_-]|$)", re.IGNORECASE
)
_ERROR_NUMBER = re.compile(r"(?:^|\W)(?:404|410)(?:\W|$)")
_ERROR_PATH = re.compile(r"/(?:404|410|error|not[_-]?found|page[_-]not[_-]found)(?:\.\w+)?/?$", re.IGNORECASE)
_LOGIN_PATH = re.compile(r"/(?:log-?in|sign-?in|sso|auth|account/login)(?:\.\w+)?/?$", re.IGNORECASE)
_REFRESH = re.compile(r"\s*(\d+)(?:\.\d*)?\s*[;,]\s*(?:url\s*=)?\s*['\"]?\s*(\S.*)", re.IGNORECASE)
_LOCKED_TIERS = frozenset({"locked", "metered", "premium", "paid", "subscriber", "subscription"})


def why_no_article(page: ParsedPage, text: str, said: Statements | None = None) -> str | None:
    """Why the text is no article but an answer in place of one; None if it may be one."""
    if _length(text, LONGEST_ANSWER) >= LONGEST_ANSWER:
        return None
    said = said or statements_of(page.tree)
    if sends_on(said):
        return "the page sends its readers on to another"
    if is_check(page):
        return "the page checks whether its reader is a robot"
    return None if _is_dated(said) else _why_other_answer(page)


def _is_dated(said: Statements) -> bool:
    return bool(said.texts("datePublished") or said.named("article:published_time"))


def _why_other_answer(page: ParsedPage) -> str | None:
    if is_not_found(page):
        return NOTHING_THERE
    return "the page asks its readers to log in" if asks_to_log_in(page) else None


def notice_for(text: str, said: Statements) -> str | None:
    """What a reader of the text must know: that it is likely only the beginning."""
    if is_locked(said):
        whole = _stated_length(said.linked)
        words = _length(text, max(LONGEST_BEGINNING, whole))
        return PAYWALL if words < (LEAST_OF_WHOLE * whole or LONGEST_BEGINNING) else None
    # Without a statement only the words tell, at the end of what can be read.
    is_short = _length(text, LONGEST_BEGINNING) < LONGEST_BEGINNING
    return PAYWALL if is_short and SUBSCRIBE.search(text[-END:]) else None


def is_locked(said: Statements) -> bool:
    """Whether the page states that the article, or a part of it, is not free to read."""
    parts = said.linked.get("hasPart")
    things = [said.linked, *(parts if isinstance(parts, list) else [parts])[:MOST_PARTS]]
    locked = any(_is_false(thing.get("isAccessibleForFree")) for thing in things if isinstance(thing, dict))
    tiers = (tier.lower() for tier in said.named("article:content_tier", "content_tier"))
    return locked or any(tier in _LOCKED_TIERS for tier in tiers)


def sends_on(said: Statements) -> bool:
    refresh = (_REFRESH.match(one) for one in said.named("refresh"))
    return any(int(one[1]) <= MOST_REFRESH_SECONDS for one in refresh if one and len(one[1]) < 4)


def is_not_found(page: ParsedPage) -> bool:
    """A page without the page that was asked for, whatever its status says."""
    body = page.tree.find("body")
    names = "" if body is None else f"{body.get('class', '')} {body.get('id', '')} {_wiki_names(body)}"
    if _ERROR_CLASS.search(names) or _ERROR_PATH.search(urlsplit(page.url).path):
        return True
    return any(_ERROR_NUMBER.search(head) or NOT_FOUND.search(head) for head in _heads(page, "h1", "h2"))


def _wiki_names(body: Element) -> str:
    """What DokuWiki says of a page beside its words: it answers with 200 for those that are not there."""
    found = (one.get("class", "") for one in islice(body.iter("div"), _OUTER_BOXES))
    return next((names for names in found if "dokuwiki" in names.split()), "")


def asks_to_log_in(page: ParsedPage) -> bool:
    """A form for a password, and a title or address that is about that."""
    inputs = islice(page.tree.iter("input"), MOST_INPUTS)
    if not any(field.get("type", "").strip().lower() == "password" for field in inputs):
        return False
    return bool(_LOGIN_PATH.search(urlsplit(page.url).path)) or any(
        map(ASKS_TO_LOG_IN.search, _heads(page, "h1"))
    )


def is_check(page: ParsedPage) -> bool:
    return any(map(CHECKS.search, _heads(page, "h1", "h2")))


def _heads(page: ParsedPage, *tags: str) -> Iterable[str]:
    """The title and the first headings, but for what the feed announced: there are articles on errors."""
    announced = "".join(tokens(plain(page.announcement.title or "")))
    for some in (("title",), tags):
        found: Iterable[Element] = islice(page.tree.iter(*some), MOST_HEADINGS)
        heads = (one_line(text_of(one))[:LONGEST_HEAD] for one in found)
        yield from (head for head in heads if not announced or announced not in "".join(tokens(head)))


def _is_false(value: object) -> bool:
    return value is False or (isinstance(value, str) and value.strip().lower() == "false")


def _stated_length(linked: Linked) -> int:
    """How many words the whole article has, if the page says so."""
    count = linked.get("wordCount")
    digits = str(count).strip() if isinstance(count, (int, str)) else ""
    return int(digits) if digits.isdecimal() and len(digits) < 7 else 0


def _length(text: str, enough: int) -> int:
    """The length in words, where a character of a script without spaces is one; no further than needed."""
    found = len(tokens(text[: enough * _WORD]))
    return found if found >= enough else len(tokens(text[: enough * 40 + 1]))
