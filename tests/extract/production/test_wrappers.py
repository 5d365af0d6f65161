"""What is learned of a template, and on which pages it is believed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from lxml import etree
from msgspec import structs

from archiver.articles.methods.article.hints import Hints
from archiver.articles.methods.article.learning import Lesson, joined, learn
from archiver.articles.methods.article.memory import signature_of
from archiver.articles.methods.article.selection import common_node
from archiver.articles.methods.article.siblings import shared_texts
from archiver.articles.methods.article.wrappers import Applied, apply, text_key, tried
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.words import tokens
from tests.extract.production.samples import tree_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from archiver.articles.model import Wrapper

TOPICS = ("ferry", "airport", "theatre", "orchard", "bakery")
ADVERT = "Lamps and oil at half the price in the old mill."


def sentences(topic: str, count: int = 4) -> list[str]:
    said = f"the {topic} was closed again, and nobody in the {topic} knew why it was so."
    return [f"Day {day}: {said}" for day in range(count)]


def page(topic: str, *, more: str = "", beside: str = "", name: str = "class='story-text x1'") -> str:
    text = "".join(f"<p>{one}</p>" for one in sentences(topic))
    return f"""<nav class=top><a href='/'>Home</a></nav><div class='frame'><div {name}>{text}
        <p class=by>By the {topic} desk</p><div class=ad><p>{ADVERT}</p></div>{more}</div>{beside}
        <div class=rail><a href='/1'>The {topic} in pictures</a></div></div>"""


def lessons(pages: Iterable[tuple[str, str]]) -> list[Lesson]:
    """Of each page, what a reader would have chosen: its sentences."""
    outlines = [(topic, outline_of(tree_of(markup))) for topic, markup in pages]
    shared = shared_texts([outline for _, outline in outlines], [None] * len(outlines))
    return [
        Lesson(
            page=topic,
            outline=outline,
            kept=[place for place, block in enumerate(outline.blocks) if block.text in sentences(topic)],
            signature=signature_of(outline),
            shared=shared,
            hints=Hints(),
            confidence=0.9,
        )
        for topic, outline in outlines
    ]


def learned(name: str = "class='story-text x1'") -> Wrapper:
    wrapper = learn(lessons((topic, page(topic, name=name)) for topic in TOPICS))
    assert wrapper is not None
    return wrapper


WRAPPER = learned()


def classed(name: str) -> str:
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


def read(wrapper: Wrapper, markup: str, hints: Hints | None = None) -> list[str] | None:
    found = apply(wrapper, tree_of(markup), hints or Hints())
    return [found.outline.blocks[place].text for place in found.kept] if found else None


def why_not(markup: str, hints: Hints | None = None, wrapper: Wrapper = WRAPPER) -> str:
    found = tried(wrapper, tree_of(markup), hints or Hints())
    assert isinstance(found, str), "it fits"
    return found


@pytest.mark.parametrize(
    ("name", "is_kept"), [("toc", False), ("doc__toc", False), ("share", False), ("note", True)]
)
def test_what_a_wrapper_has_never_seen_is_told_by_its_name(name: str, is_kept: bool) -> None:
    text = read(WRAPPER, page("harbour", more=f"<div class='{name}'><h3>All parts</h3></div>"))
    assert text is not None
    assert ("All parts" in text) == is_kept
    assert set(sentences("harbour")) <= set(text)


def test_the_name_of_the_element_that_holds_the_article_says_nothing_of_its_parts() -> None:
    wrapper = learned("class='share'")
    text = read(wrapper, page("harbour", more="<div><h3>All parts</h3></div>", name="class='share'"))
    assert text is not None
    assert "All parts" in text


def test_wrapper_says_where_articles_are_and_what_in_there_is_not_of_them() -> None:
    assert WRAPPER.xpath == f"//div[{classed('frame')}]/div[{classed('story-text')}]"
    assert WRAPPER.kept == ("div.frame/div.story-text/p",)
    assert WRAPPER.dropped == ("div.frame/div.story-text/p.by",)
    assert WRAPPER.furniture == tuple(sorted(map(text_key, (ADVERT, "Home"))))
    assert WRAPPER.samples == tuple(sorted(TOPICS))
    assert WRAPPER.confidence == 0.9


def test_wrapper_reads_the_next_page() -> None:
    assert read(WRAPPER, page("school")) == sentences("school")
    found = apply(WRAPPER, tree_of(page("school")), Hints())
    assert isinstance(found, Applied)
    assert found.fit == 1
    assert common_node(found.outline, found.kept).element.get("class") == "story-text x1"


def test_nothing_is_learned_where_the_pages_do_not_bear_it_out() -> None:
    given = lessons((topic, page(topic)) for topic in TOPICS)
    # On every page a reader chose one other paragraph: no wrapper can tell which.
    odd = [replace(one, kept=[one.kept[place % 4]]) for place, one in enumerate(given)]
    assert learn(odd) is None


def test_page_on_which_it_finds_something_else_is_no_sample() -> None:
    *most, last = lessons((topic, page(topic)) for topic in TOPICS)
    wrapper = learn([*most, replace(last, kept=last.kept[:2])])
    assert wrapper is not None
    assert last.page not in wrapper.samples
    assert len(wrapper.samples) == 4


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("class='story-text'", classed("story-text")),
        ("class='p123 body'", classed("body")),
        ("id='story'", "@id='story'"),
        ("id='story-77' itemprop='articleBody'", "@itemprop='articleBody'"),
        ("role='main'", "@role='main'"),
        ("itemprop='articleBody text'", classed("articleBody").replace("@class", "@itemprop")),
        (
            "class='it&#39;s a&quot;b \U0001f6a2'",
            classed("\U0001f6a2"),
        ),
        ("class='x:y[z] @w'", classed("x:y[z]")),
    ],
)
def test_xpath_goes_by_names_that_hold_over_pages(name: str, step: str) -> None:
    wrapper = learned(name)
    assert wrapper.xpath.endswith(f"/div[{step}]")
    assert read(wrapper, page("school", name=name)) == sentences("school")


@pytest.mark.parametrize("name", ["", "class='x1'", "class='&#39;'", "id='7'", "class=' '"])
def test_element_without_a_steady_name_is_found_by_those_around_it(name: str) -> None:
    wrapper = learned(name)
    assert "frame" in wrapper.xpath
    etree.XPath(wrapper.xpath)
    assert read(wrapper, page("school", name=name)) == sentences("school")


@pytest.mark.parametrize("tag", ["fb:box", "x'y", 'x"y', "a.b", "x-y", "x(", "p,", "div[1]"])
@pytest.mark.parametrize("name", ["class='story-text'", "class='a&#1;b'", "class='&#xfffe;x'", ""])
def test_xpath_is_one_whatever_tags_and_names_a_page_has(tag: str, name: str) -> None:
    given = [
        (topic, f"<{tag} {name}>{''.join(f'<p>{one}</p>' for one in sentences(topic))}</{tag}><p>Foot</p>")
        for topic in TOPICS
    ]
    wrapper = learn(lessons(given))
    assert wrapper is not None
    etree.XPath(wrapper.xpath)(tree_of(given[0][1]))
    assert len(wrapper.samples) == len(TOPICS)


def test_page_without_any_names_has_a_path_from_its_body() -> None:
    bare = [
        (topic, f"<section>{''.join(f'<p>{one}</p>' for one in sentences(topic))}</section><p>Foot</p>")
        for topic in TOPICS
    ]
    wrapper = learn(lessons(bare))
    assert wrapper is not None
    assert wrapper.xpath == "//body/section"


def test_wrapper_is_given_up_where_the_element_is_gone() -> None:
    assert why_not(page("school", name="class='body-copy'")) == "nothing is where the article was"


def test_wrapper_is_given_up_where_what_was_announced_is_not_met() -> None:
    hints = Hints(title=tokens("Parliament dissolves after crisis and ministers resign"))
    assert why_not(page("school"), hints) == "what it finds is not what was announced"
    assert read(WRAPPER, page("school"), Hints(title=tokens("School closed again and nobody knew why")))


def test_wrapper_is_given_up_where_types_appear_that_it_does_not_know() -> None:
    text = "A minute ago, something happened that nobody has yet described here."
    more = f"<section class=live><p>{text}</p></section>"
    assert "of types that it does not know" in why_not(page("school", more=more))


def test_few_words_of_an_unknown_type_only_lower_the_fit() -> None:
    found = apply(WRAPPER, tree_of(page("school", more="<h4>And then?</h4>")), Hints())
    assert found is not None
    assert 0.9 < found.fit < 1


def test_wrapper_is_given_up_where_much_text_stands_beside_the_article() -> None:
    beside = "".join(f"<p>{one}</p>" for one in sentences("second half"))
    assert "stands beside it" in why_not(page("school", beside=f"<div class='story-rest'>{beside}</div>"))


def test_wrapper_is_given_up_where_hardly_anything_is_found() -> None:
    short = page("school").replace("".join(f"<p>{one}</p>" for one in sentences("school")), "<p>Soon.</p>")
    assert "no more than 1 words" in why_not(short)


def test_links_beside_the_article_are_no_text_that_is_missed() -> None:
    links = "<li><a href='/2'>Another story of the harbour and its ferry</a></li>" * 30
    assert read(WRAPPER, page("school", beside=f"<ul>{links}</ul>")) == sentences("school")


def test_of_several_elements_the_one_with_most_text_is_read() -> None:
    small = "<div class=frame><div class='story-text'><p>Correction of a story.</p></div></div>"
    assert read(WRAPPER, small + page("school") + small) == sentences("school")


@pytest.mark.parametrize("name", ["class='story-text'", ""])
def test_article_inside_an_inline_element_is_read(name: str) -> None:
    frame, inline = "<div class='frame'>", "<div class='frame'><span>"
    given = [(topic, page(topic, name=name).replace(frame, inline)) for topic in TOPICS]
    wrapper = learn(lessons(given))
    assert wrapper is not None
    assert read(wrapper, page("school", name=name).replace(frame, inline)) == sentences("school")


def test_same_lessons_in_any_order_make_the_same_wrapper() -> None:
    given = lessons((topic, page(topic)) for topic in TOPICS)
    assert learn(given[::-1]) == learn(given) == WRAPPER


def test_wrapper_that_says_something_else_has_another_name() -> None:
    fewer = learn(lessons((topic, page(topic)) for topic in TOPICS[:4]))
    assert fewer is not None
    assert fewer.id != WRAPPER.id


def test_joined_wrappers_know_what_both_knew() -> None:
    first = learn(lessons((topic, page(topic)) for topic in TOPICS[:2]))
    second = learn(lessons((topic, page(topic, more=f"<h3>{topic}s of old</h3>")) for topic in TOPICS[2:]))
    assert first is not None
    assert second is not None
    both = joined(first, second)
    assert both.samples == tuple(sorted(TOPICS))
    assert {*both.kept, *both.dropped, *both.mixed} == {
        *first.kept, *first.dropped, *second.kept, *second.dropped, *second.mixed
    }  # fmt: skip
    assert both.id not in (first.id, second.id)
    assert joined(first, second) == both


def test_type_that_one_kept_and_the_other_dropped_is_mixed() -> None:
    other = structs.replace(WRAPPER, kept=(), dropped=WRAPPER.kept)
    both = joined(WRAPPER, other)
    assert both.mixed == WRAPPER.kept
    assert not {*both.kept, *both.dropped} & {*both.mixed}
    assert read(both, page("school")) == sentences("school")
