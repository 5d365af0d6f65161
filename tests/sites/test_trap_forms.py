"""What the form of an address tells: refused, one of a family, one of a series, late in the order."""

from __future__ import annotations

import pytest

from archiver.acquisition.sites.traps.forms import (
    Rank,
    SkipReason,
    difference,
    head_of,
    is_random,
    labels_of,
    rank_of,
    refusal,
    series_of,
    tails_of,
    without,
)

SITE = "http://blog.example"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/a/b/a/b/", SkipReason.REPEATS),
        ("/x/a/b/c/a/b/c/", SkipReason.REPEATS),
        ("/a/a/a/", SkipReason.REPEATS),
        ("/a/x/a/y/a/", SkipReason.REPEATS),
        ("/blog.example/about/", SkipReason.HOST),
        ("/http:/other.example/", SkipReason.HOST),
        ("/" + "z" * 2000, SkipReason.LONG),
        ("/x" + "/y" * 2 + "".join(f"/p{n}" for n in range(20)), SkipReason.DEEP),
        ("/2011/11/11/eleven/", None),
        ("/en/about/en/", None),
        ("/2020/2020/", None),
        ("/github.com/user/project/", None),
        ("/a/a/", None),
    ],
)
def test_what_is_refused_by_its_form(path: str, reason: SkipReason | None) -> None:
    assert refusal(SITE + path) == reason


@pytest.mark.parametrize(
    ("one", "other", "is_one_family"),
    [
        ("/2020/03/some-title/", "/2019/12/another-one/", True),
        ("/wiki/Apple", "/wiki/Pear", True),
        ("/wiki/Apple", "/talk/Apple", False),
        ("/item.php?id=3", "/item.php?id=4", True),
        ("/item.php?id=3", "/list.php?id=3", False),
        ("/item.php?id=3", "/item.php?id=3&print=1", False),
        ("/a?utm_source=x", "/a", True),
        ("/a?PHPSESSID=0123456789abcdef0123", "/a", True),
    ],
)
def test_families(one: str, other: str, is_one_family: bool) -> None:
    assert (labels_of(SITE + one).family == labels_of(SITE + other).family) is is_one_family


@pytest.mark.parametrize(
    ("path", "is_ordered"),
    [
        ("/page/7/", True),
        ("/list?page=7", True),
        ("/forum?f=2&start=40", True),
        ("/calendar/2031/04/", True),
        ("/events?month=2031-04", True),
        ("/product/7", False),
        ("/item?id=7", False),
        ("/list?page=all", False),
    ],
)
def test_series(path: str, is_ordered: bool) -> None:
    assert labels_of(SITE + path).is_ordered is is_ordered


def test_lists_are_asked_for_before_pages_and_other_looks_after_them() -> None:
    paths = ["/list?page=2", "/a-story/", "/item?id=3", "/shop?color=red&size=m", "/list?sort=price"]
    ranks = [rank_of(SITE + path) for path in paths]
    assert ranks == sorted(ranks)
    assert (ranks[0], ranks[1], ranks[-1]) == (Rank.SERIES, Rank.PAGES, Rank.LOOKS)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("8f3a09bc77d2e1f08f3a09bc77d2e1f0", True),
        ("~8f3a09bc77d2e1f08f3a09bc", True),
        ("123e4567-e89b-12d3-a456-426614174000", True),
        ("~debd563061586527904ce036", True),
        ("how-to-bake-bread-in-2020", False),
        ("internationalisation2020", False),
        ("20201231235959001", False),
        ("short1a2b", False),
    ],
)
def test_ids_of_sessions_are_told_from_names(value: str, expected: bool) -> None:
    assert is_random(value) is expected


def test_in_what_two_addresses_differ() -> None:
    assert difference(f"{SITE}/a?x=1&y=2", f"{SITE}/a?x=1&y=3") == {"?y"}
    assert difference(f"{SITE}/a?x=1", f"{SITE}/a") == {"?x"}
    assert difference(f"{SITE}/a", f"{SITE}/b") is None
    one, two = "8f3a09bc77d2e1f08f3a09bc", "1b2c3d4e5f60718293a4b5c6"
    assert difference(f"{SITE}/{one}/a", f"{SITE}/{two}/a") == {"/0"}
    assert difference(f"{SITE}/{one}/a", f"{SITE}/a") == {"/0"}
    assert difference(f"{SITE}/b/a", f"{SITE}/a") is None


def test_what_says_nothing_is_taken_out() -> None:
    assert without(f"{SITE}/a?x=1&y=2", frozenset({"?x"})) == f"{SITE}/a?y=2"
    session = "8f3a09bc77d2e1f08f3a09bc"
    assert without(f"{SITE}/{session}/a", frozenset({"/0"})) == f"{SITE}/a"
    assert without(f"{SITE}/how-to-bake/a", frozenset({"/0"})) == f"{SITE}/how-to-bake/a"


def test_paths_that_end_in_the_path_of_another_page() -> None:
    assert tails_of(f"{SITE}/about/contact/?x=1") == [f"{SITE}/contact/"]
    assert tails_of(f"{SITE}/2020/03/") == []
    assert tails_of(f"{SITE}/section/coast/page/3/") == [f"{SITE}/coast/page/3/"], "each list has a page 3"


def test_links_that_miss_a_stroke_are_told_apart_by_where_they_stood() -> None:
    assert head_of(f"{SITE}/en/about/") == "en"
    assert head_of(f"{SITE}/de/about/") == "de"
    assert head_of(f"{SITE}/2020/03/some-title/about/") == head_of(f"{SITE}/2019/12/another-one/about/")


@pytest.mark.parametrize(
    ("path", "is_copy"),
    [
        ("/story/?print=1", True),
        ("/print/17", True),
        ("/story/?replytocom=7", True),
        ("/list?sort_by=name", True),
        ("/story/?lang=de", False),
        ("/index.php?action=view&id=7", False),
        ("/item?id=7", False),
        ("/calendar/2031/04/", False),
    ],
)
def test_copies_by_their_names(path: str, is_copy: bool) -> None:
    assert labels_of(SITE + path).is_copy is is_copy


@pytest.mark.parametrize(
    ("path", "before", "place", "after"),
    [
        ("/page/7/", "/page/", (7,), "/"),
        ("/calendar/2031/04/", "/calendar/", (2031, 4), "/"),
        ("/forum?f=2&start=40", "/forum?f=2&start=", (40,), ""),
        ("/events?month=2031-04&room=3", "/events?month=", (2031, 4), "&room=3"),
    ],
)
def test_places_in_series(path: str, before: str, place: tuple[int, ...], after: str) -> None:
    found = series_of(SITE + path)
    assert found is not None
    assert (found.before, found.place, found.after) == (SITE + before, place, after)


@pytest.mark.parametrize("path", ["/product/7", "/item?id=7", "/events?year=2031&month=4"])
def test_what_has_no_place_in_a_series(path: str) -> None:
    assert series_of(SITE + path) is None


def test_an_id_of_a_session_tells_nothing_of_the_parameters_of_a_path() -> None:
    session = "8f3a09bc77d2e1f08f3a09bc77d2e1f0"
    assert labels_of(f"{SITE}/list?visit={session}").kin == ""
    assert labels_of(f"{SITE}/list?color=red&visit={session}").parameters == ("color",)


def test_pages_of_a_wiki_are_apart_by_their_namespaces() -> None:
    """That its special pages bring nothing new says nothing of its articles."""
    paths = ["Special:RecentChanges", "Special:MyTalk", "Category:Old_boats", "The_old_ferry", "A_new_ferry"]
    families = [labels_of(f"http://wiki.example/index.php/{path}").family for path in paths]
    assert families[0] == families[1]
    assert families[3] == families[4]
    assert len(set(families)) == 3
