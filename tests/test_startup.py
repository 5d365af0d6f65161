"""Starting takes no longer than it must: no process loads what only others use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# What finds articles, and takes half a second to load.
READING = {"archiver.extract.methods", "feedparser", "htmldate", "snowballstemmer", "trafilatura"}
# A web server and HTTP clients, which components of Scrapy bring along that we do not use.
UNUSED = {"aiohttp", "requests", "tldextract"}

# As a run does it: every command, the spider, and each component that the settings name.
CRAWL = """
from scrapy.settings import Settings
from scrapy.utils.misc import load_object, walk_modules_iter
settings = Settings()
settings.setmodule("settings.base")
modules = [*walk_modules_iter("archiver.commands"), *walk_modules_iter("archiver.spiders")]
for name in ("EXTENSIONS", "DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "ITEM_PIPELINES"):
    names = settings.get_component_priority_dict_with_base(name)
    modules += [load_object(one) for one in names]
assert len(modules) > 30
"""


def loaded_by(code: str) -> set[str]:
    """The modules that are there after this."""
    command = [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return set(done.stdout.split())


def test_the_crawl_leaves_reading_to_the_workers_and_loads_nothing_that_it_does_not_use() -> None:
    loaded = loaded_by(CRAWL)
    assert {"archiver.commands.explain", "archiver.extensions.archive", "sqlalchemy"} <= loaded
    assert loaded & (READING | UNUSED) == set()


def test_the_process_that_writes_warc_loads_no_toolkit() -> None:
    loaded = loaded_by("import archiver.warc.child")
    assert "archiver.store.lookup" in loaded
    assert loaded & {"sqlalchemy", "lxml", "scrapy", "twisted", *READING} == set()


def test_a_worker_loads_neither_the_crawl_nor_the_store() -> None:
    loaded = loaded_by("import archiver.workers.child")
    assert "archiver.extract.methods" in loaded
    assert loaded & {"sqlalchemy", "scrapy", "twisted", *UNUSED} == set()
