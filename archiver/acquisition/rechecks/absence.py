"""Whether an article is gone: what its address answers instead, and how often that must be seen.

In doubt it is not: a wall that asks for money, consent or a password, a server that fails, a page without
words say nothing about the article.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from urllib.parse import urlsplit

from archiver.acquisition.outcomes import Failure
from archiver.articles.model import Article, NoArticle
from archiver.lexicon.notices import NOT_FOUND, NOTHING_THERE, REMOVED
from archiver.urls import host_of, same_page_key

# Of the words of the last version: from here on it is the same article; below there is nothing in common.
_SAME, _NOTHING = 0.3, 0.1
_INDEX = re.compile(r"^(?:index|default|home|start|startseite|main)(?:\.\w{2,5})?$", re.IGNORECASE)
# A language or country, as in `/en/` or `/de-at/`.
_LOCALE = re.compile(r"^[a-z]{2}(?:[-_][a-z]{2})?$", re.IGNORECASE)
_ERROR_PATH = re.compile(r"/(?:404|410|(?:page|article)?[_-]?not[_-]?found)(?:\.\w+)?/?$", re.IGNORECASE)
_WALL = re.compile(
    r"(?:^|[/._-])(?:consent|cookies?|cookiewall|privacy|gdpr|log-?in|sign-?in|sso|oauth2?|auth|account"
    r"|register|registration|subscri\w+|paywall|abo|offers?|captcha|challenge|blocked|maintenance)(?:[/._?-]|$)",
    re.IGNORECASE,
)
_SAME_HOST = re.compile(r"^(?:www\d?|m|mobile|amp)\.")


class AbsenceKind(StrEnum):
    """How an article is missing."""

    NOT_FOUND = "not_found"
    GONE = "gone"
    FRONT_PAGE = "front_page"
    SOFT_404 = "soft_404"
    ELSEWHERE = "elsewhere"


_BY_FAILURE = {Failure.NOT_FOUND: AbsenceKind.NOT_FOUND, Failure.GONE: AbsenceKind.GONE}
# How often in a row it must be seen missing, and over what time. 410 is meant; 404 may be a hiccup; the
# others are read from the page and may be a mistake of ours, or a site that sends all its readers home while
# it is repaired.
_BELIEVED = {
    AbsenceKind.GONE: (1, timedelta()),
    AbsenceKind.NOT_FOUND: (2, timedelta(minutes=10)),
    AbsenceKind.FRONT_PAGE: (3, timedelta(minutes=25)),
    AbsenceKind.SOFT_404: (3, timedelta(minutes=25)),
    AbsenceKind.ELSEWHERE: (3, timedelta(minutes=25)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecheckAnswer:
    """What a recheck brought."""

    # The article's address, and where the request ended after redirects.
    original_url: str
    final_url: str
    # Why there was no usable answer; None for one with a page.
    failure: Failure | None = None
    # What extraction found on the page; None for one that was not read (as one not modified).
    found: Article | NoArticle | None = None
    # To the last version, from 0 to 1; None where that is not known.
    similarity: float | None = None
    # The site's front page, where the channel or its feed names one.
    home_url: str | None = None


def absence_of(answer: RecheckAnswer) -> AbsenceKind | None:
    """How the article is missing; None where it is there, or where that cannot be told."""
    if answer.failure is not None:
        return _BY_FAILURE.get(answer.failure)
    if answer.found is None or (answer.similarity is not None and answer.similarity >= _SAME):
        return None
    if _says_nothing_there(answer):
        return AbsenceKind.SOFT_404
    if same_page_key(answer.original_url) == same_page_key(answer.final_url):
        return None
    return _by_redirect(answer)


def is_believed(how: AbsenceKind, looks: int, over: timedelta) -> bool:
    """Whether the article is gone, having been missing at so many looks in a row over this time.

    `over` is the time from the first of them to the last.
    """
    needed, least = _BELIEVED[how]
    return looks >= needed and over >= least


def _says_nothing_there(answer: RecheckAnswer) -> bool:
    if isinstance(answer.found, NoArticle):
        return answer.found.reason == NOTHING_THERE
    is_other = answer.similarity is not None and answer.similarity < _NOTHING
    return is_other and (_is_error_page(answer) or _is_error_title(answer))


def _is_error_page(answer: RecheckAnswer) -> bool:
    is_sent = same_page_key(answer.original_url) != same_page_key(answer.final_url)
    return is_sent and bool(_ERROR_PATH.search(urlsplit(answer.final_url).path))


def _is_error_title(answer: RecheckAnswer) -> bool:
    title = getattr(answer.found, "title", None) or ""
    return bool(NOT_FOUND.search(title) or REMOVED.search(title))


def _by_redirect(answer: RecheckAnswer) -> AbsenceKind | None:
    if not _is_same_site(answer) or _WALL.search(urlsplit(answer.final_url).path):
        return None
    if _is_above(answer):
        return AbsenceKind.FRONT_PAGE
    if not isinstance(answer.found, Article) or answer.found.notice is not None:
        return None
    is_other = answer.similarity is not None and answer.similarity < _NOTHING
    return AbsenceKind.ELSEWHERE if is_other else None


def _is_same_site(answer: RecheckAnswer) -> bool:
    """Consent and log-in pages have hosts of their own; those of one name differ by their beginnings."""
    final = _bare_host(answer.final_url)
    known = {_bare_host(answer.original_url), _bare_host(answer.home_url or answer.original_url)}
    return any(final == one or final.endswith(f".{one}") or one.endswith(f".{final}") for one in known)


def _bare_host(url: str) -> str:
    return _SAME_HOST.sub("", host_of(url))


def _is_above(answer: RecheckAnswer) -> bool:
    """The front page, or the page of a section that the article's address lies under."""
    if answer.home_url and same_page_key(answer.home_url) == same_page_key(answer.final_url):
        return True
    final, original = _segments(answer.final_url), _segments(answer.original_url)
    if not final or (len(final) == 1 and _LOCALE.match(final[0])):
        return True
    return len(final) < len(original) and original[: len(final)] == final


def _segments(url: str) -> list[str]:
    """The parts of a path, without the name that a folder's own page has."""
    segments = [one.lower() for one in urlsplit(url).path.split("/") if one]
    return segments[:-1] if segments and _INDEX.match(segments[-1]) else segments
