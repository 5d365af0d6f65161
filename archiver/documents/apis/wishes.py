"""What accounts say in their profiles of being archived."""

from __future__ import annotations

import re

# Tags that are in use for this on open networks; `noindex` is a setting on some of them, too.
_WISH = re.compile(r"#(nobot|nobots|noarchive|noindex)\b", re.IGNORECASE)
_TAGS = re.compile(r"<[^>]*>")


def is_unwanted(profile: str) -> bool:
    """Whether the text of a profile asks bots, or archives, to leave the account alone."""
    return _WISH.search(_TAGS.sub("", profile)) is not None
