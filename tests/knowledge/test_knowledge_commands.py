"""`scrapy knowledge` and `scrapy site detect`, as they are typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.command_line.running import run

if TYPE_CHECKING:
    from pathlib import Path

QUILL = """\
type: quill
name: Quill
category: blog
detect: ["meta[@name='generator'][contains(@content,'Quill')]"]
levels:
  - name: post
    kind: terminal
    detect: "body[contains(@class,'post')]"
    extract:
      - {field: title, expect: one, path: [h1.title, h1]}
      - {field: author, expect: some, path: a.author}
    parts:
      - {kind: comment, each: li.comment, key: "@id", extract: [{field: author, path: //b}]}
"""
PAGE = """<html><head><meta name=generator content="Quill 2.4\x1b[31m"></head>
<body class=post><h1>A title</h1>
<ol><li class=comment id=c1><b>Jane</b> hello<ol><li class=comment id=c2><b>Joe</b></li></ol></li></ol>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "quill.yaml").write_text(QUILL)
    (tmp_path / "page.html").write_text(PAGE)
    return tmp_path


def test_flaws_are_lines_with_places(folder: Path) -> None:
    (folder / "bad.yaml").write_text("type: x\ncategory: blgo\ndetect: \"p[contain(.,'x')]\"\n")
    done = run(folder, "knowledge", "check", "bad.yaml")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "bad.yaml:2:11: blgo is not possible here: did you mean blog?",
        "bad.yaml:3:12: contain() is not part of this language: did you mean contains()?",
    ]


def test_a_crawl_of_sites_refuses_a_file_with_a_flaw_before_it_asks_for_anything(folder: Path) -> None:
    (folder / "bad.yaml").write_text("type: x\ncategory: blgo\n")
    done = run(folder, "crawl", "site", "http://127.0.0.1:1/", "-s", "SITE_KNOWLEDGE=builtin,bad.yaml")
    assert done.returncode == 2
    assert "bad.yaml:2:11: blgo is not possible here: did you mean blog?" in done.stderr
    assert not (folder / "archive").exists()


def test_what_finds_too_much_is_warned_of(folder: Path) -> None:
    done = run(folder, "knowledge", "check", "quill.yaml")
    assert (done.returncode, done.stdout) == (0, "1 file valid: quill\n")
    assert done.stderr.splitlines() == [
        (
            "quill.yaml:8:13: warning: contains(@class,'post') is also true for the class postmeta: "
            "write body.post for the whole word"
        ),
        "quill.yaml:13:87: warning: //b begins at the page, and not at each comment: write b",
    ]


def test_it_is_told_on_which_pages_a_type_fires(folder: Path) -> None:
    (folder / "other.html").write_text("<p>About Quill, by another program.")
    done = run(folder, "knowledge", "check", "quill.yaml", "--pages", "page.html", "other.html")
    assert done.stdout.splitlines()[1:] == ["quill matches 1 of 2 pages: page.html"]


def test_the_base_in_force_is_checked_and_shown(folder: Path) -> None:
    done = run(folder, "knowledge", "check")
    assert (done.returncode, done.stderr) == (0, "")
    assert "wordpress" in run(folder, "knowledge").stdout
    shown = run(folder, "knowledge", "show", "wordpress").stdout
    assert shown.startswith("WordPress (wordpress), blog\n")
    assert "Level post: content" in shown
    wrong = run(folder, "knowledge", "show", "wordpres")
    assert (wrong.returncode, "did you mean wordpress?" in wrong.stderr) == (2, True)
    assert run(folder, "knowledge", "export", "wordpress").stdout.count("type: wordpress\n") == 1
    assert "did you mean show?" in run(folder, "knowledge", "shw").stderr


def test_a_file_is_imported_once_it_is_right(folder: Path) -> None:
    done = run(folder, "knowledge", "import", "quill.yaml")
    assert (done.returncode, "has no folder to import into" in done.stderr) == (2, True)
    (folder / "mine").mkdir()
    mine = ["-s", "SITE_KNOWLEDGE=builtin,mine"]
    done = run(folder, "knowledge", "import", "quill.yaml", *mine)
    assert (done.returncode, done.stdout) == (0, "quill imported: mine/quill.yaml\n")
    assert run(folder, "knowledge", "export", "quill", *mine).stdout == QUILL
    (folder / "quill.yaml").write_text(QUILL.replace("name: Quill", "name: Feather"))
    again = run(folder, "knowledge", "import", "quill.yaml", *mine)
    assert (again.returncode, "mine/quill.yaml already exists" in again.stderr) == (2, True)


def test_a_page_is_told_of_which_software_it_is(folder: Path) -> None:
    mine = ["-s", "SITE_KNOWLEDGE=builtin,quill.yaml"]
    done = run(folder, "site", "detect", "page.html", *mine)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert done.stdout.splitlines()[0] == "Quill (quill)"
    assert "Level post: content" in done.stdout
    assert "  extract title: 1 by h1\n    A title\n" in done.stdout
    assert "  extract author: 0  FAILED\n" in done.stdout
    assert "  parts comment · key: 2 by @id\n    c1\n    c2\n" in done.stdout
    found = json.loads(run(folder, "site", "detect", "page.html", "--json", *mine).stdout)
    assert (found["type"], found["level"]) == ("quill", "post")
    unknown = run(folder, "site", "detect", "page.html")
    assert (unknown.returncode, unknown.stdout) == (
        1,
        "No type in the knowledge base matches this page.\n",
    )


def test_a_site_that_is_typed_wrongly_is_told_so(folder: Path) -> None:
    done = run(folder, "site", "detec", "page.html")
    assert (done.returncode, "did you mean detect?" in done.stderr) == (2, True)
    done = run(folder, "site", "detect", "nowhere.html")
    assert (done.returncode, "there is no such file" in done.stderr) == (2, True)
    done = run(folder, "site", "detect", "https://b.example/")
    assert (done.returncode, "There is no archive" in done.stderr) == (2, True)
