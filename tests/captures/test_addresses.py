"""Hosts and addresses of an archive, listed page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.files import write_lines
from archiver.archive.cdxj.index import Index
from archiver.inspection.captures.addresses import AddressList, list_addresses, list_hosts
from tests.warc.cdxj_samples import some_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HOSTS = [f"http://{name}example.org" for name in ("", "a.", "b-c.", "d.a.")]
PATHS = ["/", "/a", "/a!", "/a/", "/a/b?c=d", "/a0", "/b"]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """Each address with captures in two files."""
    for number in range(2):
        urls = [host + path for host in HOSTS for path in PATHS]
        lines = [some_line(url, seconds=number * 5 + second) for url in urls for second in range(3)]
        write_lines(tmp_path / "index", f"{number}.warc.gz", lines)
    return Index(tmp_path / "index")


def all_pages(ask: Callable[[str | None], AddressList]) -> list[str]:
    found: list[str] = []
    after = None
    for _ in range(100):
        page = ask(after)
        found += [one.url for one in page.addresses]
        after = page.next
        if after is None:
            return found
    raise AssertionError("it does not end")


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_pages_of_a_list_are_the_list(index: Index, limit: int) -> None:
    start = "http://a.example.org/a"
    found = all_pages(lambda after: list_addresses(index, start, limit=limit, after=after))
    every = dict.fromkeys(line.key for line in index.range("org,example,a)/a"))
    assert len(found) == len(every) == 4  # with a slash at its end or without is one
    hosts = all_pages(lambda after: list_hosts(index, limit=limit, after=after))
    assert sorted(hosts) == sorted(f"{host}/" for host in HOSTS)


def test_each_has_the_time_of_its_newest_capture(index: Index) -> None:
    for one in list_addresses(index, "http://example.org/").addresses:
        assert one.time == max(line.date for line in index.captures(one.url))
