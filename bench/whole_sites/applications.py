"""The applications that are measured: where they listen, what they cost, and what their pages do not say."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import urllib.error
import urllib.request
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from .truth import plain, time_of

if TYPE_CHECKING:
    from pathlib import Path

AUTHOR, TIME, DAY, CHANGED_DAY = "author", "time", "day", "day of the last change"


class ApplicationError(RuntimeError):
    """An application that cannot be brought up; the message tells what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    port: int
    lists: str = ""
    """Which pages are the lists that lead to all items: a regular expression."""
    more: str = ""
    """Which are further pages of items, such as those of comments."""
    themes: tuple[str, ...] = ()
    unsaid: frozenset[str] = frozenset()
    """What the truth says of items and their pages do not: not counted against a crawl."""
    bare: frozenset[str] = frozenset()
    """Kinds of items whose pages name neither author nor time."""
    time_is: str = TIME
    """What the pages tell of the truth's time: the moment, or, where they name no zone, the day."""


APPLICATIONS = {
    "wordpress": Application(
        port=8971,
        lists=r"^/(page/\d+)?$",
        more=r"/comment-page-\d+$",
        themes=("twentytwentyone", "twentytwentytwo", "twentytwentythree"),
        bare=frozenset({"page"}),
    ),
    "mediawiki": Application(
        port=8972,
        lists=r"^/index\.php/(Special:AllPages|Main_Page)$",
        more=r"^/index\.php/Talk:",
        unsaid=frozenset({AUTHOR}),
        time_is=CHANGED_DAY,
    ),
    "dokuwiki": Application(
        port=8973, lists=r"^/(doku\.php(\?id=(\w+:)?start)?)?$", unsaid=frozenset({AUTHOR, TIME})
    ),
    "redmine": Application(
        port=8974,
        lists=r"^/projects/harbour/(boards(/\d+)?|news|issues)(\?page=\d+)?$",
        more=r"^/boards/\d+/topics/\d+\?page=\d+$",
        time_is=DAY,
    ),
    "pelican": Application(port=8975, lists=r"^/(index\d+\.html)?$"),
    "mkdocs": Application(port=8976, lists=r"^/(blog(/page/\d+)?)?$", unsaid=frozenset({AUTHOR})),
    "sphinx": Application(port=8977, lists=r"^/(blog)?$", time_is=DAY),
}


def bring_up(scripts: Path, work: Path, name: str) -> tuple[str, Path]:
    """Have `scripts/up` build and serve an application, unless it answers; give its URL and its truth."""
    port = APPLICATIONS[name].port
    url, truth = f"http://127.0.0.1:{port}/", work / "run" / name / "truth.json"
    if not (truth.exists() and _answers(url)):
        work.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [scripts / "up", name, str(port)],
            env={**os.environ, "APPS": str(work.resolve())},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or not _answers(url):
            last = (done.stderr or done.stdout)[-500:].strip()
            raise ApplicationError(f"{name} cannot be brought up by {scripts / 'up'}: {last}")
    return url, truth


def switch_theme(scripts: Path, truth: Path, url: str, theme: str) -> None:
    environment = {"WORK": str(truth.parent.resolve()), "URL": url.rstrip("/"), "SCRIPTS": str(scripts)}
    subprocess.run(
        ["php", scripts / "wordpress.php", "theme", theme],
        env={**os.environ, **environment},
        check=True,
        stdout=subprocess.DEVNULL,
    )


def comment_times(name: str, url: str, truth: Path) -> dict[str, datetime]:
    """When each comment was written, by its words: asked of the application by another way than its pages."""
    if name == "wordpress":
        return _wordpress_times(url)
    if name == "redmine":
        return _redmine_times(truth.parent / "redmine.db")
    return {}


def _wordpress_times(url: str) -> dict[str, datetime]:
    times: dict[str, datetime] = {}
    for page in range(1, 1000):
        # This address works whatever those of posts look like.
        asked = f"{url}?rest_route=/wp/v2/comments&per_page=100&page={page}&_fields=date_gmt,content"
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:
                comments = json.load(answer)
        except urllib.error.HTTPError:
            break
        for comment in comments:
            words = plain(comment["content"]["rendered"].replace("<p>", " ").replace("</p>", " "))
            times[words] = datetime.fromisoformat(comment["date_gmt"]).replace(tzinfo=UTC)
        if len(comments) < 100:
            break
    return times


def _redmine_times(database: Path) -> dict[str, datetime]:
    told = (
        "select content, created_on from messages where parent_id is not null"
        " union all select content, created_on from comments"
        " union all select notes, created_on from journals where notes != ''"
    )
    if not database.exists():
        return {}
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        rows = connection.execute(told).fetchall()
    return {plain(text): time for text, when in rows if (time := time_of(str(when)))}


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=20):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
