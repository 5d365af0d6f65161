"""Which articles an answer lists, read from what is sent: links of a feed's entries or of a front page."""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Collection

    from sample.messages import Response

_FEED_TYPES = ("rss+xml", "atom+xml", "rdf+xml", "text/xml", "feed+json")
_ENTRIES = ("item", "entry")
_HREF = re.compile(r"<a\s[^>]*?href\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)
# Of a feed that does not parse; what browsers and forgiving parsers find in it.
_BROKEN_LINK = re.compile(r"<item>.*?<link>([^<]+)</link>", re.DOTALL)


def is_feed(answer: Response) -> bool:
    return any(word in answer.headers.get("Content-Type", "") for word in _FEED_TYPES)


def listed_in(answer: Response, url: str, articles: Collection[str]) -> tuple[str, ...]:
    """Absolute links in the order of the document; `articles` tells a front page's from its other links."""
    links = _of_feed(answer) if is_feed(answer) else _of_page(answer.body, url, articles)
    return tuple(dict.fromkeys(urljoin(url, link.strip()) for link in links if link))


def _of_page(body: bytes, url: str, articles: Collection[str]) -> list[str]:
    found = (urljoin(url, html.unescape(one)) for one in _HREF.findall(body.decode("latin-1")))
    return [one for one in found if one in articles]


def _of_feed(answer: Response) -> list[str | None]:
    if "json" in answer.headers["Content-Type"]:
        return [item.get("url") for item in json.loads(answer.body)["items"]]
    try:
        document = ET.fromstring(answer.body)
    except ET.ParseError:
        return list(_BROKEN_LINK.findall(answer.body.decode("latin-1")))
    entries = [one for one in document.iter() if one.tag.rpartition("}")[2] in _ENTRIES]
    return [_link(entry) for entry in entries]


def _link(entry: ET.Element) -> str | None:
    links = [one for one in entry if one.tag.rpartition("}")[2] == "link"]
    atom = (
        one.get("href") for one in links if one.get("href") and one.get("rel", "alternate") == "alternate"
    )
    return next(atom, None) or next((one.text for one in links if one.text), None)
