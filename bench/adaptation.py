"""Templates that change: what is learned when a theme is switched between two crawls, or is not known at all.

The knowledge base loses the paths that serve a theme; what is learned in their place is held against them.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from options import whole_number
from whole_sites.applications import ApplicationError, bring_up, switch_theme
from whole_sites.lessened import found_by, pages_of, renamed, used_paths, without_paths
from whole_sites.programs import OURS, ROOT

from archiver.acquisition.sites.adaptation.learning import FEWEST_LEARNED
from archiver.acquisition.sites.adaptation.slots import adapted_type, slots_of
from archiver.acquisition.sites.knowledge.loading import load_knowledge
from archiver.acquisition.sites.knowledge.writing import yaml_of
from archiver.archive.warc.records import Capture
from archiver.store.database import Database
from archiver.store.whole_sites.learned_actions import learned_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.acquisition.sites.adaptation.model import LearnedAction
    from archiver.acquisition.sites.knowledge.model import SiteType

THEMES = {
    "wordpress": ("twentytwentyone", "twentytwentytwo", "twentytwentythree"),
    "mediawiki": ("vector", "monobook", "timeless"),
}
# Of the pages on which the full base finds something, so many must be read alike.
_ALIKE = 0.99
# A line in the settings of MediaWiki by which the skin is switched without a restart, and pages are new.
_SKIN = (
    "if (is_file('{file}')) {{ $wgDefaultSkin = trim(file_get_contents('{file}'));"
    " $wgCacheEpoch = gmdate('YmdHis', filemtime('{file}')); }}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """An application whose theme can be switched."""

    name: str
    url: str
    truth: Path
    scripts: Path
    folder: Path
    seconds: int

    @property
    def full(self) -> SiteType:
        return load_knowledge(["builtin"]).types[self.name]

    def switch(self, theme: str) -> None:
        if self.name == "wordpress":
            switch_theme(self.scripts, self.truth, self.url, theme)
            return
        file, settings = (self.truth.parent / name for name in ("skin", "www/LocalSettings.php"))
        line = _SKIN.format(file=file.resolve())
        if line not in settings.read_text():
            settings.write_text(f"{settings.read_text()}\n{line}\n")
        file.write_text(theme)

    def crawl(self, archive: Path, base: SiteType | None = None, *more: str) -> Path:
        """Crawl as a user does; with a knowledge base that has this entry in place of the one that ships."""
        knowledge = "builtin"
        if base is not None:
            folder = archive.with_suffix(".knowledge")
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{self.name}.yaml").write_text(yaml_of(base))
            knowledge = f"builtin,{folder}"
        settings = {**OURS, "ARCHIVE_DIR": str(archive), "SITE_KNOWLEDGE": knowledge}
        given = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
        command = [sys.executable, "-m", "scrapy", "crawl", "site", "-a", f"url={self.url}", *more, *given]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=self.seconds)
        return archive


def main() -> int:
    given = arguments()
    rows: list[dict[str, Any]] = []
    try:
        for name in given.only.split(","):
            url, truth = _place(given, name)
            with tempfile.TemporaryDirectory() as scratch:
                folder = given.keep or Path(scratch)
                subject = Subject(
                    name=name,
                    url=url,
                    truth=truth,
                    scripts=given.apps.resolve(),
                    folder=folder.resolve(),
                    seconds=given.seconds,
                )
                for row in measured(subject, given):
                    print(told(row), flush=True)
                    rows.append(row)
    except ApplicationError as error:
        print(error, file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        print(error.stderr.decode(errors="replace")[-1000:], file=sys.stderr)
        return 1
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1))
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--apps", type=Path, required=True, metavar="FOLDER", help="as for bench/sites.py")
    parser.add_argument("--work", type=Path, default=Path(".bench-sites"), help="where they are built")
    parser.add_argument("--at", metavar="URL", help="where the one application listens that is measured")
    parser.add_argument("--only", default=",".join(THEMES), help="names of applications, with commas")
    parser.add_argument("--themes", help="with commas; all without this option")
    parser.add_argument("--what", default="switched,unknown,renamed", help="what is measured, with commas")
    parser.add_argument("--seconds", type=whole_number, default=900, help="the most that one crawl may take")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="archives are kept here")
    parser.add_argument("--json", type=Path, metavar="FILE", help="a list of rows")
    return parser.parse_args()


def _place(given: argparse.Namespace, name: str) -> tuple[str, Path]:
    if given.at:
        return given.at, given.work / "run" / name / "truth.json"
    return bring_up(given.apps.resolve(), given.work, name)


def measured(subject: Subject, given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Crawl with each theme by the full base, then with less knowledge, and with one theme after another."""
    themes = given.themes.split(",") if given.themes else THEMES[subject.name]
    what = given.what.split(",")
    full: dict[str, Path] = {}
    for theme in themes:
        subject.switch(theme)
        full[theme] = _crawled(subject, f"full-{theme}")
    used = {theme: used_paths(archive, subject.full) for theme, archive in full.items()}
    for theme in themes:
        if "unknown" in what:
            yield unknown(subject, theme, without_paths(subject.full, used[theme]), "unknown")
        if "renamed" in what:
            yield unknown(subject, theme, renamed(subject.full), "renamed")
    if "switched" in what:
        for old, new in zip(themes, (*themes[1:], themes[0]), strict=True):
            if old != new:
                yield switched(subject, old, new, without_paths(subject.full, used[new] - used[old]))
    subject.switch(themes[0])


def _crawled(subject: Subject, name: str) -> Path:
    archive = subject.folder / f"{subject.name}-{name}"
    return archive if archive.exists() else subject.crawl(archive)


def unknown(subject: Subject, theme: str, base: SiteType, what: str) -> dict[str, Any]:
    """A theme that the base does not know, crawled for the first time."""
    subject.switch(theme)
    archive = subject.crawl(subject.folder / f"{subject.name}-{what}-{theme}", base)
    learned = _learned(archive)
    return {
        "app": subject.name,
        "what": what,
        "theme": theme,
        **_judged(archive, subject.full, base, learned),
        **_pages(learned),
        **_counts(archive),
    }


def switched(subject: Subject, old: str, new: str, base: SiteType) -> dict[str, Any]:
    """A theme in place of another one between two crawls, by a base that only knows the first."""
    archive = subject.folder / f"{subject.name}-switched-{old}-{new}"
    subject.switch(old)
    subject.crawl(archive, base)
    before = _counts(archive)
    begun = datetime.now(UTC)
    subject.switch(new)
    subject.crawl(archive, base, "-a", "again=all")
    learned = _learned(archive)
    return {
        "app": subject.name,
        "what": "switched",
        "theme": f"{old} → {new}",
        **_judged(archive, subject.full, base, learned),
        **_pages(learned),
        **_kept(archive, before, begun),
    }


def _learned(archive: Path) -> tuple[LearnedAction, ...]:
    database = Database(f"sqlite:///{archive / 'state.sqlite'}")
    try:
        return database.run(lambda connection: learned_of(connection, 1))
    finally:
        database.close()


def _pages(learned: tuple[LearnedAction, ...]) -> dict[str, Any]:
    return {"pages": max((len(one.pages) + one.tried for one in learned), default=0)}


def _judged(
    archive: Path, full: SiteType, base: SiteType, learned: tuple[LearnedAction, ...]
) -> dict[str, Any]:
    """Hold what was learned against what the full base finds, on all pages that were captured."""
    adapted = adapted_type(base, learned)
    taught = {(one.level, one.action): one.path for one in learned}
    found: dict[tuple[str, str], list[int]] = {}
    for page in pages_of(archive, full):
        name = page.level.name
        levels = (full.level(name), base.level(name), adapted.level(name))
        for mine, less, more in zip(*(slots_of(level) for level in levels if level), strict=True):
            wanted, kept, now = (found_by(page, slot, mine) for slot in (mine, less, more))
            counts = found.setdefault((name, mine.name), [0, 0, 0, 0])
            counts[0] += any(wanted)
            counts[1] += any(kept)
            counts[2] += any(wanted) and wanted == now
            counts[3] += any(now) and wanted != now
    lost = {key for key, counts in found.items() if counts[0] and not counts[1]}
    # What fails on fewer pages has not failed yet.
    missing = {key for key in lost if found[key][0] >= FEWEST_LEARNED}
    right = {key for key in taught if _is_right(*found[key])}
    return {
        "missing": len(missing),
        "rare": sorted(" ".join(key) for key in lost - missing),
        "adapted": len(missing & right),
        "wrong": sorted(" ".join(key) for key in taught.keys() - right),
        "not_adapted": {" ".join(key): found[key][0] for key in sorted(missing - taught.keys())},
        "paths": {" ".join(key): path for key, path in sorted(taught.items())},
    }


def _is_right(wanted: int, _: int, alike: int, other: int) -> bool:
    return alike >= _ALIKE * wanted and other <= (1 - _ALIKE) * wanted


def _counts(archive: Path) -> dict[str, int]:
    with closing(sqlite3.connect(f"file:{archive / 'state.sqlite'}?mode=ro", uri=True)) as state:
        asked = {
            "articles": "SELECT count(*) FROM articles",
            "versions": "SELECT count(*) FROM versions",
            "contributions": "SELECT count(*) FROM contributions",
            "requests": "SELECT requests FROM sites",
        }
        return {name: int(state.execute(query).fetchone()[0]) for name, query in asked.items()}


def _kept(archive: Path, before: dict[str, int], begun: datetime) -> dict[str, Any]:
    """Count what the second crawl added, and what pages that it got no longer show."""
    after, lost = _counts(archive), _lost(archive, begun)
    false = after["versions"] - before["versions"] + after["contributions"] - before["contributions"]
    objects = before["articles"] + before["contributions"]
    return {
        "equal": round((objects - false - lost) / objects, 5),
        "false_versions": false,
        "lost": lost,
        "articles": before["articles"],
        "contributions": before["contributions"],
        "requests": after["requests"] - before["requests"],
    }


def _lost(archive: Path, begun: datetime) -> int:
    """Contributions that were not seen again although their page came anew."""
    since = int(begun.timestamp() * 1_000_000)
    with closing(sqlite3.connect(f"file:{archive / 'state.sqlite'}?mode=ro", uri=True)) as state:
        rows = state.execute("SELECT capture FROM visits WHERE capture IS NOT NULL").fetchall()
        captures = [msgspec.json.decode(row[0], type=Capture) for row in rows]
        anew = {one.url for one in captures if one.date >= begun}
        unseen = "SELECT shown_at FROM contributions WHERE last_seen < ? OR gone IS NOT NULL"
        return sum(page in anew for (page,) in state.execute(unseen, (since,)))


def told(row: dict[str, Any]) -> str:
    line = f"{row['app']:10} {row['what']:9} {row['theme']:40} adapted {row['adapted']} of {row['missing']}"
    line += f", wrong {len(row['wrong'])}, from {row['pages']} pages"
    if "equal" in row:
        line += f"; objects equal {row['equal']:.2%}, false versions {row['false_versions']}"
    more = [f"  not adapted: {name} (on {pages} pages)" for name, pages in row["not_adapted"].items()]
    more += [f"  on fewer than {FEWEST_LEARNED} pages: {', '.join(row['rare'])}"] if row["rare"] else []
    return "\n".join([line, *more, *(f"  wrong: {name}" for name in row["wrong"])])


if __name__ == "__main__":
    sys.exit(main())
