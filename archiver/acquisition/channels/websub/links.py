"""The hub of a feed and the name that the hub knows it by: from the head of the answer, or from the feed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from archiver.urls import LONGEST_URL, is_web

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.documents.feeds.model import FeedInfo

# `<URL>; rel="a b"; other=x`: a value may hold commas and semicolons only in quotes.
_LINK = re.compile(r"<([^>]+)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:\"[^\"]*\"|[^\s;,\"]*))?)*)")
_REL = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s;,\"]+))", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """Where to subscribe, and to what."""

    hub: str
    topic: str


def announced(head: str, info: FeedInfo, url: str) -> Announced | None:
    """By the Link header, where it says both; otherwise by the feed. None if there is no hub to go to."""
    links = list(_links(head, url))
    hubs = [target for rel, target in links if rel == "hub"]
    topics = [target for rel, target in links if rel == "self"]
    if not (hubs and topics):
        hubs, topics = list(info.hubs), [info.self_url] if info.self_url else []
    usable = [hub for hub in hubs if _is_usable(hub)]
    if not usable or not topics or not _is_usable(topics[0]):
        return None
    return Announced(hub=usable[0], topic=topics[0])


def _links(head: str, url: str) -> Iterator[tuple[str, str]]:
    for target, parameters in _LINK.findall(head):
        found = _REL.search(parameters)
        for rel in (found[1] or found[2] or "").lower().split() if found else ():
            yield rel, _absolute(url, target)


def _absolute(url: str, target: str) -> str:
    try:
        return urljoin(url, target.strip())
    except ValueError:
        return ""


def _is_usable(url: str) -> bool:
    return is_web(url) and len(url.encode("utf-8", "replace")) <= LONGEST_URL
