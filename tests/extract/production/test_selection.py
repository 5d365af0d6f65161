"""From chosen blocks to a node, and what in it is not of the article."""

from __future__ import annotations

from lxml import etree

from archiver.articles.methods.article.selection import common_node, copied, dropped_in, in_place
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.dom import parse_markup
from archiver.documents.pages.text import text_of
from tests.extract.production.samples import outlined, tree_of


def taken(markup: str, *kept: str) -> str:
    """The text that is left where the blocks with these texts are chosen."""
    outline = outline_of(tree_of(markup))
    places = [place for place, block in enumerate(outline.blocks) if block.text in kept]
    copy = copied(outline, places)
    part = in_place(outline, places)
    assert text_of(copy.node, copy.dropped.__contains__) == text_of(part.node, part.dropped.__contains__)
    return text_of(part.node, part.dropped.__contains__)


def test_node_is_the_innermost_that_holds_all() -> None:
    outline = outlined("<main><div><p>a</p><p>b</p></div><div><p>c</p></div></main>")
    assert common_node(outline, [0]).tag == "p"
    assert [common_node(outline, kept).element.tag for kept in ([0, 1], [1, 2])] == ["div", "main"]
    assert common_node(outline, [0, 2]) is common_node(outline, [0, 1, 2])


def test_largest_elements_without_chosen_blocks_are_dropped() -> None:
    outline = outlined("<div><p>a</p><div class=x><p>b</p><ul><li>c</li></ul></div><p>d</p><p>e</p></div>")
    node = outline.nodes[1]
    dropped = dropped_in(outline, node, [0, 3])
    assert {element.get("class") for element in dropped} == {"x", None}
    assert sorted("".join(element.itertext()) for element in dropped) == ["bc", "e"]


def test_elements_without_text_stay() -> None:
    outline = outlined("<div><p>a</p><figure><img src='a.png'></figure><p>b</p></div>")
    assert not dropped_in(outline, outline.nodes[1], [0, 1])


def test_elements_outside_of_the_node_are_none_of_its_dropped_ones() -> None:
    outline = outlined("<div><p>a</p></div><div><p>b</p></div>")
    assert not dropped_in(outline, outline.nodes[1], [0])


def test_dropped_blocks_are_gone_and_what_follows_them_stays() -> None:
    markup = "<div><p>The ferry</p><aside>Read also</aside>sails <p>on Friday</p></div>"
    assert taken(markup, "The ferry", "sails", "on Friday") == "The ferry\n\nsails\n\non Friday"


def test_runs_between_elements_are_emptied() -> None:
    markup = "<div>Share this<p>The ferry</p>Advertisement<p>sails</p>By <b>Ann</b> Lee</div>"
    assert taken(markup, "The ferry", "sails") == "The ferry\n\nsails"


def test_chosen_runs_stay_where_elements_are_dropped() -> None:
    markup = "<div>The ferry<p>Read also</p>sails<br><br>Share this<br><br>on Friday</div>"
    assert " ".join(taken(markup, "The ferry", "sails", "on Friday").split()) == "The ferry sails on Friday"


def test_one_chosen_block_is_the_whole_text() -> None:
    assert taken("<div><p>The ferry</p><p>Share</p></div>", "The ferry") == "The ferry"


def test_copy_is_cleaned_and_leaves_the_page_as_it_is() -> None:
    tree = parse_markup(
        "<body><div>Share<p>The ferry<script>a()</script></p><style>b</style><p>sails</p>"
        "<p class=x>Read also</p></div></body>"
    )
    assert tree is not None
    before = etree.tostring(tree)
    outline = outline_of(tree)
    assert [block.text for block in outline.blocks] == ["Share", "The ferry", "sails", "Read also"]
    part = copied(outline, [1, 2])
    assert text_of(part.node, part.dropped.__contains__) == "The ferry\n\nsails"
    assert [one.tag for one in part.node.iter()] == ["div", "p", "p", "p"]
    assert etree.tostring(tree) == before
