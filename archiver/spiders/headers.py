"""Headers of a response, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.http import Response


def header(response: Response, name: str) -> str | None:
    value = response.headers.get(name)
    return value.decode("latin-1") if value else None


def body_size(response: Response) -> int:
    """In bytes, as it was received; a large body does not pass through the response."""
    return int(response.meta.get("body_size", len(response.body)))


def header_list(response: Response, name: str) -> str:
    """Several lines of one name are one list, as HTTP has it."""
    return b", ".join(response.headers.getlist(name)).decode("latin-1")
