"""A crawl of a site says what became of it; where nothing could be read, what to do."""

from __future__ import annotations

import re
import sys
import threading
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import page, prose
from tests.crawl.running import ROOT, crawl, crawl_command
from tests.crawl.site import Site, status
from tests.terminals import Terminal
from tests.waiting import wait_until
from tests.web.whole_site import gazette_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.crawl.site import Answer, Request


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as found:
        yield found


@pytest.mark.zoo
def test_a_first_page_that_is_not_there_fails_and_the_same_command_tries_again(
    tmp_path: Path, site: Site
) -> None:
    arguments = {"url": site.url("/"), "strategy": "blind", "limit": "4"}
    site.add("/", status(404))
    failed = crawl(tmp_path / "archive", spider="site", arguments=arguments)
    assert failed.exit_code == 1, failed
    assert f"Sites      {site.url('/')}: nothing could be read" in failed.stdout
    assert f"ERROR: {site.url('/')} could not be read: not found (404): check the address" in failed.stdout
    site.remove("/")
    gazette_site(site)
    done = crawl(tmp_path / "archive", spider="site", arguments=arguments)
    assert done.exit_code == 0, done
    assert f"{site.url('/')}: 4 of 7 visited: the limit of 4 requests is reached" in done.stdout
    assert "Next: `scrapy crawl site` continues" in done.stdout
    assert not [word for word in ("Channels", "Entries") if word in done.stdout]


@pytest.mark.zoo
def test_a_line_at_the_terminal_shows_pages_requests_and_what_is_new(tmp_path: Path, site: Site) -> None:
    with _crawled_until(site, tmp_path, r"Pages \d+ of \d+, .* new in 50 pages") as terminal:
        assert terminal.wait() == 0, terminal.written
    shown = [line for line in terminal.frames if re.match(r"Pages \d+ of ", line)]
    assert any(re.match(r"Pages \d+ of \d+, requests \d+ of 98", line) for line in shown)
    assert all(len(line) < 80 for line in shown)
    assert not [line for line in terminal.screen if line.startswith("Pages") and " of " in line]
    assert any("the limit of 98 requests is reached" in line for line in terminal.screen)


@pytest.mark.zoo
def test_a_wide_line_shows_how_much_text_was_seen(tmp_path: Path, site: Site) -> None:
    with _crawled_until(site, tmp_path, r"Pages \d+ of .* pairs of words", columns=160) as terminal:
        assert terminal.wait() == 0, terminal.written


@contextmanager
def _crawled_until(site: Site, folder: Path, shown: str, columns: int = 80) -> Iterator[Terminal]:
    """A crawl at a terminal, whose last pages are answered once its line shows what it is to show."""
    seen = threading.Event()
    paths = gazette_site(site, 100)
    for number in range(75, 100):
        site.add(paths[number], partial(_late_page, seen, number))
    words = crawl_command(
        folder / "archive",
        seeds=None,
        clock_offset=0,
        arguments={"url": site.url("/"), "strategy": "blind", "limit": "98"},
        settings={"DOWNLOAD_DELAY": 0.1},
        spider="site",
    )
    with Terminal([sys.executable, "-m", "scrapy", *words], folder=ROOT, columns=columns) as terminal:
        try:
            wait_until(lambda: re.search(shown, terminal.written), 90)
        finally:
            seen.set()
        yield terminal


def _late_page(seen: threading.Event, number: int, request: Request) -> Answer:
    seen.wait(100)
    return page(request.path, prose(number, 3))
