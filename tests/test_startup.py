"""Starting takes no longer than it must: no process loads what only others use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from archiver.command_line.listing import COMMANDS, module_of

ROOT = Path(__file__).parents[1]
# What finds articles, and takes half a second to load.
READING = {"archiver.articles.methods.extraction", "feedparser", "htmldate", "snowballstemmer", "trafilatura"}
# A database that is not used.
POSTGRESQL = {"sqlalchemy.dialects.postgresql", "psycopg"}
# What components of Scrapy bring along that we do not use: a web server, HTTP clients. What only RDF needs.
UNUSED = {"aiohttp", "pyoxigraph", "requests", "tldextract"}

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
    assert loaded & (READING | UNUSED | POSTGRESQL) == set()


def test_the_process_that_writes_warc_loads_no_toolkit() -> None:
    loaded = loaded_by("import archiver.running.writing.child")
    assert "archiver.running.writing.lookup" in loaded
    assert loaded & {"sqlalchemy", "lxml", "scrapy", "twisted", *READING} == set()


def test_a_worker_loads_neither_the_crawl_nor_the_store() -> None:
    loaded = loaded_by("import archiver.running.workers.child")
    assert "archiver.articles.methods.extraction" in loaded
    assert loaded & {"sqlalchemy", "scrapy", "twisted", *UNUSED} == set()


# The state store's toolkit, arrays, and whatever finds articles.
HEAVY = {"sqlalchemy", "numpy", "lxml.html.clean", *READING, *UNUSED}
# All that it does needs the state store; the others load what they need to work.
LISTING = "channels"


def test_the_list_of_commands_and_the_version_load_no_command_and_not_even_scrapy() -> None:
    for word in ("--help", "--version"):
        loaded = loaded_by(
            f"import sys; sys.argv[1:] = ['{word}']\nfrom archiver.command_line.program import main\n"
            "try: main()\nexcept SystemExit: pass\nprint()"
        )
        assert "archiver.command_line.listing" in loaded
        assert loaded & {"scrapy", "twisted", "archiver.commands", *HEAVY} == set()


def test_no_command_loads_for_its_help_what_only_its_work_needs() -> None:
    names = [name for name in COMMANDS if name != LISTING]
    modules = [module_of(name) for name in names]
    loaded = loaded_by(f"from importlib import import_module\nfor name in {modules!r}: import_module(name)")
    assert {module_of(name) for name in names} <= loaded
    assert loaded & HEAVY == set()


def test_scrapy_loads_the_command_that_is_run_and_no_other() -> None:
    code = (
        "import os, sys; os.chdir(sys.path.pop(0) or '.')\nfrom scrapy.cmdline import execute\n"
        "try: execute(['scrapy', 'timemap', '--help'])\nexcept SystemExit: pass\nprint()"
    )
    loaded = loaded_by(code)
    assert "archiver.commands.timemap" in loaded
    ours = {module_of(name) for name in COMMANDS} - {
        "archiver.commands.timemap",
        "archiver.commands.extract_record",
    }
    assert loaded & (ours | HEAVY) == set()


def test_the_list_of_channels_loads_neither_arrays_nor_a_database_that_is_not_used(tmp_path: Path) -> None:
    code = (
        f"import os, sys; os.chdir({str(tmp_path)!r})\nfrom archiver.command_line.program import _run\n"
        "assert _run(['channels', 'add', 'http://127.0.0.1:1/feed']) == 0\n"
        "assert _run(['channels']) == 0\nprint()"
    )
    loaded = loaded_by(code)
    assert {"sqlalchemy.dialects.sqlite", "archiver.acquisition.channels.polling.listing"} <= loaded
    unused = {"numpy", "sqlalchemy.orm", *POSTGRESQL}
    unused |= {
        "archiver.store.polling.gaps",
        "archiver.store.polling.prices",
        "archiver.acquisition.seeds.export",
    }
    assert loaded & (unused | READING | UNUSED) == set()


def test_a_command_that_looks_at_the_archive_loads_neither_the_event_loop_nor_tls() -> None:
    loaded = loaded_by(
        "import sys; sys.argv[1:] = ['channels', '-s', 'ARCHIVE_DIR=/none']\n"
        "from archiver.command_line.program import main\n"
        "try: main()\nexcept SystemExit: pass\nprint()"
    )
    assert {"scrapy", "archiver.commands.channels"} <= loaded
    assert loaded & {"OpenSSL", "twisted.internet.tcp", "twisted.web.util"} == set()


LAZILY = """
import sys
from archiver.command_line.lazily import leave_unused_modules
leave_unused_modules()
from importlib.util import _LazyModule
from twisted.web import http
from twisted.internet import asyncioreactor
assert type(http) is type(asyncioreactor) is _LazyModule
# Twisted puts a proxy in the place of this one while it is loaded, which Python refuses of a lazy module.
assert http.OK == 200
assert sys.modules["twisted.web.http"] is http
assert asyncioreactor.AsyncioSelectorReactor
"""


def test_modules_that_are_put_off_can_be_used_after_all() -> None:
    assert "twisted.web.http" in loaded_by(LAZILY)
