"""Marking fields over HTTP: what marks lead to, the frames that a page is marked in, and what is saved."""

from __future__ import annotations

import json
import re
import signal
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from lxml import html

from archiver.fields.files import load_wrapper
from tests.crawl.running import scrapy, start_scrapy
from tests.web.bookshop import SHOP, book, bookshop, isbn_of, price_of
from tests.web.browsing import Shown, browsing
from tests.web.planted import Planted, plant

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.xdist_group("marking")
BOOK = f"{SHOP}/book/3"
SALE = "http://sale.example"


@pytest.fixture(scope="module")
def shop_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sale = [_with_list_price(number) for number in range(8)]
    return plant(tmp_path_factory.mktemp("shop") / "archive", [*bookshop(), *sale])


def _with_list_price(number: int) -> Planted:
    """On one page it is the price."""
    text = price_of(number) if number == 3 else f"{20 + number}.00"
    return Planted(url=f"{SALE}/book/{number}", body=book(number, f'<p class="list">£{text}</p>'))


@pytest.fixture(scope="module")
def shop(shop_archive: Path) -> Iterator[Shown]:
    with browsing(shop_archive, "-s", "REPLAY_PYWB=") as found:
        yield found


def mark(field: str, **said: object) -> str:
    return json.dumps({"field": field, "url": BOOK, **said})


PRICE, ISBN = mark("price", value=f"£{price_of(3)}"), mark("isbn", value=isbn_of(3))


def tried(shop: Shown, **asked: object) -> dict[str, Any]:
    answer = shop.get("/mark.json", **{"url": BOOK, **asked})
    assert answer.status == 200, answer.text
    found: dict[str, Any] = answer.json()["tried"]
    return found


def test_a_value_leads_to_a_rule_and_to_the_values_of_five_siblings(shop: Shown) -> None:
    found = tried(shop, mark=[PRICE, ISBN])
    price, isbn = found["fields"]
    assert (price["pages"], price["filled"], price["typed"], price["problem"]) == (7, 7, 7, "")
    assert "price" in price["rules"][0]["words"]
    assert len(price["nodes"]) == len(isbn["nodes"]) == 1
    assert len(found["siblings"]) == 5
    for page in found["siblings"]:
        number = int(page["url"].rpartition("/")[2])
        assert price_of(number) in page["values"]["price"][0]
        assert isbn_of(number) in page["values"]["isbn"][0].replace("-", "")
        assert len(page["nodes"]["price"]) == 1


def test_an_element_that_is_pointed_at_leads_to_the_same(shop: Shown) -> None:
    (by_value,) = tried(shop, mark=[PRICE])["fields"]
    (by_node,) = tried(shop, field="price", node=by_value["nodes"][0])["fields"]
    assert by_node["values"] == by_value["values"]
    assert by_node["marks"] == [
        {"field": "price", "url": BOOK, "at": "20260302070509", "node": by_value["nodes"][0]}
    ]
    assert (by_node["pages"], by_node["filled"]) == (7, 7)


def test_where_two_rules_disagree_it_is_asked_and_the_answer_decides(shop: Shown) -> None:
    page = f"{SALE}/book/3"
    marks = [json.dumps({"field": "price", "url": page, "value": f"£{price_of(3)}"})]
    (field,) = tried(shop, url=page, mark=marks)["fields"]
    question = field["question"]
    number = int(question["url"].rpartition("/")[2])
    assert set(question["values"]) == {f"£{price_of(number)}", f"£{20 + number}.00"}
    shown = html.fromstring(shop.get("/mark", url=page, mark=marks).text)
    answers = {one.text: one.get("href") for one in shown.xpath("//div[@class='question']//li/a")}
    for answer, other in ((f"£{price_of(number)}", "12.45"), (f"£{20 + number}.00", "25.00")):
        asked = parse_qs(urlsplit(answers[answer]).query)
        found = tried(shop, url=page, mark=asked["mark"])
        assert found["fields"][0]["question"] is None
        values = {one["url"]: one["values"]["price"] for one in found["siblings"]}
        assert other in values[f"{SALE}/book/5"][0]


def test_pages_of_another_template_are_no_siblings(shop: Shown) -> None:
    assert {urlsplit(one["url"]).path.split("/")[1] for one in tried(shop)["siblings"]} == {"book"}


def test_the_page_tells_it_in_words(shop: Shown) -> None:
    page = shop.get("/mark", url=BOOK, mark=[PRICE]).text
    for text in (f"£{price_of(3)}", "Found on 7 of 7 pages like this one", "Under Low Bridges", "/book/*"):
        assert text in unescape(page)


def test_what_is_not_on_the_page_is_told(shop: Shown) -> None:
    (field,) = tried(shop, mark=[mark("price", value="£99.99")])["fields"]
    assert "£99.99" in field["problem"]
    assert field["rules"] == []


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"url": f"{SHOP}/never"}, 404),
        ({"url": f"{SHOP}/list.pdf"}, 400),
        ({"url": "ftp://x"}, 400),
        ({"mark": "no JSON"}, 400),
        ({"mark": '{"field": "Price", "url": "http://a/"}'}, 400),
        ({"mark": '{"field": "price"}'}, 400),
        ({"field": "price"}, 400),
        ({"field": "../price", "value": "x"}, 400),
        ({"name": "../x"}, 400),
        ({"name": "A B"}, 400),
        ({"at": "not a time"}, 400),
        ({"mark": [PRICE] * 21}, 400),
    ],
)
def test_what_cannot_be_meant_is_refused(shop: Shown, asked: dict[str, object], status: int) -> None:
    assert shop.get("/mark.json", **{"url": BOOK, **asked}).status == status


@pytest.mark.parametrize(
    "said", [{"node": 9_999_999}, {"node": 0, "of": "href"}, {"at": "20269999999999", "value": "x"}]
)
def test_a_mark_that_leads_nowhere_is_told_beside_its_field(shop: Shown, said: dict[str, object]) -> None:
    (field,) = tried(shop, mark=[mark("price", **said)])["fields"]
    assert field["problem"]


def stage_of(shop: Shown, url: str) -> Shown:
    found = re.search(r'<iframe id="stage" [^>]*src="([^"]+)"', shop.get("/mark", url=url).text)
    assert found is not None
    return Shown(unescape(found[1]))


def test_the_stage_is_of_the_origin_of_frames_and_runs_its_own_script_alone(shop: Shown) -> None:
    stage = stage_of(shop, BOOK)
    answer = stage.get("")
    assert urlsplit(stage.base).netloc != urlsplit(shop.base).netloc
    policy = dict(one.split(" ", 1) for one in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert re.fullmatch(r"'sha256-[\w+/=]+'", policy["script-src"])
    assert policy["frame-src"] == "'self'"
    assert policy["frame-ancestors"] == shop.base
    assert "The Ferryman" not in answer.text, "nothing of the archived page is in it"


def test_the_archived_page_on_it_runs_nothing_and_has_numbered_elements(shop: Shown) -> None:
    stage = stage_of(shop, BOOK)
    (frame,) = html.fromstring(stage.get("").text).iter("iframe")
    assert frame.get("sandbox") == "allow-same-origin"
    answer = Shown(f"http://{urlsplit(stage.base).netloc}").get(frame.get("src"))
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-same-origin; default-src 'none'; ")
    assert policy.endswith(f"frame-ancestors 'self' {shop.base}")
    elements = [one for one in html.fromstring(answer.text).iter() if isinstance(one.tag, str)]
    numbers = [int(one.get("data-n")) for one in elements]
    assert numbers == sorted(set(numbers)), "as the page has them, without those that are not shown"
    (price,) = tried(shop, mark=[PRICE])["fields"]
    assert [one.text for one in elements if int(one.get("data-n")) in price["nodes"]] == [f"£{price_of(3)}"]
    assert {one.get("href") for one in elements if one.tag == "a"} == {"#"}


def form_of(shop: Shown, **asked: object) -> dict[str, str]:
    """The fields of the form that saves, as a browser would send them."""
    page = html.fromstring(shop.get("/mark", **{"url": BOOK, **asked}).text)
    (form,) = [one for one in page.forms if one.action == "/mark/save"]
    return dict(form.form_values())


def test_what_was_marked_is_saved_once_and_found_again(shop: Shown, shop_archive: Path) -> None:
    path = shop_archive / "wrappers" / "shelf.yaml"
    form = {**form_of(shop, mark=[PRICE]), "name": "shelf", "objects": "true"}
    answer = shop.post("/mark/save", **form)
    assert answer.status == 200, answer.text
    assert "scrapy reextract --fields shelf" in answer.text
    wrapper = load_wrapper(path)
    (field,) = wrapper.fields
    assert (wrapper.scope.site, wrapper.scope.url, wrapper.objects) == ("books.example", "/book/*", True)
    assert (field.field, field.required, field.examples[0].url) == ("price", True, BOOK)
    assert field.rules
    # The word of the form is spent.
    path.unlink()
    assert shop.post("/mark/save", **form).status == 403
    assert not path.exists()


def test_a_field_is_added_to_a_wrapper_that_is_there(shop: Shown, shop_archive: Path) -> None:
    shop.post("/mark/save", **{**form_of(shop, mark=[PRICE]), "name": "more"})
    form = form_of(shop, mark=[ISBN], name="more")
    assert shop.post("/mark/save", **form).status == 200
    wrapper = load_wrapper(shop_archive / "wrappers" / "more.yaml")
    assert [one.field for one in wrapper.fields] == ["price", "isbn"]
    assert all(one.rules and one.examples for one in wrapper.fields)


def test_what_another_hand_wrote_is_not_written_over(shop: Shown, shop_archive: Path) -> None:
    path = shop_archive / "wrappers" / "taken.yaml"
    shop.post("/mark/save", **{**form_of(shop, mark=[PRICE]), "name": "taken"})
    form = form_of(shop, mark=[ISBN], name="taken")
    path.write_text(path.read_text() + "# by hand\n")
    answer = shop.post("/mark/save", **form)
    assert (answer.status, "by hand" in path.read_text()) == (409, True)
    assert shop.post("/mark/save", **{**form_of(shop, mark=[ISBN]), "name": "taken"}).status == 409


def test_only_a_page_of_ours_can_save(shop: Shown, shop_archive: Path) -> None:
    form = {**form_of(shop, mark=[PRICE]), "name": "theirs"}
    assert shop.post("/mark/save", {"Origin": "http://evil.example"}, **form).status == 403
    assert shop.post("/mark/save", **{**form, "token": "guessed"}).status == 403
    assert shop.get("/mark/save").status == 405
    assert not (shop_archive / "wrappers" / "theirs.yaml").exists()


def test_a_page_that_is_withheld_is_not_marked(tmp_path: Path) -> None:
    archive = plant(tmp_path / "archive", bookshop())
    done = scrapy(archive, "withhold", BOOK, "--reason", "asked")
    assert done.exit_code == 0, done
    with browsing(archive, "-s", "REPLAY_PYWB=") as shown:
        assert shown.get("/mark", url=BOOK).status == 451
        found = shown.get("/mark.json", url=f"{SHOP}/book/2", mark=[PRICE]).json()["tried"]
        assert BOOK not in {one["url"] for one in found["siblings"]}
        assert found["fields"][0]["problem"], "its mark leads to nothing"


def test_the_command_prints_the_address_of_the_page_to_mark(shop_archive: Path) -> None:
    words = ["mark", BOOK, "--name", "bookshop", "--no-open", "-s", f"ARCHIVE_DIR={shop_archive}"]
    with start_scrapy(words) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = next(word for word in line.split() if word.startswith("http://"))
        parts = urlsplit(address)
        assert (parts.hostname, parts.path) == ("127.0.0.1", "/mark")
        assert parse_qs(parts.query) == {"url": [BOOK], "name": ["bookshop"]}
        assert Shown(address).get("").status == 200
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ([f"{SHOP}/book/33"], 1, "is not in the archive"),
        ([], 2, "Name one URL"),
        (["books"], 2, "is not a web address"),
        ([BOOK, "--name", "A B"], 2, "use small letters"),
    ],
)
def test_the_command_says_what_is_wrong(shop_archive: Path, words: list[str], code: int, told: str) -> None:
    done = scrapy(shop_archive, "mark", *words, "--no-open")
    assert (done.exit_code, told in done.stderr) == (code, True), done
