"""End to end on the sample shop: each of its searches is crawled, and held against the truth."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the sample web is not installed

from deepweb_proofs import proven  # noqa: E402 - see above

from sample.shop.habits import HABITS  # noqa: E402 - likewise
from sample.shop.serving import serve_shop  # noqa: E402 - likewise
from sample.shop.truth import FILTERS, KEYWORD_INPUTS, NAMES, attributes_of  # noqa: E402 - likewise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sample.shop.serving import ServedShop

_SETTINGS = {
    "ALLOW_PRIVATE_ADDRESSES": "1",
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "0",
    "CONTACT": "https://bench.example/",
    "EXTRACT_WORKERS": "1",
}


def crawled(form: str, page: str, number: int, folder: Path, requests: int) -> Path:
    """Ask a form; the archive."""
    file, archive = folder / f"{form}.yaml", folder / form
    file.write_text(
        f"form: {form}\npage: {page}\nselect: {{number: {number}}}\nbudget: {{requests: {requests}}}\n"
    )
    words = [f"{key}={value}" for key, value in _SETTINGS.items()] + [f"ARCHIVE_DIR={archive}"]
    command = [sys.executable, "-m", "scrapy", "crawl", "forms", "-a", f"file={file}"]
    command += [part for word in words for part in ("-s", word)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr[-2000:], file=sys.stderr)
    return archive


def judged(shop: ServedShop, name: str, archive: Path) -> dict[str, object]:
    """What of the truth is in the archive."""
    lines: dict[str, dict[str, Any]] = {}
    for path in sorted((archive / "objects").glob("records-*.jsonl")):
        for line in path.read_bytes().splitlines():
            one = json.loads(line)
            lines[one["key"]] = one
    numbers = {one["url"].rpartition("/")[2]: one for one in lines.values() if one["url"]}
    right = told = true = 0
    names = NAMES.get(name, {})
    for book in shop.books:
        one = numbers.get(str(book.number))
        if one is None:
            continue
        given = {(key, value["value"]) for key, values in one["attributes"].items() for value in values}
        wanted = {
            (names.get(key, key), value) for key, values in attributes_of(book).items() for value in values
        }
        right, told, true = right + len(given & wanted), told + len(given), true + len(wanted)
    with closing(sqlite3.connect(archive / "state.sqlite")) as state:
        coverage, why = state.execute("SELECT coverage, why FROM forms").fetchone()
        pairs = {tuple(row) for row in state.execute("SELECT input, attribute FROM form_mappings")}
        requests = state.execute("SELECT count(*) FROM probes").fetchone()[0]
    estimate = json.loads(coverage)
    truth = {(one, names.get(attribute, attribute)) for one, attribute in FILTERS.items()} | {
        (one, "") for one in KEYWORD_INPUTS
    }
    low, high = estimate.get("low"), estimate.get("high")
    return {
        "set": name,
        "method": "ours",
        "precision": round(right / max(1, told), 4),
        "recall": round(right / max(1, true), 4),
        "f1": round(2 * right / max(1, told + true), 4),
        "records": round(len(numbers) / len(shop.books), 4),
        "strangers": len(lines) - len(numbers),
        "requests": requests,
        "interval": [low, high],
        "holds": low is not None and low <= len(shop.books) <= high,
        "missing_pairs": sorted(truth - pairs),
        "false_pairs": sorted(pairs - truth),
        "why": why,
    }


def end_rows(names: Sequence[str] = (), count: int = 5000, requests: int = 2000) -> list[dict[str, object]]:
    rows = []
    with serve_shop(count=count) as shop, tempfile.TemporaryDirectory() as folder:
        for name in names or [one.name for one in HABITS]:
            began = time.monotonic()
            archive = crawled(f"shop-{name}", f"{shop.base}/{name}/", 2, Path(folder), requests)
            row = judged(shop, name, archive) | proven(archive, f"shop-{name}", shop.books)
            rows.append(row | {"seconds": round(time.monotonic() - began)})
            print(rows[-1], file=sys.stderr, flush=True)
    return rows


if __name__ == "__main__":
    found = end_rows(sys.argv[3:], int(sys.argv[1]), int(sys.argv[2]))
    print(json.dumps(found, indent=1))
