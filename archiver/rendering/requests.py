"""Which requests of a page are answered: decided from what they are, before any of them is sent."""

from __future__ import annotations

from urllib.parse import urlsplit

from archiver.lexicon.trackers import TRACKER_HOST, TRACKER_PATH

# What changes nothing of what a page says, by the browser's own names of kinds of requests.
_NOT_NEEDED = frozenset({"media", "font", "ping", "texttrack", "eventsource", "websocket"})
# Said of a page that leads elsewhere by itself.
ANOTHER_PAGE = "another page"


def refusal(method: str, url: str, kind: str, *, is_frame: bool) -> str | None:
    """Return why a request is not answered; None where it is."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return "not a web address"
    if method != "GET":
        # It may change something at the other side, and its answer could not be told by its address.
        return "not a GET"
    if is_frame or kind == "document":
        return "a frame" if is_frame else ANOTHER_PAGE
    if kind in _NOT_NEEDED:
        return kind
    if TRACKER_HOST.search(parts.hostname) or TRACKER_PATH.search(parts.path):
        return "a tracker"
    return None
