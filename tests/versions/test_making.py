"""Whether two articles can be compared: what made them must be alike."""

from __future__ import annotations

import pytest

from archiver.versions.compare import Making, are_alike


@pytest.mark.parametrize(
    ("before", "now", "sees_siblings", "alike"),
    [
        (("sigfeed/1", None), ("sigfeed/1", None), False, True),
        (("sigfeed/1", None), ("sigfeed/2", None), False, False),
        (("sigfeed/1", None), ("article/1", None), True, False),
        (("article/1", "w"), ("article/1", "w"), True, True),
        (("article/1", "w"), ("article/1", "x"), True, False),
        # Other siblings, other words: nobody knows.
        (("article/1", None), ("article/1", None), True, False),
        (("article/1", "w"), ("article/1", None), True, False),
    ],
)
def test_only_what_is_made_alike_can_be_compared(
    before: tuple[str, str | None], now: tuple[str, str | None], *, sees_siblings: bool, alike: bool
) -> None:
    made = [Making(extractor=extractor, wrapper=wrapper) for extractor, wrapper in (before, now)]
    assert are_alike(*made, sees_siblings=sees_siblings) is alike
