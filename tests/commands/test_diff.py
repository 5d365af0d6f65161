"""`scrapy diff`: two versions word by word, on the terminal and as a page."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from archiver.documents.pages.model import Image, Link
from archiver.inspection.history.spoken import MINUS
from tests.history.made import DAY, HOUR, SECOND, START, URL, made

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere

HOSTILE = "<script>alert('x')</script> & \x1b[2J \u202e"
XHTML = "{http://www.w3.org/1999/xhtml}"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An article with three versions, the last of which is hostile, and one with a single version."""
    old, new = Link(url="http://example.org/old", text="Old"), Link(url="http://example.org/new", text="New")
    pier = "http://example.org/pier.jpg"
    folder: Path = tmp_path_factory.mktemp("diff") / "archive"
    with made(folder) as archive:
        ferry = archive.article()
        archive.version(ferry, links=(old,), images=(Image(url=pier, caption="The pier"),))
        archive.version(
            ferry, START + HOUR, kinds="text,links,images", text=SECOND, links=(new,), added=2, removed=1,
            images=(Image(url=pier, caption="The old pier"),), unchanged_until=START,
        )  # fmt: skip
        text = f"{SECOND}\n\n{HOSTILE}"
        archive.version(ferry, START + DAY, kinds="text,title", title=f"Ferry {HOSTILE}", text=text)
        archive.version(archive.article("http://example.org/once"))
    return folder


def test_words_links_and_images_of_two_versions(archive: Path, run_here: RunHere) -> None:
    done = run_here("diff", archive, URL, "1", "2")
    assert (done.exit_code, done.told) == (0, "")
    lines = done.text.splitlines()
    assert "The ferry runs every {+second+} day." in lines
    assert "Fishermen fear for their nets." in lines  # beside what changed
    assert "Nobody was asked." not in lines
    assert "… 2 lines as before" in lines
    assert lines[lines.index("Links") + 1 :][:2] == [
        "- http://example.org/old  Old",
        "+ http://example.org/new  New",
    ]
    assert lines[lines.index("Images") + 1 :][:2] == [
        "~ http://example.org/pier.jpg",
        "  [-The pier-] {+The old pier+}",
    ]
    assert "Version 1   captured 2026-03-02 07:00:00" in lines
    changed = "text, links, images, between 2026-03-02 07:00:00 and 2026-03-02 08:00:00"
    assert f"Changed     {changed}" in lines
    assert f"Text        +1 {MINUS}0 word" in lines
    assert "Title" not in lines


def test_the_last_two_are_meant_and_one_number_means_with_the_one_before(
    archive: Path, run_here: RunHere
) -> None:
    assert run_here("diff", archive, URL).text == run_here("diff", archive, URL, "2", "3").text
    assert run_here("diff", archive, URL, "2").text == run_here("diff", archive, URL, "1", "2").text


def test_backwards_too(archive: Path, run_here: RunHere) -> None:
    assert "The ferry runs every [-second-] day." in run_here("diff", archive, URL, "2", "1").text


def test_all_of_it(archive: Path, run_here: RunHere) -> None:
    told = run_here("diff", archive, URL, "1", "2", "--all").text
    assert "Nobody was asked." in told
    assert "as before" not in told


def test_side_by_side(archive: Path, run_here: RunHere, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "63")
    told = run_here("diff", archive, URL, "1", "2", "--side-by-side").text
    rows = [line.split(" │ ") for line in told.splitlines() if "│" in line]
    assert [row[0].strip() for row in rows[:1]] == ["The ferry runs every day."]
    assert " ".join(row[1] for row in rows[:2]) == "The ferry runs every {+second+} day."
    assert {len(row[0]) for row in rows} == {30}


def test_nothing_that_a_page_says_reaches_the_terminal_as_an_order(archive: Path, run_here: RunHere) -> None:
    for view in ((), ("--side-by-side",)):
        told = run_here("diff", archive, URL, *view).text
        assert "<script>" in told
        assert "\x1b" not in told
        assert "\u202e" not in told


def test_colours_where_somebody_watches_who_did_not_say_no(
    archive: Path, run_here: RunHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    told = run_here("diff", archive, URL, "1", "2").text
    assert "every \x1b[32m{+second+}\x1b[0m day." in told
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run_here("diff", archive, URL, "1", "2").text


@pytest.mark.parametrize("view", [(), ("--side-by-side",)])
def test_the_page_stands_alone(
    archive: Path, run_here: RunHere, tmp_path: Path, view: tuple[str, ...]
) -> None:
    out = tmp_path / "diff.html"
    done = run_here("diff", archive, URL, "--html", str(out), *view)
    assert (done.exit_code, f"Written: {out}" in done.told) == (0, True)
    page = etree.fromstring(out.read_bytes())  # well-formed, whatever stands in the article
    tags = {etree.QName(element).localname for element in page.iter("*")}
    assert tags.isdisjoint({"a", "img", "script", "link", "iframe", "form"})
    assert not [name for element in page.iter("*") for name in element.attrib if name in {"href", "src"}]
    added = ["".join(one.itertext()) for one in page.iter(f"{XHTML}ins")]
    assert any("<script>alert('x')</script> &" in one for one in added)
    assert page.get("lang") == "en"
    assert page.findtext(f".//{XHTML}h1").startswith("Ferry <script>")  # type: ignore[union-attr]
    facts = dict(zip(texts(page, "dt"), texts(page, "dd"), strict=True))
    assert facts["Version 3"] == "captured 2026-03-03 07:00:00"
    folded = page.find(f".//{XHTML}details")
    assert folded is not None
    assert "Fishermen fear for their nets." in "".join(folded.itertext())
    heads = [one.get("scope") for one in page.iter(f"{XHTML}th")]
    assert heads == (["col", "col"] if view else [])
    assert not list(out.parent.glob("*.tmp"))


def texts(page: etree._Element, tag: str) -> list[str]:
    return ["".join(one.itertext()) for one in page.iter(f"{XHTML}{tag}")]


def test_two_versions_that_say_the_same(tmp_path: Path, run_here: RunHere) -> None:
    with made(tmp_path / "archive") as archive:
        ferry = archive.article()
        archive.version(ferry, kinds=None)
        archive.version(ferry, START + HOUR, kinds=None)
    done = run_here("diff", tmp_path / "archive", URL)
    assert (done.exit_code, "There is no difference." in done.text) == (0, True)
    assert "Changed     between 2026-03-02 07:00:00 and 2026-03-02 08:00:00\n" in done.text


def test_a_change_in_what_extraction_left_out_is_to_be_seen_in_the_captures(
    tmp_path: Path, run_here: RunHere
) -> None:
    out = tmp_path / "page.html"
    url = "http://example.org/ferry?a=';reboot"
    with made(tmp_path / "archive") as archive:
        ferry = archive.article(url)
        archive.version(ferry)
        archive.version(ferry, START + HOUR, kinds="text,links", added=1, removed=1)
        archive.version(ferry, START + DAY, kinds="text", added=1, removed=1)
    done = run_here("diff", tmp_path / "archive", url, "1", "2", "--html", str(out))
    ways = [
        f"scrapy extract-record {shlex.quote(url)} --at 2026-03-02T0{hour}:00:00.000000Z --payload"
        for hour in (7, 8)
    ]
    assert done.text.splitlines()[-3:] == [
        "What changed (text, links) is in a part of the page that extraction left out. Both captures:",
        *ways,
    ]
    assert texts(etree.parse(out).getroot(), "pre") == ["\n".join(ways)]
    # Backwards it is the same; of versions that are further apart nothing is known.
    assert ways[1] in run_here("diff", tmp_path / "archive", url, "2", "1").text
    assert "There is no difference." in run_here("diff", tmp_path / "archive", url, "1", "3").text


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["http://example.org/once"], 1, "has nothing before version 1"),
        ([URL, "1"], 1, "has nothing before version 1"),
        ([URL, "1", "7"], 1, "has no version 7: it has 1 to 3"),
        (["http://example.org/once", "1", "2"], 1, "has no version 2: it has version 1 alone"),
        (["http://example.org/nowhere"], 1, "like it: http://example.org/once"),
        ([URL, "one"], 2, "one is not the number of a version"),
        ([URL, "1", "2", "3"], 2, "up to two versions"),
        (["ferry"], 2, "not a web address"),
        ([URL, "--html", "/nowhere/at/all.html"], 2, "there is no such folder"),
        ([URL, "--html", "."], 2, "is a folder"),
        ([URL, "--sidebyside"], 2, "--sidebyside is not an option"),
    ],
)
def test_mistakes_are_told(archive: Path, run_here: RunHere, words: list[str], code: int, told: str) -> None:
    done = run_here("diff", archive, *words)
    assert done.exit_code == code
    assert told in done.told + done.text


def test_an_object_that_cannot_be_read_is_told(archive: Path, run_here: RunHere, tmp_path: Path) -> None:
    copied = shutil.copytree(archive, tmp_path / "archive")
    for path in (copied / "objects").iterdir():
        path.write_bytes(re.sub(rb"[{}]", b"#", path.read_bytes()))
    done = run_here("diff", copied, URL)
    assert done.exit_code == 1
    assert "run `scrapy verify`" in done.told
