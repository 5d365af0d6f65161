"""The document that a browser made of a response: a record of its own, which no replay takes for the page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time

# Not a web address: what looks for captures of a page does not find its rendering in their place.
_TARGET = "urn:rendered:"
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """Where a rendered document is kept; or why a page has none."""

    file: str = ""
    offset: int = 0
    record_id: str = ""
    date: datetime | None = None
    sha256: str = ""
    # Its name and version.
    browser: str = ""
    problem: str = ""

    @property
    def place(self) -> tuple[str, int] | None:
        return (self.file, self.offset) if self.file else None


def rendered_target(url: str) -> str:
    return _TARGET + url
