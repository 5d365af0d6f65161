"""The sample web on its first day: one for all tests of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sample.server import SampleWeb

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def shared() -> Iterator[SampleWeb]:
    with SampleWeb(day=0, port=0) as web:
        yield web


@pytest.fixture
def web(shared: SampleWeb) -> SampleWeb:
    shared.day = 0
    return shared
