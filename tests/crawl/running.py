"""The real command in a process of its own, and everything that it left behind."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warcio.archiveiterator import ArchiveIterator

from tests.warm import process_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60
DAY = 24 * 3600
# Loopback has no other visitors: nothing to be polite to.
IN_A_HURRY = {
    "ALLOW_PRIVATE_ADDRESSES": True,
    "DOWNLOAD_DELAY": 0,
    "AUTOTHROTTLE_ENABLED": False,
    "EXTRACT_WORKERS": 1,
    # What is due when must not depend on what a test happens to publish.
    "POLL_INTERVAL": "1h",
    # As above: tests of rechecks and of requisites ask for them.
    "RECHECK_SHARE": 0,
    "REQUISITES": "none",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A WARC record, its HTTP message split at the blank line."""

    file: str
    offset: int
    type: str
    url: str | None
    headers: Mapping[str, str]
    block: bytes

    @property
    def id(self) -> str:
        return self.headers["WARC-Record-ID"]

    @property
    def head(self) -> bytes:
        head, blank, _ = self.block.partition(b"\r\n\r\n")
        return head + blank

    @property
    def payload(self) -> bytes:
        return self.block.partition(b"\r\n\r\n")[2]

    @property
    def status(self) -> int:
        return int(self.block.split(b" ", 2)[1])


class Archived:
    """What is in an archive, as a stranger would read it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def reports(self) -> list[dict[str, Any]]:
        """The run reports, the newest last."""
        return [json.loads(path.read_bytes()) for path in sorted((self.folder / "runs").glob("*.json"))]

    @property
    def report(self) -> dict[str, Any]:
        return self.reports[-1]

    @property
    def objects(self) -> list[dict[str, Any]]:
        lines = [
            line
            for path in sorted((self.folder / "objects").glob("articles-*.jsonl"))
            for line in path.read_bytes().splitlines()
        ]
        return [json.loads(line) for line in lines]

    @property
    def warcs(self) -> list[Path]:
        return sorted((self.folder / "warc").glob("*.warc.gz"))

    @property
    def records(self) -> list[Record]:
        return [record for path in self.warcs for record in read_records(path)]

    def responses(self, url: str) -> list[Record]:
        return [record for record in self.records if record.type == "response" and record.url == url]

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        """Ask the state store, without touching it."""
        with closing(sqlite3.connect(f"file:{self.folder / 'state.sqlite'}?mode=ro", uri=True)) as state:
            state.row_factory = sqlite3.Row
            return state.execute(query, values).fetchall()

    def channel(self, url: str) -> sqlite3.Row:
        (row,) = self.rows("SELECT * FROM channels WHERE seed_url = ?", url)
        return row

    def channels(self) -> dict[str, sqlite3.Row]:
        return {row["seed_url"]: row for row in self.rows("SELECT * FROM channels")}

    def page(self, url: str) -> sqlite3.Row:
        (row,) = self.rows("SELECT * FROM pages WHERE url = ?", url)
        return row

    def outcomes(self) -> dict[str, str | None]:
        """How the entries of each page ended; None while they wait."""
        rows = self.rows(
            "SELECT p.url, e.outcome FROM entries e JOIN pages p ON p.id = e.page_id ORDER BY e.id"
        )
        return {row["url"]: row["outcome"] for row in rows}

    def pending(self) -> int:
        return int(self.rows("SELECT count(*) FROM entries WHERE pending")[0][0])


class CrawlRun(Archived):
    """One run of the command, over."""

    def __init__(self, folder: Path, done: subprocess.CompletedProcess[str]) -> None:
        super().__init__(folder)
        self.exit_code = done.returncode
        self.stdout = done.stdout
        self.stderr = done.stderr

    def __repr__(self) -> str:
        """What a failing test shows."""
        return f"<exit code {self.exit_code}\n{self.stdout}\n{self.stderr}>"


def read_records(path: Path) -> list[Record]:
    found = []
    with path.open("rb") as file:
        records = ArchiveIterator(file, no_record_parse=True)
        for record in records:
            headers = dict(record.rec_headers.headers)
            block = record.raw_stream.read()
            found.append(
                Record(
                    file=path.name,
                    offset=records.get_record_offset(),
                    type=record.rec_type,
                    url=headers.get("WARC-Target-URI"),
                    headers=headers,
                    block=block,
                )
            )
    return found


def write_seeds(archive: Path, lines: Iterable[str], name: str = "seeds.txt") -> Path:
    """A plain seeds file beside the archive."""
    path = archive.parent / name
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def crawl_command(
    archive: Path,
    *,
    seeds: Path | str | Sequence[str] | None,
    clock_offset: float,
    arguments: Mapping[str, str],
    settings: Mapping[str, object],
    spider: str = "feeds",
) -> list[str]:
    if seeds is not None and not isinstance(seeds, Path | str):
        seeds = write_seeds(archive, seeds)
    given = ({"seeds": seeds} if seeds is not None else {}) | arguments
    values = {"ARCHIVE_DIR": archive, "CLOCK_OFFSET": clock_offset, **IN_A_HURRY, **settings}
    words = [("-a", f"{name}={value}") for name, value in given.items()]
    words += [("-s", f"{name}={value}") for name, value in values.items() if value is not None]
    return ["crawl", spider, *(word for pair in words for word in pair)]


def start_crawl(
    archive: Path,
    seeds: Path | str | Sequence[str] | None = None,
    *,
    profile: str | None = None,
    clock_offset: float = 0,
    folder: Path = ROOT,
    arguments: Mapping[str, str] | None = None,
    largest_file: int | None = None,
    spider: str = "feeds",
    **settings: object,
) -> subprocess.Popen[str]:
    """Start a crawl and return at once: for tests that interrupt it. The caller waits for it."""
    command = crawl_command(
        archive,
        seeds=seeds,
        clock_offset=clock_offset,
        arguments=arguments or {},
        settings=settings,
        spider=spider,
    )
    return start_scrapy(command, profile=profile, folder=folder, largest_file=largest_file)


def start_scrapy(
    words: Sequence[str],
    *,
    profile: str | None = None,
    folder: Path = ROOT,
    largest_file: int | None = None,
) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")}
    if profile is not None:
        environment["SCRAPY_PROJECT"] = profile
    command = [sys.executable, "-m", "scrapy", *words]
    if largest_file is not None:
        # A full disk for those who may not mount one: in blocks of 512 bytes, as POSIX has it.
        command = ["sh", "-c", 'ulimit -f "$0" && exec "$@"', str(largest_file // 512), *command]
    return process_for(command, environment)(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str], archive: Path) -> CrawlRun:
    """Wait for a crawl that was started, and for no longer than a test may take."""
    with process:
        try:
            stdout, stderr = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            stdout, stderr = process.communicate()
            message = f"the crawl did not end within {SECONDS} s\n{stdout}\n{stderr}"
            raise TimeoutError(message) from None
    return CrawlRun(archive, subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr))


def crawl(
    archive: Path,
    seeds: Path | str | Sequence[str] | None = None,
    *,
    profile: str | None = None,
    clock_offset: float = 0,
    folder: Path = ROOT,
    arguments: Mapping[str, str] | None = None,
    largest_file: int | None = None,
    spider: str = "feeds",
    **settings: object,
) -> CrawlRun:
    """Run `scrapy crawl feeds`, or another spider, to its end.

    `seeds` is what follows `-a seeds=`: a path, a text, or the lines of a file that is then written.
    A setting that is None is left to the profile.
    """
    process = start_crawl(
        archive,
        seeds,
        profile=profile,
        clock_offset=clock_offset,
        folder=folder,
        arguments=arguments,
        largest_file=largest_file,
        spider=spider,
        **settings,
    )
    return finish(process, archive)


def scrapy(archive: Path, *words: str, profile: str | None = None, folder: Path = ROOT) -> CrawlRun:
    """Run another command, on this archive: `scrapy(archive, "channels", "list")`."""
    return finish(
        start_scrapy([*words, "-s", f"ARCHIVE_DIR={archive}"], profile=profile, folder=folder), archive
    )
