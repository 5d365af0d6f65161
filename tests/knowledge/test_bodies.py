"""An article of known software has all of the text that the knowledge base leads to."""

from __future__ import annotations

import random

import pytest

from archiver.articles.methods.extraction import extract
from archiver.articles.model import Article
from archiver.documents.pages.model import Announcement, RawPage

WORDS = ("ferry", "noon", "harbour", "lantern", "late", "bridge", "river", "wind", "rope", "bell", "deck")
NAMES = ("Alder", "Birch", "Cedar", "Hazel", "Juniper", "Larch", "Maple", "Rowan", "Willow")


def sentence(words: random.Random) -> str:
    return " ".join(words.choices(WORDS, k=14)).capitalize() + "."


def page(number: int, body: tuple[str, ...]) -> RawPage:
    """A page of Sphinx: sections within sections, and a last one that has a heading and one paragraph."""
    words = random.Random(number)
    paragraphs = "".join(f"<p>{sentence(words)} {sentence(words)}</p>" for _ in range(5))
    heading = f"<h2>The {words.choice(WORDS)} of {number}</h2>"
    last = f"<section>{heading}<p>{sentence(words)} last {number}.</p></section>"
    html = f"""<html><head><title>Story {number} — Notes</title></head><body><div class="document">
    <div class="body"><section><h1>Story {number}</h1>{paragraphs}{last}</section></div></div>
    <div class="sphinxsidebar"><ul><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul></div></body>"""
    said = Announcement(title=f"Story {number}", body=body)
    return RawPage(url=f"http://notes.example/{number}/", body=html.encode(), announcement=said)


def texts(body: tuple[str, ...]) -> list[str]:
    found = extract([page(number, body) for number in range(6)])
    return [one.text for one in found if isinstance(one, Article)]


def test_nothing_is_lost_of_the_text_that_is_known() -> None:
    with_body = texts(("div.missing", "(div.body/section)[1]"))
    assert len(with_body) == 6
    assert [f"last {number}." in text for number, text in enumerate(with_body)] == [True] * 6
    assert not any("sidebar" in text or "\nA\n" in text for text in with_body)


def test_an_expression_that_finds_nothing_changes_nothing() -> None:
    assert texts(("div.gone",)) == texts(())


def test_the_title_is_the_one_that_is_known() -> None:
    """As on an issue of Redmine: headings of menus come first, and the page's `title` has more in it."""
    menus = "".join(f"<h3>{name}</h3><p><a href='/{name}'>{name}</a></p>" for name in WORDS)
    words = random.Random(1)
    html = f"""<html><head><title>Bug #7: A rope is torn - Harbour - Tracker</title></head><body>{menus}
    <h1>Harbour</h1><h2>Bug #7</h2><div class="issue"><h3>A rope is torn</h3>
    <div class="description"><p>{" ".join(sentence(words) for _ in range(3))}</p></div></div></body>"""
    said = Announcement(title="A rope is torn", body=("div.description",))
    found = extract([RawPage(url="http://tracker.example/issues/7", body=html.encode(), announcement=said)])
    assert [one.title for one in found if isinstance(one, Article)] == ["A rope is torn"]


def test_a_text_of_one_line_is_not_the_navigation_around_it() -> None:
    """As on a talk page of MediaWiki: a line in the body, and boxes of the skin around it."""
    boxes = "".join(
        f"<div><h3>{name}</h3><p>All of the {name} pages are listed here, and more of them.</p></div>"
        for name in WORDS
    )
    html = f"""<html><head><title>Talk:Rope</title></head><body><div id="content"><h1>Talk:Rope</h1>{boxes}
    <div id="text"><div class="output"><p>Torn again.</p></div></div></div></body>"""
    said = Announcement(title="Talk:Rope", body=("div[@id='text']/div.output",))
    found = extract([RawPage(url="http://wiki.example/Talk:Rope", body=html.encode(), announcement=said)])
    assert [one.text for one in found if isinstance(one, Article)] == ["Torn again."]


def wiki_page(number: int, skin: str) -> RawPage:
    """A talk page of few words, in one of two skins: what is around its text differs, the text does not."""
    words = random.Random(number)
    comments = "".join(
        f"<p>{' '.join(words.choices(WORDS, k=words.randint(2, 25))).capitalize()}. --Ada</p>"
        for _ in range(number % 3 + 1)
    )
    output = f"""<div id="text"><div class="output">{comments}</div></div>"""
    title = f"Talk:{' and '.join(words.sample(NAMES, 6))}"
    tabs = "".join(f"<li><a href='/{name}'>{name}</a></li>" for name in WORDS[:5])
    stamp = f"last edited on 4 May 2026, at 12:3{number % 10}."
    html = {
        "left": f"""<div id="content"><h1>{title}</h1><div><div class="tagline">From the gazetteer</div>
        <a href="#nav">Jump to navigation</a> <a href="#search">Jump to search</a>{output}</div></div>
        <div id="nav"><h2>Navigation menu</h2><ul>{tabs}</ul><h3>Search</h3><h3>Tools</h3></div>
        <div id="footer"><ul><li>This page was {stamp}</li></ul></div>""",
        "right": f"""<div id="wrap"><div id="tools"><h3>Page actions</h3><ul>{tabs}</ul></div>
        <main><h1>{title}</h1><p>From the gazetteer of all the harbours, bridges and rivers.</p>{output}
        <p>It was {stamp} More of it is said elsewhere.</p></main></div>""",
    }[skin]
    said = Announcement(title=title, body=("div[@id='text']/div.output",))
    page = f"<html><head><title>{title} - Gazetteer</title></head><body>{html}</body>"
    return RawPage(url=f"http://wiki.example/{number}", body=page.encode(), announcement=said)


def wiki_texts(skin: str, size: int) -> list[str | None]:
    """The texts of all pages, where so many of them are read together."""
    pages = [wiki_page(number, skin) for number in range(12)]
    found = [one for start in range(0, 12, size) for one in extract(pages[start : start + size])]
    return [one.text if isinstance(one, Article) else None for one in found]


@pytest.mark.parametrize("size", [1, 4, 12])
def test_a_known_text_is_the_same_in_every_skin(size: int) -> None:
    texts = wiki_texts("left", size)
    assert texts == wiki_texts("right", size)
    assert None not in texts
    assert not any(word in str(text) for text in texts for word in ("azetteer", "Jump", "Talk", "edited"))


def test_a_known_text_is_read_by_itself_whatever_is_read_with_it() -> None:
    assert wiki_texts("left", 1) == wiki_texts("left", 12)
