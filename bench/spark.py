"""Re-extraction on Spark beside the worker processes: the same objects, and what a page costs.

A WARC file is made of real pages (sets as bench/extraction.py takes them), or an archive is given. It is
imported, made to look as if an older extractor had read it, copied, and read again: by `--engine local` and
by `--engine spark`.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from extraction_sets import channels, read_set, set_files
from options import whole_number
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from extraction_sets import Page

_SUBREAPER = 36  # prctl(2)
_SCRAPY = str(Path(sys.executable).with_name("scrapy"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    wall: float
    cpu: float


def pages_of(paths: Sequence[Path], most: int) -> list[Page]:
    """Pages of the sites that have most of them: those have templates."""
    pages = [page for path in set_files(paths) for page in read_set(path)]
    sites = sorted(channels(pages), key=len, reverse=True)
    return list(islice((page for site in sites for page in site), most))


def write_warc(path: Path, pages: Sequence[Page]) -> None:
    with path.open("wb") as out:
        writer = WARCWriter(out, gzip=True, warc_version="1.1")
        for number, page in enumerate(pages):
            http = StatusAndHeaders(
                "200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1"
            )
            record = writer.create_warc_record(
                f"http://{page.site.replace('/', '-')}/{number}",
                "response",
                BytesIO(page.html.encode("utf-8", "replace")),
                http_headers=http,
                warc_headers_dict={"WARC-Date": "2024-05-01T00:00:00Z"},
            )
            writer.write_record(record)


def run(archive: Path, *words: str) -> Cost:
    """A command, with all that its processes took, also those whose parents did not wait for them."""
    before, begun = _children(), time.monotonic()
    done = subprocess.run([_SCRAPY, *words, "-s", f"ARCHIVE_DIR={archive}"], check=False)
    wall = time.monotonic() - begun
    if done.returncode:
        raise SystemExit(f"scrapy {' '.join(words)} ended with {done.returncode}")
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return Cost(wall=wall, cpu=_children() - before)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def make_old(archive: Path) -> None:
    """As if another extractor had made all versions, and nothing had been learned since."""
    with closing(sqlite3.connect(archive / "state.sqlite")) as state, state:
        state.execute("update versions set extractor = 'article/0'")
        state.execute("delete from wrappers")


def objects_of(archive: Path) -> dict[str, Any]:
    """What was read anew, by its article and version; without the moment at which it was."""
    found = {}
    for path in sorted((archive / "objects").glob("*.reextracted*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            one = json.loads(line)
            one.pop("reextracted", None)
            found[f"{one['id']} {one['version']}"] = one
    return found


def differences(one: dict[str, Any], other: dict[str, Any]) -> Iterator[str]:
    for key in sorted({*one, *other}):
        if key not in one or key not in other:
            yield f"{key}: only by {'local' if key in one else 'spark'}"
        elif one[key] != other[key]:
            yield f"{key}: {', '.join(name for name in one[key] if one[key][name] != other[key].get(name))}"


def compare(original: Path, work: Path, master: str) -> bool:
    costs, found = {}, {}
    cores = master.removeprefix("local[").removesuffix("]") if master.startswith("local[") else "2"
    engines = {"local": ("--workers", cores), "spark": ("--engine", "spark", "--master", master)}
    for engine, words in engines.items():
        archive = Path(shutil.copytree(original, work / engine))
        make_old(archive)
        costs[engine] = run(archive, "reextract", *words)
        found[engine] = objects_of(archive)
    for engine, cost in costs.items():
        each = 1000 * cost.cpu / max(1, len(found[engine]))
        print(
            f"{engine}: {len(found[engine])} objects, {cost.cpu:.1f} s of CPU, {each:.1f} ms each,"
            f" {cost.wall:.1f} s"
        )
    told = list(differences(found["local"], found["spark"]))
    print(f"objects that differ: {len(told)}", *told[:10], sep="\n  ")
    print(f"CPU of Spark to local: {costs['spark'].cpu / costs['local'].cpu:.2f}")
    return not told and bool(found["local"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", type=Path, help="sets of pages, or folders of them")
    parser.add_argument("--archive", type=Path, help="an archive to read again, in place of pages")
    parser.add_argument("--pages", type=whole_number, default=1000)
    parser.add_argument("--master", default="local[2]")
    asked = parser.parse_args()
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        original = asked.archive or work / "original"
        if not asked.archive:
            pages = pages_of(asked.sets, asked.pages)
            write_warc(work / "pages.warc.gz", pages)
            print(f"{len(pages)} pages of {len(channels(pages))} sites")
            run(original, "import", str(work / "pages.warc.gz"))
        sys.exit(not compare(original, work, asked.master))


if __name__ == "__main__":
    main()
