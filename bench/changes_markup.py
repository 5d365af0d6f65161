"""Noise in the markup of foreign pages: the same words, links and images in another spelling."""

from __future__ import annotations

import re
from html.entities import codepoint2name
from typing import TYPE_CHECKING
from zlib import crc32

from changes_kinds import noise

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from changes_source import Source, Token

_CLASS = re.compile(r"(\sclass\s*=\s*)(\"[^\"]*\"|'[^']*')", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\s+([a-zA-Z_:][\w:.-]*)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?")
_LINK = re.compile(r"(\shref\s*=\s*)\"((?:https?:/)?/[^\"#?]*)\"", re.IGNORECASE)
_IMAGE = re.compile(
    r"(\s(?:data-)?src\s*=\s*)\"((?:https?:/)?/[^\"#?]*\.(?:jpe?g|png|webp|gif))\"", re.IGNORECASE
)
_SRC = re.compile(r"\ssrc\s*=\s*(\"(?!data:)[^\"]+\")", re.IGNORECASE)
_CHARSET = re.compile(r"(<meta[^>]*charset\s*=\s*[\"']?)[\w-]+", re.IGNORECASE)
_STAMP = re.compile(
    r"((?:modified_time|dateModified|last-modified)\"?[^>{}]{0,40}?)\d{4}-\d\d-\d\dT\d\d:\d\d", re.IGNORECASE
)
_SPACE = re.compile(r"\s+")
_BEFORE_TEXT = frozenset({"p", "li", "h2", "h3", "blockquote"})


# The template.


@noise("redesign", "other names of classes, more wrappers, another head and foot")
def redesign(page: Source, moment: int, rng: Random) -> str | None:  # noqa: ARG001 - every page alike
    start, end = page.at_body(end=False), page.at_body(end=True)
    if not moment or start is None or end is None or end <= start:
        return page.html if start is not None and end is not None else None
    head = (
        '<div class="v2-root"><header class="v2-top"><a href="/">Home</a> <nav><ul>'
        '<li><a href="/world">World</a></li>'
        '<li><a href="/money">Money</a></li></ul></nav></header><div class="v2-canvas"><div class="v2-inner">'
    )
    foot = '</div></div><footer class="v2-foot"><p>All rights reserved. Contact us.</p></footer></div>'
    body = _classes(page.html[start:end], lambda name: f"v2-{name}")
    return page.html[:start] + head + body + foot + page.html[end:]


@noise("hashed classes", "names of classes with another suffix, as every build makes them")
def hashed_classes(page: Source, moment: int, rng: Random) -> str | None:
    salt = f"{rng.random()}{moment}"
    return _classes(page.html, lambda name: f"{name}_{crc32((salt + name).encode()):08x}")


def _classes(html: str, named: Callable[[str], str]) -> str:
    def renamed(match: re.Match[str]) -> str:
        return f'{match[1]}"{" ".join(named(one) for one in match[2][1:-1].split())}"'

    return _CLASS.sub(renamed, html)


@noise("generated ids", "every paragraph has another number")
def generated_ids(page: Source, moment: int, rng: Random) -> str | None:
    base = rng.randint(10000, 60000) + 1000 * moment
    return _opened(page, lambda token, tag: f'{tag[:-1].rstrip("/")} data-block="b{base + token.start}">')


@noise("attribute order", "attributes in the other order, in other quotation marks")
def attribute_order(page: Source, moment: int, rng: Random) -> str | None:  # noqa: ARG001 - as above
    return _tags(page, _turned_round) if moment else page.html


def _turned_round(tag: str) -> str:
    name = re.match(r"<[\w:-]+", tag)
    found = list(_ATTRIBUTE.finditer(tag, name.end())) if name else []
    if name is None or not found or "".join(one[0] for one in found) != tag[name.end() :].rstrip("/> \n\t\r"):
        return tag
    return name[0] + "".join(f" {_quoted(one)}" for one in reversed(found)) + ">"


def _quoted(attribute: re.Match[str]) -> str:
    name, value = attribute[1], attribute[2]
    if value is None:
        return name
    bare = value[1:-1] if value[0] in "\"'" else value
    return f"{name}='{bare}'" if "'" not in bare else f'{name}="{bare}"'


@noise("wrapped paragraphs", "words of paragraphs stand in a span")
def wrapped_paragraphs(page: Source, moment: int, rng: Random) -> str | None:  # noqa: ARG001 - as above
    if not moment or not page.paragraphs:
        return page.html if page.paragraphs else None
    html, place = [], 0
    for one in page.paragraphs:
        html += [page.html[place : one.start], '<span class="t">', page.html[one.start : one.end], "</span>"]
        place = one.end
    return "".join([*html, page.html[place:]])


@noise("page weight", "more scripts and styles")
def page_weight(page: Source, moment: int, rng: Random) -> str | None:
    place = page.at_body(end=True)
    if place is None:
        return None
    script = f"<script>window.__state={{'build':'{rng.random()}','seen':{moment}}};</script>" * (
        1 + 20 * moment
    )
    return page.insert(place, f"{script}<style>.x{moment}{{color:red}}</style>")


@noise("form token", "hidden tokens against forgery")
def form_token(page: Source, moment: int, rng: Random) -> str | None:
    place = page.at_body(end=False)
    token = f"{crc32(f'{rng.random()}{moment}'.encode()):08x}" * 4
    form = f'<form action="/search"><input type="hidden" name="csrf" value="{token}"><input name="q"></form>'
    return None if place is None else page.insert(place, form)


@noise("dates in the head", "the date of change in metadata moves")
def dates_in_the_head(page: Source, moment: int, rng: Random) -> str | None:
    hour = rng.randint(1, 20) + moment
    if _STAMP.search(page.html):
        return _STAMP.sub(lambda match: f"{match[1]}2024-03-05T{hour:02}:10", page.html)
    place = page.html.lower().find("</head>")
    stamp = f'<meta property="article:modified_time" content="2024-03-05T{hour:02}:10:00Z">'
    return page.insert(place, stamp) if place >= 0 else None


# Addresses.


@noise("session ids", "another session in every link")
def session_ids(page: Source, moment: int, rng: Random) -> str | None:
    session = f"{crc32(f'{rng.random()}{moment}'.encode()):08x}"
    return _addresses(page, _LINK, f"?sessionid={session}")


@noise("tracking parameters", "links say where their reader comes from")
def tracking_parameters(page: Source, moment: int, rng: Random) -> str | None:
    campaign = rng.choice(("spring", "app", "mail"))
    query = f"?utm_source=site&amp;utm_medium=web&amp;utm_campaign={campaign}"
    return _addresses(page, _LINK, query if moment else "")


@noise("image queries", "images are asked for with another number")
def image_queries(page: Source, moment: int, rng: Random) -> str | None:
    return _addresses(page, _IMAGE, f"?v={rng.randint(1000, 9000) + moment}")


@noise("image sizes", "images are asked for in another size")
def image_sizes(page: Source, moment: int, rng: Random) -> str | None:
    quality = rng.choice((75, 80))
    return _addresses(page, _IMAGE, f"?w={800 if moment else 640}&amp;q={quality}")


def _addresses(page: Source, pattern: re.Pattern[str], query: str) -> str | None:
    if not pattern.search(page.html):
        return None
    names = ("a",) if pattern is _LINK else ("img", "source")
    return _rewritten(
        page,
        lambda token: token.kind == "open" and token.name in names,
        lambda _, tag: pattern.sub(lambda match: f'{match[1]}"{match[2]}{query}"', tag),
    )


@noise("lazy images", "images wait for a script")
def lazy_images(page: Source, moment: int, rng: Random) -> str | None:  # noqa: ARG001 - as above
    if not any(token.name == "img" for token in page.tokens):
        return None
    return _tags(page, _lazy) if moment else page.html


def _lazy(tag: str) -> str:
    if not tag.lower().startswith("<img") or "data-src" in tag:
        return tag
    pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
    return _SRC.sub(lambda match: f' src="{pixel}" data-src={match[1]} loading="lazy"', tag, count=1)


# White space, entities and encodings.


@noise("white space", "another indentation, and lines that break elsewhere")
def white_space(page: Source, moment: int, rng: Random) -> str | None:
    width = rng.choice((0, 2, 4))
    return _texts(page, lambda text: _SPACE.sub("\n" + " " * width, text)) if moment else page.html


@noise("spaces that do not break", "before short words at the end of a line")
def fixed_spaces(page: Source, moment: int, rng: Random) -> str | None:  # noqa: ARG001 - as above
    return (
        _texts(page, lambda text: re.sub(r"(\w) (\w{1,3})\b", "\\1&nbsp;\\2", text)) if moment else page.html
    )


@noise("soft hyphens", "long words may break")
def soft_hyphens(page: Source, moment: int, rng: Random) -> str | None:  # noqa: ARG001 - as above
    if not page.article or not moment:
        return page.html if page.article else None
    html, place = [], 0
    for one in (token for part in page.article for token in part.tokens if token.kind == "text"):
        text = re.sub(
            r"(?<![&#\w])([a-z]{5})([a-z]{4,})(?![\w;])", "\\1&shy;\\2", page.html[one.start : one.end]
        )
        html += [page.html[place : one.start], text]
        place = one.end
    return "".join([*html, page.html[place:]])


@noise("entities", "letters and quotation marks spelt as entities")
def entities(page: Source, moment: int, rng: Random) -> str | None:  # noqa: ARG001 - as above
    return _texts(page, lambda text: re.sub(r"[^\x00-\x7f]", _entity, text)) if moment else page.html


def _entity(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"&{codepoint2name[code]};" if code in codepoint2name else f"&#{code};"


@noise("encoding", "the page comes in ISO-8859-1, and says so", encoding="iso-8859-1")
def encoding(page: Source, moment: int, rng: Random) -> str | None:  # noqa: ARG001 - as above
    # In this encoding browsers read them as other letters; and a tag's name cannot be a reference.
    if re.search("[\x80-\x9f]", page.html) or re.search("<[^>]{0,3}[^\x00-\xff]", page.html):
        return None
    return _CHARSET.sub(r"\g<1>iso-8859-1", page.html) if moment else page.html


# What they share.


def _tags(page: Source, changed: Callable[[str], str]) -> str:
    return _rewritten(page, lambda token: token.kind == "open", lambda _, tag: changed(tag))


def _opened(page: Source, changed: Callable[[Token, str], str]) -> str:
    return _rewritten(page, lambda token: token.kind == "open" and token.name in _BEFORE_TEXT, changed)


def _texts(page: Source, changed: Callable[[str], str]) -> str:
    return _rewritten(page, lambda token: token.kind == "text", lambda _, text: changed(text))


def _rewritten(page: Source, chosen: Callable[[Token], bool], changed: Callable[[Token, str], str]) -> str:
    pieces = (
        changed(token, page.html[token.start : token.end])
        if chosen(token)
        else page.html[token.start : token.end]
        for token in page.tokens
    )
    return "".join(pieces)
