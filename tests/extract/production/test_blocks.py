"""A page as text blocks: where one ends, what is counted in it, and what its type is."""

from __future__ import annotations

import pytest

from archiver.documents.pages.blocks import STEPS, outline_of, outline_of_element, step_of
from tests.extract.production.samples import outlined, tree_of


def texts(markup: str) -> list[str]:
    return [block.text for block in outlined(markup).blocks]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>The <b>old</b> <a href='/'>ferry</a> sails.</p>", ["The old ferry sails."]),
        ("<p>Fer<i>ry</i></p>", ["Ferry"]),
        ("<p>one</p> two <p>three</p> four", ["one", "two", "three", "four"]),
        ("<div>before<p>in</p>after</div>", ["before", "in", "after"]),
        ("<span>a <div>b</div> c</span>", ["a", "b", "c"]),
        ("<div>one<br>line</div>", ["one line"]),
        ("<div>one<br><br>two<br> \n <br>three</div>", ["one", "two", "three"]),
        ("<div>one<br>and<br>two</div>", ["one and two"]),
        ("<p> \n </p><p>—</p><p>...</p>", []),
        ("<p>b <map>c<area></map>d</p><meter>e</meter><p>f</p>", ["b d", "f"]),
        ("<ul><li>a<ul><li>b</li></ul>c</li></ul>", ["a", "b", "c"]),
    ],
)
def test_block_is_what_only_inline_markup_interrupts(markup: str, expected: list[str]) -> None:
    assert texts(markup) == expected


@pytest.mark.parametrize(
    ("markup", "words", "linked"),
    [
        ("<p>all of it is plain</p>", 5, 0),
        ("<p><a>all of it</a></p>", 3, 3),
        ("<p><a>all</a> <a>of it</a></p>", 3, 3),
        ("<p>some <a>of <b>it</b></a> here</p>", 4, 2),
        # Three words in two links make two in the text, of which no more than two are linked.
        ("<p><a>fer</a><a>ry sails</a> </p>", 2, 2),
        ("<a><p>in a link</p></a><p>behind it</p>", 3, 3),
    ],
)
def test_words_in_links_are_counted(markup: str, words: int, linked: int) -> None:
    block = outlined(f"{markup}<p>and more</p>").blocks[0]
    assert (len(block.words), block.linked, block.plain) == (words, linked, words - linked)


def test_link_that_is_closed_does_not_count_for_what_follows() -> None:
    first, second = outlined("<a><p>in a link</p></a><p>behind it</p>").blocks
    assert (first.linked, second.linked) == (3, 0)


def test_page_in_one_link_is_read_as_if_it_were_in_none() -> None:
    assert [block.linked for block in outlined("<a href='/'><p>The ferry</p><p>sails</p></a>").blocks] == [
        0,
        0,
    ]


def test_block_is_bold_where_all_of_it_is() -> None:
    bold = [block.is_bold for block in outlined("<p><b>a</b> <strong>b</strong></p><p><b>a</b> b</p>").blocks]
    assert bold == [True, False]


def test_pieces_say_where_the_text_is() -> None:
    outline = outlined("<div>one<p>two</p>three <i>four</i> five</div>")
    div = outline.nodes[1].element
    paragraph, italic = div.find("p"), div.find("i")
    assert [list(block.pieces) for block in outline.blocks] == [
        [(div, False)],
        [(paragraph, False)],
        [(paragraph, True), (italic, False), (italic, True)],
    ]


def test_element_is_a_range_of_blocks() -> None:
    outline = outlined("<div><p>a</p><div></div><p>b</p></div><p>c</p>")
    assert [(node.tag, node.start, node.end) for node in outline.nodes] == [
        ("body", 0, 3),
        ("div", 0, 2),
        ("p", 0, 1),
        ("p", 1, 2),
        ("p", 2, 3),
    ]


@pytest.mark.parametrize(
    ("attributes", "step"),
    [
        ("", "p"),
        ("class='lead big'", "p.lead"),
        ("class='post-123'", "p.post-"),
        ("class=' ' id='story'", "p"),
        ("id='story7'", "p.story"),
        ("itemprop='articleBody'", "p.articleBody"),
        ("role='main'", "p.main"),
        ("class='w-1/2 x'", "p.w-"),
    ],
)
def test_step_is_the_tag_and_the_first_name_without_digits(attributes: str, step: str) -> None:
    (paragraph,) = tree_of(f"<p {attributes}>a</p>").iter("p")
    assert step_of(paragraph) == step


def test_type_is_the_last_steps_of_the_path() -> None:
    outline = outlined("<main><div class=a><span><section><p id=b1>x</p></section></span></div></main>")
    assert STEPS == 3
    assert outline.blocks[0].node.type == "div.a/section/p.b"
    assert [node.type for node in outline.nodes][:2] == ["body", "body/main"]


@pytest.mark.parametrize(
    "markup",
    [
        "<div class=a><div class=b><section id=c1><p>x</p><p class=d>y</p></section></div></div>",
        "<section><p>x</p></section>",
        "<div class='w-1/2'><div class='p/1'><section class='m/3'><p>x</p></section></div></div>",
        "<div><span class=s><font><section><p>x</p></section></font></span></div>",
        "<div><a href='/'><b><section><p>x <i>y</i></p>z</section></b></a></div>",
    ],
)
def test_part_of_a_page_has_the_types_that_it_has_in_the_whole(markup: str) -> None:
    tree = tree_of(markup)
    section = next(tree.iter("section"))
    inside = set(section.iter())
    part, whole = outline_of_element(section), outline_of(tree)
    expected = [(node.element, node.type) for node in whole.nodes if node.element in inside]
    assert [(node.element, node.type) for node in part.nodes] == expected
    assert [block.text for block in part.blocks] == [block.text for block in whole.blocks]


def test_link_around_a_part_is_not_counted_in_it() -> None:
    tree = tree_of("<a href='/'><section><p>The old ferry</p></section>")
    assert [block.linked for block in outline_of_element(next(tree.iter("section"))).blocks] == [0]


def test_page_without_text_has_no_blocks() -> None:
    outline = outlined("<div><img src='a.png'></div>")
    assert not outline.blocks
    assert outline.nodes[0].end == 0


def test_hidden_elements_and_stated_bodies_are_known() -> None:
    markup = """<p hidden>a</p><p aria-hidden='true'>b</p><p style='Display : none'>c</p><p>d</p>
        <div itemprop='articlebody'>e</div>"""
    nodes = outlined(markup).nodes[1:]
    assert [node.is_hidden for node in nodes] == [True, True, True, False, False]
    assert [node.is_body for node in nodes] == [False, False, False, False, True]


def test_run_without_a_word_is_no_block() -> None:
    outline = outlined("<p>one</p><p>* * *</p><p>two</p>")
    assert [block.text for block in outline.blocks] == ["one", "two"]
    assert [run.text for run in outline.runs] == ["one", "* * *", "two"]


@pytest.mark.parametrize(
    ("markup", "runs"),
    [
        ("<p>shown (<x-source>4</x-source>) again</p>", [("shown (", False), ("4", True), (") again", True)]),
        ("<p>one</p><x-ad><p>two</p></x-ad>", [("one", False), ("two", False)]),
        ("<div>one<br><br><x-ad>two</x-ad></div>", [("one", False), ("two", False)]),
        ("<div>one<hr><x-ad>two</x-ad></div>", [("one", False), ("two", False)]),
    ],
)
def test_element_that_html_does_not_know_ends_a_block_and_no_line(
    markup: str, runs: list[tuple[str, bool]]
) -> None:
    assert [(run.text, run.runs_on) for run in outlined(markup).runs] == runs


@pytest.mark.parametrize(
    ("markup", "texts"),
    [
        ("<p>The <a href='/'>old <b>ferry</b></a> sails</p>", ["old ferry"]),
        ("<p><a href='/1'>one</a><a href='/2'></a></p><a href='/3'>two</a>", ["one", "", "two"]),
        ("<a href='/'>The <h2>Ferry</h2><p>sails</p> again</a>", ["The Ferrysails again"]),
        ("<button><a href='/'>unseen</a></button>", []),
    ],
)
def test_link_is_what_stands_between_two_places(markup: str, texts: list[str]) -> None:
    outline = outlined(markup)
    assert [outline.text_between(one.begin, one.end) for one in outline.anchors] == texts


def test_picture_stands_behind_the_text_before_it() -> None:
    outline = outlined("<p>one <img src='a.png'></p><amp-img src='b.png'></amp-img><p>two</p>")
    assert [(picture.element.get("src"), picture.place) for picture in outline.pictures] == [
        ("a.png", (0, 1)),
        ("b.png", (1, 0)),
    ]
