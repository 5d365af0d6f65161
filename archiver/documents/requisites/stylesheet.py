"""What a style sheet needs: the styles it imports, its images and its fonts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from w3lib.encoding import http_content_type_encoding

from archiver.documents.pages.dom import decode
from archiver.documents.requisites.css import sheet_references
from archiver.documents.requisites.gather import Gathering
from archiver.documents.requisites.model import MOST_PER_PAGE, WANTED

if TYPE_CHECKING:
    from collections.abc import Collection

    from archiver.documents.requisites.model import Kind, Requisite

# Exactly these bytes, or it is no declaration: so says CSS Syntax.
_CHARSET = re.compile(rb'@charset "([\x21\x23-\x7e]{1,60})";')


def style_requisites(
    css: bytes,
    *,
    url: str,
    content_type: str | None,
    limit: int = MOST_PER_PAGE,
    kinds: Collection[Kind] = WANTED,
) -> list[Requisite]:
    """What the style at `url` needs, at most `limit`: imports, then images, then fonts, each in its order."""
    gathering = Gathering(url=url, base_url=url, limit=limit, kinds=kinds)
    gathering.add(sheet_references(decode_style(css, content_type)))
    return gathering.requisites()


def decode_style(css: bytes, content_type: str | None) -> str:
    """The text of a style: by its BOM, header or `@charset`, unless the bytes contradict them; else UTF-8."""
    charset = _CHARSET.match(css)
    if charset and http_content_type_encoding(content_type) is None:
        content_type = f"text/css; charset={charset[1].decode('ascii')}"
    return decode(css, content_type)
