"""Cells of tables do no harm in the programs that open them."""

from __future__ import annotations

import pytest

from archiver.inspection.fields.table import harmless


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+44 20 7946 0000", "'+44 20 7946 0000"),
        ("-10 %", "'-10 %"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1+1", "' =1+1"),
        ("  =1+1", "'  =1+1"),
        ("-12.50", "-12.50"),
        ("12.50", "12.50"),
        ("two\nlines\x1b[31m", "two lines [31m"),
        ("", ""),
    ],
)
def test_a_cell_is_no_formula_and_has_no_control_characters(cell: str, written: str) -> None:
    assert harmless(cell) == written
