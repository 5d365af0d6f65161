"""WACZ files, as a stranger would read them."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING, Any

from tests.crawl.running import read_records

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.running import Record

WARC = "archive/data.warc.gz"
CAPTURES = ("response", "revisit")


class Wacz:
    """A file with everything in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.zip = zipfile.ZipFile(path)
        self.warc = path.with_suffix(".warc.gz")
        self.warc.write_bytes(self.zip.read(WARC))
        self.records = read_records(self.warc)

    @property
    def captures(self) -> list[Record]:
        return [record for record in self.records if record.type in CAPTURES]

    @property
    def urls(self) -> set[str]:
        return {str(record.url) for record in self.captures}

    @property
    def pages(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.zip.read("pages/pages.jsonl").splitlines()]

    @property
    def package(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.zip.read("datapackage.json"))
        return found
