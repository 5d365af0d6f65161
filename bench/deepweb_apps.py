"""A search form of a real application: which of its known pages its records lead to.

`python bench/deepweb_apps.py NAME PAGE NUMBER TRUTH [REQUESTS]`: TRUTH is JSON, `{"items": [{"url": …}]}`.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote

from deepweb_end import crawled


def app_row(name: str, page: str, number: int, truth: Path, requests: int = 400) -> dict[str, object]:
    wanted = {unquote(one["url"]).rstrip("/") for one in json.loads(truth.read_bytes())["items"]}
    with tempfile.TemporaryDirectory() as folder:
        archive = crawled(name, page, number, Path(folder), requests)
        with closing(sqlite3.connect(archive / "state.sqlite")) as state:
            urls = {unquote(row[0]).rstrip("/") for row in state.execute("SELECT detail_url FROM records")}
            asked = state.execute("SELECT count(*) FROM probes").fetchone()[0]
            why, coverage = state.execute("SELECT why, coverage FROM forms").fetchone()
    return {
        "set": name,
        "method": "ours",
        "recall": round(len(wanted & urls) / max(1, len(wanted)), 4),
        "found": len(wanted & urls),
        "wanted": len(wanted),
        "missing": sorted(wanted - urls)[:10],
        "records": len(urls),
        "requests": asked,
        "coverage": json.loads(coverage or "null"),
        "why": why,
    }


if __name__ == "__main__":
    name, page, number, truth, *more = sys.argv[1:]
    print(json.dumps(app_row(name, page, int(number), Path(truth), *map(int, more)), indent=1))
