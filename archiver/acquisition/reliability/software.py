"""The software behind an answer, as its Server header and the page's generator name it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

# Pages name it in their heads; what follows is not looked at.
_HEAD = 20_000
_GENERATOR = re.compile(rb"<meta\b[^>]{,300}\bname\s*=\s*[\"']?generator\b[^>]{,300}>", re.IGNORECASE)
_CONTENT = re.compile(rb"\bcontent\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.IGNORECASE)
# A version, and whatever follows it.
_VERSION = re.compile(r"[\s/;(,]+v?\d.*|[/;(,].*", re.DOTALL)
_LONGEST = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Software:
    """Names without versions; empty where nothing is said."""

    server: str = ""
    generator: str = ""


def software_of(server: str | None, body: bytes) -> Software:
    return Software(server=_name(server or ""), generator=_name(_generator(body[:_HEAD])))


def _generator(head: bytes) -> str:
    if (meta := _GENERATOR.search(head)) is None or (content := _CONTENT.search(meta[0])) is None:
        return ""
    return unescape(next(filter(None, content.groups()), b"").decode("utf-8", "replace"))


def _name(text: str) -> str:
    """`nginx` of `nginx/1.24.0 (Ubuntu)`, `WordPress` of `WordPress 6.4.2`."""
    plain = " ".join(text.split())
    return _VERSION.sub("", plain).strip()[:_LONGEST]
