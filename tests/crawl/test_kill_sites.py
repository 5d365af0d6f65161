"""Whatever kills a crawl of a site, the next one goes on where it was: nothing lost, nothing twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.crawl.checks import assert_whole
from tests.crawl.documents import stories
from tests.crawl.killing import VISIT_BOUNDARIES
from tests.crawl.running import ROOT, Archived, crawl_command, finish, start_scrapy
from tests.crawl.site import Site, html
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.crawl.documents import Story

# RANDOM_KILLS=50 for a longer try.
RANDOM_KILLS = int(os.environ.get("RANDOM_KILLS", "20"))
TOLD = stories(12)
_ON_A_PAGE = 6


def _comment(number: int, words: str) -> str:
    return (
        f'<li id="comment-{number}" class="comment">'
        f'<div class="comment-author"><b class="fn">Reader {number}</b></div>'
        f'<div class="comment-metadata"><time datetime="2026-03-01T10:{number:02}:00+00:00">then</time></div>'
        f'<div class="comment-content"><p>{words}</p></div></li>'
    )


def _page(kind: str, title: str, body: str) -> str:
    head = f'<title>{title}</title><meta name="generator" content="WordPress 6.1.9">'
    return f'<html><head>{head}</head><body class="{kind}">{body}</body></html>'


def _post(one: Story, number: int) -> str:
    words = "".join(f"<p>{text}</p>" for text in one.paragraphs)
    comments = "".join(_comment(2 * number + at, one.paragraphs[at].split(".")[0]) for at in range(2))
    body = f'<h1 class="entry-title">{one.title}</h1><div class="entry-content">{words}</div>'
    return _page("single", one.title, f'<article>{body}</article><ol class="comment-list">{comments}</ol>')


def _list(page: int) -> str:
    shown = TOLD[(page - 1) * _ON_A_PAGE : page * _ON_A_PAGE]
    titles = "".join(
        f'<article class="hentry"><h2 class="entry-title"><a href="{one.path}">{one.title}</a></h2></article>'
        for one in shown
    )
    older = f'<a class="next page-numbers" href="/page/{page + 1}/">Older</a>'
    return _page("blog", "All", titles + (older if page * _ON_A_PAGE < len(TOLD) else ""))


@pytest.fixture(scope="module")
def blog() -> Iterator[Site]:
    with Site() as site:
        site.add("/", html(_list(1)))
        site.add("/page/2/", html(_list(2)))
        for number, one in enumerate(TOLD):
            site.add(one.path, html(_post(one, number)))
        yield site


def words_of(archive: Path, blog: Site, strategy: str = "known") -> list[str]:
    arguments = {"url": blog.url("/"), "strategy": strategy}
    return crawl_command(archive, seeds=None, clock_offset=0, arguments=arguments, settings={}, spider="site")


def contents(archive: Path) -> dict[str, Counter[str]]:
    """What a crawl left: the pages that were visited, articles and contributions, each with its version."""
    archived = Archived(archive)
    lines = [
        json.loads(line)
        for path in sorted((archive / "objects").glob("contributions-*.jsonl"))
        for line in path.read_text().splitlines()
    ]
    return {
        "visits": Counter(
            f"{row['url']} {row['outcome']}" for row in archived.rows("SELECT url, outcome FROM visits")
        ),
        "articles": Counter(f"{one['url']} {one['version']}" for one in archived.objects),
        "contributions": Counter(f"{one['id']} {one['version']}" for one in lines),
    }


@pytest.fixture(scope="module")
def expected(blog: Site, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Counter[str]]:
    archive = tmp_path_factory.mktemp("undisturbed")
    run = finish(start_scrapy(words_of(archive, blog)), archive)
    assert run.exit_code == 0, run.stderr
    found = contents(archive)
    assert found["articles"].total() == len(TOLD)
    assert found["contributions"].total() == 2 * len(TOLD)
    return found


def settled(archive: Path) -> set[str]:
    """The addresses that are captured and settled."""
    if not (archive / "state.sqlite").exists():
        return set()
    rows = Archived(archive).rows("SELECT url FROM visits WHERE state = 'settled'")
    return {row["url"] for row in rows}


def go_on(archive: Path, blog: Site, expected: dict[str, Counter[str]]) -> None:
    """Complete a crawl that was killed, and hold it against an undisturbed one, and the server's log."""
    known = settled(archive)
    blog.forget()
    run = finish(start_scrapy(words_of(archive, blog)), archive)
    assert run.exit_code == 0, run.stderr
    assert contents(archive) == expected
    assert not known & {blog.url(path) for path in blog.paths}, "what was settled is not asked for again"
    assert len(blog.paths) == len(set(blog.paths)), "nor is anything twice"
    assert_whole(run)


@pytest.mark.zoo
@pytest.mark.parametrize("number", [1, 4])
@pytest.mark.parametrize("boundary", VISIT_BOUNDARIES)
def test_a_site_crawl_killed_at_a_write_boundary_is_completed_by_the_next(
    boundary: str, number: int, tmp_path: Path, blog: Site, expected: dict[str, Counter[str]]
) -> None:
    command = [
        sys.executable, "-m", "tests.crawl.killing", boundary, str(number), *words_of(tmp_path, blog)
    ]  # fmt: skip
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == -signal.SIGKILL, f"{boundary} was never reached: {done.stdout}{done.stderr}"
    go_on(tmp_path, blog, expected)


@pytest.mark.zoo
@pytest.mark.parametrize("trial", range(RANDOM_KILLS))
def test_a_site_crawl_killed_at_any_moment_is_completed_by_the_next(
    trial: int, tmp_path: Path, blog: Site, expected: dict[str, Counter[str]]
) -> None:
    chance = random.Random(trial)
    # Counted by requests: by the clock, a busy machine would be killed before it asked for anything.
    asked = chance.randint(1, len(TOLD) + 2)
    blog.forget()
    command = [sys.executable, "-m", "scrapy", *words_of(tmp_path, blog)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_until(lambda: len(blog.paths) >= asked)
        time.sleep(chance.uniform(0, 0.5))
        process.kill()
    if not settled(tmp_path) or Archived(tmp_path).rows("SELECT 1 FROM sites WHERE state = 'open'"):
        go_on(tmp_path, blog, expected)
    else:
        assert contents(tmp_path)["visits"] == expected["visits"]


@pytest.mark.zoo
@pytest.mark.parametrize("number", [2, 6])
@pytest.mark.parametrize("boundary", ["visit-before-commit", "visit-committed"])
def test_a_site_crawl_that_learns_goes_on_with_what_it_learned(
    boundary: str, number: int, tmp_path: Path, blog: Site
) -> None:
    words = words_of(tmp_path, blog, "learned")
    command = [sys.executable, "-m", "tests.crawl.killing", boundary, str(number), *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == -signal.SIGKILL, f"{boundary} was never reached: {done.stdout}{done.stderr}"
    known = settled(tmp_path)
    assert known or (boundary, number) == ("visit-before-commit", 2)
    blog.forget()
    run = finish(start_scrapy(words), tmp_path)
    assert run.exit_code == 0, run.stderr
    articles = {one["url"] for one in run.objects}
    assert {blog.url(one.path) for one in TOLD} <= articles
    assert not known & {blog.url(path) for path in blog.paths}, "what was settled is not asked for again"
    learned = Archived(tmp_path).rows("SELECT sum(fetched) AS pages FROM labels")
    pages = Archived(tmp_path).rows(
        "SELECT count(*) AS pages FROM visits WHERE state = 'settled' AND reading = 'page'"
    )
    assert learned == pages, "each page taught once"
    assert_whole(run)
