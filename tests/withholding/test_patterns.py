"""What an order to withhold covers, and what it does not."""

from __future__ import annotations

import time

import pytest

from archiver.archive.withheld import NOTHING_WITHHELD, Withheld, pattern_of, withheld_by
from archiver.errors import ConfigurationError, WithheldError


def withheld(*named: str) -> Withheld:
    return withheld_by((pattern_of(one), f"order on {one}") for one in named)


@pytest.mark.parametrize(
    ("named", "hidden"),
    [
        ("https://example.org/people/smith", "https://example.org/people/smith"),
        ("https://example.org/people/smith", "http://www.example.org/People/Smith?utm_source=rss#note-3"),
        ("https://example.org/people/smith", "https://user:pw@example.org:443/people/smith/"),
        ("https://example.org/?b=2&a=1", "https://example.org/?a=1&b=2"),
        ("https://example.org/a?token=hunter2", "https://example.org/a?token=***"),
        ("https://example.org/people/*", "http://example.org/people/smith?page=2"),
        ("https://example.org/people/*", "https://www.example.org/PEOPLE/jones/"),
        ("https://example.org/people/s*", "https://example.org/people/smith"),
        ("example.org", "http://example.org/"),
        ("example.org", "https://amp.m.example.org:8443/x"),
        ("Example.ORG.", "https://example.org/x"),
        ("www.example.org", "https://example.org/x"),
        ("bücher.example", "https://xn--bcher-kva.example/x"),
        ("xn--bcher-kva.example", "https://bücher.example/x"),
        ("127.0.0.1", "http://127.0.0.1:8000/x"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000/x"),
        ("example.org:443", "https://example.org/"),
        ("http://127.0.0.1:8000/x", "http://127.0.0.1:8000/x"),
        ("[::1]", "http://[::1]:80/x"),
    ],
)
def test_it_hides(named: str, hidden: str) -> None:
    found = withheld("https://elsewhere.example/", named)
    assert found.reason(hidden) == f"order on {named}"
    with pytest.raises(WithheldError, match="is withheld"):
        found.refuse(hidden)


@pytest.mark.parametrize(
    ("named", "shown"),
    [
        ("https://example.org/people/smith", "https://example.org/people/smithson"),
        ("https://example.org/people/smith", "https://example.com/people/smith"),
        ("https://example.org/people/*", "https://example.org/peoples"),
        ("https://example.org/people/*", "https://example.org/"),
        ("example.org", "https://notexample.org/"),
        ("example.org", "https://example.org.evil.example/"),
        ("www.example.org", "https://blog.example.org/"),
        ("127.0.0.1:8000", "http://127.0.0.1:8001/x"),
        ("https://example.org/?a=1", "https://example.org/?a=2"),
        ("https://example.org/", "mailto:someone@example.org"),
        ("https://example.org/", "http://[broken/"),
    ],
)
def test_it_does_not_hide(named: str, shown: str) -> None:
    found = withheld(named)
    assert found.reason(shown) is None
    found.refuse(shown)


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("example.org/page", "neither a web address nor a host"),
        ("ftp://example.org/x", "neither a web address nor a host"),
        ("", "neither a web address nor a host"),
        ("https://example.org/?q=*", "cannot stand behind"),
    ],
)
def test_what_cannot_be_withheld_is_told(named: str, told: str) -> None:
    with pytest.raises(ConfigurationError, match=told):
        pattern_of(named)


def test_nothing_is_withheld_at_first() -> None:
    assert not NOTHING_WITHHELD
    assert not NOTHING_WITHHELD.hides("https://example.org/")
    assert not NOTHING_WITHHELD.hides_any(["https://example.org/", None])


def test_a_million_addresses_of_other_sites_are_passed_quickly() -> None:
    found = withheld(*(f"https://site{number}.example/page" for number in range(500)), "host.example")
    urls = [f"https://news{number}.example/story/{number}" for number in range(20_000)]
    started = time.thread_time()
    assert not any(map(found.hides, urls))
    # 20 µs each, where the key of a page takes five times as long.
    assert time.thread_time() - started < 2
