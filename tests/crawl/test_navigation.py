"""Lists that a field wrapper navigates to: a GET form, its pages, records' own pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sample.shop.serving import serve_shop
from tests.commands.here import run_here  # noqa: F401 - a fixture
from tests.crawl.running import crawl
from tests.crawl.test_form_details import last_lines

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere
    from tests.crawl.running import CrawlRun

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("forms")]
BOOKS = 45
WRAPPER = """
wrapper: novels
scope: {site: 127.0.0.1}
fields:
  - {field: language, rules: ["th[.='Language']/following-sibling::td[1]"]}
records:
  - record: book
    each: //li.hit
    fields:
      - {field: title, rules: [h3/a]}
      - {field: writers, many: true, rules: [span.author]}
      - {field: price, type: price, rules: [strong.price]}
      - {field: isbn, type: isbn, rules: [{path: span.isbn, take: {after: 'ISBN:'}}]}
navigate:
  start: BASE/list/
  form: {path: "form[@role='search']", set: {per_page: '10', sort: title}}
  next: {path: "a[@rel='next']", most: 30}
  detail: h3/a/@href
"""


def navigate(archive: Path, base: str, text: str = WRAPPER) -> CrawlRun:
    folder = archive / "wrappers"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "novels.yaml").write_text(text.replace("BASE", base))
    arguments = {"wrapper": "novels"}
    return crawl(
        archive, arguments=arguments, spider="forms", CONTACT="https://archive.example/", clock_offset=0
    )


def test_a_form_its_pages_and_records_pages_are_followed(
    archive: Path,
    run_here: RunHere,  # noqa: F811
) -> None:
    with serve_shop(count=BOOKS) as shop:
        run = navigate(archive, shop.base)
        assert run.exit_code == 0, run
        found = last_lines(archive)
        for book in shop.books:
            said = found[str(book.number)]["attributes"]
            shown = {name: [one["value"] for one in values] for name, values in said.items()}
            assert shown == {
                "title": [book.title],
                "writers": list(book.authors),
                "price": [book.price],
                "isbn": [book.isbn],
                "language": [book.language],
            }
        assert len(shop.submitted) == 5, "ten books on each page"
        assert all("per_page=10" in one and "sort=title" in one for one in shop.submitted)
        assert len([one for one in shop.asked if "/book/" in one]) == BOOKS
        proven = run_here("forms", archive, "why", "novels", "all")
        assert proven.exit_code == 0, proven
        asked = len(shop.asked)
        again = navigate(archive, shop.base)
        assert again.exit_code == 0, again
        assert len(shop.submitted) == 10, "the next crawl looks anew"
        assert len(shop.asked) > asked
    assert {one["version"] for one in last_lines(archive).values()} == {2}, "nothing changed meanwhile"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("form[@role='search']", "form[@action='/login']", "is not followed"),
        ("sort: title", "colour: red", "has no input colour"),
    ],
)
def test_other_forms_are_not_sent(archive: Path, before: str, after: str, told: str) -> None:
    with serve_shop(count=BOOKS) as shop:
        run = navigate(archive, shop.base, WRAPPER.replace(before, after))
        assert run.exit_code == 1
        assert told in (run.stdout + run.stderr).replace("\n", " ")
        assert shop.submitted == []
