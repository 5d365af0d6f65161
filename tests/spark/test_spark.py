"""Bulk work on Spark: what it gives is what worker processes give."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from sample.server import SampleWeb
from tests.crawl import shop
from tests.crawl.running import DAY, ROOT, crawl
from tests.crawl.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.zoo,
    pytest.mark.xdist_group("spark"),
    # `.ci/run` installs both.
    pytest.mark.skipif(
        not os.environ.get("CI") and (shutil.which("java") is None or find_spec("pyspark") is None),
        reason="Java or pyspark is missing: apt-get install default-jre-headless; make .venv/.ready-spark",
    ),
]
SPARK = ("--engine", "spark", "--master", "local[2]")
SECONDS = 300  # Java starts slowly where much else goes on


def scrapy(archive: Path, *words: str) -> str:
    command = [sys.executable, "-m", "scrapy", *words, "-s", f"ARCHIVE_DIR={archive}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    # Spark has much to say of itself that is of no use here.
    assert "WARN" not in done.stderr
    return done.stdout


def reread(archive: Path) -> dict[tuple[str, int], dict[str, Any]]:
    """Each object that was read anew, without the moment at which it was."""
    found = {}
    for path in sorted((archive / "objects").glob("*.reextracted*.jsonl")):
        for one in map(json.loads, path.read_text().splitlines()):
            assert one.pop("reextracted")
            found[one["id"], one["version"]] = one
    return found


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two days of the sample web, read by a simple method."""
    folder = tmp_path_factory.mktemp("spark")
    with SampleWeb(day=0, port=0) as web:
        seeds = folder / "seeds.txt"
        seeds.write_text("".join(f"{url}\n" for url in web.seeds))
        for day in range(2):
            web.day = day
            settings = {"EXTRACT_METHOD": "sigfeed-guarded", "EXTRACT_WORKERS": 2}
            run = crawl(folder / "archive", seeds=seeds, clock_offset=day * DAY, **settings)
            assert run.exit_code == 0, run
    return folder / "archive"


def test_objects_and_statistics_are_those_of_worker_processes(sampled: Path, tmp_path: Path) -> None:
    local, spark = (shutil.copytree(sampled, tmp_path / name) for name in ("local", "spark"))
    told = scrapy(local, "reextract", "--method", "article", "--workers", "2")
    assert scrapy(spark, "reextract", "--method", "article", *SPARK) == told
    assert len(reread(local)) > 40
    assert reread(spark) == reread(local)
    counted = []
    for archive, words in ((local, ()), (spark, SPARK)):
        scrapy(archive, "statistics", "--json", str(archive / "figures.json"), *words)
        counted.append(json.loads((archive / "figures.json").read_bytes()) | {"made": None})
    assert counted[0]["feeds"] > 5
    assert counted[0] == counted[1]


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    archive = tmp_path_factory.mktemp("books") / "archive"
    (archive / "wrappers").mkdir(parents=True)
    (archive / "wrappers" / "bookshop.yaml").write_text(shop.WRAPPER)
    with Site() as site:
        assert crawl(archive, [shop.open_shop(site, shop.old, range(25))]).exit_code == 0
    return archive


def test_fields_are_tried_on_spark(books: Path) -> None:
    words = ("fields", "bookshop", "--test", "--json")
    found = scrapy(books, *words)
    assert json.loads(found)["pages"] == 25
    assert scrapy(books, *words, *SPARK) == found


READ = """
import json, sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
found = {}
for form, folder in (("parquet", sys.argv[1]), ("json", sys.argv[2])):
    table = getattr(spark.read, form)(folder)
    days = {str(row["date"]) for row in table.select("date").distinct().collect()}
    found[form] = [sorted(row["id"] for row in table.select("id").collect()), sorted(days)]
    found[form].append(dict(table.dtypes)["captured"])
print(json.dumps(found))
"""


def test_exports_are_read_by_spark(sampled: Path, tmp_path: Path) -> None:
    parquet, lines = tmp_path / "parquet", tmp_path / "jsonl"
    scrapy(sampled, "export", "--parquet", str(parquet))
    scrapy(sampled, "export", "--jsonl", str(lines))
    command = [sys.executable, "-c", READ, str(parquet / "articles"), str(lines / "articles")]
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    written = [
        json.loads(line)
        for path in lines.glob("articles/date=*/*.jsonl")
        for line in path.read_text().splitlines()
    ]
    ids, days = sorted(one["id"] for one in written), sorted({one["captured"][:10] for one in written})
    assert len(ids) > 40
    assert found == {"parquet": [ids, days, "timestamp"], "json": [ids, days, "string"]}
