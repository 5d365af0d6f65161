"""pywb replays the archive from our WARCs and our index; the sites themselves are gone."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

import pytest

from tests.acceptance import gazette
from tests.acceptance.conftest import ARCHIVE
from tests.crawl.documents import prose

if TYPE_CHECKING:
    from tests.acceptance.conftest import ThreeDays
    from tests.acceptance.pywb import Replayed, Wayback
    from tests.crawl.running import Record

# One process crawls for all tests that read this archive.
pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("acceptance")]

WACZ = "wacz"


@pytest.fixture(scope="module", params=[ARCHIVE, WACZ])
def collection(request: pytest.FixtureRequest, wayback: Wayback) -> str:
    """The WARCs as they are, and the WACZ that is made of them."""
    if request.param == WACZ:
        wayback.add_wacz(WACZ, request.getfixturevalue("wacz"))
    return str(request.param)


def stamp(record: Record) -> str:
    """When it was captured, as pywb's addresses have it."""
    return "".join(letter for letter in record.headers["WARC-Date"][:19] if letter.isdigit())


def moment(replayed: Replayed) -> str:
    """When what is replayed was captured, in the same form."""
    return f"{parsedate_to_datetime(replayed.headers['Memento-Datetime']):%Y%m%d%H%M%S}"


def latest(archived: ThreeDays, path: str) -> Record:
    url = archived.origin + path
    return [record for record in archived.records if record.url == url and is_capture(record)][-1]


def is_capture(record: Record) -> bool:
    return record.type in {"response", "revisit"}


@pytest.mark.parametrize("path", gazette.WHOLE)
def test_a_page_comes_back_as_it_was_sent(
    path: str, collection: str, wayback: Wayback, archived: ThreeDays
) -> None:
    """Plain, compressed, in chunks; a payload that an earlier address has is no exception."""
    assert latest(archived, path).type == ("revisit" if path in gazette.COPIES else "response")
    replayed = wayback.replay(collection, archived.origin + path)
    sent = gazette.WHOLE[path]
    assert replayed.status == 200
    assert replayed.body == sent.body
    for name in ("Content-Type", "Content-Encoding"):
        assert replayed.headers[name] == dict(sent.headers).get(name)


@pytest.mark.parametrize("number", gazette.ARTICLES)
def test_a_browser_gets_the_words_of_a_page(
    number: int, collection: str, wayback: Wayback, archived: ThreeDays
) -> None:
    url = archived.origin + gazette.ARTICLES[number]
    replayed = wayback.replay(collection, url, modifier="mp_")
    assert replayed.status == 200
    assert all(paragraph.encode() in replayed.body for paragraph in prose(number, paragraphs=20))


@pytest.mark.parametrize("path", gazette.REDIRECTS)
def test_a_redirect_leads_to_the_target_in_the_archive(
    path: str, collection: str, wayback: Wayback, archived: ThreeDays
) -> None:
    code, target = gazette.REDIRECTS[path]
    assert wayback.replay(collection, archived.origin + path).headers["Location"] == target
    replayed = wayback.replay(collection, archived.origin + path, modifier="mp_")
    assert replayed.status == code
    followed = wayback.get(replayed.headers["Location"].replace("mp_/", "id_/"))
    assert followed.status == 200
    assert followed.body == gazette.TARGETS[target].body


def test_a_feed_that_did_not_change_comes_back_whole(
    collection: str, wayback: Wayback, archived: ThreeDays
) -> None:
    """Its latest capture is the 304: no head, no body, only where the original is."""
    record = latest(archived, gazette.FEED)
    assert record.headers["WARC-Profile"].endswith("server-not-modified")
    assert record.block == b""
    replayed = wayback.replay(collection, archived.origin + gazette.FEED)
    assert replayed.status == 200
    assert replayed.body == gazette.feed().body
    assert moment(replayed) == stamp(record)


def test_every_capture_of_three_days_is_replayed(wayback: Wayback, archived: ThreeDays) -> None:
    records = {record.id: record for record in archived.records}
    captures = [record for record in records.values() if is_capture(record)]
    for record in captures:
        original = records[record.headers.get("WARC-Refers-To", record.id)]
        replayed = wayback.replay(ARCHIVE, record.url or "", stamp=stamp(record))
        assert replayed.status == original.status, record.url
        assert replayed.body == original.payload, record.url
        assert moment(replayed) == stamp(record)
    assert len(captures) > 100
