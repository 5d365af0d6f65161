"""Answers as pages: templates in which everything is escaped, and what they need to show times and sizes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from archiver import __version__
from archiver.archive.memento.timemap import escaped
from archiver.display.page import safe
from archiver.display.tables import size_in_words
from archiver.display.when import length, when
from archiver.inspection.history.spoken import bracket, how_gone, how_twin

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

# A title of a page or of a feed may be of any length: what is beyond this is not shown in lists.
_LONGEST = 300
# They would turn round whatever stands behind them, also beyond the element that they are in.
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def short(text: str | None, longest: int = _LONGEST) -> str:
    """Text of strangers in a line: spaces are one, nothing turns it round, and it ends."""
    # Cut first: what is a megabyte long is not read to its end.
    line = " ".join(_DIRECTIONS.sub("", (text or "")[: 4 * longest]).split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def moment(value: datetime | None) -> Markup:
    """A time as people read it, and as programs do."""
    if value is None:
        return Markup("<span class=soft>unknown</span>")
    return Markup('<time datetime="{}">{}</time>').format(
        value.strftime("%Y-%m-%dT%H:%M:%SZ"), value.strftime("%Y-%m-%d %H:%M")
    )


def second(value: datetime) -> Markup:
    """The same to the second: captures are told apart by it."""
    shown = value.strftime("%Y-%m-%dT%H:%M:%SZ")
    return Markup('<time datetime="{}">{} {}</time>').format(shown, shown[:10], shown[11:19])


def address(path: str, **parameters: object) -> str:
    """A link within the application; what is None or empty is left out."""
    given = [
        (name, one)
        for name, value in parameters.items()
        for one in (value if isinstance(value, tuple | list) else (value,))
        if one not in (None, "", False)
    ]
    # Addresses of strangers may have surrogates, which no address can have.
    text = urlencode([(name, str(one).encode("utf-8", "replace")) for name, one in given])
    return f"{path}?{text}" if text else path


def path_part(text: str) -> str:
    """One part of the path of an address, whatever is in it."""
    return quote(text.encode("utf-8", "replace"), safe="")


def trusted(parts: Iterable[str]) -> Markup:
    """Markup that a module of ours made, with every word of strangers in it escaped."""
    return Markup("".join(parts))  # noqa: S704 - see above


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:,}"


@lru_cache(maxsize=1)
def environment() -> Environment:
    found = Environment(
        loader=PackageLoader("archiver.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters.update(
        short=short, moment=moment, number=number, size=size_in_words, span=length, ago=when,
        second=second, in_path=escaped, path_part=path_part, how_gone=how_gone, how_twin=how_twin,
        escaped=safe,
    )  # fmt: skip
    found.globals.update(address=address, bracket=bracket, version=__version__)
    return found


def page(template: str, **values: Any) -> bytes:  # noqa: ANN401 - whatever the template shows
    # Names of files may be any bytes, which Python has as characters that UTF-8 does not.
    return environment().get_template(f"{template}.html").render(values).encode("utf-8", "replace")
