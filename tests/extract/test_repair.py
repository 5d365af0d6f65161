"""Pages that an element without an end swallows: readers see the article all the same."""

from __future__ import annotations

import time

import pytest

from archiver.documents.pages.dom import cleaned, parse_markup
from archiver.documents.pages.repair import without_open_ends, without_unseen
from archiver.documents.pages.text import text_of
from tests.extract.pages import BODY, LEAD, article_of, page

ARTICLE = "<main><p>The night ferry sails again.</p><p>Dogs travel for nothing.</p></main>"
SEEN = "The night ferry sails again.\n\nDogs travel for nothing."


def seen_on(markup: str) -> str:
    tree = parse_markup(f"<html><body>{markup}</body></html>")
    assert tree is not None
    return text_of(cleaned(tree))


@pytest.mark.parametrize(
    "early", ["<html></html><head></head><body>", "<html><body></body></html>", "<HTML><BODY></BODY></HTML>"]
)
def test_what_stands_behind_the_end_of_a_page_is_seen(early: str) -> None:
    tree = parse_markup(f"{early}{ARTICLE}</body></html><script>count()</script>")
    assert tree is not None
    assert text_of(cleaned(tree)) == SEEN


@pytest.mark.parametrize(
    "before",
    [
        "<nav><button><div></button></nav>",
        "<button>Menu",
        "<BUTTON class='a>b'>Menu<span>",
        "<button>Menu<button>Search</button>",
        "<button>Menu</div>",
        "<form><select><option>One<option>Two<select><option>Three</form>",
        "<form><select><option>One<option>Two",
        "<datalist><option value=1>",
        "<textarea>Write to us",
        "<TextArea name=x>",
        "<noscript><div>No script</noscript>",
        "<noscript><img src=x>",
        "<video src=x><div></video>",
        "<audio src=x><canvas>",
        "<iframe src=x>",
        "<!-- the menu >",
        "<!-- the menu -- >",
        "<!-- the menu <!-- and more >",
        "<!-- the menu --><button>Menu",
        "<script>document.write('<button>')</script><button>Menu",
    ],
)
def test_what_has_no_end_does_not_swallow_the_article(before: str) -> None:
    assert seen_on(before + ARTICLE) == SEEN


def test_button_that_ends_behind_the_article_does_not_hold_it() -> None:
    assert seen_on(f"<button>Menu{ARTICLE}<div>Share</button>").startswith(SEEN)


@pytest.mark.parametrize(
    "unseen",
    [
        "<button><h3>Menu</h3></button>",
        "<button><div><p>Menu</p></div></button>",
        "<select><option>One<option>Two</select>",
        "<textarea>Write</textarea>",
        "<noscript><h1>Switch on scripts</h1></noscript>",
        "<video><p>No video</p></video>",
        "<!-- <p>Old</p> -->",
        "<!-->",
        "<script><!-- if (a) { b() } </script>",
        "<script>x = '<textarea>' + '<!--'</script>",
        "<template><template></template><p>Later</p></template>",
        f"<select>{'<option>An island of many' * 100}</select>",
    ],
)
def test_what_has_an_end_stays_unseen(unseen: str) -> None:
    assert seen_on(unseen + ARTICLE) == SEEN
    assert seen_on(ARTICLE + unseen) == SEEN
    # Nothing that is seen is taken out where there is nothing to repair.
    assert seen_on(without_unseen(without_open_ends((unseen + ARTICLE).encode())).decode()) == SEEN


@pytest.mark.parametrize("open_end", ["<button>Menu", "<!-- the menu >", "<form><select><option>Islands"])
def test_article_behind_an_open_end_is_found(open_end: str) -> None:
    found = article_of(page(f"<div>{open_end}</div><div class='story'>{BODY}</div>"))
    assert found.text.startswith(LEAD)
    assert "Menu" not in found.text


@pytest.mark.parametrize(
    "tag", ["<button>", "<!--", "<!-- >", "<textarea", "<script>", "<video><p>", "<select"]
)
def test_ends_are_looked_for_once(tag: str) -> None:
    before = time.process_time()
    seen_on(tag * 50_000)
    # Looked for anew from each of them, they would take minutes.
    assert time.process_time() - before < 20
