"""An archive that an earlier archiver made: it opens as it is, and says how its search index is built."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from archiver.store.migrations import CURRENT_VERSION, OLDEST_READABLE
from archiver.web.views import VIEWS
from tests.crawl.running import Archived, scrapy
from tests.web.browsing import browsing

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.xdist_group("web")

# What versions 7 to 11 added to a state store, of what is shown.
ADDED = (
    "DROP INDEX requisites_due",
    *(f"DROP TABLE {name}" for name in ("withheld", "taken_requests", "visits", "sites", "contributions")),
    *(f"DROP TABLE {name}" for name in ("referrers", "failed_actions", "learned_actions")),
    *(f"DROP TABLE field_{name}" for name in ("wrappers", "days", "watches", "pages")),
    *(
        f"DROP TABLE {name}"
        for name in ("inlinks", "candidates", "relevances", "host_yields", "campaign_feeds")
    ),
    *(f"DROP TABLE {name}" for name in ("definitions", "campaigns")),
    *(f"DROP TABLE {name}" for name in ("record_sightings", "records", "record_wrappers", "probes")),
    *(f"DROP TABLE form_{name}" for name in ("mappings", "words", "runs")),
    "DROP TABLE forms",
)


@pytest.fixture
def older_archive(sample_archive: Path, tmp_path: Path) -> Path:
    """The sample archive as an archiver left it that knew nothing of searching, browsing and withholding."""
    archive = tmp_path / "archive"
    shutil.copytree(sample_archive, archive)
    for path in [*archive.glob("search.sqlite*"), *archive.glob("terms.sqlite*")]:
        path.unlink()
    with closing(sqlite3.connect(archive / "state.sqlite")) as state, state:
        for statement in (*ADDED, f"UPDATE schema_version SET version = {OLDEST_READABLE}"):
            state.execute(statement)
    return archive


def version_of(archive: Path) -> int:
    return int(Archived(archive).rows("SELECT version FROM schema_version")[0][0])


def test_it_opens_and_says_how_to_build_its_search_index(older_archive: Path) -> None:
    archived = Archived(older_archive)
    url = next(one["url"] for one in archived.objects if one["version"] == 2)
    run = min((older_archive / "runs").glob("run-*.json")).stem.removeprefix("run-")
    with browsing(older_archive) as shown:
        for view in VIEWS:
            path = view.path.replace("{number}", "1").replace("{name}", run)
            of_one = {"url": url} if "url" in view.parameters.__struct_fields__ else {}
            answer = shown.get(path, **of_one)
            # It knew nothing of fields, campaigns, and sites that are crawled as a whole.
            unknown = {"site", "field_wrapper", "campaign", "campaign_reasons"}
            unknown |= {"form", "form_records", "form_record"}
            expected = 404 if view.name in unknown else 200
            assert (view.name, answer.status) == (view.name, expected), answer.text
        for words in ("", "avocets"):
            assert "scrapy search --build" in shown.get("/articles", q=words).text
        assert version_of(older_archive) == OLDEST_READABLE < CURRENT_VERSION, "reading changes nothing"
        # It finds what was built while it ran.
        assert scrapy(older_archive, "search", "--build").exit_code == 0
        assert shown.get("/articles.json", q="avocets").json()["result"]["total"] > 0
