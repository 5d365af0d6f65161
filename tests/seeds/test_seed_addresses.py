"""Which addresses can be a seed, and that no message shows a password."""

from __future__ import annotations

import pytest

from archiver.acquisition.seeds.address import shown, web_address
from tests.seeds.seed_files import Read, reasons, urls


@pytest.mark.parametrize(
    "url",
    [
        "HTTPS://A.example/feed",
        "http://localhost:8000/feed.xml",
        "http://127.0.0.1/",
        "http://[::1]:8080/feed",
        "https://a.example",
        "https://a.example?feed=rss2",
        "https://münchen.example/größe",
        "https://user:secret@a.example/feed",
        "https://a.example/@user/feed",
    ],
)
def test_an_address_of_the_web_is_kept_as_written(read: Read, url: str) -> None:
    assert urls(read(url)) == [url]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("example.org/feed", "no scheme: write https://example.org/feed"),
        ("//example.org/feed", "no scheme: write https://example.org/feed"),
        ("example.org:8080/feed", "no scheme: write https://example.org:8080/feed"),
        ("localhost/feed", "no scheme: write https://localhost/feed"),
        ("feed", "not a URL: feed"),
        ("/feed.xml", "not a URL: /feed.xml"),
        ("http:/example.org", "not a URL: two slashes follow http:"),
        ("ftp://example.org/feed", "scheme ftp is not http or https"),
        ("feed:ftp://example.org/feed", "scheme feed is not http or https"),
        ("javascript:void(0)", "scheme javascript is not http or https"),
        ("https://", "no host"),
        ("https:///feed", "no host"),
        ("https://:80/", "no host"),
        ("https://.../", "no host"),
        ("https://[::1/feed", "not a URL: its host name cannot be read"),
        ("https://a.example:99999/", "not a URL: the port is not a number from 1 to 65535"),
        ("https://a.example:0/", "not a URL: the port is not a number from 1 to 65535"),
        ("https://a.example:port/", "not a URL: the port is not a number from 1 to 65535"),
        ("https://a<b.example/", "not a URL: its host name holds a character that no host has"),
        ("https://a.example/\u200b", "not a URL: it holds a blank or invisible character (U+200B)"),
        ("https://a.example/\0", "not a URL: it holds a blank or invisible character (U+0000)"),
    ],
)
def test_what_cannot_be_fetched_is_reported_with_its_reason(read: Read, url: str, reason: str) -> None:
    found = read(f"{url}\nhttps://b.example/")
    assert reasons(found) == [f"seeds.txt:1: {reason}"]
    assert urls(found) == ["https://b.example/"]


@pytest.mark.parametrize(
    "line",
    [
        "user:hunter2@example.org/feed",
        "//user:hunter2@example.org/feed",
        "ftp://user:hunter2@example.org/",
        "feed:ftp://user:hunter2@example.org/",
        "http:/user:hunter2@example.org/",
        "https://user:hunter2@[::1/",
        "https://user:hunter2@example.org:port/",
        "https://user:hunter2/x@example.org/",
        "https://user:hunter2\u2100@example.org/",
        "https://user:x hunter2@example.org/",
        "https://b.example/ https://user:hunter2@example.org/",
        "https://b.example/ https://user@x:hunter2@example.org/",
        "https://b.example/ https://hunter2@example.org/",
        "https://user:hunter2@example.org/ every=never",
        "https://user:hunter2@example.org/ labels=x",
        "https://b.example/ every=https://user:hunter2@example.org/",
    ],
)
def test_no_message_shows_a_password(read: Read, line: str) -> None:
    (message,) = reasons(read(line))
    assert "hunter2" not in message


def test_an_address_that_no_index_takes_is_skipped_and_told(read: Read) -> None:
    longest = "https://a.example/".ljust(2000, "x")
    assert urls(read(longest)) == [longest]
    # In bytes, as databases count.
    for longer in (f"{longest}x", f"{longest[:-1]}ö", f"https://a.example/{'x' * 60_000}"):
        found = read(longer)
        assert urls(found) == []
        assert reasons(found) == ["seeds.txt:1: too long: a URL has at most 2000 characters"]


def test_a_password_is_masked_where_the_address_is_shown(read: Read) -> None:
    (message,) = reasons(read("me:hunter2@example.org/feed"))
    assert message == "seeds.txt:1: no scheme: write https://me:***@example.org/feed"


def test_what_is_shown_fits_a_terminal_line_and_cannot_steer_it() -> None:
    assert shown("\x1b[31m") == "\ufffd[31m"
    assert len(shown("x" * 1000)) == 80


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("feed://a.example/feed.xml", "http://a.example/feed.xml"),
        ("feed:https://a.example/feed.xml", "https://a.example/feed.xml"),
        ("feed:http://a.example/", "http://a.example/"),
        ("FEED://a.example:8000/x?y#z", "http://a.example:8000/x?y#z"),
        ("feed:a.example/feed.xml", "http://a.example/feed.xml"),
        ("feeds://a.example/", "https://a.example/"),
        ("itpc://a.example/podcast", "http://a.example/podcast"),
        ("feed://user:secret@a.example/", "http://user:secret@a.example/"),
        ("https://a.example/feed:1", "https://a.example/feed:1"),
        ("feed.example/rss", "feed.example/rss"),
        ("feed:", "feed:"),
        ("feed:ftp://a.example/", "feed:ftp://a.example/"),
    ],
)
def test_what_a_reader_puts_before_an_address_is_taken_off(written: str, meant: str) -> None:
    assert web_address(written) == meant


@pytest.mark.parametrize("name", ["seeds.txt", "seeds.csv", "seeds.opml"])
def test_a_feed_address_is_an_address_of_the_web_in_every_format(read: Read, name: str) -> None:
    written = "feed://a.example/feed.xml"
    content = {
        "seeds.txt": f"{written} label=x\n",
        "seeds.csv": f"url\n{written}\n",
        "seeds.opml": f'<opml><body><outline xmlUrl="{written}"/></body></opml>',
    }[name]
    found = read(content, name)
    assert [seed.url for seed in found.seeds] == ["http://a.example/feed.xml"]
    assert found.problems == ()
