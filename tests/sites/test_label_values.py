"""What one more page of a kind of links is worth: its own new text, and what it leads to."""

from __future__ import annotations

from msgspec.structs import replace

from archiver.acquisition.sites.learning.labels import BEYOND
from archiver.acquisition.sites.learning.model import LabelRecord
from archiver.acquisition.sites.learning.values import chosen, is_teaser, values_of
from archiver.acquisition.sites.traps.forms import Rank

POSTS = LabelRecord(
    id=1,
    path="/html/body/h2/a",
    shape="#/#/*",
    rank=Rank.PAGES,
    waiting=5,
    fetched=4,
    gains=(100.0,) * 4,
    leads=((),) * 4,
    gained=400.0,
    paid=4,
)
OLDER = LabelRecord(
    id=2,
    path="/html/body/nav/a",
    shape="page/#",
    rank=Rank.SERIES,
    waiting=1,
    fetched=2,
    gains=(0.0, 0.0),
    leads=(((1, 10), (2, 1)),) * 2,
)
TAGS = LabelRecord(
    id=3,
    path="/html/body/p/a",
    shape="tag/w",
    rank=Rank.PAGES,
    waiting=40,
    fetched=3,
    gains=(0.0,) * 3,
    leads=((),) * 3,
)


def worth(*records: LabelRecord) -> dict[int, float]:
    return dict(values_of(records).of)


def test_a_list_is_worth_what_it_leads_to() -> None:
    values = values_of((POSTS, OLDER, TAGS))
    assert values.usual == 100
    # Eleven requests bring ten posts.
    assert 75 < values.of[OLDER.id] < values.of[POSTS.id]
    assert values.of[TAGS.id] < values.least


def test_what_pays_is_asked_for_and_what_does_not_is_not() -> None:
    records = (POSTS, OLDER, TAGS)
    assert chosen(records, values_of(records), 8) == [(1, 5), (2, 1)]
    assert chosen(records, values_of(records), 3) == [(1, 3)]
    assert chosen((TAGS,), values_of((POSTS, TAGS)), 8) == []


def test_what_lies_behind_the_end_of_lists_is_told_by_such_pages_alone() -> None:
    """Addresses of the pages before have the same form, and lead to many posts."""
    lists = replace(OLDER, fetched=40, gains=(0.0,) * 16, leads=(((1, 10), (2, 1)),) * 16)
    behind = LabelRecord(
        id=6, path=f"{OLDER.path}{BEYOND}", shape=OLDER.shape, rank=Rank.SERIES, waiting=90, series=90
    )
    for seen, is_tried in ((0, True), (1, True), (2, False), (3, False)):
        record = replace(behind, fetched=seen, gains=(0.0,) * seen, leads=(((6, 1),),) * seen)
        assert values_of((POSTS, lists, record)).pays(record) is is_tried, seen
    # Where one of them shows posts after all, others are asked for.
    found = replace(behind, fetched=1, gains=(0.0,), leads=(((1, 10), (6, 1)),))
    assert values_of((POSTS, lists, found)).pays(found)


def test_what_was_never_followed_gets_a_try_and_one_alone_at_first() -> None:
    new = LabelRecord(id=4, path="/html/body/ul/a", shape="w", rank=Rank.PAGES, waiting=9)
    records = (replace(POSTS, waiting=0), new)
    assert chosen(records, values_of(records), 8) == [(4, 1)]


def test_a_list_that_leads_to_what_does_not_pay_is_worth_nothing() -> None:
    looks = LabelRecord(
        id=5,
        path="/html/body/a",
        shape="w?print",
        rank=Rank.LOOKS,
        waiting=9,
        fetched=2,
        gains=(0.0, 0.0),
        leads=((), ()),
    )
    leading = replace(TAGS, leads=(((5, 9),),) * 3)
    values = values_of((POSTS, leading, looks))
    assert values.of[leading.id] < values.least


def test_nobody_needs_to_be_led_to_more_addresses_of_which_plenty_wait() -> None:
    """The first page behind an id of a visit has text; each page has links with another id."""
    visits = LabelRecord(
        id=5,
        path="/html/body/a",
        shape="about?visit",
        rank=Rank.LOOKS,
        waiting=9,
        fetched=1,
        gains=(90.0,),
        leads=((),),
    )
    leading = replace(TAGS, leads=(((5, 1),),) * 3)
    few = values_of((POSTS, leading, visits))
    assert few.pays(leading)
    plenty = values_of((POSTS, leading, replace(visits, waiting=900)))
    assert not plenty.pays(leading)


def test_kinds_with_parameters_are_judged_by_each_other() -> None:
    tried = [
        LabelRecord(
            id=10 + number,
            path=f"/html/body/div.{chr(97 + number)}/a",
            shape=f"index.php?a&{chr(97 + number)}",
            rank=Rank.TWO,
            fetched=1,
            gains=(0.0,),
            leads=((),),
        )
        for number in range(20)
    ]
    new = LabelRecord(id=50, path="/html/body/p/a", shape="index.php?x&y", rank=Rank.TWO, waiting=2)
    few, many = values_of((POSTS, *tried[:1], new)), values_of((POSTS, *tried, new))
    assert few.of[new.id] > few.least > 0
    assert many.of[new.id] < few.of[new.id] / 2


def test_plain_addresses_come_before_those_with_parameters() -> None:
    other = replace(POSTS, id=6, shape="w?a&b", path="/html/body/i/a", rank=Rank.TWO, gains=(300.0,) * 4)
    records = (other, POSTS)  # it pays more
    assert [number for number, _ in chosen(records, values_of(records), 20)] == [1]


def test_text_beside_a_link_is_a_teaser_where_pages_contain_it() -> None:
    assert is_teaser(0, 0, is_title=True)
    assert not is_teaser(0, 0, is_title=False)
    assert is_teaser(2, 1, is_title=False)
    assert not is_teaser(3, 1, is_title=True)


def test_what_hardly_pays_is_asked_for_one_page_at_a_time() -> None:
    weak = replace(TAGS, fetched=8, gains=(20.0,) * 8, gained=160.0, paid=8)
    posts = replace(POSTS, waiting=0, fetched=96, gained=9600.0, paid=96)
    records = (posts, weak)
    values = values_of(records)
    assert values.least <= values.of[weak.id] < 0.4 * values.usual
    assert chosen(records, values, 8) == [(weak.id, 1)]
    assert chosen(records, values, 8, [weak.id]) == []


def test_of_links_with_parameters_one_kind_after_the_other_is_tried() -> None:
    looks = [
        LabelRecord(id=10 + n, path=f"/html/body/p{n}/a", shape=f"list?{n}", rank=Rank.ONE, waiting=5)
        for n in range(4)
    ]
    records = (replace(POSTS, waiting=0), *looks)
    values = values_of(records)
    assert [number for number, _ in chosen(records, values, 8)] == [10]
    assert chosen(records, values, 8, [10]) == []


def test_short_pages_that_say_something_each_time_are_content() -> None:
    talk = LabelRecord(
        id=9,
        path="/html/body/nav/a",
        shape="talk/w",
        rank=Rank.PAGES,
        waiting=60,
        fetched=10,
        gains=(7.0,) * 10,
        leads=((),) * 10,
        gained=70.0,
        paid=10,
    )
    posts = replace(POSTS, waiting=0, fetched=40, gained=4000.0, paid=40)
    values = values_of((posts, talk))
    assert values.of[talk.id] < values.least
    assert values.pays(talk)
    now_and_then = replace(talk, gains=(0.0, 14.0) * 5, paid=5)
    assert not values_of((posts, now_and_then)).pays(now_and_then)
