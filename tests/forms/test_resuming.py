"""What a run archived and could not note any more is not asked for again by the next."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.forms.model import Probe
from archiver.archive.warc.exchanges import KeptExchange, kept_exchanges
from archiver.running.form_start import answer_among
from archiver.store.asked_forms.probes import PENDING, MadeProbe
from archiver.submissions import Submission
from tests.warc.samples import STARTED, exchange, only_file, writer

if TYPE_CHECKING:
    from pathlib import Path

HOST = "https://books.example"
SEARCH = f"{HOST}/find?q=harbour"
BODY = b"q=harbour"
GET = b"GET /find HTTP/1.1\r\nHost: books.example\r\n\r\n"
POST = b"POST /find HTTP/1.1\r\nHost: books.example\r\nContent-Length: 9\r\n\r\n" + BODY
FOUND = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>A book</p>"


def probe(url: str = SEARCH) -> MadeProbe:
    return MadeProbe(
        id=1,
        form_id=1,
        run=1,
        key="q=harbour|1",
        probe=Probe(inputs={"q": "harbour"}, chosen_by="word"),
        url=url,
        state=PENDING,
        kind="",
        records=0,
        fresh=0,
        total=None,
        next_url="",
        answered_by="",
        capture=None,
        asked=STARTED,
    )


def moved(status: int) -> bytes:
    return b"HTTP/1.1 %d Moved\r\nLocation: /book/7#top\r\nContent-Length: 0\r\n\r\n" % status


@pytest.mark.parametrize(
    ("status", "is_post", "is_found"),
    [(302, False, True), (307, False, True), (303, True, True), (307, True, False)],
)
def test_an_answer_behind_a_redirect_is_found(
    tmp_path: Path, status: int, is_post: bool, is_found: bool
) -> None:
    url, sent = (f"{HOST}/find", POST) if is_post else (SEARCH, GET)
    keeper = writer(tmp_path)
    keeper.write([exchange(moved(status), url=url, sent=sent)])
    keeper.write([exchange(FOUND, url=f"{HOST}/book/7", sent=GET, started=STARTED + timedelta(seconds=1))])
    keeper.close()
    identity = Submission(body=BODY).identity if is_post else ""
    found = answer_among(kept_exchanges(only_file(tmp_path)), probe(url), identity)
    assert (isinstance(found, KeptExchange) and found.url) == (is_found and f"{HOST}/book/7")


def test_of_a_redirect_alone_it_is_known_where_it_leads(tmp_path: Path) -> None:
    keeper = writer(tmp_path)
    keeper.write([exchange(moved(302), url=SEARCH, sent=GET)])
    keeper.close()
    assert answer_among(kept_exchanges(only_file(tmp_path)), probe(), "") == f"{HOST}/book/7"


def test_an_answer_of_before_and_one_to_something_else_are_none(tmp_path: Path) -> None:
    keeper = writer(tmp_path)
    keeper.write([exchange(FOUND, url=SEARCH, sent=GET, started=STARTED - timedelta(days=1))])
    keeper.write([exchange(FOUND, url=f"{HOST}/find?q=ferry", sent=GET)])
    keeper.write([exchange(FOUND, url=SEARCH, sent=POST)])
    keeper.close()
    assert answer_among(kept_exchanges(only_file(tmp_path)), probe(), "") is None
