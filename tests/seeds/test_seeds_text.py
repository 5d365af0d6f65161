"""Seeds as plain text."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.seeds.seed_files import Read, reasons, urls


def test_a_url_stands_on_each_line_and_remembers_where(read: Read) -> None:
    found = read("https://a.example/feed\nhttp://b.example/rss\n")
    assert urls(found) == ["https://a.example/feed", "http://b.example/rss"]
    assert [(seed.source, seed.line) for seed in found.seeds] == [("seeds.txt", 1), ("seeds.txt", 2)]
    assert not found.problems


def test_comments_and_blank_lines_are_passed_over_but_counted(read: Read) -> None:
    found = read("# list\n\n   # indented\nhttps://a.example/feed # why\n")
    assert [(seed.url, seed.line) for seed in found.seeds] == [("https://a.example/feed", 4)]


def test_a_hash_inside_a_url_is_its_fragment(read: Read) -> None:
    assert urls(read("https://a.example/feed#top\n")) == ["https://a.example/feed#top"]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_line_ending_counts_as_one_line(read: Read, newline: str) -> None:
    found = read(newline.join(["# x", "", "https://a.example/"]))
    assert found.seeds[0].line == 3


def test_a_byte_order_mark_is_not_part_of_the_first_url(read: Read) -> None:
    assert urls(read(b"\xef\xbb\xbfhttps://a.example/")) == ["https://a.example/"]


def test_options_come_in_any_order(read: Read) -> None:
    (seed,) = read("https://a.example/ every=2h label=news\n").seeds
    (same,) = read("https://a.example/\tlabel=news\tevery=2h\n").seeds
    assert seed == same
    assert (seed.labels, seed.every) == (("news",), timedelta(hours=2))


def test_labels_repeat_take_commas_and_take_quotes(read: Read) -> None:
    (seed,) = read('https://a.example/ label=a,b label="World  news" label="x, y",z label=a # c').seeds
    assert seed.labels == ("a", "b", "World news", "x, y", "z")


def test_a_hash_in_quotes_or_inside_a_word_is_no_comment(read: Read) -> None:
    (seed,) = read('https://a.example/ label=c# label="# 1"').seeds
    assert seed.labels == ("c#", "# 1")


def test_an_apostrophe_is_a_letter_not_a_quote(read: Read) -> None:
    (seed,) = read("https://a.example/it's label=L'Équipe").seeds
    assert (seed.url, seed.labels) == ("https://a.example/it's", ("L'Équipe",))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("lable=x", "unknown option lable=x: after the URL come label=… and every=…"),
        ("news", "unknown option news: after the URL come label=… and every=…"),
        ("every=", "every= has no value"),
        ('label=""', "label= has no value"),
        ('label="a', 'a quote (") is not closed'),
        ('"', 'a quote (") is not closed'),
        ("every=1h every=1h", "every= is given twice"),
        (
            "every=soon",
            "every=soon is not an interval: write numbers with units, such as 90s, 30m, 2h, 1d or 1h30m",
        ),
        (
            "every=10s",
            "every=10s is out of range: an interval is from 1m (one minute) to 30d (thirty days)",
        ),
    ],
)
def test_a_bad_option_is_named_and_the_other_lines_are_kept(read: Read, options: str, reason: str) -> None:
    found = read(f"https://a.example/ {options}\nhttps://b.example/\n")
    assert reasons(found) == [f"seeds.txt:1: {reason}"]
    assert urls(found) == ["https://b.example/"]
