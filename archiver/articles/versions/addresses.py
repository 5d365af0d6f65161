"""Which page a link leads to and which picture an image shows, whatever else its address carries."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import SplitResult, unquote, urlsplit

from archiver.lexicon.tracking import NOT_OF_A_PAGE, SESSION_IN_PATH

# In which size or quality an image is wanted, and how it is kept from caches.
_NOT_OF_AN_IMAGE = re.compile(
    r"w|h|wid|hei|width|height|size|sz|maxw|maxh|max-?(?:width|height)|q|quality|qlt|dpr|fit|crop|resize|scale"
    r"|zoom|auto|format|fm|fmt|ext|type|strip|ssl|sharp|op_\w+|v|ver|version|rev|x|y|rect|focal|gravity|mode"
    r"|interpolation|output-?(?:quality|format)|downsize|dim|bg|background|blur|compress|optimi[sz]e|s|e|expires",
    re.IGNORECASE,
)
_ENDING = re.compile(r"(?:\.(?:jpe?g|jfif|png|gif|webp|avif|svg|bmp|tiff?|heic|image|img))+$", re.IGNORECASE)
_SIZES = (
    r"\d{1,4}x\d{0,4}|x\d{2,4}|\d{2,4}(?:w|h|px)|[wh][_=-]?\d{2,4}|scaled|full|orig(?:inal)?|large|medium|small"
    r"|thumb(?:nail)?s?|tn|xl|xs|lg|md|sm|square|landscape|portrait|wide|mobile|desktop|tablet|retina|@?[123]x"
)
# Widths that programs make images in; other numbers at the end of a name are more likely part of it.
_WIDTHS = (
    "100|120|128|140|150|160|180|200|220|240|250|256|280|300|320|340|350|360|375|380|400|414|420|450|460|464|480"
    "|500|512|540|550|560|580|600|610|620|624|630|640|650|660|680|700|720|740|750|760|768|780|800|820|840|850|860"
    "|880|900|940|960|970|976|980|990|1000|1024|1040|1080|1100|1120|1152|1180|1200|1240|1248|1260|1280|1300|1320"
    "|1360|1400|1440|1480|1500|1536|1560|1600|1640|1680|1760|1800|1840|1880|1920|1960|2000|2048|2100|2200|2400"
    "|2560|2880|3000|3840"
)
_SIZE_ENDING = re.compile(rf"(?:[-_.@](?:{_SIZES}|{_WIDTHS}))+$", re.IGNORECASE)
_SIZE_STEP = re.compile(
    rf"(?:{_SIZES}|\d{{1,4}}|resize|crop|fit|scale|styles|format|quality|[a-z]{{1,3}}[_=:][\w.:;=-]*"
    r"(?:,[a-z]{1,9}[_=:][\w.:;=-]*)*|[a-z]+=[\w.]+(?:,[a-z-]+=[\w.%]+)*|cdn-cgi|image|filters:.*)",
    re.IGNORECASE,
)
_NO_PICTURE = re.compile(
    r"(?:^|[/_.-])(?:place-?holder|blank|spacer|pixel|transparent|clear|1x1|lazy(?:-?load)?|loading|empty|dummy"
    r"|grey|gray|white|default-?image|no-?image|s)(?:[_-][\w-]*)?\.(?:gif|png|svg|jpe?g|webp)(?:$|\?)"
    r"|/(?:pixel|beacon|impression|track(?:ing|er)?|counter)s?(?:[/.?]|$)",
    re.IGNORECASE,
)
_NESTED = re.compile(r"(?<=.)https?:/{1,2}(?=[\w.-]+/)", re.IGNORECASE)
# Of the path of an image, so much names it; what is before is where it is kept.
_STEPS = 3
_NESTING_NAMES = frozenset({"url", "src", "image", "img", "u", "file", "path"})


@lru_cache(maxsize=20_000)
def link_identity(url: str) -> str:
    """Equal for addresses of one page: scheme, `www.`, order, sessions and tracking don't count."""
    parts = _split(url)
    if parts is None:
        return url
    host = parts.netloc.rpartition("@")[2].lower().removeprefix("www.")
    host = host.removesuffix(":80").removesuffix(":443")
    path = _plain(SESSION_IN_PATH.sub("", parts.path)).rstrip("/")
    pairs = sorted(
        pair for pair in parts.query.split("&") if pair and not NOT_OF_A_PAGE.fullmatch(_name(pair))
    )
    return f"{host}{path}?{_plain('&'.join(pairs))}" if pairs else f"{host}{path}"


@lru_cache(maxsize=20_000)
def image_identity(url: str) -> str:
    """Equal for addresses of one picture in several sizes; empty for what shows none."""
    if url[:5].lower() == "data:" or _NO_PICTURE.search(url):
        return ""
    parts = _split(_innermost(url))
    if parts is None:
        return url
    *folders, name = _plain(parts.path).lower().split("/")
    stem = _ENDING.sub("", name)
    steps = [step for step in folders if step and "." not in step and not _SIZE_STEP.fullmatch(step)]
    identity = "/".join([*steps[1 - _STEPS :], _SIZE_ENDING.sub("", stem) or stem])
    # The address of a program that hands out images: its query says which.
    query = parts.query.split("&") if stem == name and parts.query else ()
    pairs = sorted(pair for pair in query if not _is_of_size(_name(pair)))
    return f"{identity}?{_plain('&'.join(pairs))}" if pairs else identity


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None


def _innermost(url: str) -> str:
    """The address of the image itself, where a service that makes sizes carries it in its own."""
    parts = _split(url)
    for pair in parts.query.split("&") if parts and "=" in parts.query else ():
        name, _, value = pair.partition("=")
        if name.lower() in _NESTING_NAMES and ("%2F" in value.upper() or "/" in value):
            return unquote(value)
    plain = unquote(url) if "%3A" in url.upper() else url
    nested = list(_NESTED.finditer(plain.partition("?")[0]))
    return plain[nested[-1].start() :] if nested else url


def _is_of_size(name: str) -> bool:
    return bool(_NOT_OF_AN_IMAGE.fullmatch(name) or NOT_OF_A_PAGE.fullmatch(name))


def _name(pair: str) -> str:
    return pair.partition("=")[0]


def _plain(text: str) -> str:
    return unquote(text) if "%" in text else text
