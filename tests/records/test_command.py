"""`scrapy records` and what `scrapy forms` does with records, as they are typed."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
import pytest
from lxml import etree

from archiver.inspection.records.linked import keep_links, links_of
from archiver.records.alignment.links import Alignment, PartLink
from archiver.records.learning import learn_records
from archiver.records.objects.changes import compare_records
from archiver.records.objects.model import make_record
from archiver.records.reading import read_records
from tests.commands.here import run_here  # noqa: F401 - a fixture
from tests.records.pages import BOOKS, answer, answers
from tests.records.test_objects import origin

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere


def written(folder: Path, design: str = "list") -> Path:
    path = folder / f"{design}.html"
    path.write_bytes(etree.tostring(answer(design, BOOKS[:20], "the").tree, method="html", encoding="utf-8"))
    return path


def test_records_of_a_file(tmp_path: Path, run_here: RunHere) -> None:  # noqa: F811
    page = written(tmp_path)
    done = run_here("records", tmp_path, str(page), "--word", "the")
    assert done.exit_code == 0
    assert "TITLE" in done.text
    assert "20 of 20 records; next page: none" in done.text
    told = json.loads(run_here("records", tmp_path, str(page), "--json").text)
    assert told["wrapper"]["key"] == ["detail_url"]


def test_records_are_written_as_lines_and_as_a_table(tmp_path: Path, run_here: RunHere) -> None:  # noqa: F811
    page, lines, sheet = written(tmp_path), tmp_path / "r.jsonl", tmp_path / "r.csv"
    done = run_here("records", tmp_path, str(page), "--jsonl", str(lines), "--csv", str(sheet))
    assert done.exit_code == 0
    assert [json.loads(one)["place"] for one in lines.read_text().splitlines()] == list(range(1, 21))
    rows = list(csv.DictReader(sheet.read_text("utf-8").splitlines()))
    assert [row["title"] for row in rows] == [book.title for book in BOOKS[:20]]


def test_a_page_without_a_list_and_a_name_that_is_nothing(tmp_path: Path, run_here: RunHere) -> None:  # noqa: F811
    page = tmp_path / "none.html"
    page.write_text("<p>Nothing was found</p>")
    done = run_here("records", tmp_path, str(page))
    assert (done.exit_code, "No records" in done.told) == (1, True)
    assert run_here("records", tmp_path, "nowhere.html").exit_code == 2
    assert run_here("records", tmp_path).exit_code == 2


def archive_of(folder: Path) -> list[str]:
    """An archive with the objects of a form alone; its keys."""
    for name in ("warc", "objects", "index"):
        (folder / name).mkdir(parents=True)
    wrapper = learn_records(answers("list", "the", "of"))
    assert wrapper is not None
    now = datetime(2026, 11, 18, tzinfo=UTC)
    found = compare_records(read_records(answer("list", BOOKS[:20]), wrapper), {}, "w1", now, now)
    lines = [make_record(one.record, origin(), one.version) for one in found.written]
    content = b"".join(msgspec.json.encode(one) + b"\n" for one in lines)
    (folder / "objects" / "records-2026-11-18-vm.jsonl").write_bytes(content)
    return [one.key for one in lines]


def test_records_of_a_form(tmp_path: Path, run_here: RunHere) -> None:  # noqa: F811
    keys, out = archive_of(tmp_path / "archive"), tmp_path / "r.nq"
    done = run_here("forms", tmp_path / "archive", "records", "shop", "--nquads", str(out))
    assert done.exit_code == 0
    assert all(key in out.read_text("utf-8") for key in keys)
    assert BOOKS[0].title[:10] in run_here("forms", tmp_path / "archive", "records", "shop").text
    unknown = run_here("forms", tmp_path / "archive", "records", "bakery")
    assert (unknown.exit_code, "those with records are shop" in unknown.told) == (2, True)


LABEL = "http://books.example/o/label"


def part(name: str, right: str, sure: float) -> PartLink:
    return PartLink(left=f"urn:archiver:shop:{name}", right=right, left_in_right=sure, right_in_left=0.5)


@pytest.mark.parametrize(
    ("right", "sure", "told"),
    [
        (LABEL, 0.9, LABEL),
        (LABEL, 0.4, "urn:archiver:shop:col-1"),
        (f"http://books.example/o/made⁻ / {LABEL}", 0.9, "urn:archiver:shop:col-1"),
    ],
)
def test_a_column_without_a_name_is_in_rdf_the_relation_that_it_was_aligned_with(
    tmp_path: Path,
    run_here: RunHere,  # noqa: F811
    right: str,
    sure: float,
    told: str,
) -> None:
    archive, out = tmp_path / "archive", tmp_path / "r.nq"
    archive_of(archive)
    (file,) = (archive / "objects").iterdir()
    file.write_text(file.read_text("utf-8").replace('"title":', '"col-1":'), "utf-8")
    parts = (part("col-1", "http://books.example/o/name", 0.2), part("col-1", right, sure))
    found = Alignment(
        links=(),
        relations=(*parts, part("f%C3%B6rfattare", LABEL, 0.9)),
        classes=(),
        rounds=1,
        has_converged=True,
        left_entities=20,
        right_facts=20,
        bad_lines=0,
    )
    links = links_of("shop", found, "books.nt", datetime(2026, 11, 18, tzinfo=UTC), 0.5)
    assert set(links.relations) == {"col-1", "författare"}
    keep_links(archive, links)
    assert run_here("forms", archive, "records", "shop", "--nquads", str(out)).exit_code == 0
    titles = [line for line in out.read_text("utf-8").splitlines() if BOOKS[0].title in line]
    assert [line.split()[1] for line in titles] == [f"<{told}>"]


def test_values_that_are_not_in_warc_are_told(tmp_path: Path, run_here: RunHere) -> None:  # noqa: F811
    keys = archive_of(tmp_path / "archive")
    done = run_here("forms", tmp_path / "archive", "why", "shop", keys[0])
    assert done.exit_code == 1
    assert "do not stand in WARC" in done.told
    assert run_here("forms", tmp_path / "archive", "why", "shop").exit_code == 2
    assert run_here("forms", tmp_path / "archive", "why", "shop", "zzz").exit_code == 2


def test_records_by_a_wrapper_that_a_person_wrote(tmp_path: Path, run_here: RunHere) -> None:  # noqa: F811
    file, out = tmp_path / "books.yaml", tmp_path / "r.csv"
    file.write_text(
        "wrapper: books\nscope: {site: shop.example}\nrecords:\n- record: book\n  each: //li.hit\n  fields:\n"
        "  - {field: title, rules: [h3/a]}\n  - {field: price, type: price, rules: [.//strong.price]}\n"
        "  - {field: author, many: true, rules: [.//span.author]}\n"
    )
    page = written(tmp_path)
    done = run_here("records", tmp_path, str(page), "--wrapper", str(file), "--csv", str(out))
    assert done.exit_code == 0, done.told
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    assert [row["title"] for row in rows] == [book.title for book in BOOKS[:20]]
    assert [row["price"] for row in rows] == [f"{book.price} EUR" for book in BOOKS[:20]]
    assert rows[0]["author"].split("; ") == list(BOOKS[0].authors)
    file.write_text("wrapper: books\nscope: {site: shop.example}\nrecords:\n- {record: book, each: //li}\n")
    flawed = run_here("records", tmp_path, str(page), "--wrapper", str(file))
    assert flawed.exit_code == 2
