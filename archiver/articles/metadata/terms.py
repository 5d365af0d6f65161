"""The terms that an article is about: Algorithm 1 of Oita and Senellart (2010) keeps them with its object.

They are the stems of the words of title and description, without stop words, the most frequent ones. They
say nothing of other entries, so that the same entry gives the same terms whenever it is read.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from archiver.documents.pages.languages import language_for
from archiver.documents.pages.text import plain
from archiver.documents.pages.words import terms

if TYPE_CHECKING:
    from archiver.documents.pages.model import Announcement

MOST_TERMS = 10  # as the thesis (Oita, 2012) fixes it
# A feed may carry whole articles: their beginning says enough.
_MOST_CHARACTERS = 2000


def terms_of_article(announcement: Announcement, title: str | None, text: str) -> tuple[str, ...]:
    """Of what the feed says of the page; where it says nothing, of the article's own title and text."""
    said = [announcement.title or "", announcement.summary or announcement.content or ""]
    words = " \n".join(plain(part)[:_MOST_CHARACTERS] for part in said if part)
    words = words or f"{title or ''} \n{text[:_MOST_CHARACTERS]}"
    language = language_for(words, announcement.language)
    counts = Counter(terms(words, language))
    # Among equals the first written is first: a counter keeps their order.
    return tuple(term for term, _ in counts.most_common(MOST_TERMS))
