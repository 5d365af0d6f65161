"""Captured pages that wait for the browser, in the state store."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.archive.warc.rendered import Rendered
from archiver.store.content.pages import FreshCapture, count_captured, mark_captured
from archiver.store.content.renderings import (
    ask_rendering,
    count_to_render,
    next_to_render,
    release_rendering,
    render_later,
    store_rendering,
    was_rendered,
)
from archiver.store.outstanding import outstanding
from archiver.store.schema import pages
from tests.store.samples import HOUR, NOW, capture, entry, poll, row_of

if TYPE_CHECKING:
    from archiver.store.database import Database


def captured(database: Database, channel: int, *names: str) -> None:
    poll(database, channel, *(entry(name) for name in names), now=NOW)
    for number in range(1, len(names) + 1):
        fresh = FreshCapture(page_id=number, capture=capture(number))
        database.run(mark_captured, [fresh], NOW)


def test_a_page_waits_for_the_browser_and_is_read_by_what_that_made_of_it(
    database: Database, channel: int
) -> None:
    captured(database, channel, "a", "b")
    database.run(ask_rendering, 1, NOW)
    assert (database.run(count_captured), database.run(count_to_render)) == (1, 1)
    assert database.run(outstanding, NOW, None).unread == 2
    page = database.run(next_to_render, NOW, frozenset())
    assert page is not None
    assert (page.id, page.capture) == (1, capture(1))
    assert database.run(next_to_render, NOW, frozenset({1})) is None
    rendered = Rendered(file="x.warc.gz", offset=7, record_id="<urn:uuid:7>", date=NOW, sha256="sha256:7")
    database.run(store_rendering, page, rendered)
    row = row_of(database, pages, id=1)
    assert (row.state, row.capture.rendered) == ("captured", rendered)
    assert row.capture.content_key == "sha256:7"
    assert database.run(was_rendered, 1)
    assert not database.run(was_rendered, 2)


def test_a_page_that_was_ended_has_no_rendering(database: Database, channel: int) -> None:
    captured(database, channel, "a")
    database.run(ask_rendering, 1, NOW)
    page = database.run(next_to_render, NOW, frozenset())
    assert page is not None
    database.run(store_rendering, page, Rendered(problem="it needed too much memory"))
    assert row_of(database, pages, id=1).capture.rendered.problem == "it needed too much memory"
    assert not database.run(was_rendered, 1)


def test_what_did_not_come_is_tried_later_and_without_a_browser_pages_are_read_as_served(
    database: Database, channel: int
) -> None:
    captured(database, channel, "a")
    database.run(ask_rendering, 1, NOW)
    database.run(render_later, 1, NOW + HOUR)
    assert database.run(next_to_render, NOW, frozenset()) is None
    later = database.run(next_to_render, NOW + HOUR, frozenset())
    assert later is not None
    assert later.tries == 1
    assert database.run(release_rendering) == 1
    assert row_of(database, pages, id=1).state == "captured"
    assert database.run(release_rendering) == 0


def test_captures_of_one_application_are_told_apart_by_what_was_rendered() -> None:
    one, other = capture(1), capture(1)
    assert one.shares_payload(other)
    rendered = replace(
        one, rendered=Rendered(file="x", record_id="<urn:uuid:1>", date=NOW, sha256="sha256:1")
    )
    assert not rendered.shares_payload(other)
    assert rendered.shares_payload(replace(rendered, url="http://example.org/b"))
    twin = Rendered(file="x", record_id="<urn:uuid:2>", date=NOW, sha256="sha256:2")
    assert not rendered.shares_payload(replace(rendered, rendered=twin))
