"""A site to script and a place for the archive, fresh for every test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.commands.here import run_here  # noqa: F401 - a fixture
from tests.crawl.site import Site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Where the crawl writes; seeds files go beside it."""
    return tmp_path / "archive"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture
def neighbour() -> Iterator[Site]:
    """Another host."""
    with Site("127.0.0.2") as site:
        yield site


@pytest.fixture
def make_site() -> Iterator[Callable[..., Site]]:
    """As many hosts as a test needs: `make_site("127.0.0.7")`, or hostile ones by their class."""
    sites: list[Site] = []

    def make(host: str, kind: type[Site] = Site) -> Site:
        sites.append(kind(host))
        return sites[-1]

    yield make
    for site in sites:
        site.close()
