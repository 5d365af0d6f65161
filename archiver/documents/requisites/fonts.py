"""Which of the files of a font is kept: one for each `@font-face`.

The last `src` of a face counts, as in browsers. Of its files the WOFF2 is taken, else the WOFF, else the
first that is neither EOT nor SVG, else the first: every browser of today shows the first three, and falls
back to them if another file is missing. Where the face itself holds a file, as `data:`, none is needed. What
a file is, its `format("…")` says, or else the end of its name. `unicode-range` is not looked at: that would
need the text of every page that uses the style.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from archiver.documents.requisites.model import Reference

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_RANKS = (
    re.compile(r"woff2(?:-variations)?"),
    re.compile(r"woff(?:-variations)?"),
    re.compile(r"(?!(?:eot|embedded-opentype|svgz?)$).*"),
)
_EXTENSION = re.compile(r"\.(\w+)(?:[?#]|$)")


class Source(NamedTuple):
    address: str
    format: str = ""
    ends_declaration: bool = False


def best_source(sources: Sequence[Source]) -> Iterator[Reference]:
    """The file to keep, of all that one face names."""
    last = _last_declaration(sources)
    if last:
        yield Reference("font", min(last, key=_rank).address)


def _last_declaration(sources: Sequence[Source]) -> Sequence[Source]:
    ends = [place for place, source in enumerate(sources[:-1]) if source.ends_declaration]
    return sources[ends[-1] + 1 :] if ends else sources


def _rank(source: Source) -> int:
    extension = _EXTENSION.search(source.address)
    name = source.format or (extension[1].lower() if extension else "")
    rank = next((rank for rank, pattern in enumerate(_RANKS) if pattern.fullmatch(name)), len(_RANKS))
    is_held = source.address[:5].lower() == "data:" and rank < len(_RANKS)
    return -1 if is_held else rank
