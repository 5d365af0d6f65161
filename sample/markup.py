"""Turns blocks into HTML, and fills the page templates."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from sample.model import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

_EMPHASIS = re.compile(r"\*([^*]+)\*")
_LINK = re.compile(r"\^([^^]+)\^")
_WORDS = re.compile(r"[^a-z0-9]+")
_PLAIN_LETTERS = str.maketrans("àâäáçéèêëîïíñôöóûüùú", "aaaaceeeeiiinooouuuu", "'\u2019")


def inline(text: str) -> str:
    """The paragraph's inner HTML."""
    text = _EMPHASIS.sub(r"<em>\1</em>", escape(text, quote=False))
    return _LINK.sub(lambda match: f'<a href="/#{slug(match[1])}">{match[1]}</a>', text)


def slug(title: str, words: int = 8) -> str:
    letters = plain(title).lower().replace("ß", "ss").replace("œ", "oe").translate(_PLAIN_LETTERS)
    return "-".join(_WORDS.sub(" ", letters).split()[:words])


@cache
def template(name: str) -> Template:
    return Template((Path(__file__).parent / "templates" / name).read_text("utf-8"))


@cache
def style(name: str) -> str:
    return (Path(__file__).parent / "styles" / name).read_text("utf-8")


def render(name: str, **fields: object) -> str:
    return template(name).substitute(fields)


def joined(pieces: Iterable[str]) -> str:
    return "\n".join(pieces)


def token(*parts: object) -> str:
    """Sixteen hexadecimal digits that look like a nonce and depend only on `parts`."""
    return hashlib.sha256("/".join(map(str, parts)).encode()).hexdigest()[:16]


def shortened(text: str, limit: int = 180) -> str:
    """The beginning of a text, cut between two words."""
    text = plain(text)
    return text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0].rstrip(",;:.") + "…"


def xml(text: str) -> str:
    return escape(text, quote=False)
