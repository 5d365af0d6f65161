"""Pages as real applications write them: wikis, documentation, old blogs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from archiver.articles.methods.extraction import extract_group
from archiver.articles.model import Article, NoArticle
from archiver.documents.pages.model import Announcement, RawPage
from tests.extract.pages import ANNOUNCEMENT, BODY, LEAD, TITLE, article_of, outcome_of, page
from tests.extract.test_article_method import paragraphs

MOORINGS = (
    "<p>The moorings behind the lighthouse are deep enough for trawlers, the surveyor found in March.</p>"
)


@pytest.mark.parametrize("sign", ["¶", "#", "§", "🔗", "&#xf0c1;", "<span aria-hidden='true'>#</span>"])
def test_permalink_signs_of_headings_are_not_text(sign: str) -> None:
    link = f'<a class="headerlink" href="#moorings" title="Permalink">{sign}</a>'
    main = f"<div class='story'><h1>{TITLE}{link}</h1>{BODY}<h2>New moorings{link}</h2>{MOORINGS}</div>"
    found = article_of(page(main))
    assert "\n\nNew moorings\n\n" in found.text
    assert found.title == TITLE
    assert "headerlink" not in found.html
    assert found.html.count("</h2>") == 1


def test_sign_that_a_sentence_links_to_stays() -> None:
    main = f"<div class='story'>{BODY}<p>The act says so in <a href='/act#s4'>§</a> 4 of its text.</p></div>"
    assert "says so in § 4 of" in article_of(page(main)).text


@pytest.mark.parametrize(
    "row",
    [
        "<p>Tags: <a href='/t/f'>ferry</a>, <a href='/t/h'>harbour</a>, <a href='/t/i'>islands</a></p>",
        "<p>Tags: ferry, harbour, islands</p>",
        "<div>Filed under: <a href='/c/n'>News</a> · <a href='/c/t'>Transport</a></div>",
        "<p>Tagged: <a href='/t/f'>ferry</a> <a href='/t/h'>harbour</a></p>",
        "<p><b>Labels:</b> <a href='/l/f'>ferry</a>, <a href='/l/h'>harbour</a></p>",
        "<p>Posted in <a href='/c/n' rel='category tag'>News</a>, <a href='/c/t' rel='tag'>Transport</a></p>",
        "<p><a href='/t/f' rel='tag'>ferry</a> <a href='/t/h' rel='tag'>harbour</a></p>",
        "<p>Categories: <a href='/c/n'>News</a></p>",
        "<p>Schlagwörter: <a href='/t/f'>Fähre</a>, <a href='/t/h'>Hafen</a></p>",
    ],
)
def test_row_of_tags_is_not_text(row: str) -> None:
    assert article_of(page(f"<div class='story'>{BODY}{row}</div>")).text.endswith("ship last sailed.")
    assert article_of(page(f"<div class='story'>{row}{BODY}</div>")).text.startswith(LEAD)


def test_sentence_that_begins_with_tags_is_text() -> None:
    said = "<p>Tags: they are what the harbour master ties to each bag, and no bag is loaded without one.</p>"
    assert "Tags: they are what" in article_of(page(f"<div class='story'>{BODY}{said}</div>")).text


@pytest.mark.parametrize("words", ["Ferry", "Night ferry", "Ferry returns"])
def test_page_of_two_words_is_not_an_article(words: str) -> None:
    body = f"<html><head><title>{words}</title></head><body><p>{words}</p></body></html>".encode()
    found = outcome_of(body, Announcement(title=words, summary=words))
    assert isinstance(found, NoArticle)


def test_short_note_that_was_announced_is_an_article() -> None:
    note = "The night ferry is late today."
    found = article_of(
        f"<html><body><div class='note'><p>{note}</p></div></body></html>".encode(),
        Announcement(title="Late", summary=note),
    )
    assert found.text == note


@pytest.mark.parametrize("around", ["related", "promo", "sidebar", "widget"])
def test_text_that_the_feed_carries_is_kept(around: str) -> None:
    listed = "<h4>What to bring</h4><ul><li>Rope and tar</li><li>Two lamps</li></ul>"
    content = f"{BODY}{listed}<p>Ask Ann at the quay.</p>"
    nested = f"<div class='{around}'>{listed}<div class='footer'><p>Ask Ann at the quay.</p></div></div>"
    main = (
        f"<div class='story'>{BODY}{nested}</div><div class='related'><p>Bread is dearer in spring.</p></div>"
    )
    said = replace(ANNOUNCEMENT, content=content)
    found = article_of(page(main), said)
    end = "What to bring\n\n- Rope and tar\n- Two lamps\n\nAsk Ann at the quay."
    assert found.text.endswith(end)


def letter_page(number: int, last: str, content: str | None = None) -> RawPage:
    """A page whose text ends in a box that advertises a newsletter on other pages."""
    body = paragraphs(number)
    title = " ".join(body[0].split()[1:7])
    text = "".join(f"<p>{one}</p>" for one in body)
    main = f"<div class='text'>{text}<div class='newsletter'>{last}</div></div>"
    said = Announcement(title=title, summary=body[0][:120], content=content and f"{text}<p>{content}</p>")
    markup = page(f"<h1>{title}</h1>{main}").replace(TITLE.encode(), title.encode())
    return RawPage(url=f"http://news.test/{number}", id=str(number), body=markup, announcement=said)


@pytest.mark.parametrize("is_carried", [True, False])
def test_text_that_the_feed_carries_is_kept_though_a_wrapper_leaves_it_out(*, is_carried: bool) -> None:
    advertised = "<a href='/letter'>Subscribe to our letter of week {}</a> now"
    others = [letter_page(number, advertised.format(number)) for number in range(5)]
    note = "Dogs and bicycles travel for nothing on the first ferry."
    wanted = letter_page(60, note, note if is_carried else None)
    (found,) = extract_group([wanted], "article", extract_group(others, "article").learned).results
    assert isinstance(found, Article)
    assert found.wrapper
    assert ("Dogs and bicycles" in found.text) == is_carried
