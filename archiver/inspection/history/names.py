"""Names of events that never change, for readers of feeds to know what they have seen."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

_TICK = "%Y%m%dT%H%M%S.%f"


def event_name(key: str, kind: str, at: datetime) -> str:
    """The same in every run. With the time, since two archives may see different edits of one article."""
    return urn_of((key, kind, f"{at:{_TICK}}"))


def urn_of(parts: Iterable[str]) -> str:
    """`urn:uuid:…`, made from a list of words alone."""
    return uuid5(NAMESPACE_URL, "\n".join(part.encode("utf-8", "replace").decode() for part in parts)).urn
