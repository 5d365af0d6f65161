"""TimeMaps parse by RFC 7089's grammar, and by the library of those who wrote it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memento_client import MementoClient

from archiver.archive.cdxj.lines import CdxLine, timestamp
from archiver.archive.memento.timemap import Addresses, link_format
from tests.memento.grammar import parse_date, parse_links, parse_timemap
from tests.warc.cdxj_samples import START

if TYPE_CHECKING:
    from datetime import datetime

BASE = "https://archive.example/web/"
URL = "http://a.example/page?q=1"


def capture(seconds: int, url: str = URL) -> CdxLine:
    moment = START + timedelta(seconds=seconds)
    rest = {"mime": "text/html", "status": "200", "digest": None, "filename": "a.warc.gz"}
    return CdxLine(key="", timestamp=timestamp(moment), url=url, length=1, offset=1, **rest)


def made(*captures: CdxLine, url: str = URL, base: str = BASE) -> str:
    return link_format(url, captures, Addresses(base))


def at(seconds: int) -> datetime:
    return START + timedelta(seconds=seconds)


def test_it_lists_every_memento_with_its_time() -> None:
    found = parse_timemap(made(capture(0), capture(60), capture(86400)))
    assert list(found.mementos.values()) == [at(0), at(60), at(86400)]
    assert all(uri == f"{BASE}{timestamp(moment)}/{URL}" for uri, moment in found.mementos.items())
    uris = list(found.mementos)
    assert (found.first, found.last) == (uris[0], uris[-1])


def test_it_names_the_original_the_timegate_and_itself_with_its_span() -> None:
    found = parse_timemap(made(capture(0), capture(60)))
    assert found.original == URL
    assert found.timegate == BASE + URL
    assert found.itself.uri == f"{BASE}timemap/link/{URL}"
    assert parse_date(found.itself.parameters["from"]) == at(0)
    assert parse_date(found.itself.parameters["until"]) == at(60)


def test_a_single_memento_is_the_first_and_the_last() -> None:
    found = parse_timemap(made(capture(7)))
    assert found.first == found.last == f"{BASE}{timestamp(at(7))}/{URL}"


def test_a_slash_at_the_end_of_the_base_makes_no_difference() -> None:
    assert made(capture(1), base="https://archive.example/web") == made(capture(1))


def test_each_memento_has_the_address_that_was_captured() -> None:
    found = parse_timemap(made(capture(1), capture(2, URL.replace("http:", "https:"))))
    assert [uri.partition("/web/")[2][15:] for uri in found.mementos] == [URL, "https://a.example/page?q=1"]


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ('http://a.example/>;rel="x"', "http://a.example/%3E;rel=%22x%22"),
        ("http://a.example/a b\n<c>", "http://a.example/a%20b%0A%3Cc%3E"),
        ("http://a.example/ü,%C3%BC?100%", "http://a.example/%C3%BC,%C3%BC?100%25"),
        ("http://[::1]:80/a[1]", "http://[::1]:80/a%5B1%5D"),
    ],
)
def test_addresses_cannot_break_out_of_their_brackets(url: str, written: str) -> None:
    found = parse_timemap(made(capture(1, url), url=url))
    assert found.original == written


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(max_size=5))
def test_whatever_an_address_holds_the_grammar_is_kept(path: str, query: str) -> None:
    url = f"http://a.example/{path}?{query.encode('ascii', 'ignore').decode()}"
    assert len(parse_links(made(capture(1, url), capture(2, url), url=url))) == 5


def test_the_library_of_the_authors_of_memento_reads_it() -> None:
    found = MementoClient.parse_link_header(made(capture(0), capture(60), capture(86400)))
    mementos = {uri: link for uri, link in found.items() if "memento" in link["rel"]}
    assert {uri: parse_date(link["datetime"][0]) for uri, link in mementos.items()} == {
        f"{BASE}{timestamp(at(second))}/{URL}": at(second) for second in (0, 60, 86400)
    }
    wanted = ["original", "timegate", "first", "last", "self"]
    ends = MementoClient.get_uri_dt_for_rel(found, wanted)
    assert {name: ends[name]["uri"] for name in wanted} == {
        "original": URL,
        "timegate": BASE + URL,
        "self": f"{BASE}timemap/link/{URL}",
        "first": f"{BASE}{timestamp(at(0))}/{URL}",
        "last": f"{BASE}{timestamp(at(86400))}/{URL}",
    }
