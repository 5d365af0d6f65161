"""What is taken out of a choice: captions, and lines between paragraphs that lead to other articles."""

from __future__ import annotations

import pytest

from archiver.articles.methods.article.completion import completed
from archiver.articles.methods.article.hints import Hints
from archiver.articles.methods.article.pruning import needless, pruned
from tests.extract.production.samples import outlined

PARAGRAPH = "The night ferry sails again this Friday, and dogs travel on it for nothing. " * 6
SHORT = "The night ferry sails."
ELSEWHERE = "<a href='/tunnel'>Tunnel under the strait is late again</a>"


def taken_out(between: str, before: str = PARAGRAPH, after: str = PARAGRAPH) -> bool:
    """Whether what stands between two paragraphs is not kept, though all of it was chosen."""
    outline = outlined(f"<article><p>{before}</p>{between}<p>{after}</p></article>")
    chosen = range(len(outline.blocks))
    gone = needless(outline, chosen)
    assert {0, chosen[-1]}.isdisjoint(gone)
    assert len(gone) in {0, len(chosen) - 2}
    return bool(gone)


@pytest.mark.parametrize(
    "line",
    [
        "<p><a href='/tunnel'>TUNNEL UNDER THE STRAIT IS LATE AGAIN</a></p>",
        "<div><strong><a href='/tunnel'>ТОННЕЛЬ ПОД ПРОЛИВОМ ОПЯТЬ ЗАДЕРЖАЛИ</a></strong></div>",
        f"<p>READ MORE: {ELSEWHERE}</p>",
        f"<p><b>See also:</b> {ELSEWHERE}</p>",
        "<p>Lesen Sie auch: <a href='/tunnel'>Der Tunnel kommt noch später</a></p>",
        "<p>À lire aussi : <a href='/tunnel'>Le tunnel encore retardé</a></p>",
        "<p>あわせて読みたい <a href='/tunnel'>海峡トンネル、また延期</a></p>",
        "<p>Advertisement</p>",
        "<div>Story continues below</div><p>Anzeige</p>",
    ],
)
def test_line_that_leads_elsewhere_is_taken_out(line: str) -> None:
    assert taken_out(line)


@pytest.mark.parametrize(
    "line",
    [
        # A sentence with a link, a link in its own words, and capitals that lead nowhere.
        "<p>The ferry sails, <a href='/more'>as we wrote</a>, at nine in the evening.</p>",
        f"<p>{ELSEWHERE}</p>",
        "<p>NOBODY HAS EVER SEEN THE CAPTAIN</p>",
        # The words begin an ordinary sentence.
        "<p>Read on Friday by the captain, the letter has <a href='/x'>five pages</a> and no end.</p>",
        "<p><a href='/nasa'>NASA</a></p>",
    ],
)
def test_line_of_the_article_stays(line: str) -> None:
    assert not taken_out(line)


def test_capitals_at_the_beginning_and_a_lead_at_the_end_stay() -> None:
    """There they are the place of writing, or what a link blog is about."""
    assert not taken_out("<p><a href='/here'>PORT OF SAINT HELIER</a></p>", before=SHORT)
    assert not taken_out(f"<p>Read more: {ELSEWHERE}</p>", after=SHORT)


@pytest.mark.parametrize(
    "caption",
    [
        "<figure><img src='/f.jpg'><figcaption>The ferry at the quay.</figcaption></figure>",
        "<figure><img src='/f.jpg'><div><p>The ferry at the quay.</p><p>Photo: Ann</p></div></figure>",
        "<div class='media'><img src='/f.jpg'><p class='image__caption'>The ferry at the quay.</p></div>",
        "<ul><li><figure><img src='/f.jpg'><figcaption>The ferry.</figcaption></figure></li></ul>",
        "<div><img src='/f.jpg'><span></span><div id='photo-caption'>The ferry at the quay.</div></div>",
    ],
)
def test_caption_is_taken_out(caption: str) -> None:
    assert taken_out(caption)


def test_long_caption_of_one_picture_is_taken_out_beside_a_text() -> None:
    names = "Posing for the group photo: " + "Ann Miller, Ben Archer, Carl Fisher, " * 40
    caption = f"<figure><img src='/f.jpg'><figcaption>{names}</figcaption></figure>"
    assert taken_out(caption)
    assert not taken_out(caption, before=SHORT, after=SHORT)


def test_gallery_keeps_its_captions() -> None:
    said = "The ferry leaves the quay with forty dogs on board, all of them on leads. " * 3
    assert not taken_out(f"<figure><img src='/f.jpg'><figcaption>{said}</figcaption></figure>" * 8)


@pytest.mark.parametrize(
    "shown",
    [
        "<table><tr><td>Monday</td><td>nine in the evening</td></tr></table>",
        "<blockquote><p>We sail again.</p></blockquote>",
        "<pre>sail --again</pre>",
        "<ul><li>rope</li><li>tar</li></ul>",
    ],
)
def test_what_a_figure_shows_is_not_its_caption(shown: str) -> None:
    assert not taken_out(f"<figure>{shown}</figure>")


def test_list_of_links_is_not_taken_out_of_itself() -> None:
    """Where most of the text is such lines, they are what the page is about."""
    outline = outlined(f"<p>{SHORT} {SHORT} {SHORT} {SHORT}</p>" + f"<p>Read more: {ELSEWHERE}</p>" * 9)
    chosen = range(len(outline.blocks))
    assert pruned(outline, chosen) is chosen


def test_list_of_pictures_is_no_list_in_mid_article() -> None:
    figure = "<figure><img src='/f.jpg'><figcaption>The ferry at the quay.</figcaption></figure>"
    outline = outlined(f"<p>{PARAGRAPH}</p><ul><li>{figure}</li></ul><p>{PARAGRAPH}</p>")
    assert list(completed(outline, [0, 2], None, Hints())) == [0, 2]


def test_what_the_feed_carries_comes_back() -> None:
    line = "ADVERTISEMENT"
    page = f"<p>{PARAGRAPH}</p><p>{line}</p><p>{PARAGRAPH}</p>"
    outline = outlined(page)
    assert list(completed(outline, [0, 1, 2], None, Hints())) == [0, 2]
    assert list(completed(outline, [0, 1, 2], page, Hints())) == [0, 1, 2]
