"""Sites of unknown software, of every kind: `learned` has their content at little more than the ideal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.sites.model import Strategy
from archiver.store.whole_sites.choosing import SiteWish
from archiver.store.whole_sites.sites import site_by_id
from tests.sites.computed.kinds import KINDS
from tests.sites.computed.site import ComputedSite
from tests.sites.walking import walk

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.store.database import Database

LEARNED = SiteWish(strategy=Strategy.LEARNED)
# What is tried before a site is known is the same for a small one and a large one.
LEAST_CONTENT, MOST_RATIO = 0.97, 1.5


def _check(database: Database, folder: Path, site: ComputedSite) -> None:
    ideal = site.truth.ideal
    walked = walk(database, folder, site, wish=LEARNED, most=3 * ideal)
    assert database.run(site_by_id, walked.site_id).state == "done", "the crawl ends by itself"
    assert len(walked.content & site.truth.content) >= LEAST_CONTENT * len(site.truth.content)
    assert walked.requests <= MOST_RATIO * ideal, walked.kinds


def test_a_small_site_of_unknown_software_has_all_its_content(database: Database, tmp_path: Path) -> None:
    site = ComputedSite("docs", 1, 30)
    walked = walk(database, tmp_path, site, wish=LEARNED)
    assert walked.content == site.truth.content


@pytest.mark.zoo
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1])
def test_every_kind_of_site_of_unknown_software(
    kind: str, seed: int, database: Database, tmp_path: Path
) -> None:
    _check(database, tmp_path, ComputedSite(kind, seed, 600))
