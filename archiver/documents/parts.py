"""Parts of pages: an article is known by its page, and by its part of it where a page shows several."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from archiver.digests import name_digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Places that every page has, and comments, which are read with the article they are about.
_NO_PART = re.compile(
    r"top|start|begin|page|main|content|contents|primary|article|more(?:-\d+)?|footer|header|nav|menu|sidebar|toc"
    r"|new|last|latest|bottom|end|disqus_thread|respond|reply|replies"
    r"|(?:\w+[-_])?(?:comments?|kommentare?|commentaires?|comentarios?|reactions?|discussion)(?:[-_][\w-]*|\d+)?",
    re.IGNORECASE,
)
# What an author or a program calls an element. Sharing marks (`xtor=RSS-1`), routes of scripts (`!/a`, `/a`)
# and quotations (`:~:text=`) are written with other signs.
_NAME = re.compile(r"[^\x00-\x20=/!&?:#~%<>\"'\s][^\x00-\x20=/!&?#~%<>\"'\s]{0,99}")
_ZONE = ANY_ZONE = "~"
_PLAIN = "-._$()*+,;:@"


def fragment_part(link: str) -> str:
    """The part that a link's fragment names; empty where it can only mean the whole page."""
    try:
        name = unquote(urlsplit(link.strip()).fragment).strip()
    except ValueError:
        return ""
    return name if _NAME.fullmatch(name) and not _NO_PART.fullmatch(name) else ""


def zone_part(entry_key: str) -> str:
    """The part for an entry that shares its page with others, and whose link does not tell where it is."""
    return _ZONE + name_digest(entry_key)[:16]


def is_zone(part: str) -> bool:
    return part.startswith(_ZONE)


def part_key(page_key: str, part: str) -> str:
    """The key of a part of a page; that of the whole page is the page's own."""
    return f"{page_key}#{part}" if part else page_key


def part_of_key(key: str) -> str:
    return key.partition("#")[2]


def part_url(url: str, part: str) -> str:
    """The address of a part, as far as there is one."""
    bare = url.partition("#")[0]
    return f"{bare}#{quote(part, safe=_PLAIN)}" if part and not is_zone(part) else bare


def share_of(words: Sequence[str], others: Sequence[str]) -> float:
    """How much of the others' text is in these words, from 0 to 1, by runs of three words."""
    left = Counter(_runs(words))
    wanted = Counter(_runs(others))
    return (left & wanted).total() / wanted.total() if wanted else 0.0


def _runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Each run of three words; all of them where there are fewer."""
    length = min(3, len(words))
    return zip(*(words[start:] for start in range(length)), strict=False)
