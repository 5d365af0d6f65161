"""Regular expressions that people write, by RE2: whatever they are, they take linear time."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2

_QUIET = re2.Options()
_QUIET.log_errors = False


@lru_cache(maxsize=1000)
def compiled(pattern: str) -> Any:  # noqa: ANN401 - re2 ships no types
    return re2.compile(pattern, options=_QUIET)


def pattern_flaw(pattern: str) -> str:
    """Why a text is not a regular expression of RE2; empty if it is one."""
    try:
        compiled(pattern)
    except re2.error as error:
        reason = error.args[0] if error.args else "of an unknown kind"
        told = reason.decode(errors="replace") if isinstance(reason, bytes) else reason
        return f"{pattern} is not a regular expression: {told}"
    return ""


def groups_of(pattern: str) -> int:
    """How many groups a regular expression has."""
    count: int = compiled(pattern).groups
    return count
