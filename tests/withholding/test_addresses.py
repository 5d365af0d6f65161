"""An order on one address of an article covers all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import event, insert, text, update

from archiver.archive.inbox import leave
from archiver.archive.withheld import pattern_of
from archiver.running.inbox import empty_inbox
from archiver.store.reading import reading
from archiver.store.schema import articles, withheld
from archiver.store.withheld import KIND, WithholdRequest, load_withheld, refresh_addresses
from tests.history.made import START, URL, MadeArchive, made

if TYPE_CHECKING:
    from pathlib import Path

LINK = "http://links.example/r?to=ferry"


def order(new: MadeArchive, named: str) -> None:
    leave(new.folder, KIND, WithholdRequest(pattern=pattern_of(named), reason="order 7"), START)


def test_the_link_of_an_entry_covers_the_article_behind_its_redirect(tmp_path: Path) -> None:
    with made(tmp_path / "archive") as new:
        new.version(new.article(link=LINK))
        for is_taken in (False, True):
            order(new, LINK)
            if is_taken:
                empty_inbox(new.database, new.folder, START)
            found = new.database.run(load_withheld, new.folder)
            assert found.hides(URL)
            assert found.hides(LINK)
            assert not found.hides("http://example.org/other")


def test_the_article_covers_the_links_that_lead_to_it_and_others_that_name_it(tmp_path: Path) -> None:
    with made(tmp_path / "archive") as new:
        new.version(new.article(link=LINK))
        printed = new.article("http://example.org/print/ferry")
        new.version(printed)
        new.change(update(articles).where(articles.c.id == printed).values(canonical=URL))
        order(new, URL.replace("http:", "https:"))
        empty_inbox(new.database, new.folder, START)
        found = new.database.run(load_withheld, new.folder)
        assert all(map(found.hides, (URL, LINK, "http://example.org/print/ferry")))


def test_an_address_that_is_known_later_is_covered_too(tmp_path: Path) -> None:
    """A take-down order may come before the page does."""
    with made(tmp_path / "archive") as new:
        order(new, LINK)
        empty_inbox(new.database, new.folder, START)
        assert not new.database.run(load_withheld, new.folder).hides(URL)
        new.version(new.article(link=LINK))
        assert new.database.run(load_withheld, new.folder).hides(URL)
        new.database.run(refresh_addresses)
        assert new.database.run(load_withheld, new.folder).hides(URL)


def test_a_store_of_before_can_be_read(tmp_path: Path) -> None:
    with made(tmp_path / "archive") as new:
        for statement in (
            "DROP TABLE withheld",
            "DROP TABLE taken_requests",
            "UPDATE schema_version SET version = 6",
        ):
            new.change(text(statement))
        order(new, URL)
    with reading(f"sqlite:///{tmp_path / 'archive' / 'state.sqlite'}") as state:
        assert load_withheld(state, tmp_path / "archive").hides(URL)


def test_thousands_of_orders_are_loaded_in_few_questions(tmp_path: Path) -> None:
    """Each of 2,000 orders on pages that the archive does not have would cost some questions otherwise."""
    with made(tmp_path / "archive") as new:
        new.version(new.article(link=LINK))
        requests = [
            WithholdRequest(pattern=pattern_of(f"http://site{number}.example/"), reason="order 7")
            for number in range(2000)
        ]
        named = [
            {"name": str(number), "pattern": one.pattern, "reason": "x", "since": START}
            for number, one in enumerate(requests)
        ]
        new.database.run(lambda connection: connection.execute(insert(withheld), named))
        order(new, LINK)
        asked: list[str] = []
        with reading(f"sqlite:///{new.folder / 'state.sqlite'}") as state:
            event.listen(state, "before_cursor_execute", lambda _c, _u, text, *_: asked.append(text))
            found = load_withheld(state, new.folder)
        assert len(asked) < 60
        assert found.hides(URL)
        assert found.hides("http://site1999.example/")
