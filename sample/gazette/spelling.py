"""The same page in another spelling: white space, entities, order of attributes, names, addresses."""

from __future__ import annotations

import re
from html.entities import codepoint2name
from typing import TYPE_CHECKING

from sample.markup import token

if TYPE_CHECKING:
    from collections.abc import Callable

    from sample.gazette.surroundings import Around

_BETWEEN = re.compile(r"(?<=>)[^<]+(?=<)")
# Not in scripts, where nothing may be respelt.
_SCRIPT = re.compile(r"(<script.*?</script>|<style.*?</style>)", re.DOTALL)
_TAG = re.compile(r"<([a-z0-9]+)((?: [a-z-]+=\"[^\"]*\")+)>")
_ATTRIBUTE = re.compile(r" [a-z-]+=\"[^\"]*\"")
_CLASS = re.compile(r' class="([^"]+)"')
_IMAGE = re.compile(r'(<img src=")(/img/[^"]+)(")')
_HREF = re.compile(r'(<a(?: class="[^"]*")? href=")(/[^"#?]*)(")')
_PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="


def respelt(page: str, around: Around) -> str:
    """The page as the noise in its spelling has left it."""
    for kind, respell in _SPELLINGS.items():
        if kind in around.noise:
            page = respell(page, around.noise[kind], around)
    return page


def _white_space(page: str, count: int, _: Around) -> str:
    if not count:
        return page
    indented = _outside_scripts(page, lambda text: re.sub(r"\s+", "\n" + "\t" * count, text))
    return indented.replace("<p>", "<p>\n  ").replace("</p>", "\n</p>\n")


def _entities(page: str, count: int, _: Around) -> str:
    if not count:
        return page
    return _outside_scripts(page, lambda text: re.sub(r"[^\x00-\x7f]", _entity, text))


def _entity(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"&{codepoint2name[code]};" if code in codepoint2name else f"&#x{code:x};"


def _attribute_order(page: str, count: int, _: Around) -> str:
    if not count % 2:
        return page

    def turned(match: re.Match[str]) -> str:
        return f"<{match[1]}{''.join(reversed(_ATTRIBUTE.findall(match[2])))}>"

    return _TAG.sub(turned, page)


def _hashed_classes(page: str, count: int, around: Around) -> str:
    def named(match: re.Match[str]) -> str:
        names = (f"{one}_{token(around.article.section, one, count)[:5]}" for one in match[1].split())
        return f' class="{" ".join(names)}"'

    return _CLASS.sub(named, page)


def _session_ids(page: str, count: int, around: Around) -> str:
    session = token("session", around.article.name, count)
    page = _IMAGE.sub(rf"\1\2?sid={session}\3", page)
    return _HREF.sub(rf"\1\2?PHPSESSID={session}\3", page)


def _tracking(page: str, count: int, _: Around) -> str:
    if not count:
        return page
    return _HREF.sub(rf"\1\2?utm_source=gazette&amp;utm_medium=web&amp;utm_campaign=c{count}\3", page)


def _image_query(page: str, count: int, _: Around) -> str:
    return _IMAGE.sub(rf"\1\2?v={20260302 + count}\3", page)


def _lazy_images(page: str, count: int, _: Around) -> str:
    return _IMAGE.sub(rf'<img src="{_PIXEL}" loading="lazy" data-src="\2\3', page) if count else page


def _outside_scripts(page: str, change: Callable[[str], str]) -> str:
    head, body, rest = page.partition("<body")
    pieces = _SCRIPT.split(body + rest)
    changed = (
        one if one.startswith(("<script", "<style")) else _BETWEEN.sub(lambda text: change(text[0]), one)
        for one in pieces
    )
    return head + "".join(changed)


_SPELLINGS: dict[str, Callable[[str, int, Around], str]] = {
    "lazy images": _lazy_images,
    "image query": _image_query,
    "session ids": _session_ids,
    "tracking parameters": _tracking,
    "hashed classes": _hashed_classes,
    "attribute order": _attribute_order,
    "white space": _white_space,
    "entities": _entities,
}
