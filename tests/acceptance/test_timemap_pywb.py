"""Our TimeMaps beside pywb's, of the same archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.index import Index
from archiver.archive.memento.captures import captures_of
from archiver.archive.memento.timemap import Addresses, link_format
from tests.acceptance import gazette
from tests.acceptance.conftest import ARCHIVE
from tests.memento.grammar import parse_date, parse_links, parse_timemap

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.acceptance.conftest import ThreeDays
    from tests.acceptance.pywb import Wayback

# One process crawls for all tests that read this archive.
pytestmark = [pytest.mark.xdist_group("acceptance"), pytest.mark.zoo]

BASE = f"http://127.0.0.1/{ARCHIVE}/"


@pytest.fixture(scope="module")
def index(archived: ThreeDays) -> Index:
    return Index(archived.folder / "index")


def bare(uri: str) -> str:
    """The time and the address in the address of a memento: `mp_` is how pywb says for a browser."""
    stamp, _, url = uri.partition(f"/{ARCHIVE}/")[2].partition("/")
    return f"{stamp.removesuffix('mp_')} {url}"


def theirs(wayback: Wayback, url: str) -> set[tuple[str, str]]:
    answer = wayback.get(f"/{ARCHIVE}/timemap/link/{url}")
    if answer.status == 404:
        return set()
    links = parse_links(answer.body.decode())
    found = [link for link in links if "memento" in link.rel]
    return {(bare(link.uri), parse_date(link.parameters["datetime"]).isoformat()) for link in found}


def ours(index: Index, url: str) -> set[tuple[str, str]]:
    captures = captures_of(index, url)
    if not captures:
        return set()
    found = parse_timemap(link_format(url, captures, Addresses(BASE)))
    return {(bare(uri), moment.isoformat()) for uri, moment in found.mementos.items()}


def failures(index: Index, urls: Iterable[str]) -> set[str]:
    """The captures that pywb lists and we do not, by what the index says of them."""
    lines = [line for url in urls for line in index.captures(url)]
    return {f"{line.timestamp} {line.url}" for line in lines if line.status and line.status[0] in "45"}


def test_they_list_the_same_captures_but_for_failures(
    index: Index, wayback: Wayback, archived: ThreeDays
) -> None:
    urls = sorted({record.url or "" for record in archived.records if record.type in {"response", "revisit"}})
    # One of each kind, and some of the rest: each is a request to a slow server.
    chosen = [url for url in urls if url.startswith(archived.origin)] + urls[::2]
    mine = {one for url in chosen for one in ours(index, url)}
    other = {one for url in chosen for one in theirs(wayback, url)}
    assert len(mine) > 70
    assert mine <= other
    assert {name for name, _ in other - mine} == failures(index, chosen) != set()


def test_a_feed_that_did_not_change_has_a_memento_for_each_look(
    index: Index, wayback: Wayback, archived: ThreeDays
) -> None:
    url = archived.origin + gazette.FEED
    assert len(ours(index, url)) == 3
    assert ours(index, url) == theirs(wayback, url)
