"""More than the lists of a form: records' own pages, names, another design, POST, a trial."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from archiver.archive.warc.exchanges import kept_exchanges
from sample.shop.habits import HABITS
from sample.shop.serving import serve_shop
from sample.shop.truth import details_of
from tests.commands.here import run_here  # noqa: F401 - a fixture
from tests.crawl.running import Archived
from tests.crawl.test_forms import ask, assert_once, form_file, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sample.shop.serving import ServedShop
    from tests.commands.here import RunHere

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("forms")]
BOOKS = 30


@pytest.fixture
def shop() -> Iterator[ServedShop]:
    with serve_shop(count=BOOKS) as served:
        yield served


def last_lines(archive: Path) -> dict[str, dict[str, Any]]:
    """The last version of each record, by the number of its book."""
    lines = sorted(lines_of(Archived(archive)), key=lambda one: int(one["version"]))
    return {one["url"].rpartition("/")[2]: one for one in lines}


def test_records_are_widened_by_their_own_pages_under_the_names_of_the_file(
    archive: Path,
    shop: ServedShop,
    tmp_path: Path,
    run_here: RunHere,  # noqa: F811
) -> None:
    more = (
        "detail: {follow: true}\nbudget: {requests: 120}\n"
        "attributes: {author: {name: writer, property: 'dcterms:creator'}, pages: {name: extent}}\n"
    )
    run = ask(archive, form_file(archive, shop, more=more))
    assert run.exit_code == 0, run
    found = last_lines(archive)
    for book in shop.books:
        line = found[str(book.number)]
        shown = {name: [one["value"] for one in values] for name, values in line["attributes"].items()}
        assert shown["extent"] == details_of(book)["pages"]
        assert shown["language"] == details_of(book)["language"]
        assert sorted(shown["writer"]) == sorted(book.authors)
        assert line["change"] == "detail"
        assert line["detail"]["url"] == line["url"]
    pages = [one for one in shop.asked if "/book/" in one]
    assert len(pages) == len(set(pages)) == BOOKS
    proven = run_here("forms", archive, "why", "shop-list", "all")
    assert proven.exit_code == 0, proven
    assert f"of {BOOKS} records stand in WARC" in proven.text
    quads = tmp_path / "r.nq"
    run_here("forms", archive, "records", "shop-list", "--nquads", str(quads))
    assert quads.read_text().count("<http://purl.org/dc/terms/creator>") >= BOOKS
    assert "shop-list:extent>" in quads.read_text()


def test_a_share_of_the_pages_within_the_budget(archive: Path, shop: ServedShop) -> None:
    more = "detail: {follow: true, share: 0.3}\nbudget: {requests: 60}\n"
    run = ask(archive, form_file(archive, shop, more=more))
    assert run.exit_code == 0, run
    pages = [one for one in shop.asked if "/book/" in one]
    widened = [one for one in last_lines(archive).values() if "language" in one["attributes"]]
    assert len(widened) == len(pages) == round(0.3 * BOOKS)
    assert len([one for one in shop.asked if "robots" not in one]) <= 60


def test_what_robots_txt_forbids_of_records_pages_is_left_and_the_form_asked(
    archive: Path, shop: ServedShop
) -> None:
    shop.robots = "User-agent: *\nDisallow: /list/book/\n"  # type: ignore[misc] # of this one alone
    run = ask(archive, form_file(archive, shop, more="detail: {follow: true}\n"))
    assert run.exit_code == 0, run
    assert len(last_lines(archive)) == BOOKS
    assert not [one for one in shop.asked if "/book/" in one]
    assert "pages of records are not fetched" in run.stdout.replace("\n", " ")


def test_another_design_is_noticed_and_learned_and_the_pages_of_records_stay(
    archive: Path,
    shop: ServedShop,
    run_here: RunHere,  # noqa: F811
) -> None:
    file = form_file(archive, shop, more="every: 1d\ndetail: {follow: true, share: 0.2}\n")
    assert ask(archive, file).exit_code == 0
    shop.habits["list"] = replace(shop.habits["list"], design="nested")
    run = ask(archive, file, clock_offset=25 * 3600)
    assert run.exit_code == 0, run
    assert "a wrapper was learned anew" in run.stdout.replace("\n", " ")
    found = last_lines(archive)
    assert len(found) == BOOKS
    assert {one["change"] for one in found.values()} == {"wrapper"}
    assert sum("language" in one["attributes"] for one in found.values()) == round(0.2 * BOOKS)
    assert run_here("forms", archive, "why", "shop-list", "all").exit_code == 0
    runs = run_here("forms", archive, "runs", "shop-list")
    assert [line.split()[0] for line in runs.text.splitlines()[1:]] == ["1", "2"]


@pytest.mark.parametrize("is_allowed", [True, False])
def test_post_needs_two_switches_and_its_captures_are_told_apart_by_what_was_sent(
    archive: Path, is_allowed: bool
) -> None:
    habits = [replace(HABITS[0], method="post")]
    with serve_shop(count=BOOKS, habits=habits) as shop:
        file = form_file(archive, shop, more="allow_post: true\n")
        run = ask(archive, file, FORMS_ALLOW_POST=is_allowed)
        if not is_allowed:
            assert run.exit_code != 0
            assert shop.submitted == []
            return
        assert run.exit_code == 0, run
        assert len(last_lines(archive)) == BOOKS
        assert not [one for one in shop.asked if "cart" in one or "login" in one]
    kept = [one for path in (archive / "warc").glob("*.gz") for one in kept_exchanges(path)]
    sent = [one.submission for one in kept if one.url.endswith("/search")]
    assert len(sent) > 5
    assert len(set(sent)) == len(sent)
    assert all(one.startswith("POST ") for one in sent)


def test_a_trial_makes_five_probes_and_the_crawl_goes_on_with_them(
    archive: Path,
    shop: ServedShop,
    run_here: RunHere,  # noqa: F811
) -> None:
    file = form_file(archive, shop)
    settings = ("CONTACT=https://a.example/", "ALLOW_PRIVATE_ADDRESSES=1", "DOWNLOAD_DELAY=0")
    typed = [word for one in settings for word in ("-s", one)]
    tried = run_here("forms", archive, "try", str(file), *typed)
    assert tried.exit_code == 0, tried
    assert f"results       {BOOKS}" in tried.text
    assert "isbn       isbn" in tried.text
    assert len(shop.submitted) == 5
    assert lines_of(Archived(archive)) == []
    run = ask(archive, file)
    assert run.exit_code == 0, run
    assert len(last_lines(archive)) == BOOKS
    assert_once(shop)
