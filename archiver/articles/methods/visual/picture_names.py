"""Which addresses are of one picture, whatever its size, crop and server; and words in names."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote, urlsplit

# An address within an address: servers that resize get the picture's own as a parameter or as a path.
_WITHIN = re.compile(r"https?:/{1,2}(?=[^/])", re.IGNORECASE)
_IN_QUERY = re.compile(r"(?:^|&)(?:url|src|img|image)=([^&]+)", re.IGNORECASE)
# `photo-300x200.jpg`, `photo-1200-80.jpg`, `photo-scaled.jpg` and `photo.jpg` are one picture.
_SIZED = re.compile(r"(?:[-_.@~]?\d{2,4}x\d{2,4}|[-_]\d{3,4}-\d{2,3}|[-_]\d{3,4}w|[-_]scaled|@\dx)+$")
# What many files are called: a folder tells them apart.
_ANY_FILE = re.compile(
    r"(?:(?:raw|hero|main|lead|full|large|small|medium|square|standard|wide|thumb(?:nail)?|featured|default|master"
    r"|original|image|img|photo|picture|poster|social|share|crop|cover|landscape|portrait|(?<!\d)\d{1,5}(?!\d))"
    r"[-_. ]?)*"
)
# A folder that is a number or a key of its picture, not a name of a shelf, a size or a crop.
_KEY = re.compile(r"(?=[^\d]*\d)[a-z0-9-]{6,}")
_LEAST_NAME = 5
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def picture_name(url: str) -> str:
    """What tells a picture from others: the name of its file, or a folder's where that is not telling."""
    try:
        path = urlsplit(_innermost(url)).path
    except ValueError:
        return ""
    steps = [_SIZED.sub("", one) for one in unquote(path).lower().rstrip("/").split("/")]
    stem = _SIZED.sub("", steps[-1].partition(".")[0])
    if len(stem) >= _LEAST_NAME and not _ANY_FILE.fullmatch(stem):
        return stem
    return max((one for one in steps[:-1] if _KEY.fullmatch(one)), key=len, default="")


def _innermost(url: str) -> str:
    """The address of the picture that a resizing server is asked for."""
    asked = _IN_QUERY.search(url.partition("?")[2])
    if asked and "/" in (inner := unquote(asked[1])):
        return _innermost(inner)
    plain = unquote(url)
    starts = [one.start() for one in _WITHIN.finditer(plain)]
    return plain[starts[-1] :] if starts else url


def file_name(url: str) -> str:
    """The last step of an address; nothing where it is not one."""
    try:
        return unquote(urlsplit(url).path).rstrip("/").rpartition("/")[2]
    except ValueError:
        return ""


# Pages have few kinds of elements, and each of them many times.
@lru_cache(maxsize=10_000)
def name_words(names: str) -> frozenset[str]:
    """The words of class names and file names: `heroImage__wide` says hero, image and wide."""
    return frozenset(one.lower() for one in _WORD.findall(names))
