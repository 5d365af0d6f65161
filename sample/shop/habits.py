"""The six searches of the shop: one catalogue, six designs, and what each does with words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sample.shop.catalogue import Semantics


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How one of the searches answers."""

    name: str
    semantics: Semantics = "and"
    echoes: bool = True  # what was asked for stands on the answer
    tells_total: bool = True
    answers_empty: bool = True  # with all books
    leaps: bool = False  # one hit is a redirect to the book
    stop: tuple[str, ...] = ()  # words that are not in the index
    page_size: int = 20
    method: str = "get"
    design: str = ""  # that of its own name, unless said otherwise
    cut: int = 200  # no more than the first ones are shown


_STOP = ("the", "a", "of", "and", "in", "at")
HABITS = (
    Habits(name="list"),
    Habits(name="table", semantics="or", stop=_STOP),
    Habits(name="dl", semantics="prefix", answers_empty=False, tells_total=False),
    Habits(name="nested", answers_empty=False),
    Habits(name="mute", semantics="or", echoes=False, tells_total=False, answers_empty=False, stop=_STOP),
    Habits(name="leap", leaps=True, answers_empty=False, stop=_STOP),
)
