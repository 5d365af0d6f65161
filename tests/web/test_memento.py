"""Memento over HTTP: TimeGate, TimeMap and mementos, as clients of others ask for them."""

from __future__ import annotations

import http.client
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from memento_client import MementoClient

from tests.memento.grammar import parse_links, parse_timemap
from tests.web.planted import FIRST, SITE

if TYPE_CHECKING:
    from tests.web.browsing import Shown

pytestmark = pytest.mark.xdist_group("web")

URL = f"{SITE}/page"
STAMPS = ["20260302070509", "20260303070509", "20260305070509"]


def asked(shown: Shown, path: str, **headers: str) -> http.client.HTTPResponse:
    """No redirect is followed."""
    connection = http.client.HTTPConnection(urlsplit(shown.base).netloc, timeout=20)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


@pytest.mark.parametrize(
    ("moment", "stamp"),
    [
        ("Mon, 02 Mar 2026 07:05:09 GMT", STAMPS[0]),
        ("Mon, 01 Jan 1996 00:00:00 GMT", STAMPS[0]),
        ("Tue, 03 Mar 2026 12:00:00 GMT", STAMPS[1]),
        # The nearest is a failure, which is no state of the page.
        ("Wed, 04 Mar 2026 06:00:00 GMT", STAMPS[1]),
        ("Fri, 01 Jan 2027 00:00:00 GMT", STAMPS[2]),
        ("", STAMPS[2]),
    ],
)
def test_a_timegate_leads_to_the_nearest_memento(planted: Shown, moment: str, stamp: str) -> None:
    answer = asked(planted, f"/timegate/{URL}", **({"Accept-Datetime": moment} if moment else {}))
    assert answer.status == 302
    assert answer.headers["Location"] == f"{planted.base}/memento/{stamp}/{URL}"
    assert answer.headers["Vary"] == "accept-datetime"
    links = {rel: link.uri for link in parse_links(answer.headers["Link"]) for rel in link.rel}
    assert links["original"] == URL
    assert links["timemap"] == f"{planted.base}/timemap/link/{URL}"
    assert links["memento"] == answer.headers["Location"]


def test_a_timemap_lists_the_mementos_where_they_are(planted: Shown) -> None:
    answer = planted.get(f"/timemap/link/{URL}")
    assert answer.headers["content-type"] == "application/link-format"
    found = parse_timemap(answer.text)
    assert list(found.mementos) == [f"{planted.base}/memento/{stamp}/{URL}" for stamp in STAMPS]


def test_a_memento_says_when_it_was_and_is_a_file(planted: Shown) -> None:
    answer = planted.get(f"/memento/{STAMPS[0]}/{URL}")
    headers = answer.headers
    assert b"<h1>Caf\xe9</h1>" in answer.body
    assert headers["memento-datetime"] == "Mon, 02 Mar 2026 07:05:09 GMT"
    links = {rel: link.uri for link in parse_links(headers["link"]) for rel in link.rel}
    assert links == {
        "original": URL,
        "timegate": f"{planted.base}/timegate/{URL}",
        "timemap": f"{planted.base}/timemap/link/{URL}",
    }
    assert headers["content-type"] == "text/html"
    assert headers["content-disposition"] == "attachment"
    assert headers["content-security-policy"].startswith("sandbox; default-src 'none'")


@pytest.mark.parametrize(
    ("path", "kind"), [("/app.js", "application/octet-stream"), ("/style.css", "text/plain")]
)
def test_no_memento_is_a_script_or_a_style_of_the_application(planted: Shown, path: str, kind: str) -> None:
    assert planted.get(f"/memento/{STAMPS[0]}/{SITE}{path}").headers["content-type"] == kind


def test_a_time_in_between_leads_to_the_memento(planted: Shown) -> None:
    answer = asked(planted, f"/memento/20260303120000/{URL}")
    assert (answer.status, answer.headers["Location"]) == (302, f"{planted.base}/memento/{STAMPS[1]}/{URL}")


def test_a_browser_is_led_to_the_page_with_the_frame(planted: Shown) -> None:
    answer = asked(planted, f"/memento/{STAMPS[0]}/{URL}", **{"Sec-Fetch-Dest": "document"})
    assert answer.status == 303
    assert answer.headers["Location"] == f"/replay?url=http%3A%2F%2Fsite.example%2Fpage&at={STAMPS[0]}"


def test_a_redirect_is_a_memento_that_leads_on(planted: Shown) -> None:
    answer = asked(planted, f"/memento/{STAMPS[0]}/{SITE}/old")
    assert answer.status == 302
    assert answer.headers["Location"] == f"{planted.base}/memento/{STAMPS[0]}/{SITE}/page?a=1"
    assert answer.headers["Memento-Datetime"]


def test_a_query_is_a_part_of_the_address(planted: Shown) -> None:
    assert b"With a query" in planted.get(f"/memento/{STAMPS[0]}/{SITE}/page?a=1").body


def test_what_has_no_memento_is_not_found(planted: Shown) -> None:
    for path in (
        f"/timegate/{SITE}/never",
        f"/timemap/link/{SITE}/nothing",
        f"/memento/2026-03-02/{SITE}/no",
    ):
        assert planted.get(path).status == 404, path
    assert asked(planted, f"/timegate/{URL}", **{"Accept-Datetime": "soon"}).status == 400


def test_memento_client_finds_the_same(planted: Shown) -> None:
    client = MementoClient(timegate_uri=f"{planted.base}/timegate/", check_native_timegate=False)
    at = datetime(2026, 3, 3, 12, tzinfo=UTC).replace(tzinfo=None)
    # It asks the original first where it is given that; from a memento it goes to the TimeGate.
    found = client.get_memento_info(f"{planted.base}/memento/{STAMPS[0]}/{URL}", at)["mementos"]
    assert found["closest"]["uri"] == [f"{planted.base}/memento/{STAMPS[1]}/{URL}"]
    assert found["closest"]["datetime"].date() == FIRST.date().replace(day=3)
