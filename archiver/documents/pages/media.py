"""Sound, video and embedded players of an article, which the cleaned page no longer has."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from archiver.documents.media import PAGE, PLAYER, PLAYERS_TYPE, Media, player_kind
from archiver.documents.pages.dom import UNSEEN, absolute_url
from archiver.documents.pages.images import LATE_SOURCES
from archiver.documents.pages.text import one_line, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

_FILES = ("video", "audio", "amp-video", "amp-audio")
_FRAMES = {"iframe": "src", "amp-iframe": "src", "embed": "src", "object": "data"}
# Elements that stand for YouTube's frame until a reader wants it.
_VIDEO_IDS = {"amp-youtube": "data-videoid", "lite-youtube": "videoid"}
_TAGS = (*_FILES, *_FRAMES, *_VIDEO_IDS)
# A page with more shows a catalogue.
_MOST_MEDIA = 50
# Fewer words, such as "Read more", may stand anywhere.
_LEAST_WORDS = 4
_MOSTLY = 0.5
# What stands in one of these by itself is not of what is around it.
_APART = frozenset({"aside", "footer", "header", "nav", "section"})


def media_in(tree: Element, base_url: str, text: str) -> tuple[Media, ...]:
    """The media of the page as it was served that stand in the article whose title and text these are."""
    found = [
        (element, media)
        for element in islice(tree.iter(*_TAGS), _MOST_MEDIA)
        if (media := _media(element, base_url)) is not None
    ]
    if not found:
        return ()
    words = one_line(text)
    mine = {media.url: media for element, media in reversed(found) if _stands_in(element, words)}
    return tuple(reversed(mine.values()))


def _media(element: Element, base_url: str) -> Media | None:
    tag = str(element.tag)
    title = one_line(element.get("title") or element.get("aria-label") or "") or None
    if tag in _FILES:
        return _file(element, base_url, title)
    if tag in _VIDEO_IDS:
        number = element.get(_VIDEO_IDS[tag], "").strip()
        addresses = [f"https://www.youtube.com/embed/{number}"] if number else []
    else:
        addresses = [element.get(name, "") for name in (_FRAMES[tag], *LATE_SOURCES)]
    for url in filter(None, (absolute_url(base_url, address) for address in addresses if address)):
        if kind := player_kind(url):
            return Media(kind=kind, url=url, type=PLAYERS_TYPE, title=title, source=PLAYER)
    return None


def _file(element: Element, base_url: str, title: str | None) -> Media | None:
    """The first address that a player of the browser would try."""
    kind = str(element.tag).removeprefix("amp-")
    for holder in (element, *islice(element.iter("source"), _MOST_MEDIA)):
        for address in filter(None, (holder.get(name) for name in ("src", *LATE_SOURCES))):
            if url := absolute_url(base_url, address):
                mime = (holder.get("type") or "").partition(";")[0].strip().lower()
                return Media(kind=kind, url=url, type=mime or None, title=title, source=PAGE)
    return None


def _stands_in(element: Element, words: str) -> bool:
    """Whether the text around an element is the article's: right before or behind it, and most of it."""
    branch = element
    for holder in element.iterancestors():
        before, behind = _around(holder, branch)
        around = [*before, *behind]
        # One phrase alone is a caption, which is not always of the text.
        is_caption = len(around) == 1 and around[0] not in words and holder.tag not in _APART
        if around and not is_caption and holder.tag != "figure":
            inside = sum(len(piece) for piece in around if piece in words)
            near = any(piece in words for piece in (*before[-1:], *behind[:1]))
            return near and inside >= _MOSTLY * sum(map(len, around))
        branch = holder
    return False


def _around(holder: Element, branch: Element) -> tuple[list[str], list[str]]:
    """What stands in an element before and behind one of its branches, as far as it says something."""
    before: list[str] = []
    behind: list[str] = []
    side = before
    for element, event in walk(holder, lambda one: one is branch or one.tag in UNSEEN):
        if event == "open":
            side += _piece(element.text)
            continue
        if element is branch:
            side = behind
        if element is not holder:
            side += _piece(element.tail)
    return before, behind


def _piece(text: str | None) -> Iterator[str]:
    if text and not text.isspace():
        piece = one_line(text)
        if piece.count(" ") >= _LEAST_WORDS - 1:
            yield piece
