"""API crawlers on real applications: what was found against what they hold, and again after edits.

    python bench/api_trial.py --data FOLDER --scripts FOLDER [--json FILE]

`FOLDER/run/wordpress` and `FOLDER/run/mediawiki` are applications that are up, each with `truth.json` and
`built` (its port); `--scripts` has what edits them (`wordpress.php`). Without it, nothing is edited.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from warcio.archiveiterator import ArchiveIterator

ROOT = Path(__file__).resolve().parents[1]
HURRIED = ("ALLOW_PRIVATE_ADDRESSES=1", "DOWNLOAD_DELAY=0", "AUTOTHROTTLE_ENABLED=0", "SUMMARY=0")
# Common words, which together are on every page that is made of sentences.
WORDS = ("the", "and", "of")


@dataclass(frozen=True, kw_only=True)
class Row:
    application: str
    step: str
    found: int  # of what the application holds now
    truth: int
    same_text: int  # of those found
    versions: int  # of all posts, more than one each
    twice: int  # lines with the same id and version
    requests: int
    in_warc: int
    in_log: int | None  # requests that the application's own log has


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--scripts", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = [row for trial in (wordpress, mediawiki) for row in trial(options.data / "run", options.scripts)]
    names = list(asdict(rows[0]))
    print("  ".join(f"{name:>11}" for name in names))
    for row in rows:
        print("  ".join(f"{value!s:>11}" for value in asdict(row).values()))
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


def wordpress(run: Path, scripts: Path | None) -> list[Row]:
    folder = run / "wordpress"
    url = f"http://127.0.0.1:{(folder / 'built').read_text().strip()}"
    apis = [f"{{wordpress: '{url}', comments: true}}"]
    steps: list[tuple[str, list[list[str]]]] = [("first", [])]
    if scripts is not None:
        steps += [("edited", [["edit", "5", "40"], ["publish", "3", "77"]]), ("deleted", [["delete", "7"]])]
    with tempfile.TemporaryDirectory() as name:
        rows = []
        for number, (step, commands) in enumerate(steps):
            for command in commands:
                environment = os.environ | {"WORK": str(folder), "URL": url, "SCRIPTS": str(scripts)}
                subprocess.run(["php", f"{scripts}/wordpress.php", *command], env=environment, check=True)
            asked = follow(Path(name), apis, number, folder / "access.log")
            truth = json.loads((folder / "truth.json").read_bytes())["items"]
            posts = [one for one in truth if one.get("type") == "post"]
            wanted = {one["url"]: words(one["text"]) for one in posts}
            rows.append(row_of("wordpress", step, Path(name), wanted, asked))
            comments = sum(len(one["comments"]) for one in posts)
            print(f"wordpress {step}: {kinds(Path(name))['comment']} comments kept, {comments} there now")
        return rows


def mediawiki(run: Path, scripts: Path | None) -> list[Row]:
    folder = run / "mediawiki"
    url = f"http://127.0.0.1:{(folder / 'built').read_text().strip()}"
    apis = [f"{{mediawiki: '{url}', search: [{', '.join(WORDS)}]}}"]
    truth = json.loads((folder / "truth.json").read_bytes())["items"]
    wanted = {one["url"]: words(one["text"]) for one in truth}
    with tempfile.TemporaryDirectory() as name:
        asked = follow(Path(name), apis, 0, folder / "access.log")
        rows = [row_of("mediawiki", "first", Path(name), wanted, asked)]
        if scripts is not None:
            edit_wiki(folder, truth[:4])
            wanted |= {one["url"]: words(one["text"] + ADDED) for one in truth[:4]}
            asked = follow(Path(name), apis, 1, folder / "access.log")
            rows.append(row_of("mediawiki", "edited", Path(name), wanted, asked))
        return rows


ADDED = " The keepers counted it once more."


def edit_wiki(folder: Path, items: list[dict[str, Any]]) -> None:
    """A sentence is added to some pages, by the wiki's own program."""
    for one in items:
        program = ["php", "maintenance/edit.php", "-u", "Admin", "-s", "counted", one["title"]]
        shown = subprocess.run(
            ["php", "maintenance/getText.php", one["title"]],
            cwd=folder / "www",
            capture_output=True,
            check=True,
        ).stdout.decode()
        first, gap, rest = shown.partition("\n\n== See also")
        subprocess.run(program, input=(first + ADDED + gap + rest).encode(), cwd=folder / "www", check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip


def follow(archive: Path, apis: list[str], number: int, log: Path) -> int | None:
    """One run; how many requests the application's log has more."""
    file = archive / "trial.yaml"
    file.write_text("campaign: trial\nabout: A trial\napis:\n" + "".join(f"  - {one}\n" for one in apis))
    before = requests_in(log)
    command = [sys.executable, "-m", "scrapy", "crawl", "posts", "-a", f"file={file}"]
    settings = (*HURRIED, f"ARCHIVE_DIR={archive / 'archive'}", f"CLOCK_OFFSET={number * 3600}")
    command += [word for setting in settings for word in ("-s", setting)]
    subprocess.run(command, cwd=ROOT, check=True)
    after = requests_in(log)
    return None if before is None or after is None else after - before


def requests_in(log: Path) -> int | None:
    """PHP's server has a line for each answer."""
    if not log.exists():
        return None
    return len(re.findall(rb"\](?: \[\d+\])?:? (?:\[\d+\]: )?(?:GET|HEAD|POST) ", log.read_bytes())) or None


def row_of(application: str, step: str, folder: Path, wanted: dict[str, str], in_log: int | None) -> Row:
    newest: dict[str, dict[str, Any]] = {}
    seen: Counter[tuple[str, int]] = Counter()
    for one in lines(folder):
        seen[one["id"], one["version"]] += 1
        newest[one["url"]] = one
    found = wanted.keys() & newest.keys()
    reports = [json.loads(path.read_bytes()) for path in sorted((folder / "archive/runs").glob("*.json"))]
    return Row(
        application=application,
        step=step,
        found=len(found),
        truth=len(wanted),
        same_text=sum(wanted[url] in words(newest[url]["text"]) for url in found),
        versions=sum(number > 1 for _, number in seen),
        twice=sum(count - 1 for count in seen.values()),
        requests=sum(report["posts"].get("asked", 0) for report in reports),
        in_warc=sum(
            record.rec_type in {"response", "revisit"}
            for path in (folder / "archive/warc").glob("*.warc.gz")
            for record in ArchiveIterator(path.open("rb"))
        ),
        in_log=in_log,
    )


def lines(folder: Path) -> list[dict[str, Any]]:
    paths = sorted((folder / "archive/objects").glob("posts-*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


def kinds(folder: Path) -> Counter[str]:
    return Counter({one["id"]: one["kind"] for one in lines(folder)}.values())


def words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))


if __name__ == "__main__":
    main()
