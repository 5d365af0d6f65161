"""1,000 records against a generated ontology of millions of triples: time and memory of the alignment."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path
from random import Random

TRIPLES = 20_000_000
RECORDS = 1_000
FACTS = 5  # of each book
AUTHORS = 50_000
_O = "http://scale.example/o/"
_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "il", "on")]


def scale_rows(data: Path, triples: int = TRIPLES) -> list[dict[str, object]]:
    """The files are made in `data` unless they are there; the alignment is a process of its own."""
    left, right = data / "records.nt", data / f"ontology-{triples}.nt"
    if not right.exists():
        data.mkdir(parents=True, exist_ok=True)
        write_ontology(right, left, triples)
    began = time.monotonic()
    command = [sys.executable, "-m", "scrapy", "forms", "align", "--left", str(left), "--with", str(right)]
    folder = Path(__file__).parents[1]
    subprocess.run([*command, "--out", str(data / "out")], cwd=folder, check=True, capture_output=True)
    wall, used = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    links = [line.split("\t") for line in (data / "out" / "links.tsv").read_text().splitlines()]
    good = [one for one in links if float(one[2]) >= 0.5]
    right_ones = sum(one[0].rpartition("/")[2] == one[1].rpartition("/")[2] for one in good)
    return [
        {
            "set": f"generated {triples:,}",
            "method": "ours",
            "precision": round(right_ones / max(1, len(good)), 4),
            "recall": round(right_ones / RECORDS, 4),
            "f1": round(2 * right_ones / (len(good) + RECORDS), 4),
            "seconds": round(wall),
            "cpu": round(used.ru_utime + used.ru_stime),
            "megabytes": used.ru_maxrss // 1024,
        }
    ]


def write_ontology(right: Path, left: Path, triples: int) -> None:
    chance = Random(1)
    books = triples // FACTS
    sold = set(chance.sample(range(books), RECORDS))
    with right.open("w") as out, left.open("w") as records:
        for number in range(AUTHORS):
            out.write(f'<http://scale.example/p/{number}> <{_O}name> "{words(chance, 2)}" .\n')
        for number in range(books):
            title, year, pages = words(chance, 4), chance.randint(1900, 2026), chance.randint(60, 900)
            node = f"<http://scale.example/b/{number}>"
            out.write(
                f'{node} {_TYPE} <{_O}Book> .\n{node} <{_O}label> "{title}" .\n'
                f'{node} <{_O}issued> "{year}" .\n{node} <{_O}pages> "{pages}" .\n'
                f"{node} <{_O}by> <http://scale.example/p/{chance.randrange(AUTHORS)}> .\n"
            )
            if number in sold:
                one = f"<http://records.example/{number}>"
                records.write(
                    f'{one} {_TYPE} <urn:records:Record> .\n{one} <urn:records:title> "{title.upper()}" .\n'
                    f'{one} <urn:records:year> "{year}" .\n{one} <urn:records:extent> "{pages}" .\n'
                )


def words(chance: Random, count: int) -> str:
    return " ".join("".join(chance.choices(_SYLLABLES, k=chance.choice((2, 3)))) for _ in range(count))
