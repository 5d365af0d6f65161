"""Times, numbers and reasons in words, as all pages and lists of histories have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

MINUS = "−"  # noqa: RUF001 - beside a plus, a hyphen is too short
_HOW = {
    "not_found": "404 Not Found",
    "gone": "410 Gone",
    "front_page": "redirected to the front page",
    "soft_404": "a page that says it is not there",
    "elsewhere": "redirected to another page",
}
_TWINS = {"canonical": "by the address that it names", "text": "by its text"}


def second(moment: datetime) -> str:
    """In UTC, as all times are."""
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def bracket(after: datetime | None, at: datetime) -> str:
    return f"between {second(after)} and {second(at)}" if after else f"before {second(at)}"


def kinds_in_words(kinds: Sequence[str]) -> str:
    return ", ".join(kinds)


def words_counted(added: int | None, removed: int | None) -> str:
    """Words that came and went; empty where they were not counted."""
    if added is None or removed is None or not added + removed:
        return ""
    return f"+{added:,} {MINUS}{removed:,} word{'' if added + removed == 1 else 's'}"


def alike(similarity: float | None) -> str:
    """`98 % alike`: all of it only where nothing differs."""
    return "" if similarity is None else f"{int(similarity * 100)} % alike"


def how_gone(how: str) -> str:
    return _HOW.get(how, how.replace("_", " "))


def how_twin(how: str) -> str:
    return _TWINS.get(how, how)
