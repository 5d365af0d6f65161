"""Whether the title of an article changed, or only our choice among those that its page has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archiver.articles.versions.reading import key_of
from archiver.articles.versions.words import plain_words

if TYPE_CHECKING:
    from archiver.articles.versions.reading import Headline
    from archiver.articles.versions.views import View

_SEPARATOR = re.compile("[|\u00b7\u2022:-]")


def is_title_changed(before: View, now: View) -> bool:
    """Whether readers see another title: the chosen one, or the headline in its place."""
    old, new = before.title, now.title
    is_other = old != new and not _is_same_but_for_site(old, new, before, now)
    return (is_other and not _is_flipped(old, new, before, now)) or _is_headline_changed(before, now)


def _is_flipped(old: str, new: str, before: View, now: View) -> bool:
    """Whether both titles stand on both pages, or the headline that readers see is as it was."""
    if new in before.outline.titles and old in now.outline.titles:
        return True
    stayed = before.headlines & now.headlines
    return old in stayed or new in stayed


def _is_same_but_for_site(old: str, new: str, before: View, now: View) -> bool:
    shorter, longer = sorted((old, new), key=len)
    sites = {"".join(plain_words(site)) for site in (*before.outline.sites, *now.outline.sites)}
    cuts = [match.span() for match in _SEPARATOR.finditer(longer)]
    parts = [(longer[:start], longer[end:]) for start, end in cuts]
    pairs = [*parts, *((tail, head) for head, tail in parts)]
    return any(key_of(title) == shorter and "".join(plain_words(rest)) in sites for title, rest in pairs)


def _is_headline_changed(before: View, now: View) -> bool:
    """Whether another headline stands where the title did, while machines may be told the same as before."""
    return any(
        before.is_headline(old.key)
        and old.path == new.path
        and not _is_same_but_for_site(old.key, new.key, before, now)
        for old, new in _replaced(before, now)
    )


def _replaced(before: View, now: View) -> list[tuple[Headline, Headline]]:
    """Headlines that are on one page only, in their order, where as many came as went."""
    gone = [one for one in before.outline.headlines if one.key not in now.headlines]
    come = [one for one in now.outline.headlines if one.key not in before.headlines]
    return list(zip(gone, come, strict=True)) if len(gone) == len(come) else []
