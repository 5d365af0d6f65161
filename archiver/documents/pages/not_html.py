"""Bodies that are no HTML page, whatever their server calls them: told by how they begin."""

from __future__ import annotations

import re

from archiver.documents.pages.dom import UNWRITABLE, decode

# How files that are no page begin.
_MAGIC = (
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF media file"),
    (b"OggS", "an Ogg media file"),
    (b"ID3", "an MP3 file"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"{\\rtf", "an RTF document"),
)
# Nothing is tried again in another way: a page that begins with many comments would take for ever.
_XML_ROOT = re.compile(
    r"\s*+(?:(?><\?[^>]*>|<!--.*?-->|<!DOCTYPE[^>]*>)\s*+)*+"
    r"<(rss|feed|rdf:rdf|urlset|sitemapindex|svg|opml|opensearchdescription)\b",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(r"<[a-zA-Z!/?]")


def why_not_html(body: bytes, content_type: str | None) -> str | None:
    """What the bytes are, if they are no HTML page."""
    for magic, name in _MAGIC:
        if body.startswith(magic):
            return f"the body is {name}"
    head = body[:1024].strip()
    if head[:1] in (b"{", b"[") and body.rstrip()[-1:] in (b"}", b"]"):
        return "the body is JSON"
    text = decode(body[:65536], content_type)[:8192]
    if sum(map(len, UNWRITABLE.findall(text))) + text.count("\ufffd") > len(text) / 10:
        return "the body is binary"
    return _why_not_markup(text, content_type)


def _why_not_markup(text: str, content_type: str | None) -> str | None:
    if root := _XML_ROOT.match(text):
        return f"the body is XML: <{root[1]}>"
    if text.strip() and not _TAG.search(text) and "html" not in (content_type or "").lower():
        return "the body has no markup, and is not said to be HTML"
    return None
