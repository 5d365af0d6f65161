"""Who may ask the application, and what browsers are told to do with its answers."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from archiver.web.guard import is_own_host
from tests.crawl.running import finish, start_scrapy
from tests.web.browsing import browsing

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.browsing import Shown

pytestmark = pytest.mark.xdist_group("web")


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("127.0.0.1", True),
        ("127.0.0.1:8040", True),
        ("localhost:8040", True),
        ("LOCALHOST.:8040", True),
        ("[::1]:8040", True),
        ("192.0.2.7:8040", True),
        ("archive.library.example:80", True),
        ("evil.example:8040", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost:8040/x", False),
        ("user@localhost", False),
        ("", False),
    ],
)
def test_names_of_this_machine_are_its_own(host: str, *, is_own: bool) -> None:
    assert is_own_host(host, ("archive.library.example",)) is is_own


def test_a_page_that_calls_itself_127_0_0_1_reads_nothing(shown: Shown) -> None:
    answer = shown.get("/changes.json", headers={"Host": "evil.example"})
    assert answer.status == 421
    assert b"events" not in answer.body


def test_every_answer_forbids_scripts_of_strangers(shown: Shown) -> None:
    for path in ("/changes", "/nowhere", "/article", "/static/style.css", "/openapi.json"):
        answer = shown.get(path)
        assert answer.status < 500, path
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';"), path
        assert "unsafe" not in policy


def test_other_machines_need_a_password(sample_archive: Path) -> None:
    words = ["browse", "--no-open", "--host", "0.0.0.0", "--port", "0", "-s", f"ARCHIVE_DIR={sample_archive}"]
    refused = finish(start_scrapy(words), sample_archive)
    assert refused.exit_code == 2
    assert "set BROWSE_PASSWORD first" in refused.stderr


def test_a_password_is_asked_for(sample_archive: Path) -> None:
    with browsing(sample_archive, "-s", "BROWSE_PASSWORD=sesame") as shown:
        assert shown.get("/changes").status == 401
        for given, status in (("sesame", 200), ("sesam", 401)):
            known = base64.b64encode(f"reader:{given}".encode()).decode()
            assert shown.get("/changes", headers={"Authorization": f"Basic {known}"}).status == status
        assert shown.get("/changes", headers={"Authorization": "Basic §"}).status == 401
