"""Other people's extractors, each called as its documentation says, for the body of a news article.

They are imported only where they run: in an environment of their own, which `make peers` sets up.
"""

from __future__ import annotations

import re
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    # The address and the markup of a page in, the text of its article out.
    Peer = Callable[[str, str], str | None]

_LANGUAGE = re.compile(r"<html\b[^>]*?\slang\s*=\s*[\"']?\s*([a-z]{2,3})\b", re.IGNORECASE)
# newspaper4k knows these only with a download or with packages that bring hundreds of megabytes.
_NOT_INSTALLED = frozenset({"bn", "hi", "ko", "ne", "ta"})


def trafilatura() -> Peer:
    extract = import_module("trafilatura").extract
    return lambda url, html: extract(html, url=url, include_comments=False)


def trafilatura_fast() -> Peer:
    extract = import_module("trafilatura").extract
    return lambda url, html: extract(html, url=url, include_comments=False, fast=True)


def readability_lxml() -> Peer:
    document = import_module("readability").Document
    parse = import_module("lxml.html").fromstring

    def text_of(url: str, html: str) -> str:
        summary = document(html, url=url).summary(html_partial=True)
        return " ".join(parse(summary).itertext())

    return text_of


def newspaper4k() -> Peer:
    newspaper = import_module("newspaper")
    known = set(import_module("newspaper.languages").get_available_languages()) - _NOT_INSTALLED

    def text_of(url: str, html: str) -> str:
        language = _language(html)
        options = {"language": language if language in known else "en", "fetch_images": False}
        return str(newspaper.article(url, input_html=html, **options).text)

    return text_of


def resiliparse() -> Peer:
    extract = import_module("resiliparse.extract.html2text").extract_plain_text
    return lambda _, html: extract(html, main_content=True, alt_texts=False, links=False, comments=False)


def _language(html: str) -> str:
    stated = _LANGUAGE.search(html)
    return stated[1].lower() if stated else "en"


PEERS: Mapping[str, Callable[[], Peer]] = MappingProxyType(
    {
        peer.__name__: peer
        for peer in (trafilatura, trafilatura_fast, readability_lxml, newspaper4k, resiliparse)
    }
)
