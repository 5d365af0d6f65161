"""Fields from one template to the next: counted, tested, written as tables, and repaired."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, NamedTuple

import pytest

from archiver.archive.warc.reader import read_response
from tests.crawl import shop
from tests.crawl.documents import rss, stories
from tests.crawl.running import DAY, Archived, crawl, scrapy
from tests.crawl.site import Site

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.running import CrawlRun

# One process crawls for all tests of this file.
pytestmark = pytest.mark.xdist_group("fields-watched")
DAILY = {"RECHECK_SHARE": 0.9, "RECHECK_INTERVAL": "1d", "RECHECK_DAYS": 9999}
BOOKS, MORE = range(14), range(20)


class Lived(NamedTuple):
    archive: Path
    runs: list[CrawlRun]

    def notes(self) -> list[list[str]]:
        """What each run said of field wrappers."""
        reports = [
            json.loads(path.read_bytes()) for path in sorted((self.archive / "runs").glob("run-*.json"))
        ]
        return [[note for note in one["notes"] if note.startswith("Field wrapper")] for one in reports]

    def table(self, *options: str) -> list[dict[str, str]]:
        done = scrapy(self.archive, "fields", "bookshop", "--csv", "-", *options)
        assert done.exit_code == 0, done
        return list(csv.DictReader(io.StringIO(done.stdout)))


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    archive = tmp_path_factory.mktemp("watched") / "archive"
    (archive / "wrappers").mkdir(parents=True)
    (archive / "wrappers" / "bookshop.yaml").write_text(shop.WRAPPER)
    with Site() as site:
        feed = shop.open_shop(site, shop.old, BOOKS)
        first = crawl(archive, [feed], **DAILY)
        shop.open_shop(site, shop.new, MORE)
        second = crawl(archive, [feed], clock_offset=2 * DAY, **DAILY)
    return Lived(archive, [first, second])


def test_new_rules_are_proposed_and_the_summary_says_what_fails(lived: Lived) -> None:
    first, told = lived.notes()
    assert first == []
    assert "new rules are proposed" in told[0]
    assert "`scrapy fields bookshop --accept`" in told[0]
    # Rules may be proposed once more when more pages were read.
    assert " fails since 20" in told[-1]
    assert "/book/" in told[-1]
    assert "scrapy mark http" in lived.runs[1].stdout
    assert (lived.archive / "wrappers" / "bookshop.yaml").read_text() == shop.WRAPPER
    assert (lived.archive / "wrappers" / "proposed" / "bookshop.yaml").exists()


def test_a_list_says_which_wrapper_fails(lived: Lived) -> None:
    done = scrapy(lived.archive, "fields", "--json")
    (one,) = json.loads(done.stdout)["wrappers"]
    assert (one["name"], one["state"], one["failing"]) == ("bookshop", "failing", ["price"])
    assert one["pages"] == len(BOOKS) + len(MORE)
    assert "bookshop: price fails" in scrapy(lived.archive, "fields").stdout


def test_one_is_shown_with_its_rates_and_the_pages_that_fail(lived: Lived) -> None:
    done = scrapy(lived.archive, "fields", "bookshop", "--json")
    found = json.loads(done.stdout)
    fields = {one["field"]: one for one in found["fields"]}
    assert [(fields[name]["pages"], fields[name]["filled"]) for name in ("name", "price")] == [
        (34, 34),
        (34, 14),
    ]
    assert fields["price"]["why"]
    assert fields["name"]["failing_since"] is None
    assert all(page["missing"] == ["price"] for page in found["failing"])
    shown = scrapy(lived.archive, "fields", "bookshop").stdout
    assert "1. td.price" in shown
    assert "fails since" in shown


def test_a_name_that_is_wrong_is_answered_with_the_right_one(lived: Lived) -> None:
    done = scrapy(lived.archive, "fields", "bookshpo")
    assert done.exit_code == 1
    assert "did you mean bookshop?" in done.stderr


def test_it_is_tried_on_archived_pages_and_nothing_is_changed(lived: Lived) -> None:
    before = {path: path.read_bytes() for path in lived.archive.rglob("*.yaml")}
    done = scrapy(lived.archive, "fields", "bookshop", "--test", "--pages", "6", "--json")
    found = json.loads(done.stdout)
    price, name = (next(one for one in found["fields"] if one["field"] == key) for key in ("price", "name"))
    assert (found["pages"], price["filled"], name["filled"], name["distinct"]) == (6, 0, 6, 6)
    assert len(price["missing"]) == 5
    assert {path: path.read_bytes() for path in lived.archive.rglob("*.yaml")} == before
    assert "Without price:" in scrapy(lived.archive, "fields", "bookshop", "--test").stdout


def test_the_table_has_a_row_for_each_version_with_its_capture(lived: Lived) -> None:
    rows = {row["url"].rpartition("/")[2]: row for row in lived.table()}
    assert len(rows) == len(MORE)
    for number in BOOKS:
        row = rows[f"{number}.html"]
        assert (row["name"], row["price"], row["price_currency"], row["version"]) == (
            shop.name_of(number), shop.price_of(number), "GBP", "1"
        )  # fmt: skip
        content = read_response(lived.archive / "warc", row["warc_file"], int(row["warc_offset"])).content
        assert f"£{row['price']}".encode() in content
    assert rows["19.html"]["price"] == "", "its page has another template"


def test_no_cell_of_the_table_is_a_formula(lived: Lived) -> None:
    notes = [row["note"] for row in lived.table()]
    assert '\'=HYPERLINK("http://evil.example")' in notes
    assert all(note.startswith("'") for note in notes)


def test_json_lines_have_the_values_as_objects_have_them(lived: Lived) -> None:
    done = scrapy(lived.archive, "fields", "bookshop", "--jsonl", "-", "--latest")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    objects = {one["url"]: one for one in lived.runs[-1].objects}
    assert len(rows) == len(objects)
    for row in rows:
        made = objects[row["url"]]
        assert {name: one for name, one in row["fields"].items() if one} == made["fields"]
        assert (row["warc"], row["field_wrapper"]) == (made["warc"], made["field_wrapper"])


def test_wrong_usage_is_said(lived: Lived) -> None:
    for wrong, told in (
        (["--test"], "--test needs the name of a wrapper"),
        (["bookshop", "--latest"], "--latest goes with --csv or --jsonl"),
        (["bookshop", "--test", "--pages", "0"], "--pages 0 is not a number of pages"),
        (["a", "b"], "Name one wrapper"),
    ):
        done = scrapy(lived.archive, "fields", *wrong)
        assert (done.exit_code, told in done.stderr) == (2, True), done
    done = scrapy(lived.archive, "fields", "no_such", "--accept")
    assert (done.exit_code, "Nothing is proposed for no_such" in done.stderr) == (1, True)


@pytest.fixture(scope="module")
def repaired(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    """The same shop, whose wrapper may be repaired without a person."""
    archive = tmp_path_factory.mktemp("repaired") / "archive"
    (archive / "wrappers").mkdir(parents=True)
    (archive / "wrappers" / "bookshop.yaml").write_text(shop.WRAPPER)
    runs = []
    with Site() as site:
        for day, (template, numbers) in enumerate(
            [(shop.old, BOOKS), (shop.new, MORE), (shop.new, range(24))]
        ):
            feed = shop.open_shop(site, template, numbers)
            runs.append(crawl(archive, [feed], clock_offset=2 * day * DAY, FIELD_REPAIR="auto", **DAILY))
    return Lived(archive, runs)


def test_a_run_repairs_a_wrapper_by_what_the_archive_remembers(repaired: Lived) -> None:
    before, (told, filled), after = repaired.notes()
    assert before == after == []
    assert filled.endswith("versions that were read meanwhile are filled")
    assert "price failed since" in told
    assert "and has new rules" in told
    assert "the one that is known" in told
    folder = repaired.archive / "wrappers"
    assert "td.price" in (folder / "bookshop.yaml").read_text(), "the old rule stays below"
    assert len(list((folder / "history").glob("bookshop-*.yaml"))) == 2
    (one,) = json.loads(scrapy(repaired.archive, "fields", "--json").stdout)["wrappers"]
    assert (one["state"], one["failing"]) == ("working", [])


def test_after_the_repair_values_go_on(repaired: Lived) -> None:
    rows = {row["url"].rpartition("/")[2]: row for row in repaired.table()}
    for number in range(24):
        row = rows[f"{number}.html"]
        assert (row["price"], row["version"]) == (shop.price_of(number), "1"), number
        content = read_response(repaired.archive / "warc", row["warc_file"], int(row["warc_offset"])).content
        assert f"£{row['price']}".encode() in content


def test_what_was_missed_meanwhile_was_filled_by_the_run(repaired: Lived) -> None:
    done = scrapy(repaired.archive, "verify")
    assert done.exit_code == 0, done
    (file,) = (repaired.archive / "objects").glob("articles-*.reextracted.jsonl")
    assert file.name in Archived(repaired.archive).reports[1]["object_files"]
    done = scrapy(repaired.archive, "reextract", "--fields", "bookshop")
    assert done.stdout.startswith("0 versions filled"), done


PRICES = """\
wrapper: prices
scope: {site: 127.0.0.1}
fields:
  - {field: price, type: price, rules: ["*.price"]}
"""


def test_what_a_field_is_expected_to_give_is_learned_from_the_past(tmp_path: Path) -> None:
    """The wrapper comes after the first run, and all pages of the second have another template."""
    archive, told = tmp_path / "archive", stories(24)
    with Site() as site:
        for number, one in enumerate(told):
            name = "price" if number < 12 else "cost"
            fact = f'</h1><p class="{name}">£{number}.50</p>'.encode()
            site.add(one.path, one.page.but(body=one.page.body.replace(b"</h1>", fact)))
        feed = site.add("/feed.xml", rss([one.entry for one in told[:12]]))
        crawl(archive, [feed], RECHECK_SHARE=0)
        (archive / "wrappers").mkdir()
        (archive / "wrappers" / "prices.yaml").write_text(PRICES)
        assert scrapy(archive, "reextract", "--fields", "prices").exit_code == 0
        site.add("/feed.xml", rss([one.entry for one in told[12:]]))
        run = crawl(archive, [feed], clock_offset=2 * DAY, RECHECK_SHARE=0)
    notes = Lived(archive, [run]).notes()[-1]
    assert any(one.startswith("Field wrapper prices: price fails since") for one in notes), notes


FACTS = """\
wrapper: facts
scope: {site: 127.0.0.1, url: '/book/*'}
objects: true
fields:
  - {field: maker, rules: ["ul.facts/li[2]"]}
"""


def maker_of(number: int) -> str:
    return f"Printed by {shop.name_of(number)} and sons"


def facts(number: int) -> str:
    return f'<ul class="facts"><li>{number} pages</li><li>{maker_of(number)}</li></ul>'


def facts_with_a_format(number: int) -> str:
    return facts(number).replace("pages</li>", f"pages</li><li>Hardback of {300 + number} g</li>")


@pytest.mark.zoo
def test_a_rule_that_finds_the_neighbour_on_all_pages_is_repaired_at_once(tmp_path: Path) -> None:
    """No value is missing, and all of them differ: what tells is that the known ones still stand there."""
    archive = tmp_path / "archive"
    (archive / "wrappers").mkdir(parents=True)
    (archive / "wrappers" / "facts.yaml").write_text(FACTS)
    runs = []
    with Site() as site:
        for day, (template, numbers) in enumerate([(facts, BOOKS), (facts_with_a_format, MORE)]):
            feed = shop.open_shop(site, template, numbers)
            runs.append(crawl(archive, [feed], clock_offset=2 * day * DAY, FIELD_REPAIR="auto", **DAILY))
    told, filled = Lived(archive, runs).notes()[-1]
    assert "maker failed since" in told
    assert "the one that is known" in told
    assert "are filled" in filled
    done = scrapy(archive, "fields", "facts", "--csv", "-", "--latest")
    rows = {row["url"].rpartition("/")[2]: row["maker"] for row in csv.DictReader(io.StringIO(done.stdout))}
    assert rows == {f"{number}.html": maker_of(number) for number in MORE}
