"""What a generated site answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What a site answers."""

    body: str
    kind: str  # what it is: `item`, `list tag`, `calendar`, …
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    content: str = ""  # the address, if it is content
    is_trap: bool = False
    url: str = ""
