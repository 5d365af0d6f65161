"""What a page needs: kinds, their importance, and which of them are wanted by default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["style", "image", "font", "script", "object", "icon", "media", "frame"]
# "article": only the images of the article; "look": style sheets too; "page": whatever the page needs to be
# shown.
Scope = Literal["article", "look", "page"]

# The most important first: what is left out when a page needs more than its limit is at the end.
# Images of the article come between styles and the other images.
IMPORTANCE: tuple[Kind, ...] = ("style", "image", "font", "script", "object", "icon", "media", "frame")

# Films are large, and a frame is a page of its own, with its own needs: only for those who ask.
WANTED: frozenset[Kind] = frozenset(IMPORTANCE) - {"media", "frame"}

MOST_PER_PAGE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Requisite:
    """A resource to be fetched with a page: an http or https address as it may be requested."""

    url: str
    kind: Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """What an archive has of an address."""

    url: str  # behind redirects
    content_type: str
    body: bytes


# What there is for an address that a page names as a style or an image.
Stored = Callable[[str, Kind], StoredFile | None]


class Reference(NamedTuple):
    """An address as it is written in a page or a style."""

    kind: Kind
    address: str
