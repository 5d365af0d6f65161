"""A crawl at a terminal: a line that shows how far it is, and the summary in its place."""

from __future__ import annotations

import re
import socket
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import publish, rss, stories
from tests.crawl.running import ROOT, Archived, crawl_command
from tests.crawl.site import status
from tests.terminals import Terminal
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tests.crawl.site import Site

PROGRESS = re.compile(r"Pages (\d+) of (\d+), channels (\d+) of (\d+)")


def crawl_at_terminal(
    archive: Path,
    seeds: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    arguments: Mapping[str, str] | None = None,
    **settings: object,
) -> Terminal:
    words = crawl_command(archive, seeds=seeds, clock_offset=0, arguments=arguments or {}, settings=settings)
    command = [sys.executable, "-m", "scrapy", *words]
    return Terminal(command, folder=ROOT, environment=environment)


def progress_in(lines: Sequence[str]) -> list[tuple[int, ...]]:
    return [tuple(map(int, found.groups())) for line in lines if (found := PROGRESS.search(line))]


def test_a_crawl_shows_how_far_it_is_and_then_what_it_did(archive: Path, site: Site) -> None:
    feed, dead = publish(site, stories(8)), site.add("/dead.xml", status(404))
    with crawl_at_terminal(archive, [feed, dead], DOWNLOAD_DELAY=0.4, LOG_LEVEL="INFO") as terminal:
        wait_until(lambda: any(0 < done < known == 8 for done, known, *_ in progress_in(terminal.frames)))
        wait_until(lambda: re.search("/(s|min), about .* left, 1 failing", terminal.written))
        terminal.resize(30)
        wide = len(terminal.frames)
        assert terminal.wait() == 0, terminal.written
    told = [line for line in terminal.frames if line.startswith(("Pages ", "Finishing")) and " of " in line]
    assert all(len(line) < 80 for line in told)
    # One may have been on its way.
    narrow = [line for line in terminal.frames[wide + 1 :] if line in told]
    assert narrow
    assert all(len(line) < 30 for line in narrow)
    # Nothing of it is left: lines of the log stand by themselves, and the summary comes last.
    assert not progress_in(terminal.screen)
    logged = [line for line in terminal.screen if "[scrapy." in line]
    assert any("Spider closed (finished)" in line for line in logged)
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[", line) for line in logged), logged
    assert terminal.screen[terminal.screen.index(logged[-1]) + 1].startswith("Channels   2 polled")


@pytest.mark.zoo
def test_watching_at_a_simple_terminal_shows_the_next_poll_until_ctrl_c(archive: Path, site: Site) -> None:
    feed = site.add("/feed.xml", rss([]))
    words = {"arguments": {"watch": "1"}, "environment": {"TERM": "dumb", "NO_COLOR": "1"}}
    with crawl_at_terminal(archive, [f"{feed} every=2h"], **words) as terminal:
        wait_until(lambda: "Channels 1 of 1, next poll in 2 hours" in terminal.written)
        terminal.press(b"\x03")
        assert terminal.wait() == 0, terminal.written
    assert "Traceback" not in terminal.written
    assert "\x1b" not in terminal.written
    assert not any("next poll" in line for line in terminal.screen)
    assert Archived(archive).report["reason"] == "shutdown"


# ── make crawl ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """The project in a folder of its own: the sample archive of whoever runs the tests stays as it is."""

    folder: Path
    port: int

    def make_crawl(self) -> Terminal:
        environment = {"SAMPLE_PORT": str(self.port)}
        return Terminal(["make", "crawl"], folder=self.folder, environment=environment)

    def begin(self, day: int) -> None:
        """As if that day had been archived."""
        (self.archive / "runs").mkdir(parents=True)
        (self.archive / "day").write_text(f"{day}\n")

    @property
    def archive(self) -> Path:
        return self.folder / "archive-sample"

    @property
    def day(self) -> str:
        return (self.archive / "day").read_text().strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    folder = tmp_path / "checkout"
    folder.mkdir()
    for path in ROOT.iterdir():
        if path.name not in {"archive", "archive-sample", ".git"}:
            (folder / path.name).symlink_to(path)
    with socket.create_server(("127.0.0.1", 0)) as free:
        return Checkout(folder=folder, port=free.getsockname()[1])


def test_make_crawl_archives_the_sample_web_at_a_terminal(checkout: Checkout) -> None:
    with checkout.make_crawl() as terminal:
        assert terminal.wait() == 0, terminal.written
    # The last pages may come between two frames.
    assert any(0 < pages <= known > 60 for pages, known, *_ in progress_in(terminal.frames))
    seen = terminal.screen
    (day,) = [number for number, line in enumerate(seen) if line.startswith("Day 0 of the sample web")]
    assert seen[day + 1].startswith("Channels   14 polled")
    assert not progress_in(seen)
    assert checkout.day == "0"


def test_a_crawl_that_fails_does_not_move_the_sample_web_on(checkout: Checkout) -> None:
    checkout.begin(day=4)
    (checkout.archive / "state.sqlite").write_text("This is not a database. " * 100)
    with checkout.make_crawl() as terminal:
        assert terminal.wait() == 2
    assert "Day 5 of the sample web" in terminal.written
    assert checkout.day == "4"


@pytest.mark.zoo
def test_a_crawl_that_is_interrupted_ends_in_order_and_its_day_is_not_over(checkout: Checkout) -> None:
    checkout.begin(day=4)
    with checkout.make_crawl() as terminal:
        wait_until(lambda: progress_in(terminal.frames))
        terminal.press(b"\x03")
        terminal.wait()
    assert "Day 5 of the sample web" in terminal.written
    assert "Traceback" not in terminal.written
    assert Archived(checkout.archive).report["reason"] == "shutdown"
    assert checkout.day == "4"
