"""Marking in a real browser: by mouse and by keyboard, and on a page that tries to run and to call home."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from archiver.fields.files import load_wrapper
from tests.crawl.documents import Entry, rss
from tests.crawl.running import Archived, crawl, scrapy
from tests.crawl.site import Site
from tests.crawl.site import html as page_of
from tests.web.bookshop import SHOP, book, bookshop, hostile_book, isbn_of, price_of
from tests.web.browsing import browsing
from tests.web.chromium import PHONE, chromium, is_too_wide, violations, watched
from tests.web.planted import Planted, plant
from tests.web.test_marking_lists import HOMES
from tests.web.test_marking_lists import page_of as homes_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page

    from tests.web.browsing import Shown
    from tests.web.chromium import Watched

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("marking-browser")]
PICTURES = os.environ.get("BROWSE_PICTURES")
_MARKED = "self.marked || document.documentElement.dataset.marked || 0"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def reader(browser: Browser) -> Iterator[Watched]:
    """A window in which nothing may go wrong."""
    with watched(browser) as seen:
        yield seen
        assert (seen.complaints, seen.elsewhere) == ([], [])


@pytest.fixture(scope="module")
def shop_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return plant(tmp_path_factory.mktemp("shop") / "archive", bookshop())


@pytest.fixture(scope="module")
def shop(shop_archive: Path) -> Iterator[Shown]:
    with browsing(shop_archive, "-s", "REPLAY_PYWB=") as found:
        yield found


def archived(page: Page, selector: str) -> Locator:
    """An element of the archived page, which lies below the sheet of the stage."""
    return page.frame_locator("#stage").frame_locator("#page").locator(selector)


def click_on(page: Page, selector: str) -> None:
    """Where a reader would: the sheet takes the click.

    The stage comes into view first: Chromium draws no frames of a document that is out of sight, and
    Playwright waits for two of them.
    """
    page.locator("#stage").scroll_into_view_if_needed()
    archived(page, selector).scroll_into_view_if_needed()
    box = archived(page, selector).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 8, box["y"] + box["height"] / 2)


def name_it(page: Page, field: str) -> None:
    page.get_by_label("Field", exact=True).fill(field)
    page.get_by_role("button", name="Mark it").click()
    page.get_by_role("region", name=f"Field {field}").wait_for()


def value_box(page: Page) -> Locator:
    return page.get_by_label("Value", exact=True)


def opened(page: Page, address: str) -> None:
    page.goto(address)
    archived(page, "h1").wait_for()
    page.frame_locator("#stage").locator("#sheet").wait_for()
    page.wait_for_load_state("networkidle")


def test_two_fields_are_marked_seen_on_five_siblings_saved_and_found_in_objects(
    reader: Watched, tmp_path: Path
) -> None:
    """From the command's page to the objects of the past and of the next crawl."""
    from playwright.sync_api import expect  # noqa: PLC0415 - other tests need none of it

    archive, page = tmp_path / "archive", reader.page
    with Site() as site:
        feed = put_up(site, 7)
        assert crawl(archive, [feed]).exit_code == 0
        with browsing(archive, "-s", "REPLAY_PYWB=") as shown:
            opened(page, shown.address("/mark", url=site.url("/book/3")))
            for selector, field, value in (
                (".price", "price", price_of(3)),
                ("dd >> nth=1", "isbn", isbn_of(3)),
            ):
                click_on(page, selector)
                expect(value_box(page)).to_have_value(re.compile(re.escape(value)))
                name_it(page, field)
            rows = page.locator("#siblings tbody tr")
            expect(rows).to_have_count(5)
            for row in rows.all():
                link = str(row.get_by_role("link").get_attribute("href"))
                number = int(parse_qs(urlsplit(link).query)["url"][0].rpartition("/")[2])
                assert price_of(number) in row.inner_text()
                assert isbn_of(number) in row.inner_text().replace("-", "")
            page.get_by_label("Name", exact=True).fill("bookshop")
            page.get_by_role("button", name="Save").click()
            page.get_by_text("Saved as").wait_for()
        assert [one.field for one in load_wrapper(archive / "wrappers" / "bookshop.yaml").fields] == [
            "price",
            "isbn",
        ]
        done = scrapy(archive, "reextract", "--fields", "bookshop")
        assert done.exit_code == 0, done
        assert values_of(archive, site) == {
            number: (price_of(number), isbn_of(number)) for number in range(7)
        }
        put_up(site, 8)
        assert crawl(archive, [feed], clock_offset=86_400).exit_code == 0
        assert values_of(archive, site)[7] == (price_of(7), isbn_of(7))


def test_a_list_is_marked_by_mouse_replayed_over_three_pages_and_saved(
    reader: Watched, tmp_path: Path
) -> None:
    from playwright.sync_api import expect  # noqa: PLC0415 - other tests need none of it

    pages = [Planted(url=f"{HOMES}/list?page={number}", body=homes_page(number)) for number in range(4)]
    archive, page = plant(tmp_path / "archive", pages), reader.page
    with browsing(archive, "-s", "REPLAY_PYWB=") as shown:
        page.goto(shown.address("/mark", url=f"{HOMES}/list?page=0"))
        archived(page, "#found").wait_for()
        page.frame_locator("#stage").locator("#sheet").wait_for()
        page.wait_for_load_state("networkidle")
        listed, second = page.locator("section[aria-label^='List']"), ".proplist_wrap >> nth=1"
        page.locator("#name-it select[name=kind]").select_option("input")
        page.locator("#name-it select[name=input]").select_option("sale_type")
        value_box(page).fill("Lettings")
        page.get_by_role("button", name="Mark it").click()
        expect(listed.locator(".marks li")).to_have_count(1)
        mark_as(page, f"{second} >> a", "record", text="House 1", marks=2)
        mark_as(page, f"{second} >> .prop_price", "field", text="£101,000", marks=3, field="price")
        mark_as(page, ".pages a >> nth=1", "next", text="NEXT", marks=4)
        mark_as(page, f"{second} >> a", "detail", text="House 1", marks=5)
        for text in (
            "6 records on this page",
            "in 6 of them",
            "sale_type=Lettings",
            "Own page: a/@href",
            "price 112000",
        ):
            expect(listed).to_contain_text(text)
        expect(listed.locator("ol li")).to_have_count(3)
        expect(page.frame_locator("#stage").locator(".lit")).to_have_count(6)
        page.get_by_label("Name", exact=True).fill("homes")
        page.get_by_role("button", name="Save").click()
        page.get_by_text("Saved as").wait_for()
    wrapper = load_wrapper(archive / "wrappers" / "homes.yaml")
    assert [[one.field for one in part.fields] for part in wrapper.records] == [["price"]]
    navigate = wrapper.navigate
    assert navigate is not None
    assert navigate.form is not None
    assert navigate.form.set == {"sale_type": "Lettings"}
    assert navigate.next is not None


def mark_as(page: Page, selector: str, kind: str, *, text: str, marks: int, field: str = "") -> None:
    """Click on an element and say what it is; wait until it is one of so many marks of the list."""
    from playwright.sync_api import expect  # noqa: PLC0415 - other tests need none of it

    click_on(page, selector)
    expect(value_box(page)).to_have_value(re.compile(re.escape(text)))
    page.locator("#name-it select[name=kind]").select_option(kind)
    if field:
        page.get_by_label("Field", exact=True).fill(field)
    page.get_by_role("button", name="Mark it").click()
    expect(page.locator("section[aria-label^='List'] .marks li")).to_have_count(marks)


def put_up(site: Site, books: int) -> str:
    for number in range(books):
        site.add(f"/book/{number}", page_of(book(number)))
    entries = [Entry(link=site.url(f"/book/{number}"), title=f"Book {number}") for number in range(books)]
    return site.add("/feed.xml", rss(entries, title="New books"))


def values_of(archive: Path, site: Site) -> dict[int, tuple[str, str]]:
    """The newest values of each book."""
    found = {}
    for one in Archived(archive).objects:
        if one.get("fields"):
            number = int(one["url"].removeprefix(site.url("/book/")))
            found[number] = (one["fields"]["price"]["value"], one["fields"]["isbn"]["value"])
    return found


def test_a_field_is_marked_by_keyboard_alone(reader: Watched, shop: Shown) -> None:
    from playwright.sync_api import expect  # noqa: PLC0415 - other tests need none of it

    page = reader.page
    opened(page, shop.address("/mark", url=f"{SHOP}/book/3"))
    page.frame_locator("#stage").locator("#sheet").focus()
    page.keyboard.press("ArrowRight")  # the first text of the page
    expect(value_box(page)).to_have_value("Books of the harbour")
    page.keyboard.press("ArrowUp")  # what is around it
    page.keyboard.press("ArrowRight")  # what is beside that
    page.keyboard.press("ArrowDown")  # what is in that
    expect(value_box(page)).to_have_value("The Ferryman's Daughter")
    page.keyboard.press("ArrowRight")
    expect(value_box(page)).to_have_value(f"£{price_of(3)}")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Field", exact=True)).to_be_focused()
    page.keyboard.type("price")
    page.keyboard.press("Enter")
    region = page.get_by_role("region", name="Field price")
    region.wait_for()
    assert price_of(3) in region.inner_text()


def test_what_marks_lead_to_is_lit_and_a_part_of_a_text_can_be_meant(reader: Watched, shop: Shown) -> None:
    from playwright.sync_api import expect  # noqa: PLC0415 - other tests need none of it

    page = reader.page
    opened(page, shop.address("/mark", url=f"{SHOP}/book/3"))
    click_on(page, "article p >> nth=1")
    expect(value_box(page)).to_have_value(re.compile("It was printed in"))
    value_box(page).fill("1993")
    name_it(page, "printed")
    lit = page.frame_locator("#stage").locator(".lit")
    expect(lit).to_have_count(1)
    expect(lit).to_have_text("printed")
    assert "1994" in page.locator("#siblings tbody").inner_text()
    # On a sibling the same lights up; a mark can be taken back.
    page.get_by_role("link", name="Under Low Bridges").click()
    page.wait_for_url("**book%2F4**")
    expect(lit).to_have_count(1)
    page.get_by_role("link", name="Remove this mark of printed").click()
    expect(page.get_by_role("region", name="Field printed")).to_have_count(0)
    expect(lit).to_have_count(0)


def test_a_refusal_is_told_where_it_was_asked(reader: Watched, shop: Shown) -> None:
    page = reader.page
    opened(page, shop.address("/mark", url=f"{SHOP}/book/3"))
    page.get_by_label("Field", exact=True).fill("price")
    page.get_by_role("button", name="Mark it").click()
    assert "choose an element" in page.get_by_role("alert").inner_text()
    reader.complaints.clear()  # the browser notes the answer


def test_a_hostile_page_neither_runs_nor_calls_home(browser: Browser, tmp_path: Path) -> None:
    """Scripts, handlers, styles, refreshes, forms, frames, links; and names that stand in a script's way."""
    from playwright.sync_api import expect  # noqa: PLC0415 - other tests need none of it

    with Site() as home:
        pages = [
            Planted(url=f"{SHOP}/book/{number}", body=hostile_book(number, home.origin))
            for number in range(4)
        ]
        outside = [
            Planted(
                url=f"{home.origin}/marked.css",
                body=f"* {{ background: url({home.origin}/marked) }}",
                kind="text/css",
            ),
            Planted(url=f"{home.origin}/marked", body="<script>top.marked=1</script>"),
        ]
        archive = plant(tmp_path / "archive", [*pages, *outside])
        with browsing(archive, "-s", "REPLAY_PYWB=") as shown, watched(browser, viewport=PHONE) as seen:
            page = seen.page
            page.on("dialog", lambda dialog: seen.complaints.append(f"dialog: {dialog.message}"))
            page.on("popup", lambda popup: seen.complaints.append(f"popup: {popup.url}"))
            opened(page, shown.address("/mark", url=f"{SHOP}/book/1"))
            before = [frame.url for frame in page.frames[1:]]
            for selector in (".price", "#out", "#js", "#send", "#top"):
                click_on(page, selector)
            for key in ("Enter", "Tab", "ArrowUp", "Enter", " ", "Tab", "Enter"):
                page.keyboard.press(key)
            click_on(page, ".price")
            expect(value_box(page)).to_have_value(f"£{price_of(1)}")
            name_it(page, "price")
            assert price_of(2) in page.locator("#siblings tbody").inner_text()
            page.wait_for_timeout(1500)  # for whatever refreshes
            assert [frame.url for frame in page.frames[1:]] == before
            assert [frame.evaluate(_MARKED) for frame in page.frames] == [0] * len(page.frames)
            assert not is_too_wide(page)
            assert [url for url in seen.asked if url.startswith(home.origin)] == []
            # Styles that the archive has as something else are not there; nothing had to be stopped.
            loaded = ("Failed to load resource", "MIME type")
            assert [told for told in seen.complaints if not any(one in told for one in loaded)] == []
        assert home.paths == []


def test_the_stage_itself_is_sound(browser: Browser, shop: Shown) -> None:
    """Roles, names and colours of what is inside the frame."""
    given = {"price": f"£{price_of(3)}", "isbn": isbn_of(3)}
    marks = [
        json.dumps({"field": name, "url": f"{SHOP}/book/3", "value": value}) for name, value in given.items()
    ]
    for scheme in ("light", "dark"):
        with watched(browser, color_scheme=scheme) as seen:
            opened(seen.page, shop.address("/mark", url=f"{SHOP}/book/3", mark=marks))
            seen.page.frame_locator("#stage").locator(".lit").nth(1).wait_for()
            stage = next(frame for frame in seen.page.frames if "/stage/" in frame.url)
            assert stage.evaluate("document.documentElement.dataset.theme") == scheme
            if PICTURES:
                # The README shows it, as docs/pictures/mark.png.
                seen.page.screenshot(path=Path(PICTURES) / f"mark-fields-{scheme}.png")
            assert violations(stage) == []  # type: ignore[arg-type] # it is asked what a page is asked
