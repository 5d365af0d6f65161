"""A real browser in every view of the sample archive, by mouse and by keyboard, light and dark."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from archiver.web.views import VIEWS
from sample.pictures import WIDTH as PICTURE_WIDTH
from tests.acceptance.tools import tool
from tests.crawl.running import Archived
from tests.web.browsing import browsing
from tests.web.chromium import DESKTOP, PHONE, chromium, is_too_wide, violations, watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    from tests.web.browsing import Shown
    from tests.web.chromium import Watched

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("web")]

# Where the screenshots go, to be looked at one by one.
PICTURES = os.environ.get("BROWSE_PICTURES")
SIZES = {"desktop": DESKTOP, "phone": PHONE}
PAPER = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module", params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module", params=list(SIZES))
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def window(browser: Browser, size: str, scheme: str) -> Iterator[Watched]:
    """One window for all views: what it costs to open one is most of what a test of a view costs."""
    with watched(browser, viewport=SIZES[size], color_scheme=scheme) as seen:
        yield seen


@pytest.fixture(scope="module")
def edited(sample_archive: Path) -> str:
    """The address of an article that has two versions."""
    return next(str(one["url"]) for one in Archived(sample_archive).objects if one["version"] == 2)


@pytest.fixture(scope="module")
def title(sample_archive: Path, edited: str) -> str:
    return next(str(one["title"]) for one in Archived(sample_archive).objects if one["url"] == edited)


@pytest.fixture(scope="module")
def addresses(
    shown: Shown,
    site_shown: Shown,
    shop_shown: Shown,
    campaign_shown: Shown,
    form_shown: Shown,
    sample_archive: Path,
    edited: str,
    title: str,
) -> dict[str, str]:
    """An address of each view, with something to see."""
    run = min((sample_archive / "runs").glob("run-*.json")).stem.removeprefix("run-")
    (capture,) = shown.get("/captures.json", url=edited, limit=1).json()["captures"]
    record = form_shown.get("/forms/books/records.json").json()["records"][0]["key"]
    best = campaign_shown.get("/campaigns/flood.json").json()["pages"][0]["url"]
    return {
        "overview": shown.address("/"),
        "channels": shown.address("/channels"),
        "channel": shown.address("/channels/1"),
        "sites": site_shown.address("/sites"),
        "site": site_shown.address("/sites/1"),
        "campaigns": campaign_shown.address("/campaigns"),
        "campaign": campaign_shown.address("/campaigns/flood"),
        "campaign_reasons": campaign_shown.address("/campaigns/flood/reasons", url=best),
        "captures": shown.address("/captures", url=edited),
        "capture": shown.address("/capture", url=edited, name=capture["name"]),
        "replay": shown.address("/replay", url=edited),
        "mark": shown.address("/mark", url=edited, field="headline", value=title),
        "rebuilt": shown.address("/rebuild/1"),
        "explained": shown.address("/explain", url=edited),
        "articles": shown.address("/articles", q="the"),
        "article": shown.address("/article", url=edited),
        "history": shown.address("/history", url=edited),
        "difference": shown.address("/diff", url=edited, layout="columns"),
        "changes": shown.address("/changes"),
        "words": shown.address("/words"),
        "fields": shop_shown.address("/fields"),
        "field_wrapper": shop_shown.address("/fields/bookshop"),
        "forms": form_shown.address("/forms"),
        "form": form_shown.address("/forms/books"),
        "form_records": form_shown.address("/forms/books/records"),
        "form_record": form_shown.address(f"/forms/books/records/{record}"),
        "runs": shown.address("/runs"),
        "run": shown.address(f"/runs/{run}"),
    }


def test_no_view_is_forgotten_here(addresses: dict[str, str]) -> None:
    assert set(addresses) == {view.name for view in VIEWS}


@pytest.mark.parametrize("name", [view.name for view in VIEWS])
def test_a_view_is_sound(
    window: Watched, addresses: dict[str, str], name: str, scheme: str, size: str, tmp_path: Path
) -> None:
    window.forget()
    answer = window.page.goto(addresses[name])
    assert answer is not None
    assert answer.status == 200
    folder = Path(PICTURES) if PICTURES else tmp_path
    window.page.screenshot(path=folder / f"{name}-{size}-{scheme}.png", full_page=True)
    if PICTURES and size == "desktop":
        # What a reader sees first: the README shows three of these, as docs/pictures/.
        window.page.screenshot(path=folder / f"{name}-top-{scheme}.png")
    assert not is_too_wide(window.page)
    # Roles, names and colours are the same at any width.
    if size == "desktop":
        assert violations(window.page) == []
    assert (window.complaints, window.elsewhere) == ([], [])


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
            seen.page.goto(address, wait_until="domcontentloaded")
            assert seen.page.locator("main h1").count() == 1, address
            assert seen.page.locator("#theme").is_hidden()


@pytest.fixture
def reader(browser: Browser) -> Iterator[Watched]:
    """A window that was never used, in which nothing may go wrong."""
    with watched(browser, color_scheme="light") as seen:
        yield seen
        assert (seen.complaints, seen.elsewhere) == ([], [])


def test_dark_stays_when_it_was_chosen(reader: Watched, addresses: dict[str, str]) -> None:
    page = reader.page
    page.goto(addresses["changes"])
    light = page.evaluate(PAPER)
    page.get_by_role("button", name="Dark").click()
    dark = page.evaluate(PAPER)
    page.goto(addresses["runs"])
    assert page.evaluate(PAPER) == dark != light


def test_from_a_search_by_clicks_to_the_article_its_difference_and_the_page_as_it_was(
    reader: Watched, shown: Shown, title: str
) -> None:
    page = reader.page
    page.goto(shown.address("/"))
    page.get_by_role("searchbox", name="Search").fill(title)
    page.get_by_role("button", name="Go").click()
    page.wait_for_url("**/articles?q=**")
    page.get_by_role("main").get_by_role("link", name=title).first.click()
    page.wait_for_url("**/article?**")
    assert page.locator("article.reading").inner_text().strip()
    page.get_by_role("link", name="Difference").click()
    page.wait_for_url("**/diff?**")
    assert page.locator("article ins, article del").count() > 0
    page.get_by_label("shown").select_option("side by side")
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url("**layout=columns**")
    assert page.locator("article table ins, article table del").count() > 0
    page.get_by_role("link", name="Captures", exact=True).last.click()
    page.wait_for_url("**/captures?**")
    page.get_by_role("link", name="Show the capture").first.click()
    page.wait_for_url("**/replay?**")
    page.frame_locator("main iframe").get_by_text(title).first.wait_for()


def test_a_page_is_replayed_with_its_scripts_and_shown_without(
    reader: Watched, sample_archive: Path, edited: str, title: str
) -> None:
    page = reader.page
    with browsing(sample_archive, "-s", f"REPLAY_PYWB={tool('wayback')}") as replaying:
        page.goto(replaying.address("/replay", url=edited))
        for name, change in (("with its scripts", "without scripts"), ("without scripts", "with scripts")):
            assert page.locator("main iframe").get_attribute("title") == f"The page as it was, {name}"
            page.frame_locator("main iframe").get_by_text(title).first.wait_for()
            page.get_by_role("link", name=change, exact=True).click()


def _press(page: Page, key: str) -> None:
    page.get_by_role("slider", name="Time").focus()
    page.keyboard.press(key)


def _click_at_the_start(page: Page) -> None:
    box = page.get_by_role("slider", name="Time").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 3, box["y"] + box["height"] / 2)


@pytest.mark.parametrize(
    ("move", "steps"),
    [
        pytest.param(lambda page: _press(page, "ArrowLeft"), 1, id="a key"),
        pytest.param(lambda page: _press(page, "Home"), None, id="the key Home"),
        pytest.param(_click_at_the_start, None, id="the mouse"),
    ],
)
def test_the_slider_moves_through_time(
    reader: Watched, addresses: dict[str, str], move: Callable[[Page], None], steps: int | None
) -> None:
    page = reader.page
    page.goto(addresses["rebuilt"])
    slider = page.get_by_role("slider", name="Time")
    last = int(slider.input_value())
    moments = (slider.get_attribute("data-moments") or "").split()
    assert last == len(moments) - 1 > 0, "the newest of several"
    now = page.locator("main ol li").all_inner_texts()
    there = last - steps if steps else 0
    with page.expect_navigation(url="**/rebuild/1?at=**"):
        move(page)
    assert slider.input_value() == str(there)
    assert slider.get_attribute("aria-valuetext") == moments[there]
    assert page.get_by_label("At", exact=True).input_value() == moments[there]
    # The next key moves it on: it is not looked for again.
    assert page.evaluate("document.activeElement.type") == "range"
    assert page.locator("main ol li").all_inner_texts() != now
    titles = page.frame_locator("main iframe").get_by_role("link").all_inner_texts()
    assert len(titles) > 3


def test_a_reader_searches_and_reads_what_changed_by_keyboard_alone(reader: Watched, shown: Shown) -> None:
    page = reader.page
    page.goto(shown.address("/changes", kind="text"))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    _tab_to(page, "document.activeElement.closest('ol.list h2') !== null")
    page.keyboard.press("Enter")
    page.wait_for_url("**/diff?**")
    assert page.locator("article ins, article del").count() > 0
    page.goto(shown.address("/changes"))
    _tab_to(page, "document.activeElement.id === 'quick'")
    page.keyboard.type("avocets")
    page.keyboard.press("Enter")
    page.wait_for_url("**/articles?q=avocets")
    _tab_to(page, "document.activeElement.closest('ol.list h2') !== null")
    page.keyboard.press("Enter")
    page.wait_for_url("**/article?**")
    assert page.locator("article.reading").inner_text().strip()


def test_every_view_is_reached_and_all_of_it_used_by_keyboard_alone(
    reader: Watched, addresses: dict[str, str]
) -> None:
    page = reader.page
    for name, address in addresses.items():
        page.goto(address, wait_until="domcontentloaded")
        # What a mouse can use and the Tab key passes over.
        passed_over = page.evaluate(
            "[...document.querySelectorAll('main a, main button, main input, main select, main summary')]"
            ".filter(one => one.tabIndex < 0 || (one.tagName === 'A' && !one.href)).map(one => one.outerHTML)"
        )
        assert passed_over == [], name
        page.keyboard.press("Tab")
        for part in ("Overview", "Channels"):
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.textContent") == part, name
            # What has the focus shows it.
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid", name


def _tab_to(page: Page, condition: str, most: int = 60) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(condition):
            return
    pytest.fail(f"no element with {condition} within {most} steps of the Tab key")
