"""Archives to search in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.search.made import SearchedArchive, searched
from tests.store.conftest import postgresql, store_url  # noqa: F401 - fixtures

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[SearchedArchive]:
    with searched(tmp_path / "archive") as made:
        yield made
