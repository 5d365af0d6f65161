"""The archive as RDF: how fast objects are written and taken into the store, how much memory it takes, and
how long questions take.

python -m bench.rdf                      100,000 made-up objects
python -m bench.rdf --objects 20000      fewer
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert

from archiver.archive.objects.kinds import WarcPointer
from archiver.archive.withheld import NOTHING_WITHHELD, pattern_of, withheld_by
from archiver.articles.versions.model import Change
from archiver.documents.pages.model import Link
from archiver.inspection.rdf.asking import ask_store, feed_store
from archiver.inspection.rdf.exporting import ChosenObjects, RdfExport
from archiver.inspection.rdf.opening import FOLDER
from archiver.store.object_files import lines_settled
from archiver.store.reading import reading
from archiver.store.schema import articles, versions
from archiver.urls import same_page_key
from tests.history.made import START, MadeArchive, plain_object
from tests.store.samples import capture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld

WORDS = 400
LINKS = 15
SITES = 50
AUTHORS = 2_000
AT_ONCE = 5_000
QUESTIONS = {
    "articles": "SELECT (COUNT(*) AS ?n) {?a a schema:Article}",
    "one article by its address": "SELECT ?t {?a schema:url <http://site7.example/7> . "
    "?v dcterms:isVersionOf ?a ; schema:headline ?t}",
    "changed after a week": """SELECT ?v ?added {
        ?v dcterms:replaces ?b ; archiver:captured ?at ; archiver:wordsAdded ?added .
        ?b archiver:captured ?was FILTER(?at - ?was > "P7D"^^xsd:dayTimeDuration)}
        ORDER BY DESC(?added) LIMIT 10""",
    "authors of several sites": """SELECT ?name (COUNT(DISTINCT ?host) AS ?sites) {
        ?account a sioc:UserAccount ; schema:name ?name ; archiver:host ?host}
        GROUP BY ?name ORDER BY DESC(?sites) LIMIT 10""",
    "two words in all texts": """SELECT (COUNT(*) AS ?n) {
        ?v schema:text ?t FILTER(CONTAINS(?t, "word77 word"))}""",
}


def build(folder: Path, objects: int) -> MadeArchive:
    archive, chance = MadeArchive(folder), random.Random(7)
    for start in range(0, objects, AT_ONCE):
        some = range(start, min(start + AT_ONCE, objects))
        archive.database.run(_settle, archive, some, chance)
    archive.close()
    return archive


def _settle(connection: Connection, archive: MadeArchive, some: range, chance: random.Random) -> None:
    """Nine of ten objects are first versions, each tenth is the second one of the object before."""
    made: list[dict[str, Any]] = []
    with lines_settled(connection, archive.objects):
        for number in some:
            is_second = number % 10 == 9
            of = number - is_second
            url = f"http://site{of % SITES}.example/{of}"
            name = f"<urn:uuid:{number:032x}>"
            at = START + timedelta(minutes=number, days=14 * is_second)
            said = replace(
                plain_object(same_page_key(url), url),
                title=_words(chance, 8), text=_words(chance, WORDS), language="en", version=1 + is_second,
                authors=(f"Author {chance.randrange(AUTHORS)}",), published=at, captured=at, first_seen=at,
                change=Change(kinds=("text",) if is_second else ("new",), added=chance.randrange(200)),
                links=tuple(Link(url=_address(chance), text="") for _ in range(LINKS)),
                channel=f"http://site{of % SITES}.example/feed", channel_title=f"Site {of % SITES}",
                warc=WarcPointer(file="a.warc.gz", offset=number, record_id=name, capture_id=name),
            )  # fmt: skip
            place = archive.objects.stage(said, START + timedelta(days=number // AT_ONCE))
            made.append(_version(of + 1, said.version, url, place.file, place.offset, place.digest))
    known = [row for row in made if row["version"] == 1]
    rows = [
        {"id": row["article_id"], "key": same_page_key(row["capture"].url), "url": row["capture"].url}
        | {"first_seen": START, "last_captured": START, "version": 1}
        for row in known
    ]
    connection.execute(insert(articles), rows)
    connection.execute(insert(versions), made)


def _version(article: int, number: int, url: str, file: str, offset: int, digest: str) -> dict[str, Any]:
    return {
        "article_id": article, "version": number, "captured": START, "digest": "t1:0", "title_digest": "t1:0",
        "text_digest": "t1:0", "method": "article", "capture": capture(number, url=url), "channel_id": 1,
        "object_file": file, "object_offset": offset, "object_digest": digest, "kinds": "new",
    }  # fmt: skip


def _address(chance: random.Random) -> str:
    """Links mostly go to a few sites."""
    return f"http://site{int(chance.paretovariate(1)) % SITES}.example/{chance.randrange(100_000)}"


def _words(chance: random.Random, count: int) -> str:
    return " ".join(f"word{int(chance.paretovariate(0.8)) % 5_000}" for _ in range(count))


def step(name: str, folder: Path, *words: str) -> None:
    """In a process of its own, which tells what it took."""
    command = [sys.executable, "-m", "bench.rdf", "--step", name, str(folder), *words]
    subprocess.run(command, check=True)


def run_step(name: str, folder: Path) -> None:
    started, spent = time.perf_counter(), time.process_time()
    with reading(f"sqlite:///{folder / 'state.sqlite'}") as state:
        if name in {"nquads", "turtle"}:
            export = RdfExport(state, folder / "objects", NOTHING_WITHHELD, ChosenObjects())
            path = folder / f"all.{name}"
            with path.open("wb") as output:
                export.write(output, name, _silent)
            objects, size = export.told, path.stat().st_size
            path.unlink()
        else:
            orders = (
                withheld_by([(pattern_of("site7.example"), "")]) if name == "withheld" else NOTHING_WITHHELD
            )
            objects = feed_store(folder, state, orders, _silent).fed
            size = sum(path.stat().st_size for path in (folder / FOLDER).rglob("*"))
    cpu, wall = time.process_time() - spent, time.perf_counter() - started
    memory = _peak_memory()
    print(
        f"  {name:10} {objects:>9,} objects  {cpu:6.1f} s CPU  {wall:6.1f} s"
        f"  {objects / max(cpu, 1e-9):>8,.0f}/s CPU  {size / 1e6:>7,.0f} MB  {memory:>5,.0f} MB of memory",
        flush=True,
    )


def _peak_memory() -> float:
    """In MB. Not by getrusage, which counts what the parent had when it was forked."""
    status = Path("/proc/self/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))) / 1024


def _silent(_done: int, _total: int) -> None:
    """Show nothing."""


def ask(folder: Path, withheld: Withheld = NOTHING_WITHHELD) -> Iterator[str]:
    with reading(f"sqlite:///{folder / 'state.sqlite'}") as state:
        for name, question in QUESTIONS.items():
            before = os.times()
            started = time.perf_counter()
            with ask_store(folder, state, withheld, question, most=0, seconds=600) as answer:
                rows = list(answer.rows())
            after = os.times()
            cpu = after.children_user + after.children_system - before.children_user - before.children_system
            yield f"  {name:28} {len(rows):>4} rows  {cpu:6.2f} s CPU  {time.perf_counter() - started:6.2f} s"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--objects", type=int, default=100_000)
    parser.add_argument("--step", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        run_step(options.step[0], Path(options.step[1]))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "archive"
        for objects in (options.objects // 10, options.objects):
            build(folder / str(objects), objects)
            print(f"{objects:,} objects of {WORDS} words and {LINKS} links")
            for one in ("nquads", "turtle", "build", "again", "withheld", "lifted"):
                step(one, folder / str(objects))
        print("Questions")
        print(*ask(folder / str(options.objects)), sep="\n")


if __name__ == "__main__":
    main()
