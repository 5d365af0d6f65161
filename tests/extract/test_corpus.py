"""Pages that once broke extraction, as `make fuzz` found them and made them small."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.cases import read_case
from tests.fuzz.checks import check

CASES = sorted((Path(__file__).parent / "corpus").glob("*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_was_found_once_holds_since(path: Path) -> None:
    check(read_case(path))
