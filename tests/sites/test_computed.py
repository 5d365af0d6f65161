"""Sites that are computed hold what they say: benches and floors rest on it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.sites.model import Strategy
from archiver.store.whole_sites.choosing import SiteWish
from tests.sites.computed.kinds import KINDS
from tests.sites.computed.site import ComputedSite
from tests.sites.walking import walk

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.store.database import Database

SITES = [ComputedSite(kind, seed, 300) for kind in KINDS for seed in range(4)]


def _linked(site: ComputedSite) -> set[str]:
    """The items that the main lists lead to, page after page."""
    main, found = site.form.main, set[str]()
    for group in range(main.grouping.count(site.total)):
        for page in range(1, site.last_page(main, group) + 1):
            body = site.answer(site.addresses.list(main, group, page)).body
            found.update(url.replace("&amp;", "&") for url in re.findall(r'href="([^"]+)"', body))
    return found


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.name)
def test_every_content_address_is_answered_by_its_content(site: ComputedSite) -> None:
    asked = sorted(site.truth.content)[::7]
    assert [site.answer(one).content for one in asked] == asked


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.name)
def test_the_main_lists_lead_to_all_items(site: ComputedSite) -> None:
    assert {site.addresses.item(number) for number in range(site.total)} <= _linked(site)


def test_a_site_that_has_grown_has_its_old_content_where_it_was() -> None:
    before, after = ComputedSite("news", 1, 300), ComputedSite("news", 1, 300, grown=40)
    assert before.truth.content < after.truth.content
    assert after.new_content == after.truth.content - before.truth.content
    assert 40 / after.form.per_page < after.changed_lists < after.truth.lists


def test_what_is_missed_lacks_its_text() -> None:
    site = ComputedSite("blog", 1, 100)
    assert site.text_share(set(site.truth.content)) == 1
    half = set(sorted(site.truth.content)[:50])
    assert 0.3 < site.text_share(half) < 0.7


def test_a_sitemap_leads_to_all_items_at_the_cost_that_is_said(database: Database, tmp_path: Path) -> None:
    site = next(one for one in SITES if one.kind == "shop" and one.form.sitemap and one.form.named)
    small = ComputedSite("shop", site.seed, 40)
    walked = walk(database, tmp_path, small, wish=SiteWish(strategy=Strategy.SITEMAP))
    assert walked.content == small.truth.content
    assert walked.requests == small.truth.ideal
