"""Stamps and counters: told from sentences that happen to hold a date or a number."""

from __future__ import annotations

import pytest

from archiver.articles.versions.stamps import is_counter, is_stamp, timeless


@pytest.mark.parametrize(
    "text",
    [
        "4 May 2024",
        "Updated 12:31",
        "Last updated on Friday 3 May 2024 at 12.31 BST",
        "Published: 2024-05-04 09:15 CEST | Updated: 2024-05-05",
        "By Ann Lee and Tom Bo, updated May 4, 2024",
        "3 hours ago",
        "Aktualisiert vor 20 Minuten",
        "Stand: 04.05.2024, 12:31 Uhr",
        "Publié le 4 mai 2024 à 10h31",
        "Actualizado el 4 de mayo de 2024",
        "Обновлено 4 мая 2024",
        "2024年5月4日 更新",
        "4 May 2024, the day before yesterday. Last change: 9.15 h",
        "Letzte Änderung: 4. Mai 2024",
    ],
)
def test_stamps(text: str) -> None:
    assert is_stamp(text)


@pytest.mark.parametrize(
    "text",
    [
        "The report was published on 4 May 2024.",
        "The meeting is on 12 May.",
        "12 people died",
        "In May 2024 the ferry sails again, the board says, and the old harbour gets a new pier.",
        "Price: 12 euros",
        "Update",
        "Climate change until 2050",
        "",
    ],
)
def test_sentences_are_no_stamps(text: str) -> None:
    assert not is_stamp(text)


def test_a_date_alone_in_a_table_is_what_the_table_says() -> None:
    assert not is_stamp("4 May 2024", is_cell=True)
    assert is_stamp("4 May 2024", is_cell=True, is_marked=True)
    assert is_stamp("Updated 4 May 2024", is_cell=True)


@pytest.mark.parametrize(
    "text",
    [
        "14 comments",
        "Comments (14)",
        "1.2K views",
        "5 min read",
        "218 shares",
        "12 Kommentare",
        "Recommended by 48 readers",
        "14条评论",
    ],
)
def test_counters(text: str) -> None:
    assert is_counter(text)


@pytest.mark.parametrize("text", ["14 boats", "She comments on 14 boats", "", "14"])
def test_other_numbers_are_no_counters(text: str) -> None:
    assert not is_counter(text)


def test_a_bare_number_counts_where_nothing_else_would_stand() -> None:
    assert is_counter("1,204", is_bare=True)


def test_how_long_ago_is_masked_by_the_hour_but_not_by_the_year() -> None:
    long = "She left the island {} and nobody of those who stayed behind has seen her at the harbour since"
    assert timeless(long.format("3 hours ago")) == timeless(long.format("4 hours ago"))
    assert timeless(long.format("3 years ago")) != timeless(long.format("4 years ago"))
    assert timeless("Posted 3 days ago") == timeless("Posted 1 week ago")
