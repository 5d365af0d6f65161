"""The gazette of the sample web, crawled once a day, and its versions held against the truth."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from changes_kinds import Expected
from changes_score import MISSED, QUIET, WRONG, Outcome, verdict

ROOT = Path(__file__).resolve().parent.parent
# The sample web stands beside this folder, and is no part of what is installed.
sys.path.insert(0, str(ROOT))

from sample.gazette.history import absence_on, noise_on  # noqa: E402 - as above
from sample.messages import Request  # noqa: E402
from sample.server import SampleWeb, SampleWebError  # noqa: E402
from sample.sites.gazette import Gazette  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sample.gazette.model import TrueChange, TrueHistory

__all__ = ["CrawlError", "SampleWebError", "measure"]
SECONDS_A_DAY = 24 * 3600
# What the page of an article shows differently in every answer, and what should be nothing at all.
_RESTLESS, _NOTHING = "every request", "nothing at all"


class CrawlError(Exception):
    """A crawl that did not end as it should; the message has its last words."""


@dataclass(slots=True)
class Seen:
    """What became of an article: the kinds of the versions that each day brought, and its page's digests."""

    versions: dict[int, list[frozenset[str]]] = field(default_factory=dict)
    digests: dict[int, str] = field(default_factory=dict)


def measure(days: int, settings: Sequence[str]) -> list[Outcome]:
    """Crawl from day 0 to day `days`, and say what became of every change."""
    with tempfile.TemporaryDirectory(prefix="changes-") as folder, SampleWeb(day=0, port=0) as web:
        site = web.site(Gazette.name)
        assert isinstance(site, Gazette)
        seen = {one.link: Seen() for one in site.histories(days)}
        seeds = Path(folder) / "seeds.txt"
        seeds.write_text("".join(f"{url}\n" for url in web.seeds_of(site.name)))
        archive, known = Path(folder) / "archive", 0
        for web.day in range(days + 1):
            print(f"day {web.day} of {days} …", file=sys.stderr, flush=True)
            _crawl(archive, seeds, web.day, settings)
            objects = _objects(archive)
            _note_versions(seen, objects[known:], web.day)
            known = len(objects)
            _note_digests(seen, site, web.day)
        return [outcome for one in site.histories(days) for outcome in outcomes(one, seen[one.link], days)]


def _crawl(archive: Path, seeds: Path, day: int, settings: Sequence[str]) -> None:
    values = [
        f"ARCHIVE_DIR={archive}",
        f"CLOCK_OFFSET={day * SECONDS_A_DAY}",
        "CONTACT=https://sample.invalid/",
        # Loopback has no other visitors.
        "ALLOW_PRIVATE_ADDRESSES=True",
        "DOWNLOAD_DELAY=0",
        "AUTOTHROTTLE_ENABLED=False",
        "POLL_INTERVAL=1h",
        *settings,
    ]
    words = [word for value in values for word in ("-s", value)]
    command = [sys.executable, "-m", "scrapy", "crawl", "feeds", "-a", f"seeds={seeds}", *words]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise CrawlError(f"the crawl of day {day} ended with {done.returncode}:\n{done.stderr[-2000:]}")


def _objects(archive: Path) -> list[dict[str, object]]:
    files = sorted((archive / "objects").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_bytes().splitlines()]


def _note_versions(seen: dict[str, Seen], objects: Sequence[dict[str, object]], day: int) -> None:
    for one in objects:
        change = one.get("change")
        kinds = frozenset(change["kinds"]) if isinstance(change, dict) else frozenset()
        # A front page to which an article redirects is none of the gazette's articles.
        seen.setdefault(str(one["url"]), Seen()).versions.setdefault(day, []).append(kinds)


def _note_digests(seen: dict[str, Seen], site: Gazette, day: int) -> None:
    """What page-level comparison would see: the bytes of each page that can be had."""
    for told in site.histories(day):
        if absence_on(told.article, day) is None:
            path = told.link.removeprefix(site.base)
            # As many requests later as a day has, so that what differs in every answer does.
            answer = site.respond(
                Request(method="GET", path=path, headers={}, day=day, serial=10_000 + 97 * day)
            )
            seen[told.link].digests[day] = hashlib.sha256(answer.body).hexdigest()


def outcomes(told: TrueHistory, seen: Seen, days: int) -> Iterator[Outcome]:
    """What was said on each day after the first."""
    changes = {change.day: change for change in told.changes}
    found = _attributed(told, seen.versions, days)
    if told.first_day not in seen.versions:
        yield Outcome(kind="first version", is_real=True, said=MISSED, digest=True, where=told.article)
    last = seen.digests.get(told.first_day)
    for day in range(told.first_day + 1, days + 1):
        change = changes.get(day)
        is_other = day in seen.digests and seen.digests[day] != last
        last = seen.digests.get(day, last)
        versions = found.get(day, [])
        absence = absence_on(told.article, day)
        if absence and not versions:
            continue
        kind = change.kind if change else absence or _everyday(told.article, day)
        if kind == _NOTHING and not versions and not is_other:
            continue
        yield _outcome(told, change, kind, day, versions, is_other=is_other)


def _attributed(
    told: TrueHistory, versions: dict[int, list[frozenset[str]]], days: int
) -> dict[int, list[frozenset[str]]]:
    """Versions by the day of the change that they are of.

    What had vanished is looked at less often, so it may be some days until its return is seen: the first
    version after it is of what changed meanwhile, if nothing else has happened.
    """
    found, begun = dict(versions), {change.day for change in told.changes}
    returns = {absence.back for absence in told.absences}
    for change in (one for one in told.changes if one.day in returns and one.day not in versions):
        end = min([day for day in begun if day > change.day], default=days + 1)
        late = next((day for day in range(change.day + 1, end) if day in found), None)
        if late is not None:
            found[change.day] = found.pop(late)
    return found


def _everyday(article: str, day: int) -> str:
    return _RESTLESS if noise_on(article, day).get(_RESTLESS) else _NOTHING


def _outcome(
    told: TrueHistory,
    change: TrueChange | None,
    kind: str,
    day: int,
    versions: list[frozenset[str]],
    *,
    is_other: bool,
) -> Outcome:
    expected = expected_of(change)
    found = frozenset().union(*versions)
    said = verdict(expected, found)
    if len(versions) > 1 and said != QUIET:
        said = WRONG
    kinds = " and ".join("+".join(sorted(one)) for one in versions) or "nothing"
    wanted = " or ".join(sorted(expected.either)) or "+".join(sorted(expected.kinds)) or "nothing"
    return Outcome(
        kind=kind,
        is_real=bool(change and change.kinds),
        said=said,
        digest=is_other,
        where=f"{told.article} on day {day}",
        detail=f"wanted {wanted}, got {kinds}",
    )


def expected_of(change: TrueChange | None) -> Expected:
    kinds = frozenset(change.kinds) if change else frozenset()
    return Expected(either=kinds) if change and change.either else Expected(kinds=kinds)
