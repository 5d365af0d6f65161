"""A wrapper is proven on every page at hand, also on those that it was not drafted from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import structs

from archiver.articles.methods.article.learning import WELL_KNOWN, Lesson, agreement, joined, learn
from archiver.articles.methods.article.memory import Memory, is_usable
from tests.extract.production.test_wrappers import TOPICS, WRAPPER, classed, lessons, page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.articles.model import Wrapper


def told(topics: Sequence[str], name: str = "class='story-text'", more: str = "") -> list[Lesson]:
    return lessons((topic, page(topic, name=name, more=more)) for topic in topics)


def live(topic: str) -> str:
    """Text in elements that other pages do not have, beside that of the article."""
    texts = [
        f"At noon the {topic} was seen again by {number} people who had come for it." for number in "abcdef"
    ]
    return "".join(f"<div class='minute'><p>{text}</p></div>" for text in texts)


def taken(wrapper: Wrapper | None) -> Wrapper:
    assert wrapper is not None
    return wrapper


def test_pages_on_which_it_would_be_wrong_are_made_unknown_to_it() -> None:
    most = told(TOPICS[:3])
    odd = [lesson for topic in TOPICS[3:] for lesson in lessons([(topic, page(topic, more=live(topic)))])]
    # Of the odd pages the consensus took the minutes, and left out the text.
    minutes = [
        replace(one, kept=[n for n, block in enumerate(one.outline.blocks) if "At noon" in block.text])
        for one in odd
    ]
    wrapper = taken(learn([*most, *minutes]))
    assert wrapper.samples == tuple(sorted(TOPICS[:3]))
    assert [agreement(wrapper, one) for one in minutes] == [None] * len(minutes)


def test_wrapper_that_is_wrong_on_pages_of_other_templates_is_not_learned() -> None:
    own, others = told(TOPICS[:3]), told(TOPICS[3:])
    assert learn(own, others) is not None
    wrong = [replace(one, kept=one.kept[:1]) for one in others]
    assert learn(own, wrong) is None


def test_element_around_is_taken_where_the_closest_one_differs_from_page_to_page() -> None:
    given = [
        (topic, page(topic, name=f"class='part-{letter}'"))
        for topic, letter in zip(TOPICS, "abcde", strict=True)
    ]
    wrapper = taken(learn(lessons(given)))
    assert wrapper.xpath == f"//body/div[{classed('frame')}]"
    assert wrapper.samples == tuple(sorted(TOPICS))


def test_text_on_several_pages_that_was_kept_is_no_furniture() -> None:
    given = [(topic, page(topic, more="<p>More of this will be told next week.</p>")) for topic in TOPICS]
    plain = lessons(given)
    kept = [
        replace(
            one, kept=[*one.kept, next(n for n, b in enumerate(one.outline.blocks) if "next week" in b.text)]
        )
        for one in plain
    ]
    without, with_it = taken(learn(plain)), taken(learn(kept))
    assert len(without.furniture) == len(with_it.furniture) + 1


def test_confidence_of_both_counts_by_their_pages() -> None:
    other = structs.replace(WRAPPER, samples=("x",), confidence=0.3)
    assert joined(WRAPPER, other).confidence == round((5 * 0.9 + 0.3) / 6, 4)


def test_well_known_wrapper_stays_what_it_is_where_nothing_is_new() -> None:
    known = structs.replace(WRAPPER, id="known", samples=tuple(map(str, range(WELL_KNOWN))))
    more = structs.replace(WRAPPER, samples=("x",))
    assert joined(known, more) is known
    assert joined(known, structs.replace(more, dropped=(*more.dropped, "div/h6"))).id != "known"


def test_two_kinds_of_pages_with_one_frame_have_one_wrapper_where_types_tell_them_apart() -> None:
    memory, others = Memory(()), ("school", "ship", "storm")
    memory.learn([[*told(TOPICS[:3]), *told(others, name="class='long-read'")]])
    (wrapper,) = memory.learned
    assert wrapper.samples == tuple(sorted((*TOPICS[:3], *others)))
    assert is_usable(wrapper)


def test_two_kinds_of_pages_that_types_do_not_tell_apart_have_a_wrapper_each() -> None:
    # The second kind has its text elsewhere, and where the first has it something else.
    others = [
        replace(one, kept=[n for n, block in enumerate(one.outline.blocks) if "At noon" in block.text])
        for topic in ("school", "ship", "storm")
        for one in lessons([(topic, page(topic, beside=f"<div class='long-read'>{live(topic)}</div>"))])
    ]
    memory = Memory(())
    memory.learn([[*told(TOPICS[:3]), *others]])
    assert len({one.xpath for one in memory.learned}) == 2
    assert {one.samples for one in memory.learned} == {tuple(sorted(TOPICS[:3])), ("school", "ship", "storm")}


def test_wrapper_that_served_is_not_replaced_by_that_of_another_kind() -> None:
    outdated = []
    for has_served in (False, True):
        memory = Memory([WRAPPER])
        if has_served:
            memory.served(WRAPPER)
        memory.learn([told(("school", "ship", "storm"), name="class='long-read'")])
        outdated.append(memory.outdated)
    assert outdated == [[WRAPPER.id], []]
