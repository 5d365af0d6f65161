"""One file of seeds, written and read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.seeds import SeedList, read_seeds

if TYPE_CHECKING:
    from pathlib import Path

    from tests.seeds.seed_files import Read


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def _read(content: str | bytes, name: str = "seeds.txt") -> SeedList:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_seeds([path])

    return _read
