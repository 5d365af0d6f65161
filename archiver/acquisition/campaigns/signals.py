"""What speaks for and against the relevance of a page, as it is stored."""

from __future__ import annotations

import msgspec


class Signals(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a page says for or against its relevance, each between 0 and 1; None: not asked for."""

    keywords: float | None = None
    entities: float | None = None
    examples: float | None = None
    time: float | None = None
    language: float | None = None
    # Groups of `all_of` that are not met; a word of `none_of`.
    missing: tuple[str, ...] = ()
    excluded: str = ""
    # Hardly anything but what is sought: made for search engines.
    is_stuffed: bool = False
    # Words and names that were found, the strongest first.
    found: tuple[str, ...] = ()
