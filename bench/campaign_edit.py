"""A definition that is edited while a campaign is crawled, with a long queue."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING

from archiver.store.database import Database
from tests.crawl.known_web.pages import campaign_text
from tests.crawl.known_web.serving import ServedWeb
from tests.crawl.running import crawl, finish, start_crawl

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

SETTINGS: dict[str, object] = {"CAMPAIGN_PER_HOST_DELAY": "0", "DOWNLOAD_DELAY": "0.3"}
_STALE = "SELECT count(*) FROM candidates WHERE state = 'waiting' AND revision < ?"
_SECONDS = 120
_WORST = 960


def rescored_in_flight(folder: Path, count: int, fill: Callable[..., None]) -> dict[str, float]:
    """Seconds from the edit until the last address is scored anew, and what was fetched meanwhile."""
    archive, file = folder / "archive", folder / "flood.yaml"
    with ServedWeb(3, hosts=6, stories=60) as web:
        file.write_text(campaign_text(web.known, 12))
        arguments = {"file": str(file)}
        crawl(archive, spider="campaign", arguments=arguments, **SETTINGS)
        database = Database(f"sqlite:///{archive / 'state.sqlite'}")
        # Worse than all of the web that is crawled.
        database.run(fill, 1, count, _WORST)
        database.close()
        file.write_text(campaign_text(web.known, 5000, "scope: {hosts_deny: [none.example]}\n"))
        process = start_crawl(archive, spider="campaign", arguments=arguments, **SETTINGS)
        try:
            return _edited(web, process, archive, file, count)
        finally:
            process.kill()


def _edited(
    web: ServedWeb, process: subprocess.Popen[str], archive: Path, file: Path, count: int
) -> dict[str, float]:
    _wait(lambda: len(web.asked) >= 30)
    # The first edit was between two runs: it is taken up when the second one begins.
    _wait(lambda: _stale(archive, 2) == 0)
    before, began = len(web.asked), time.monotonic()
    words = "scope: {hosts_deny: [h1.example, h2.example]}\nentities: [Dresden]\n"
    file.write_text(campaign_text(web.known, 5000, words))
    _wait(lambda: _stale(archive, 3) == 0 and _revision(archive) == 3)
    took, meanwhile = time.monotonic() - began, len(web.asked) - before
    process.terminate()
    run = finish(process, archive)
    pages = [url for url in web.asked if not url.endswith("/robots.txt")]
    denied = run.rows("SELECT count(*) FROM candidates WHERE state = 'waiting' AND host = 'h1.example'")
    return {
        "rescored": count,
        "seconds": took,
        "fetched_meanwhile": meanwhile,
        "fetched_twice": len(pages) - len(set(pages)),
        "denied_still_waiting": denied[0][0],
        "exit_code": run.exit_code,
    }


def _wait(is_over: Callable[[], bool]) -> None:
    until = time.monotonic() + _SECONDS
    while not is_over():
        if time.monotonic() > until:
            raise TimeoutError(f"still not over after {_SECONDS} s")
        time.sleep(0.25)  # counting a long queue takes time of the crawl


def _ask(archive: Path, query: str, *values: object) -> int:
    with closing(sqlite3.connect(f"file:{archive / 'state.sqlite'}?mode=ro", uri=True)) as state:
        return int(state.execute(query, values).fetchone()[0])


def _stale(archive: Path, revision: int) -> int:
    return _ask(archive, _STALE, revision)


def _revision(archive: Path) -> int:
    return _ask(archive, "SELECT revision FROM campaigns")
