"""Entries that point at a comment on a page: who wrote them, and when, is said of the comment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from archiver.documents.feeds.model import FeedEntry

# `#comment-3` of WordPress, `#c3` of Blogger, `#comment:3` of Trac, `#note-3` of Redmine, `#issuecomment-3`.
_COMMENT = re.compile(
    r"(?:(?:issue|discussion|id)?comments?|kommentar|commentaire|comentario|cmt|reply|note)[-_:/=]?(?:id[-_]?)?\d+"
    r"|c\d+",
    re.IGNORECASE,
)


def is_of_comment(entry: FeedEntry) -> bool:
    """Whether the entry is about a comment, and not about the page that its link leads to."""
    link = entry.original_link or entry.link or ""
    try:
        return _COMMENT.fullmatch(urlsplit(link).fragment) is not None
    except ValueError:  # such as an unfinished IPv6 host
        return False
