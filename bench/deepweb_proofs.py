"""Records of a crawled form, proven: values in WARC, RDF by another library, links to an ontology."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import rdflib

from sample.shop.books import make_books
from sample.shop.truth import ontology

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sample.shop.books import Book

ROOT = Path(__file__).parents[1]
_FLOOR = 0.5  # of links, as `--floor` has it
_FORMATS = {"nquads": ("nq", "nquads"), "turtle": ("ttl", "turtle"), "jsonld": ("jsonld", "json-ld")}


def _forms(archive: Path, *words: str) -> str:
    command = [sys.executable, "-m", "scrapy", "forms", *words, "-s", f"ARCHIVE_DIR={archive}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout[-500:], done.stderr[-2000:], file=sys.stderr)
    return done.stdout


def proven(archive: Path, form: str, books: Sequence[Book]) -> dict[str, object]:
    """What the archive's own commands and rdflib say of its records."""
    began = time.process_time()
    why = " ".join(_forms(archive, "why", form, "all").split())
    again = " ".join(_forms(archive, "reread", form).split())
    return {
        "why_all": _sentence(why, r"[\d,]+ values of [\d,]+ records[^.]*"),
        "reread": _sentence(again, r"[\d,]+ records as they were[^.]*"),
        **_links(archive, form, books),
        **_rdf(archive, form),
        "proof_seconds": round(time.process_time() - began),
    }


def _sentence(text: str, pattern: str) -> str:
    found = re.search(pattern, text)
    return found.group() if found else text[-200:]


def _links(archive: Path, form: str, books: Sequence[Book]) -> dict[str, object]:
    file = archive / "books.nt"
    others = make_books(len(books), seed=2)
    file.write_text("".join(f"{line}\n" for line in ontology(books, others)), encoding="utf-8")
    told = json.loads(_forms(archive, "align", form, "--with", str(file), "--json") or "{}")
    links = {(one["left"], one["right"]) for one in told.get("links", ()) if one["confidence"] >= _FLOOR}
    numbers = _numbers(archive, form)
    right = sum(numbers.get(left) == there.rpartition("/b/")[2] for left, there in links)
    return {
        "links": len(links),
        "links_precision": round(right / max(1, len(links)), 4),
        "links_recall": round(right / max(1, len(numbers)), 4),
        "links_f1": round(2 * right / max(1, len(links) + len(numbers)), 4),
    }


def _numbers(archive: Path, form: str) -> dict[str, str]:
    """The number of the book that each record is."""
    lines = (
        json.loads(line)
        for path in (archive / "objects").glob("records-*.jsonl")
        for line in path.read_bytes().splitlines()
    )
    return {f"urn:archiver:{form}:{one['key']}": one["url"].rpartition("/")[2] for one in lines}


def _rdf(archive: Path, form: str) -> dict[str, object]:
    """Records and statements that rdflib reads in each format."""
    found: dict[str, object] = {}
    for option, (ending, name) in _FORMATS.items():
        file = archive / f"records.{ending}"
        _forms(archive, "records", form, f"--{option}", str(file))
        read = rdflib.Dataset(default_union=True)
        read.parse(file, format=name)
        kind = rdflib.URIRef(f"urn:archiver:{form}:Record")
        found[f"rdflib_{option}"] = [len(set(read.subjects(rdflib.RDF.type, kind))), len(read)]
    return found
