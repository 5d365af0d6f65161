"""Kinds of forms on labelled pages: search against the rest, and what must never be taken for search."""

from __future__ import annotations

import gzip
import hashlib
import json
from typing import TYPE_CHECKING

import lxml.html
from deepweb_alignment import figures

from archiver.documents.pages.forms.kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NEVER = {
    "login",
    "registration",
    "password/login recovery",
    "contact/comment",
    "join mailing list",
    "order/add to cart",
}
HALVES = ("development", "held-out")


def form_rows(data: Path) -> list[dict[str, object]]:
    files = [data] if data.is_file() else sorted(data.glob("*.jsonl.gz"))
    return [row for file in files for row in rows_of(file)]


def rows_of(file: Path) -> Iterator[dict[str, object]]:
    answers = [answer for page in pages(file) for answer in judged(page)]
    name = file.name.partition(".")[0]
    yield row(name, "ours", answers)
    for half in HALVES:
        yield row(f"{name}/{half}", "ours", [one for one in answers if one[0] == half])


def pages(file: Path) -> Iterator[dict[str, object]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def judged(page: dict[str, object]) -> Iterator[tuple[str, str, str]]:
    """(half of the sites, labelled kind, our kind) of each labelled form."""
    # As the labels count them: all forms that lxml finds in the decoded text.
    parser = lxml.html.HTMLParser(encoding="utf-8")
    tree = lxml.html.fromstring(str(page["html"]).encode(), parser=parser)
    digest = hashlib.md5(str(page["domain"]).encode(), usedforsecurity=False).hexdigest()
    forms = page["forms"]
    assert isinstance(forms, list)
    for form, gold in zip(tree.xpath("//form"), forms, strict=False):
        if gold["type"] not in {None, "skip"}:
            yield HALVES[int(digest, 16) % 2], gold["type"], kind_of(form)


def row(name: str, method: str, answers: list[tuple[str, str, str]]) -> dict[str, object]:
    wanted = sum(gold == "search" for _, gold, _ in answers)
    given = [gold for _, gold, ours in answers if ours == "search"]
    return {
        "set": name,
        "method": method,
        **figures(wanted, len(given), given.count("search")),
        "forms": len(answers),
        "never": sum(gold in NEVER for gold in given),
    }
