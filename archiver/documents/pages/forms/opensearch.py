"""Descriptions of search that a page names (OpenSearch), and the words that such a search suggests."""

from __future__ import annotations

import re
from urllib.parse import quote, urljoin

import msgspec
from lxml import etree

_SUGGESTIONS = "application/x-suggestions+json"
_TERMS = "{searchTerms}"
# Other places of a template; those that may be left empty end in a question mark.
_OPTIONAL = re.compile(r"\{[^{}]*\?\}")
_PLACE = re.compile(r"\{[^{}]*\}")
_MOST_BYTES = 1 << 20
_MOST = 200  # completions of one answer


def suggestion_template(content: bytes, url: str) -> str:
    """The address at which a description has words completed; empty where it names none that we can fill."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content[:_MOST_BYTES], parser)
    except etree.XMLSyntaxError:
        return ""
    for element in root.iter("{*}Url"):
        template = _OPTIONAL.sub("", str(element.get("template") or "").strip())
        is_get = str(element.get("method") or "get").lower() == "get"
        others = set(_PLACE.findall(template)) - {_TERMS}
        if str(element.get("type") or "").lower() == _SUGGESTIONS and is_get and not others:
            return urljoin(url, template) if _TERMS in template else ""
    return ""


def suggestion_address(template: str, beginning: str) -> str:
    """Where the words are that begin so."""
    return template.replace(_TERMS, quote(beginning, safe=""))


def suggested(content: bytes) -> tuple[str, ...]:
    """The completions of an answer: `["se", ["sea", "search"], …]`."""
    try:
        answer = msgspec.json.decode(content[:_MOST_BYTES])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ()
    if not isinstance(answer, list) or len(answer) < 2 or not isinstance(answer[1], list):
        return ()
    return tuple(one for one in answer[1][:_MOST] if isinstance(one, str))
