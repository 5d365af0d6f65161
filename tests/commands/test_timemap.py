"""`scrapy timemap`: the captures of an address as Memento clients read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.memento.grammar import parse_timemap

if TYPE_CHECKING:
    from tests.commands.conftest import Crawled
    from tests.commands.here import RunHere

pytestmark = pytest.mark.xdist_group("commands")


def test_it_lists_the_captures(crawled: Crawled, run_here: RunHere) -> None:
    url = crawled.url("newspaper", "/rss.xml")
    done = run_here("timemap", crawled.archived.folder, url, "--base-url", "https://a.example/web")
    found = parse_timemap(done.text)
    captured = [record.headers["WARC-Date"][:19] for record in crawled.archived.responses(url)]
    assert [f"{moment:%Y-%m-%dT%H:%M:%S}" for moment in found.mementos.values()] == captured
    assert found.original == url
    assert found.itself.uri == f"https://a.example/web/timemap/link/{url}"
    assert (done.exit_code, done.told) == (0, "")


def test_by_default_it_is_that_of_pywb_on_this_machine(crawled: Crawled, run_here: RunHere) -> None:
    url = crawled.url("newspaper", "/rss.xml")
    found = parse_timemap(run_here("timemap", crawled.archived.folder, url).text)
    assert found.timegate == f"http://localhost:8080/archive/{url}"


def test_an_address_with_failures_only_has_no_timemap(crawled: Crawled, run_here: RunHere) -> None:
    url = crawled.url("moved", "/gone.xml")
    done = run_here("timemap", crawled.archived.folder, url)
    assert (done.exit_code, done.out) == (1, b"")
    assert done.told.startswith(f"scrapy timemap: error: {url} has no memento in the archive")
    assert f"like it: {url}\n" not in done.told


def test_an_address_that_is_not_there_is_told_with_others(crawled: Crawled, run_here: RunHere) -> None:
    done = run_here("timemap", crawled.archived.folder, crawled.url("newspaper", "/rss.xm"))
    assert done.exit_code == 1
    assert f"like it: {crawled.url('newspaper', '/rss.xml')}\n" in done.told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Name one URL; got none"),
        (("rss.xml",), "rss.xml is not a web address"),
        (("http://a.example/", "--base-url", "web/"), "--base-url web/: write an address such as http://"),
    ],
)
def test_wrong_usage(words: tuple[str, ...], told: str, crawled: Crawled, run_here: RunHere) -> None:
    done = run_here("timemap", crawled.archived.folder, *words)
    assert done.exit_code == 2
    assert told in done.text + done.told
