"""A blog takes another template between two crawls: its comments are found again, and nothing is new."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.sites.knowledge.loading import load_knowledge
from tests.adaptation.quill import KNOWLEDGE, Post, first_template, second_template
from tests.crawl.killing import ADAPT_BOUNDARIES
from tests.crawl.running import ROOT, crawl, crawl_command
from tests.crawl.site import Answer, html, text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Request, Site

pytestmark = pytest.mark.zoo

POSTS = [Post(number=number, is_edited=number % 2 == 1) for number in range(14)]
COMMENTS = sum(len(one.comments) for one in POSTS)


class Template:
    """What the blog looks like now."""

    def __init__(self) -> None:
        self.make: Callable[[Post, str], str] = first_template


@pytest.fixture
def template(site: Site) -> Template:
    """A blog with a sitemap; its posts are as the template says."""
    chosen = Template()

    def page_of(post: Post) -> Callable[[Request], Answer]:
        return lambda _: html(chosen.make(post, ""))

    for post in POSTS:
        site.add(f"/{post.path}", page_of(post))
    listed = "".join(f"<url><loc>{site.url('/' + one.path)}</loc></url>" for one in POSTS)
    site.add("/sitemap.xml", Answer(body=f"<urlset>{listed}</urlset>".encode()))
    site.add("/robots.txt", text("User-agent: *\nDisallow:\n"))
    front = first_template(POSTS[0]).replace('<body class="post">', '<body class="index">')
    site.add("/", html(front))
    return chosen


@pytest.fixture
def knowledge(tmp_path: Path) -> Path:
    file = tmp_path / "quill.yaml"
    file.write_text(KNOWLEDGE + "lists:\n  - {sitemap: /sitemap.xml, to: post}\n")
    return file


def crawled(archive: Path, site: Site, knowledge: Path, **arguments: str) -> CrawlRun:
    settings = {"SITE_KNOWLEDGE": f"builtin,{knowledge}"}
    run = crawl(archive, spider="site", arguments={"url": site.url("/")} | arguments, **settings)
    assert run.exit_code == 0, run.stderr
    return run


def counts(run: CrawlRun) -> tuple[int, int]:
    ((versions,),) = run.rows("SELECT count(*) FROM versions")
    ((contributions,),) = run.rows("SELECT count(*) FROM contributions")
    return int(versions), int(contributions)


def test_a_new_template_makes_nothing_new_and_loses_nothing(
    archive: Path, site: Site, template: Template, knowledge: Path
) -> None:
    first = crawled(archive, site, knowledge)
    before = counts(first)
    assert before[1] == COMMENTS
    ((seen,),) = first.rows("SELECT max(last_seen) FROM contributions")

    template.make = second_template
    second = crawled(archive, site, knowledge, again="all")

    assert counts(second) == before, "neither versions nor comments are added"
    ((again,),) = second.rows(f"SELECT count(*) FROM contributions WHERE last_seen > {seen} AND gone IS NULL")
    assert again == COMMENTS, "also those of pages that were visited before anything was learned"
    rows = second.rows("SELECT action, learned_from, pages, tried, applied FROM learned_actions")
    assert {"title", "author", "body", "comment", "comment/body"} <= {row[0] for row in rows}
    assert {row[1] for row in rows} == {"earlier"}
    assert all(row[2].count(site.url("/")) + row[3] <= 8 for row in rows), "from at most eight pages"
    assert all(row[4] is not None for row in rows)
    assert "another template" in second.stdout
    _is_told_and_exported(archive, knowledge, site)


def _is_told_and_exported(archive: Path, knowledge: Path, site: Site) -> None:
    given = ["-s", f"ARCHIVE_DIR={archive}", "-s", f"SITE_KNOWLEDGE=builtin,{knowledge}"]
    told = _scrapy("site", "status", site.url("/"), *given)
    assert "Actions learned on this site" in told
    assert re.search(r"title \(post\): \S*headline", told)
    explained = json.loads(_scrapy("explain", site.url(f"/{POSTS[0].path}"), "--json", *given))
    assert (explained["outcome"], explained["is_known"]) == ("article", True)
    assert all(block["is_kept"] for block in explained["blocks"]), "what is not of the text is not read"
    assert explained["siblings"]
    file = archive.parent / "learned.yaml"
    file.write_text(_scrapy("knowledge", "export", "--learned", *given))
    taken = load_knowledge(["builtin", str(knowledge), str(file)])
    assert taken.ancestry[next(one for one in taken.types if one.startswith("quill-"))][1] == "quill"


def _scrapy(*words: str) -> str:
    command = [sys.executable, "-m", "scrapy", *words]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def test_an_unknown_template_is_learned_while_it_is_crawled(
    archive: Path, site: Site, template: Template, knowledge: Path
) -> None:
    template.make = second_template
    run = crawled(archive, site, knowledge)

    learned = {row[0] for row in run.rows("SELECT action FROM learned_actions WHERE learned_from = 'page'")}
    assert {"title", "body"} <= learned
    written = {text for _, text in written_in(archive)}
    assert written
    assert written <= {words for post in POSTS for *_, words in post.comments}, "nothing wrong is kept"


def written_in(archive: Path) -> Counter[tuple[str, str]]:
    """The comments of an archive, by key and text: each of its lines is one."""
    files = (archive / "objects").glob("contributions-*")
    lines = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    return Counter((one["key"], one["text"]) for one in lines)


@pytest.mark.parametrize("boundary", ADAPT_BOUNDARIES)
def test_a_crawl_that_was_killed_while_it_learned_is_completed_by_the_next(
    boundary: str, archive: Path, site: Site, template: Template, knowledge: Path, tmp_path: Path
) -> None:
    template.make = second_template
    crawled(tmp_path / "undisturbed", site, knowledge)
    whole = written_in(tmp_path / "undisturbed")
    command = crawl_command(
        archive,
        seeds=None,
        clock_offset=0,
        arguments={"url": site.url("/")},
        settings={"SITE_KNOWLEDGE": f"builtin,{knowledge}"},
        spider="site",
    )
    words = [sys.executable, "-m", "tests.crawl.killing", boundary, "1", *command]
    killed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert killed.returncode == -signal.SIGKILL, (
        f"{boundary} was never reached: {killed.stdout}{killed.stderr}"
    )

    run = crawled(archive, site, knowledge)

    assert whole
    assert written_in(archive) == whole
    assert run.rows("SELECT state FROM sites")[0][0] == "done"
    assert run.rows("SELECT count(*) FROM learned_actions WHERE applied IS NULL")[0][0] == 0


def test_nothing_is_learned_where_that_is_not_wanted(
    archive: Path, site: Site, template: Template, knowledge: Path
) -> None:
    template.make = second_template
    settings = {"SITE_KNOWLEDGE": f"builtin,{knowledge}", "SITE_ADAPT": "False"}
    run = crawl(archive, spider="site", arguments={"url": site.url("/")}, **settings)
    assert run.rows("SELECT count(*) FROM learned_actions")[0][0] == 0
