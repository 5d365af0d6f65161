"""How a process is made to die at a place in its code, as a power cut would have it."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Countdown:
    """Dies when it is reached for the given time."""

    def __init__(self, number: int, die: Callable[[], None] = die) -> None:
        self._left = number
        self.die = die

    def is_over(self) -> bool:
        self._left -= 1
        return self._left == 0

    def reached(self) -> None:
        if self.is_over():
            self.die()


def before(owner: Any, name: str, countdown: Countdown) -> None:
    """Die instead of calling it."""
    original = getattr(owner, name)

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        countdown.reached()
        return original(*args, **kwargs)

    setattr(owner, name, wrapper)


def after(owner: Any, name: str, countdown: Countdown) -> None:
    """Die once it has returned."""
    original = getattr(owner, name)

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        countdown.reached()
        return result

    setattr(owner, name, wrapper)
