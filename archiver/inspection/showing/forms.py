"""What a browser may be given of a capture: a page, an image, text; all else is a file to be saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from archiver.documents.pages.not_html import why_not_html

if TYPE_CHECKING:
    from archiver.inspection.showing.kept import KeptCopy

ShownForm = Literal["page", "image", "text", "file"]

# What browsers show without running anything; an SVG image is served with a policy that runs nothing.
IMAGES = frozenset({
    "image/apng", "image/avif", "image/bmp", "image/gif", "image/jpeg", "image/jpg", "image/png",
    "image/svg+xml", "image/vnd.microsoft.icon", "image/webp", "image/x-icon",
})  # fmt: skip
FONTS = frozenset({
    "application/font-woff", "application/font-woff2", "application/vnd.ms-fontobject",
    "application/x-font-opentype", "application/x-font-otf", "application/x-font-ttf",
    "application/x-font-truetype", "application/x-font-woff", "font/otf", "font/ttf", "font/woff",
    "font/woff2",
})  # fmt: skip
STYLE = "text/css"
_PAGES = frozenset({"", "text/html", "application/xhtml+xml"})
_TEXTS = frozenset({
    "application/javascript", "application/json", "application/x-javascript", "application/xml",
})  # fmt: skip
_TEXT_ENDS = ("+xml", "+json")
# A page that is longer is not parsed while a browser waits.
LONGEST_PAGE = 16 << 20


def form_of(copy: KeptCopy) -> ShownForm:
    """How a capture can be shown."""
    if copy.mime in IMAGES:
        return "image"
    if copy.mime in _PAGES and len(copy.body) <= LONGEST_PAGE:
        why_not = why_not_html(copy.body, copy.content_type)
        if why_not is None:
            return "page"
        return "text" if "XML" in why_not or "JSON" in why_not or "markup" in why_not else "file"
    is_text = copy.mime.startswith("text/") or copy.mime in _TEXTS or copy.mime.endswith(_TEXT_ENDS)
    return "text" if is_text else "file"
