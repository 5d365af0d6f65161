"""Archives that are told as RDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rdf.made import RdfArchive, archive_of_rdf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[RdfArchive]:
    with archive_of_rdf(tmp_path / "archive") as made:
        yield made
