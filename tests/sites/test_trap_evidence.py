"""What the pages of a family gave decides on the others."""

from __future__ import annotations

from archiver.acquisition.sites.traps.evidence import (
    MOST_STALE,
    FamilyRecord,
    FamilyState,
    PageVerdict,
    after,
    ends_behind,
    is_kin_barren,
    is_mute,
    stale_after,
    tries_again,
)
from archiver.acquisition.sites.traps.novelty import hashes_of, judged, novelty_of

URL = "http://blog.example/red-shoes/42"


def given(*verdicts: PageVerdict, record: FamilyRecord | None = None) -> FamilyRecord:
    record = record or FamilyRecord()
    for verdict in verdicts:
        record = after(record, verdict)
    return record


def test_a_family_that_never_gave_anything_sleeps_after_two_or_three_pages() -> None:
    assert given(PageVerdict.SAME, PageVerdict.SAME).state is FamilyState.ASLEEP
    assert given(PageVerdict.NOTHING, PageVerdict.NOTHING).state is FamilyState.ASLEEP
    assert given(PageVerdict.BARREN, PageVerdict.BARREN).state is FamilyState.TRIED
    assert given(*[PageVerdict.BARREN] * 3).state is FamilyState.ASLEEP
    assert given(*[PageVerdict.MISSING] * 3).state is FamilyState.ASLEEP


def test_a_family_of_thousands_of_articles_does_not_sleep_for_a_few_that_are_missing() -> None:
    record = given(*[PageVerdict.FRESH] * 5000)
    assert record.state is FamilyState.GOOD
    record = given(*[PageVerdict.MISSING] * 7, record=record)
    assert record.state is FamilyState.GOOD
    assert given(*[PageVerdict.MISSING] * 3, record=record).state is FamilyState.DOUBTED
    assert given(PageVerdict.FRESH, record=record).run == 0


def test_one_page_with_something_new_does_not_prove_a_family() -> None:
    record = given(PageVerdict.FRESH)
    assert record.state is FamilyState.TRIED, "it may be the page that says that there is none"
    assert given(PageVerdict.FRESH, record=record).state is FamilyState.GOOD
    assert given(PageVerdict.SAME, PageVerdict.SAME, record=record).state is FamilyState.ASLEEP


def test_lists_that_are_no_series_stay_on_trial_for_long() -> None:
    assert given(*[PageVerdict.LISTED] * 5).state is FamilyState.TRIED
    assert given(*[PageVerdict.LISTED] * 20).state is FamilyState.GOOD
    assert given(PageVerdict.LISTED, PageVerdict.NOTHING, PageVerdict.NOTHING).state is FamilyState.ASLEEP


def test_parameters_of_a_path_of_which_none_gave_anything() -> None:
    assert is_kin_barren(given(*[PageVerdict.NOTHING] * 3))
    assert not is_kin_barren(given(PageVerdict.FRESH, *[PageVerdict.NOTHING] * 3))


def test_what_the_same_parameters_gave_on_other_paths_counts_after_one_page_of_this_one() -> None:
    assert is_kin_barren(given(PageVerdict.NOTHING), elsewhere=4)
    assert not is_kin_barren(given(PageVerdict.NOTHING), elsewhere=2)
    assert not is_kin_barren(given(), elsewhere=20), "the path was not tried"
    assert not is_kin_barren(given(PageVerdict.FRESH, PageVerdict.NOTHING), elsewhere=20)


def test_what_is_a_copy_by_its_name_sleeps_after_one_page_that_confirms_it() -> None:
    assert after(FamilyRecord(), PageVerdict.SAME, is_copy=True).state is FamilyState.ASLEEP
    assert after(FamilyRecord(), PageVerdict.BARREN, is_copy=True).state is FamilyState.TRIED
    fresh = given(PageVerdict.FRESH)
    assert after(fresh, PageVerdict.NOTHING, is_copy=True).state is FamilyState.TRIED


def test_series_end_with_their_first_page_without_anything_once_that_was_seen_and_never_otherwise() -> None:
    assert not ends_behind(FamilyRecord())
    assert ends_behind(FamilyRecord(same=1))
    assert not ends_behind(FamilyRecord(same=5, differ=1))


def test_a_series_ends_where_it_shows_nothing_new() -> None:
    assert stale_after(0, PageVerdict.SAME) >= MOST_STALE
    assert stale_after(0, PageVerdict.BARREN) < MOST_STALE
    assert stale_after(1, PageVerdict.BARREN) >= MOST_STALE
    assert stale_after(1, PageVerdict.LISTED) == 0


def test_a_parameter_says_nothing_where_pages_were_the_same_and_never_others() -> None:
    assert is_mute(FamilyRecord(same=3), random=False)
    assert not is_mute(FamilyRecord(same=2), random=False)
    assert is_mute(FamilyRecord(same=1), random=True)
    assert not is_mute(FamilyRecord(same=3, differ=1), random=True)


def test_few_of_what_sleeps_are_tried_again() -> None:
    assert tries_again(10) == 2
    assert tries_again(10_000) == 25


def verdict_on(text: str, *known: str, url: str = URL, pictures: tuple[str, ...] = ()) -> PageVerdict:
    before = [hashes for one in known for hashes in hashes_of(novelty_of([(one, False)], [], URL).marks)]
    seen = {number for pair in before for number in pair}
    new = novelty_of([(text, False)], pictures, url)
    return judged(new.marks, hashes_of(new.marks), seen)


def test_numbers_months_and_words_of_the_address_are_not_new() -> None:
    march = "No events are planned for March 2031 so far"
    assert verdict_on("No events are planned for April 2032 so far", march) is PageVerdict.NOTHING
    missing = "Sorry, we have no page red-shoes 42 here for you"
    other = "http://blog.example/green-hat/7"
    assert (
        verdict_on("Sorry, we have no page green-hat 7 here for you", missing, url=other)
        is PageVerdict.NOTHING
    )


def test_new_words_figures_and_pictures_are_new() -> None:
    known = "The harbour was closed all day because of the storm"
    assert verdict_on("The ferries went back to work on the next morning", known) is PageVerdict.FRESH
    table = " ".join(f"{number}.5" for number in range(100, 120))
    assert verdict_on(table, "100.1 101.2") is PageVerdict.FRESH
    assert verdict_on(known, known, pictures=("http://blog.example/a.jpg",)) is PageVerdict.FRESH
    assert verdict_on("Hello there", known) is PageVerdict.BARREN


def test_a_number_of_the_address_that_a_page_repeats_is_not_new() -> None:
    known, page = "Fast view 42", "Fast view 298"
    assert verdict_on(page, known, url="http://blog.example/quick/298") is PageVerdict.NOTHING
    assert verdict_on(page, known, url="http://blog.example/quick/7") is PageVerdict.BARREN


def test_the_order_of_texts_does_not_matter() -> None:
    texts = [("One story of the day", True), ("Another story of the day", True)]
    assert novelty_of(texts, [], URL).digest == novelty_of(texts[::-1], [], URL).digest
    assert novelty_of([], [], URL).digest == ""


def test_a_family_that_wakes_has_to_show_two_again() -> None:
    asleep = given(PageVerdict.FRESH, PageVerdict.SAME, PageVerdict.SAME)
    assert asleep.state is FamilyState.ASLEEP
    woken = given(PageVerdict.FRESH, record=asleep)
    assert (woken.state, woken.run) == (FamilyState.TRIED, 0)
    assert given(PageVerdict.FRESH, record=woken).state is FamilyState.GOOD
