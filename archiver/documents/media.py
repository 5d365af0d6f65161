"""What an article comes with beside its text: sound, video and other files, and players of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.lexicon.players import AUDIO_PLAYERS, ENDINGS, VIDEO_PLAYERS

if TYPE_CHECKING:
    from archiver.documents.feeds.model import FeedEntry

_BY_ENDING = {ending: kind for kind, endings in ENDINGS.items() for ending in endings}
OTHER = "other"
# Who names it: the feed's entry; an element of the article; a frame in which a site plays it.
FEED, PAGE, PLAYER = "feed", "page", "player"
PLAYERS_TYPE = "text/html"


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """A file that belongs to an article, or the address of a player of it."""

    kind: str  # audio, video, image, document or other
    url: str
    type: str | None = None  # as it is stated; `text/html` for a player
    length: int | None = None  # in bytes, as the feed states it
    title: str | None = None
    source: str  # feed, page or player


def media_of_entry(entry: FeedEntry) -> tuple[Media, ...]:
    """What a feed attaches to its entry: enclosures and Media RSS."""
    return tuple(
        Media(
            kind=kind_of(one.url, one.type, one.medium),
            url=one.url,
            type=one.type,
            length=one.length,
            title=one.title,
            source=FEED,
        )
        for one in entry.enclosures
    )


def kind_of(url: str, mime: str | None = None, medium: str | None = None) -> str:
    """By what is stated of it, else by whose address it is, else by how that ends."""
    for stated in (medium, (mime or "").partition("/")[0].strip().lower()):
        if stated in ENDINGS:
            return stated
    return player_kind(url) or _BY_ENDING.get(_path(url).rpartition(".")[2].lower(), OTHER)


def player_kind(url: str) -> str | None:
    """What a known player at this address plays."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    where = f"{parts.hostname or ''}{parts.path}"
    if VIDEO_PLAYERS.match(where):
        return "video"
    return "audio" if AUDIO_PLAYERS.match(where) else None


def _path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""
