"""A real browser in every view of the sample archive: without errors, by keyboard, by day and by night."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from archiver.web.views import VIEWS
from sample.pictures import WIDTH as PICTURE_WIDTH
from tests.crawl.running import Archived
from tests.web.chromium import DESKTOP, PHONE, chromium, is_too_wide, violations, watched

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.web.browsing import Shown
    from tests.web.chromium import Watched

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("web")]

# Where the screenshots go, to be looked at one by one.
PICTURES = os.environ.get("BROWSE_PICTURES")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def addresses(shown: Shown, sample_archive: Path) -> dict[str, str]:
    """An address of each view, with something to see."""
    archived = Archived(sample_archive)
    url = next(one["url"] for one in archived.objects if one["version"] == 2)
    run = min((sample_archive / "runs").glob("run-*.json")).stem.removeprefix("run-")
    (capture,) = shown.get("/captures.json", url=url, limit=1).json()["captures"]
    return {
        "overview": shown.address("/"),
        "channels": shown.address("/channels"),
        "channel": shown.address("/channels/1"),
        "captures": shown.address("/captures", url=url),
        "capture": shown.address("/capture", url=url, name=capture["name"]),
        "replay": shown.address("/replay", url=url),
        "rebuilt": shown.address("/rebuild/1"),
        "explained": shown.address("/explain", url=url),
        "articles": shown.address("/articles", q="the"),
        "article": shown.address("/article", url=url),
        "history": shown.address("/history", url=url),
        "difference": shown.address("/diff", url=url, layout="columns"),
        "changes": shown.address("/changes"),
        "words": shown.address("/words"),
        "runs": shown.address("/runs"),
        "run": shown.address(f"/runs/{run}"),
    }


def test_no_view_is_forgotten_here(addresses: dict[str, str]) -> None:
    assert set(addresses) == {view.name for view in VIEWS}


@pytest.mark.parametrize("name", [view.name for view in VIEWS])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_view_is_sound(
    browser: Browser, addresses: dict[str, str], name: str, scheme: str, size: str, tmp_path: Path
) -> None:
    viewport = DESKTOP if size == "desktop" else PHONE
    with watched(browser, viewport=viewport, color_scheme=scheme) as seen:
        answer = seen.page.goto(addresses[name])
        assert answer is not None
        assert answer.status == 200
        folder = Path(PICTURES) if PICTURES else tmp_path
        seen.page.screenshot(path=folder / f"{name}-{size}-{scheme}.png", full_page=True)
        assert violations(seen.page) == []
        assert not is_too_wide(seen.page)
        assert (seen.complaints, seen.elsewhere) == ([], [])


def test_an_article_shows_its_images(browser: Browser, shown: Shown, sample_archive: Path) -> None:
    objects = Archived(sample_archive).objects
    inside = next(one for one in objects if one["images"])
    above = next(one for one in objects if one["image"] and not one["images"])
    for one in (inside, above):
        with watched(browser) as seen:
            seen.page.goto(shown.address("/article", url=one["url"]))
            image = seen.page.locator(".reading img")
            image.scroll_into_view_if_needed()
            seen.page.wait_for_load_state("networkidle")
            assert image.evaluate("one => one.naturalWidth") == PICTURE_WIDTH
            assert (seen.complaints, seen.elsewhere) == ([], [])


def test_everything_can_be_read_without_scripts(browser: Browser, addresses: dict[str, str]) -> None:
    with watched(browser, java_script_enabled=False) as seen:
        for address in addresses.values():
            seen.page.goto(address)
            assert seen.page.locator("main h1").count() == 1, address
            assert seen.page.locator("#theme").is_hidden()


def test_dark_stays_when_it_was_chosen(browser: Browser, addresses: dict[str, str]) -> None:
    with watched(browser, color_scheme="light") as seen:
        page = seen.page
        page.goto(addresses["changes"])
        paper = "getComputedStyle(document.body).backgroundColor"
        light = page.evaluate(paper)
        page.get_by_role("button", name="Dark").click()
        dark = page.evaluate(paper)
        page.goto(addresses["runs"])
        assert page.evaluate(paper) == dark != light
        assert seen.complaints == []


def test_a_reader_searches_and_reads_what_changed_by_keyboard_alone(browser: Browser, shown: Shown) -> None:
    with watched(browser) as seen:
        page = seen.page
        page.goto(shown.address("/changes", kind="text"))
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        _tab_to(seen, "document.activeElement.closest('ol.list h2') !== null")
        page.keyboard.press("Enter")
        page.wait_for_url("**/diff?**")
        assert page.locator("article ins, article del").count() > 0
        page.goto(shown.address("/changes"))
        _tab_to(seen, "document.activeElement.id === 'quick'")
        page.keyboard.type("avocets")
        page.keyboard.press("Enter")
        page.wait_for_url("**/articles?q=avocets")
        _tab_to(seen, "document.activeElement.closest('ol.list h2') !== null")
        page.keyboard.press("Enter")
        page.wait_for_url("**/article?**")
        assert page.locator("article.reading").inner_text().strip()
        assert seen.complaints == []


def _tab_to(seen: Watched, condition: str, most: int = 60) -> None:
    page = seen.page
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(condition):
            return
    pytest.fail(f"no element with {condition} within {most} steps of the Tab key")
