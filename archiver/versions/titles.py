"""Whether the title of an article changed, or only our choice among those that its page has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archiver.versions.reading import key_of
from archiver.versions.words import plain_words

if TYPE_CHECKING:
    from archiver.versions.views import View

_SEPARATOR = re.compile("[|\u00b7\u2022:-]")


def is_title_changed(before: View, now: View) -> bool:
    old, new = _title(before), _title(now)
    if old != new:
        return not _is_same_but_for_site(old, new, before, now) and not _is_flipped(old, new, before, now)
    return _is_headline_changed(old, before, now)


def _title(view: View) -> str:
    return key_of(view.article.title or "")


def _is_flipped(old: str, new: str, before: View, now: View) -> bool:
    """Whether both titles stand on both pages, or the headline that readers see is as it was."""
    olds, news = before.outline.titles, now.outline.titles
    if new in olds and old in news:
        return True
    is_seen = old in before.outline.headlines and old in now.outline.headlines
    return is_seen or (new in before.outline.headlines and new in now.outline.headlines)


def _is_same_but_for_site(old: str, new: str, before: View, now: View) -> bool:
    shorter, longer = sorted((old, new), key=len)
    sites = {"".join(plain_words(site)) for site in (*before.outline.sites, *now.outline.sites)}
    cuts = [match.span() for match in _SEPARATOR.finditer(longer)]
    parts = [(longer[:start], longer[end:]) for start, end in cuts]
    pairs = [*parts, *((tail, head) for head, tail in parts)]
    return any(key_of(title) == shorter and "".join(plain_words(rest)) in sites for title, rest in pairs)


def _is_headline_changed(title: str, before: View, now: View) -> bool:
    """Whether the headline that readers see was the title and is another now, while machines are told the same."""
    old, new = before.outline.headlines, now.outline.headlines
    if title not in old or title in new or title in now.page_keys:
        return False
    return any(headline not in before.page_keys for headline in new)
