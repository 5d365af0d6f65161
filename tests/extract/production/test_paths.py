"""Names that an XPath goes by: those that people gave, and not those that programs make anew."""

from __future__ import annotations

import pytest

from archiver.articles.methods.article.paths import paths_to
from archiver.documents.pages.names import is_steady
from tests.extract.production.samples import outlined


@pytest.mark.parametrize(
    "name",
    ["story-text", "article-body", "articleBody", "storyBody", "RichText", "entry", "NYT", "main",
     "post_body", "content__article-body", "cnn_strycntntlft",
     "Page-storyBody", "wysiwyg", "bodyCopy", "hfeed"],
)  # fmt: skip
def test_names_that_people_give_hold(name: str) -> None:
    assert is_steady(name)


@pytest.mark.parametrize(
    "name",
    ["fDORXM", "feoRWP", "css-abcdef", "sc-bdvvtz", "css-1a2b3c", "svelte-xyz", "body__fDORXM",
     "styles_text-xYzQk", "post-77", "jsx-abc", "it's", "a\x01b"],
)  # fmt: skip
def test_names_that_programs_make_do_not(name: str) -> None:
    assert not is_steady(name)


def test_made_up_name_is_passed_over_for_the_next_one_and_for_what_is_around() -> None:
    outline = outlined(
        "<main id='story'><div class='fDORXM'><div class='sc-abc feoRWP'><p>a</p><p>b</p></div></div></main>"
        "<div class='feoRWP body-text'><p>c</p></div>"
    )
    by_names = {node.element.get("class"): paths_to(node) for node in outline.nodes if node.tag == "div"}
    assert by_names["sc-abc feoRWP"] == ["//main[@id='story']/div/div"]
    assert [path.count("body-text") for path in by_names["feoRWP body-text"]] == [1, 1]
    assert not any("feoRWP" in path for paths in by_names.values() for path in paths)
