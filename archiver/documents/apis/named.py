"""The API that a page names for its site, where a reader here can read it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from archiver.documents.apis.sites import linked
from archiver.documents.apis.wordpress import RELATION as WORDPRESS

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# What the address of a WordPress API ends with, without and with rewritten addresses.
_ROOT = re.compile(r"/(?:wp-json/?|(?:index\.php)?\?rest_route=/?)$")


class NamedApi(msgspec.Struct, frozen=True, kw_only=True):
    """An API of a site, as queries have it."""

    api: str  # the name of its reader
    base: str
    root: str = ""  # where it is, as a cursor has it; empty: where its base is


def named_api(tree: Element, url: str) -> NamedApi | None:
    """What a page says of itself; nothing where its API needs more than words to search for."""
    if root := linked(tree, url, WORDPRESS):
        return NamedApi(api="wordpress", base=_ROOT.sub("", root).rstrip("/"), root=root)
    generator = _generator(tree)
    if generator.startswith("mediawiki") and (found := linked(tree, url, "EditURI")):
        root = urlsplit(found)._replace(query="", fragment="").geturl()
        return NamedApi(api="mediawiki", base=root, root=root) if root.endswith("api.php") else None
    if generator.startswith("discourse"):
        parts = urlsplit(url)
        return NamedApi(api="discourse", base=f"{parts.scheme}://{parts.netloc}")
    return None


def _generator(tree: Element) -> str:
    for meta in tree.iter("meta"):
        if (meta.get("name") or "").lower() == "generator":
            return (meta.get("content") or "").strip().lower()
    return ""
