"""What is found, in which order, and what is shown of it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from archiver.errors import ArchiveError, ConfigurationError
from archiver.search.index import NoIndex
from archiver.store.schema import channels
from tests.history.made import DAY, HOUR, START
from tests.search.made import searched

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.search.made import SearchedArchive


@pytest.fixture
def archive(store_url: str, tmp_path: Path) -> Iterator[SearchedArchive]:
    with searched(tmp_path / "archive", store_url) as made:
        yield made


def test_an_archive_without_an_index_says_how_to_build_it(archive: SearchedArchive) -> None:
    archive.add("ferry", "The ferry runs.")
    with pytest.raises(NoIndex, match="no search index yet: run `scrapy search --build`"):
        archive.search("ferry")


def test_words_phrases_exclusions_alternatives_and_beginnings(archive: SearchedArchive) -> None:
    archive.add("one", "The ferry leaves the old harbour.", at=START)
    archive.add("two", "The harbour has no ferry, but boats.", at=START + HOUR)
    archive.add("three", "A train.", title="Ferry!", at=START + 2 * HOUR)
    archive.feed()
    assert archive.found("ferry") == ["three", "two", "one"]
    assert archive.found("FERRY harbour") == ["two", "one"]
    assert archive.found('"old harbour"') == ["one"]
    assert archive.found("ferry -harbour") == ["three"]
    assert archive.found('ferry -"old harbour"') == ["three", "two"]
    assert archive.found("train OR boats") == ["three", "two"]
    assert archive.found("train OR boats harbour") == ["two"]
    assert archive.found("harb*") == ["two", "one"]
    assert archive.found("harb") == []
    assert archive.found("-ferry") == []
    assert archive.found("-train") == ["two", "one"]


def test_accents_and_case_do_not_matter(archive: SearchedArchive) -> None:
    archive.add("one", "Le café de l\u2019été est fermé.")
    archive.add("two", "Straßenbahn nach Łódź")
    archive.feed()
    assert archive.found("CAFE ete") == ["one"]
    assert archive.found("Été") == ["one"]
    assert archive.found("straßenbahn") == ["two"]


@pytest.mark.parametrize(
    ("text", "found", "not_found"),
    [
        ("北京大学的学生在图书馆。", ["北京", "北京大学", "学", "图书馆", "馆"], ["京北", "馆北", "东京"]),
        ("東京タワーに行きました。", ["東京", "タワー", "行", "ました"], ["京東", "たわー"]),
        ("ﾀﾜｰ", ["タワー"], ["ワタ"]),
        ("แมวดำนอนบนเก้าอี้", ["แมว", "แมวดำ", "เก้าอี้", "ดำ"], ["หมา", "ดำแมว"]),
        ("ພາສາລາວ", ["ລາວ", "ພາສາ"], ["ວລາ"]),
        ("ភាសាខ្មែរ", ["ខ្មែរ"], ["រខ្មែ"]),
        ("မြန်မာဘာသာ", ["မြန်မာ"], ["ဘာမာ"]),
        ("서울에서 열린 회의", ["서울", "회의", "열린 회의"], ["울서"]),
        ("हिन्दी में समाचार", ["हिन्दी", "समाचार"], ["हन्द"]),
    ],
)
def test_scripts_without_spaces_are_found_by_any_part(
    archive: SearchedArchive, text: str, found: list[str], not_found: list[str]
) -> None:
    archive.add("one", text)
    archive.add("two", "Nothing of it.")
    archive.feed()
    assert {word: archive.found(word) for word in found} == {word: ["one"] for word in found}
    assert {word: archive.found(word) for word in not_found} == {word: [] for word in not_found}


def test_words_of_two_scripts_are_asked_for_together(archive: SearchedArchive) -> None:
    archive.add("one", "The word 北京 means northern capital.")
    archive.add("two", "北京")
    archive.feed()
    assert archive.found("capital 北京") == ["one"]
    assert archive.found("北京 -capital") == ["two"]
    assert archive.search("capital 北京").hits[0].snippet[1].text == "北京"


def test_pairs_do_not_reach_from_the_title_into_the_text(archive: SearchedArchive) -> None:
    archive.add("one", "京都", title="東")
    archive.feed()
    assert archive.found("東京") == []
    assert archive.found("東") == ["one"]


def test_the_newest_come_first_in_pages(archive: SearchedArchive) -> None:
    names = [f"n{number}" for number in range(7)]
    for number, name in enumerate(names):
        archive.add(name, "ferry", at=START + number * HOUR)
    archive.feed()
    pages, after = [], ""
    while True:
        page = archive.search("ferry", limit=3, after=after)
        pages.append([hit.url.rpartition("/")[2] for hit in page.hits])
        assert (page.total, page.total_is_exact) == (7, True)
        after = page.next
        if not after:
            break
    assert pages == [["n6", "n5", "n4"], ["n3", "n2", "n1"], ["n0"]]


def test_the_best_come_first_where_they_are_ranked(archive: SearchedArchive) -> None:
    archive.add("much", "Ferry, ferry, ferry!", title="Ferry", at=START)
    archive.add("little", f"{'Other words. ' * 50} ferry", at=START + HOUR)
    archive.add("some", "The ferry runs every day.", at=START + 2 * HOUR)
    archive.feed()
    assert archive.found("ferry", ranked=True) == ["much", "some", "little"]
    first = archive.search("ferry", ranked=True, limit=1)
    second = archive.search("ferry", ranked=True, limit=2, after=first.next)
    assert [hit.url.rpartition("/")[2] for hit in second.hits] == ["some", "little"]
    assert first.hits[0].score is not None
    assert second.next == ""


def test_an_article_is_found_by_its_newest_version_unless_all_are_wanted(archive: SearchedArchive) -> None:
    number = archive.add("one", "The ferry sank.")
    archive.feed()
    archive.say(number, "The ferry was late.", at=START + DAY, published=START)
    archive.feed()
    assert archive.found("ferry") == ["one"]
    assert archive.search("ferry").hits[0].version == 2
    assert archive.found("sank") == []
    found = archive.search("sank", all_versions=True).hits
    assert [(hit.version, hit.newest) for hit in found] == [(1, False)]


def test_filters(archive: SearchedArchive) -> None:
    first, second = archive.channel("http://example.org/feed"), archive.channel("http://example.org/other")
    archive.label(second, "news", "islands")
    archive.add("one", "ferry", channel=first, authors=("Jane Smith",), categories=("Harbours", "Sea"))
    archive.add("two", "ferry", channel=second, language="pt-BR", confidence=0.4, authors=("山田太郎",))
    number = archive.add("three", "ferry", channel=second, at=START + DAY)
    archive.say(number, "ferry again", channel=second, at=START + 2 * DAY)
    archive.absence(number, START + 3 * DAY, START + 4 * DAY, "not_found")
    archive.feed()
    assert archive.found("ferry", channel=(str(first),)) == ["one"]
    assert archive.found("ferry", channel=("http://example.org/other",)) == ["three", "two"]
    assert archive.found("ferry", label=("islands",)) == ["three", "two"]
    assert archive.found("ferry", label=("islands",), channel=(str(first),)) == []
    assert archive.found("ferry", author="smith") == ["one"]
    assert archive.found("", author="Jane Smith") == ["one"]
    assert archive.found("", author="Smith Jane") == []
    assert archive.found("", author="山田") == ["two"]
    assert archive.found("ferry", category="sea") == ["one"]
    assert archive.found("ferry", language="pt") == ["two"]
    assert archive.found("ferry", language="pt-BR") == ["two"]
    assert archive.found("ferry", language="pt-PT") == []
    assert archive.found("ferry", confidence=0.5) == ["three", "one"]
    assert archive.found("ferry", change="new") == ["two", "one"]
    assert archive.found("ferry", change="edited") == ["three"]
    assert archive.found("ferry", change="text") == ["three"]
    assert archive.found("ferry", change="title") == []
    assert archive.found("ferry", change="gone") == ["three"]
    assert archive.found("", change="gone") == ["three"]
    assert archive.found("", change="back") == []
    assert archive.search("", change="gone").hits[0].gone
    assert archive.found("ferry", since=START + HOUR) == ["three"]
    assert archive.found("ferry", until=START + HOUR) == ["two", "one"]
    assert archive.found(until=START + HOUR) == ["two", "one"]
    assert archive.found(kind="article", limit=1) == ["three"]


def test_a_merged_channel_and_feeds_of_a_site_are_found_with_it(archive: SearchedArchive) -> None:
    kept, merged, feed = (archive.channel(f"http://example.org/{name}") for name in ("a", "b", "c"))
    for number in (kept, merged, feed):
        archive.add(f"of{number}", "ferry", channel=number, at=START + number * HOUR)
    archive.change(update(channels).filter_by(id=merged).values(status="merged", merged_into=kept))
    archive.change(update(channels).filter_by(id=feed).values(site_id=kept))
    archive.feed()
    assert len(archive.found("ferry", channel=(str(kept),))) == 3
    assert archive.found("ferry", channel=(str(feed),)) == [f"of{feed}"]


def test_of_many_channels_the_index_is_not_asked_for_each(archive: SearchedArchive) -> None:
    mine = [archive.channel(f"http://example.org/{number}") for number in range(60)]
    for number in mine:
        archive.label(number, "many")
    archive.add("one", "ferry", channel=mine[7])
    archive.add("two", "ferry", channel=archive.channel("http://example.org/other"))
    archive.feed()
    assert archive.found("ferry", label=("many",)) == ["one"]
    assert archive.found("ferry", label=("many",), ranked=True) == ["one"]


def test_what_cannot_be_meant_is_refused_in_words(archive: SearchedArchive) -> None:
    archive.feed()
    for wrong in ({"change": "x"}, {"limit": 0}, {"limit": 501}, {"confidence": 2}, {"after": "x~y"}):
        with pytest.raises(ConfigurationError):
            archive.search("ferry", **wrong)
    with pytest.raises(ArchiveError, match="No channel is called 99"):
        archive.search("ferry", channel=("99",))


def test_a_hit_says_what_its_object_says(archive: SearchedArchive) -> None:
    channel = archive.channel("http://me:hunter2@example.org/feed")
    archive.add("one", "The ferry runs.\n\nDaily.", channel=channel, authors=("Jane",), categories=("Sea",))
    archive.feed()
    hit = archive.search("ferry").hits[0]
    assert (hit.url, hit.title, hit.version, hit.kinds) == ("http://example.org/one", "A title", 1, ("new",))
    assert hit.channel is not None
    assert "hunter2" not in hit.channel.url
    assert (hit.authors, hit.categories, hit.language, hit.confidence) == (("Jane",), ("Sea",), "en", 0.9)
    assert (hit.published, hit.captured) == (START, START)
    assert [(piece.text, piece.marked) for piece in hit.snippet] == [
        ("The ", False),
        ("ferry", True),
        (" runs.  Daily.", False),
    ]


def test_an_address_that_is_hidden_is_passed_over_and_pages_stay_full(archive: SearchedArchive) -> None:
    for number in range(10):
        archive.add(f"n{number}", "ferry", at=START + number * HOUR)
    archive.feed()

    def odd(url: str) -> bool:
        return int(url[-1]) % 2 == 1

    first = archive.search("ferry", limit=3, hidden=odd)
    assert [hit.url[-2:] for hit in first.hits] == ["n8", "n6", "n4"]
    assert archive.found("ferry", limit=3, hidden=odd, after=first.next) == ["n2", "n0"]


def test_a_date_in_the_future_does_not_keep_an_article_on_top(archive: SearchedArchive) -> None:
    archive.add("liar", "ferry", at=START, published=START + timedelta(days=9000))
    archive.add("honest", "ferry", at=START + HOUR)
    archive.feed()
    assert archive.found("ferry") == ["honest", "liar"]


def test_more_articles_of_a_minute_than_it_has_places_are_all_found(
    archive: SearchedArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archiver.search.index.PLACES", 3)
    names = {f"n{number}" for number in range(10)}
    for name in names:
        archive.add(name, "ferry")
    archive.feed()
    assert set(archive.found("ferry")) == names


def test_counting_row_by_row_ends_and_says_so(
    archive: SearchedArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archiver.search.matching.MOST_LOOKED_AT", 3)
    for number in range(6):
        archive.add(f"n{number}", "ferry", at=START + number * HOUR, confidence=0.1 if number % 2 else 0.9)
    archive.feed()
    found = archive.search("ferry", confidence=0.5)
    assert len(found.hits) == 3
    if archive.url.startswith("sqlite"):
        assert (found.total, found.total_is_exact) == (3, False)
    assert archive.search("ferry").total_is_exact


def test_that_something_is_hidden_is_not_told_by_the_number(archive: SearchedArchive) -> None:
    archive.add("one", "the ferry waits")
    archive.add("two", "the ferry leaves")
    archive.feed()
    none = archive.search("ferry", hidden=lambda _: True)
    assert (none.hits, none.total, none.total_is_exact) == ((), 0, True)
    one = archive.search("ferry", hidden=lambda url: url.endswith("one"))
    assert (len(one.hits), one.total, one.total_is_exact) == (1, 1, True)


def test_a_channel_that_is_hidden_is_not_named(archive: SearchedArchive) -> None:
    archive.add("one", "the ferry waits", channel=archive.channel("http://example.org/feed"))
    archive.feed()
    (shown,) = archive.search("ferry").hits
    assert shown.channel is not None
    feed = shown.channel.url
    (hit,) = archive.search("ferry", hidden=lambda url: url == feed).hits
    assert hit.channel is None
