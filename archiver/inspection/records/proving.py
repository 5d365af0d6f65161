"""Where each value of a record stands: read again from WARC, at its path."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from lxml import etree

from archiver.archive.warc.reader import read_response
from archiver.documents.pages.dom import parse_html
from archiver.documents.pages.text import one_line
from archiver.errors import ArchiverError
from archiver.records.leaves import seen_text
from archiver.records.model import RecordValue  # noqa: TC001 - msgspec reads annotations when it runs
from archiver.records.objects.model import RecordAnswer, is_designed
from archiver.records.patterns import value_in
from archiver.records.types import read_as

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lxml.etree import _Element as Element

    from archiver.records.objects.model import ArchivedRecord

# What the archiver itself writes: steps by tag and number, texts, neighbours. libxml2 gets nothing else.
_STEP = r"(?:following-sibling::\*|[\w.:-]+|text\(\))(?:\[\d+\])?"
_PATH = re.compile(rf"(?:\.|@[\w-]+|/?(?:{_STEP}/?)+(?:@[\w-]+)?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenValue:
    """A value and what stands at its place now."""

    name: str
    value: RecordValue
    answer: RecordAnswer
    found: str  # the text at the path; empty where there is none
    is_proven: bool


class Prover:
    """Reads values again; pages are kept for a moment, since many records stand on one."""

    def __init__(self, warc: Path) -> None:
        self._tree = lru_cache(maxsize=8)(lambda file, offset, url: _tree(warc, file, offset, url))

    def values(self, record: ArchivedRecord) -> Iterator[ProvenValue]:
        for name, values in record.attributes.items():
            for value in values:
                answer = record.detail if value.origin == "detail" else next(iter(record.answers), None)
                if answer is not None:
                    yield self._proven(name, value, answer, is_designed(record))

    def _proven(self, name: str, value: RecordValue, answer: RecordAnswer, is_written: bool) -> ProvenValue:
        tree = self._tree(answer.warc.file, answer.warc.offset, answer.url)
        found = "" if tree is None else text_at(tree, answer.xpath, value)
        part = value_in(found, value.pattern)
        is_proven = bool(found) and (read_as(value.type, part)[0] or part) == value.value
        if tree is not None and is_written and not is_proven:
            # What the wrapper that a person wrote took of a text is not proven, but that the text is there.
            found = next((one for one in texts_at(tree, answer.xpath, value) if _is_same(one, value)), found)
            is_proven = bool(found) and _is_same(found, value)
        return ProvenValue(name=name, value=value, answer=answer, found=found, is_proven=is_proven)


def _tree(warc: Path, file: str, offset: int, url: str) -> Element | None:
    try:
        stored = read_response(warc, file, offset)
        return parse_html(stored.content, stored.content_type, url)
    except (ArchiverError, OSError):
        return None


def text_at(tree: Element, record: str, value: RecordValue) -> str:
    """What stands at the path of a value: from its record on, or from the page on."""
    if not _PATH.fullmatch(value.path) or not _PATH.fullmatch(record):
        return ""
    start = tree if value.origin == "detail" else _first(tree, record)
    found = _first(start, value.path) if etree.iselement(start) else None
    if found is None:
        return ""
    return seen_text(found) if etree.iselement(found) else one_line(str(found))


def texts_at(tree: Element, record: str, value: RecordValue) -> list[str]:
    """What stands at the path of a value: its text, and what its element states in attributes."""
    start = tree if value.origin == "detail" else _first(tree, record)
    is_path = bool(_PATH.fullmatch(value.path) and _PATH.fullmatch(record))
    found = _first(start, value.path) if is_path and etree.iselement(start) else None
    if not etree.iselement(found):
        return [one_line(str(found))] if found is not None else []
    inner = (found, *found.iter("a", "img"))
    stated = [one_line(str(text)) for one in inner for text in one.attrib.values()]
    return [one_line("".join(map(str, found.itertext()))), *stated]


def _is_same(found: str, value: RecordValue) -> bool:
    return "".join(found.split()) == "".join((value.text or value.value).split())


def _first(element: Element, path: str) -> Element | str | None:
    found = element.xpath(path)
    first = found[0] if isinstance(found, list) and found else None
    return first if etree.iselement(first) or isinstance(first, str) else None
