"""What readers ask for while a crawl runs is taken up by it, and holds before that."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from archiver.archive.inbox import leave
from archiver.archive.withheld import pattern_of
from archiver.clock import machine_now
from archiver.store.reading import reading
from archiver.store.withheld import KIND, WithholdRequest, load_withheld
from tests.crawl.documents import publish, stories
from tests.crawl.running import Archived, finish, start_crawl
from tests.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.site import Site


def order(archive: Path, named: str) -> None:
    leave(archive, KIND, WithholdRequest(pattern=pattern_of(named), reason="order 7"), machine_now())


def test_a_run_takes_up_what_is_asked_for_while_it_goes_on_and_at_its_end(archive: Path, site: Site) -> None:
    (story,) = told = stories(1)
    feed = publish(site, told)
    watching = start_crawl(archive, [feed], arguments={"watch": "1"})
    wait_until(lambda: (archive / "objects").is_dir() and Archived(archive).objects)
    page = site.origin + story.path
    order(archive, page)
    with reading(f"sqlite:///{archive / 'state.sqlite'}") as state:
        assert load_withheld(state, archive).hides(page)
    wait_until(lambda: Archived(archive).rows("SELECT * FROM withheld"))
    wait_until(lambda: not list((archive / "inbox").glob("*.json")))
    (row,) = Archived(archive).rows("SELECT * FROM withheld")
    assert row["article_id"] is not None
    order(archive, "elsewhere.example")
    (archive / "inbox" / "broken.json").write_bytes(b"{")
    watching.send_signal(signal.SIGTERM)
    stopped = finish(watching, archive)
    assert len(stopped.rows("SELECT * FROM withheld")) == 2
    assert [path.name for path in (archive / "inbox").glob("*.unreadable")] == ["broken.json.unreadable"]
    assert "broken.json is set aside: it is not a request" in "".join(stopped.report["errors"])
