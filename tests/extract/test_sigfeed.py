"""SIGFEED on pages that show one behaviour each."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from archiver.articles.methods.reference import sigfeed
from archiver.articles.methods.reference.signifiers import signifiers_of
from archiver.articles.model import NoArticle
from archiver.documents.pages.dom import cleaned, parse_markup
from archiver.documents.pages.model import Announcement
from tests.extract import pages
from tests.extract.pages import ANNOUNCEMENT, BODY, LEAD, TITLE, page

TITLE_ONLY = Announcement(title=TITLE, language="en")

article_of = partial(pages.article_of, method="sigfeed-guarded")
outcome_of = partial(pages.outcome_of, method="sigfeed-guarded")


def select(markup: str, announcement: Announcement, **options: int) -> str | None:
    """The id of the chosen node."""
    tree = parse_markup(markup)
    assert tree is not None
    selection = sigfeed.select(cleaned(tree), announcement, "en", **options)
    return None if selection is None else selection.node.get("id")


def test_block_with_the_words_of_the_announcement_is_the_article() -> None:
    article = article_of(page(f"<div id='story'><h1>{TITLE}</h1>{BODY}</div>"))
    assert article.text.startswith(TITLE)
    assert article.text.endswith("when the ship last sailed.")
    assert "Quay Street" not in article.text
    assert article.method == "sigfeed-guarded"


def test_list_of_recent_posts_that_repeats_the_title_is_not_the_article() -> None:
    recent = (
        f"<div id='recent'><h3>Recent</h3><ul><li><a href='/1'>{TITLE}</a></li><li>Zozobra</li></ul></div>"
    )
    article = article_of(page(f"<div><h1>{TITLE}</h1>{BODY}</div>", around=recent))
    assert "Fishermen fear" in article.text
    assert "Zozobra" not in article.text


def test_comments_that_quote_the_article_are_not_the_article() -> None:
    quote = f"<li><div><p>{TITLE}</p><p>{LEAD}</p><p>{LEAD}</p> I was on it!</div></li>"
    comments = f"<div id='comments'><h2>3 responses to {TITLE}</h2><ol>{quote * 3}</ol></div>"
    article = article_of(page(f"<div id='story'><h1>{TITLE}</h1>{BODY}</div>", around=comments))
    assert "Fishermen fear" in article.text
    assert "I was on it" not in article.text


def test_comments_zone_inside_the_article_is_dropped_from_it() -> None:
    comments = (
        "<section class='post-comments'><p>First! <a href='https://spam.example/'>Pills</a></p></section>"
    )
    article = article_of(page(f"<article><h1>{TITLE}</h1>{BODY}{comments}</article>"))
    assert "First!" not in article.text
    assert "First!" not in article.html
    assert [link.url for link in article.links] == ["https://news.example.org/timetable"]


@pytest.mark.parametrize("name", ["comments-open", "no-comments", "post has-comments", "commentary"])
def test_article_whose_class_speaks_of_comments_is_kept(name: str) -> None:
    article = article_of(page(f"<div class='{name}'>{BODY}</div>"))
    assert "Fishermen fear" in article.text


def test_block_that_only_repeats_the_announcement_is_climbed_out_of() -> None:
    told = BODY.replace("After nine years the night ferry between", "Since spring a boat that links")
    head = f"<div id='head'><h1>{TITLE}</h1><p>{LEAD}</p></div>"
    assert select(f"<div id='all'>{head}<div id='text'>{told}</div></div>", ANNOUNCEMENT) == "all"


def test_to_the_letter_the_block_of_the_headline_is_the_wrapper() -> None:
    body = f"<div id='all'><div id='head'><h1>{TITLE}</h1></div><div id='text'>{BODY}</div></div>"
    assert select(body, TITLE_ONLY, least_words=0) == "head"


def test_wrapper_climbs_until_it_holds_half_of_the_keywords() -> None:
    body = """<div id="all"><div id="first"><p>The night ferry returns</p></div>
        <div id="second"><p>Sailors, hotels, dogs and cabins.</p></div></div><div id="other">Nothing</div>"""
    announcement = Announcement(
        title="The night ferry returns", summary="Dogs, cabins and hotels for sailors", language="en"
    )
    assert select(body, announcement, least_words=0) == "all"


def test_reaching_the_root_is_a_failure() -> None:
    body = """<div id="first"><p>The night ferry returns</p></div><p>Sailors, hotels, dogs and cabins.</p>"""
    announcement = Announcement(
        title="The night ferry returns", summary="Dogs, cabins and hotels for sailors", language="en"
    )
    assert select(body, announcement) is None


def test_keywords_find_the_article_that_the_feed_told_in_other_words() -> None:
    announcement = Announcement(
        title="Ferries sailing", summary="Captains, hotels and moorings", language="en"
    )
    tree = parse_markup(page(f"<div id='story'>{BODY}</div>").decode())
    assert tree is not None
    selection = sigfeed.select(cleaned(tree), announcement, "en")
    assert selection is not None
    assert selection.node.get("id") == "story"
    assert selection.evidence["signifiers"] == "keywords"
    assert selection.confidence <= sigfeed.KEYWORDS_TRUST


def test_ngrams_that_lead_to_the_root_are_given_up_for_keywords() -> None:
    teaser = "<div id='teaser'><p>The night ferry returns</p></div>"
    story = "<div id='story'><p>Dogs!</p><p>Cabins.</p><p>Hotels?</p><p>Sailors...</p></div>"
    announcement = Announcement(
        title="The night ferry returns", summary="Dogs, cabins and hotels for sailors", language="en"
    )
    assert select(teaser + story, announcement, least_words=0) == "story"
    assert select(teaser, announcement, least_words=0) is None


def test_wrapper_has_the_largest_sum_of_densities_not_the_densest_leaf() -> None:
    alone = "<div id='alone'><p>The night ferry returns</p></div>"
    many = "<p>Now the night ferry returns to us</p>"
    body = f"<div id='many'>{many * 3}</div>"
    announcement = Announcement(title="The night ferry returns", language="en")
    assert select(alone + body, announcement, least_words=0) == "many"
    assert select(alone + body.replace(many * 3, many), announcement, least_words=0) == "alone"


def test_leaves_belong_to_their_closest_block() -> None:
    body = f"""<div id="outer"><p>{TITLE}</p><table><tr><td id="cell"><p>{TITLE}</p><p>{TITLE}</p></td>
        <td>Nothing</td></tr></table></div>"""
    assert select(f"<div id='page'>{body}</div>", TITLE_ONLY, least_words=0) == "outer"
    assert select(body.replace(TITLE, "x", 1), TITLE_ONLY, least_words=0) == "cell"


def test_thai_article_that_the_feed_told_in_other_words_is_found_by_keywords() -> None:
    story = "<p>เรือเฟอร์รี่กลางคืน</p><p>ออกจากท่าเรือเก่า</p><p>กัปตันบอกผู้โดยสาร</p>"
    other = "<p>ข่าวกีฬาฟุตบอล</p><p>พยากรณ์อากาศ</p>"
    announcement = Announcement(title="กัปตัน ท่าเรือ เฟอร์รี่", language="th")
    body = f"<div id='other'>{other}</div><div id='story'>{story}</div>"
    assert select(body, announcement, least_words=0) == "story"


def test_phrase_that_recurs_over_the_channel_points_nowhere() -> None:
    noise = "Continue reading on the Island Post website"
    others = tuple(
        f"{story} {noise}" for story in ("Rain again.", "The mayor resigned.", "A whale was seen.")
    )
    announcement = Announcement(
        title="Ferry", summary=f"{LEAD} {noise}", language="en", other_summaries=others
    )
    banner = f"<div id='banner'>{noise}</div>"
    assert select(f"{banner * 3}<div id='story'>{BODY}</div>", announcement) == "story"
    assert select(f"{banner}<p>x</p>", replace(announcement, summary=noise)) is None


def test_words_inside_inline_markup_are_found() -> None:
    split = BODY.replace(
        "night ferry between the islands", "<b>night <i>ferry</i></b> between the <a>islands</a>"
    )
    article = article_of(page(f"<div>{split}</div>"))
    assert article.text.startswith("After nine years the night ferry between the islands sails again")


def test_chinese_article_is_found_character_by_character() -> None:
    paragraph = (
        "九年之后。往返群岛的夜班渡轮本周五将再次从旧港启航。公司在挪威买下一艘二手船。并在冬天重新粉刷。"
    )
    announcement = Announcement(title="夜班渡轮重返旧港", summary=paragraph[:26], language="zh")
    body = page(f"<div><h1>夜班渡轮重返旧港</h1><p>{paragraph}</p><p>{paragraph[::-1]}</p></div>")
    article = article_of(body, announcement)
    assert paragraph in article.text
    assert "Quay Street" not in article.text


def test_short_article_that_the_feed_carried_whole_is_not_climbed_out_of() -> None:
    note = "The night ferry is late today because of fog; buses wait."
    body = (
        f"<div id='day'><div id='note'><p>{note}</p></div><div id='ad'>{'Buy more boats. ' * 60}</div></div>"
    )
    announcement = Announcement(title="Fog", summary=note, content=f"<p>{note}</p>", language="en")
    assert select(body, announcement) == "note"
    assert select(body, replace(announcement, content=f"<p>{note} [&hellip;]</p>")) == "day"


def test_entry_without_words_gives_no_article() -> None:
    outcome = outcome_of(page(f"<div>{BODY}</div>"), Announcement())
    assert isinstance(outcome, NoArticle)
    assert outcome.outcome == "not_article"


def test_page_that_asks_for_a_password_is_not_an_article() -> None:
    login = (
        "<div><form><label>Name</label><input><label>Password</label><input></form><p>Members only.</p></div>"
    )
    outcome = outcome_of(page(login))
    assert isinstance(outcome, NoArticle)
    assert outcome.outcome == "not_article"


def test_page_of_links_is_not_an_article() -> None:
    titles = "".join(f"<li><a href='/{i}'>{TITLE}, part {i}</a></li>" for i in range(30))
    outcome = outcome_of(f"<html><body><div><ul>{titles}</ul></div></body></html>".encode())
    assert isinstance(outcome, NoArticle)
    assert outcome.outcome == "not_article"


def test_more_of_the_keywords_is_more_confidence() -> None:
    whole = article_of(page(f"<div><h1>{TITLE}</h1>{BODY}</div>"))
    half = article_of(page(f"<div><p>{TITLE}</p>{'<p>Other words about nothing.</p>' * 40}</div>"))
    assert 0.5 <= half.confidence < whole.confidence <= 1.0


def test_sigfeed_of_2012_takes_the_densest_block_without_climbing() -> None:
    said = Announcement(
        title=TITLE, summary="Cabins sleep four; dogs travel for nothing; cars pay by length."
    )
    apart = f"<body><div id='story'><div id='head'>{TITLE}</div><div id='text'>{BODY}</div></div></body>"
    # The block of the title has less than half of the keywords: the climb leads out of it.
    assert select(apart, said, climbs=False) == "head"
    assert select(apart, said, least_words=0) == "story"


def test_sigfeed_of_2012_knows_no_failure_at_the_root() -> None:
    apart = f"<body><div id='a'>{TITLE}</div><div id='b'>Nothing of it.</div></body>"
    said = replace(
        TITLE_ONLY, summary="Cabins sleep four, dogs travel free, cars pay by length, cranes lift."
    )
    assert select(apart, said, least_words=0) is None
    assert select(apart, said, climbs=False) == "a"


def test_ngrams_do_not_span_title_and_description() -> None:
    found = signifiers_of(Announcement(title="one two three", summary="four five six", language="en"))
    assert found.ngrams == {("one", "two", "three"), ("four", "five", "six")}
