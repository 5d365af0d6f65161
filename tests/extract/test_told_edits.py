"""Edits that readers are told of, beside the headline or at the end of the article, state a change."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime

import pytest

from archiver.articles.metadata.fields import metadata_of
from archiver.articles.metadata.told_edits import told_edits
from archiver.articles.methods.extraction import parse_page
from archiver.articles.model import ParsedPage
from archiver.documents.pages.model import RawPage
from archiver.documents.times.model import Evidence, Source, What

DAY = date(2026, 11, 14)
TEXT = (
    "The ferry between the two islands sails again after a winter in the yard of the town.",
    "Its owner said on Friday that the new engine had been tried for three weeks without a fault.",
    "The first passengers were pupils, who had gone to school by fishing boat since the autumn.",
    "Tickets cost as much as before, and the last boat leaves at nine in the evening.",
)
HEADLINE = "<h1>The ferry sails again</h1>"


def page_with(*, before: str = "", beside: str = "", within: str = "", end: str = "", after: str = "") -> str:
    """A page with lines above its headline, below it, in the text, at its end and after the article."""
    first, *others = (f"<p>{one}</p>" for one in TEXT)
    article = f"<article>{HEADLINE}{beside}{first}{within}{''.join(others)}{end}</article>"
    masthead = f"<header class='masthead'><a href='/'>Island Post</a>{before}</header>"
    head = "<head><title>The ferry sails again</title></head>"
    return f"<html>{head}<body>{masthead}{article}{after}</body></html>"


def told(markup: str, text: str = "\n\n".join(TEXT)) -> list[Evidence]:
    """The changes that a page with the article of this text states."""
    page = parse_page(RawPage(url="https://post.example/ferry", body=markup.encode()))
    assert isinstance(page, ParsedPage)
    return [one for one in metadata_of(page, text).dated if one.what is What.MODIFIED]


def days(found: list[Evidence]) -> list[date | None]:
    return [one.day for one in found]


# The hour of the edit stands behind the day of publication, and is of that day.
SAME_DAY = ["14 November 2026 Last updated at 15:43 GMT", "November 14, 2026 6:00 am(Updated 6:01 am)"]
LINES = [
    "Last updated 14 November 2026, 10:30",
    "Last updated: November 14, 2026",
    "Updated Nov. 14, 2026 10:30 a.m. PT",
    "UPDATED: November 14, 2026 at 10:30 a.m.",
    "Updated 10:30 AM EST, Sat November 14, 2026",
    "Updated: 10:30 GMT, 14 November 2026",
    "Published 13 November 2026 | Updated 14 November 2026",
    "By Ann Carter, Updated November 14, 2026, 3:31 p.m.",
    "November 13, 2026 4:58pm EST | Updated November 14, 2026 8:35am EST",
    "This article was last updated on 14 November 2026.",
    "This page was last edited on 14 November 2026, at 10:15.",
    "ferry.txt · Last modified: 2026/11/14 10:15 by ann",
    "First published on Friday 13 November 2026. It was last modified at 14.01 EDT on 14 November 2026.",
    "Mis à jour le 14 novembre 2026 à 10h30",
    "Publié le 13 novembre 2026 à 18h02, mis à jour le 14 novembre 2026 à 10h30",
    "Modifié le 14 novembre 2026",
    "Actualisé le 14/11/2026 à 10:30",
    "Dernière mise à jour : samedi 14 novembre 2026",
    "Aktualisiert am 14. November 2026, 10:30 Uhr",
    "Zuletzt aktualisiert: 14.11.2026, 10:30 Uhr",
    "Stand: 14.11.2026 10:30 Uhr",
    "Letzte Änderung: 14. November 2026",
    "Actualizado el 14 de noviembre de 2026 a las 10:30",
    "Última actualización: 14 noviembre 2026",
    "Aggiornato il 14 novembre 2026 alle 10:30",
    "Ultimo aggiornamento: 14 novembre 2026",
    "Atualizado em 14 de novembro de 2026 às 10h30",
    "Última atualização: 14/11/2026",
    "Laatst bijgewerkt op 14 november 2026 om 10:30",
    "Laatste update: 14 november 2026",
    "Gewijzigd op 14 november 2026",
    "Обновлено 14 ноября 2026 г., 10:30",  # noqa: RUF001 - Russian
    "Обновлено: 14.11.2026 10:30",
    "最終更新\uff1a2026年11月14日 10:30",
    "最后更新\uff1a2026-11-14",
    "최종수정 2026년 11월 14일 오후 2:05",
]


@pytest.mark.parametrize("line", [*LINES, *SAME_DAY])
def test_line_beside_the_headline_or_at_the_end_states_a_change(line: str) -> None:
    for markup in (
        page_with(beside=f"<p class='byline'>{line}</p>"),
        page_with(end=f"<footer class='entry-footer'><p>{line}</p></footer>"),
        page_with(after=f"<div class='docInfo'>{line}</div>"),
    ):
        (found,) = told(markup)
        assert (found.source, found.day) == (Source.TEXT, DAY)


def test_date_on_the_line_below_the_words_is_theirs() -> None:
    assert days(told(page_with(beside="<p>Last updated:</p><p>14 November 2026</p>"))) == [DAY]
    marked = "<dt>Updated</dt><dd><time datetime='2026-11-14T09:30:00Z'>Saturday</time></dd>"
    (found,) = told(page_with(beside=f"<dl>{marked}</dl>"))
    assert (found.source, found.at) == (Source.TIME, datetime(2026, 11, 14, 9, 30, tzinfo=UTC))


def test_line_above_the_headline_counts_where_both_are_in_one_element() -> None:
    line = "<p>Last updated 14 November 2026</p>"
    above = page_with().replace(HEADLINE, f"<div>{line}{HEADLINE}</div>")
    assert days(told(above)) == [DAY]
    assert told(page_with().replace("<body>", f"<body><div>{line}</div>")) == []


@pytest.mark.parametrize("line", LINES)
def test_it_is_never_a_day_of_publication(line: str) -> None:
    markup = page_with(beside=f"<p class='byline'>{line}</p>")
    page = parse_page(RawPage(url="https://post.example/ferry", body=markup.encode()))
    assert isinstance(page, ParsedPage)
    said = metadata_of(page, "\n\n".join(TEXT))
    published = {one.day for one in said.dated if one.what is What.PUBLISHED}
    assert published <= {date(2026, 11, 13)}


def test_moment_is_read_where_the_zone_is_written() -> None:
    (found,) = told(page_with(beside="<p>Updated November 14, 2026 8:35am EST</p>"))
    assert found.at == datetime(2026, 11, 14, 13, 35, tzinfo=UTC)
    (found,) = told(page_with(beside="<p>Updated 5:08 PM EST, Sat November 14, 2026</p>"))
    assert found.at == datetime(2026, 11, 14, 22, 8, tzinfo=UTC)
    (found,) = told(page_with(beside="<p>Mis à jour le 14 novembre 2026 à 10:30 est visible</p>"))
    assert (found.at, found.day) == (None, DAY)  # "est" is French, not a zone


def test_marked_time_behind_the_words_gives_the_moment() -> None:
    stamp = "<p>Updated <time datetime='2026-11-14T09:30:00Z'>{}</time></p>"
    for words in ("14 November 2026", "3 hours ago", "10:30"):
        found = told(page_with(beside=stamp.format(words)))
        assert found[0].source is Source.TIME
        assert found[0].at == datetime(2026, 11, 14, 9, 30, tzinfo=UTC)


def test_latest_of_several_counts() -> None:
    beside = "<p>Updated 12 November 2026</p>"
    end = "<p>Updated 14 November 2026: a name was corrected.</p><p>Updated 13 November 2026.</p>"
    assert days(told(page_with(beside=beside, end=end))) == [DAY]


def test_what_the_page_states_for_programs_goes_first() -> None:
    markup = page_with(beside="<p>Updated 14 November 2026</p>").replace(
        "<head>", "<head><meta property='article:modified_time' content='2026-11-15T08:00:00Z'>"
    )
    assert [one.source for one in told(markup)] == [Source.META, Source.TEXT]


LINE = "Last updated 14 November 2026, 10:30"
CARD = "<li><h3><a href='/rain'>Rain is expected</a></h3><p>{}</p></li>"


@pytest.mark.parametrize(
    "markup",
    [
        page_with(before=f"<p>{LINE}</p>"),
        page_with().replace("<body>", f"<body><div class='topbar'>{LINE}</div>"),
        page_with().replace("<body>", f"<body><nav><ul><li>{LINE}</li></ul></nav>"),
        page_with(after=f"<footer><p>{LINE}</p></footer>"),
        page_with(after=f"<div id='footer'>{LINE}</div>"),
        page_with(after=f"<section class='comments'><p>{LINE}</p></section>"),
        page_with(after=f"<section id='comments'><ol><li><p>Ann wrote: {LINE}</p></li></ol></section>"),
        page_with(after=f"<aside><p>{LINE}</p></aside>"),
        page_with(after=f"<ul>{CARD.format(LINE) * 3}</ul>"),
        page_with(end=f"<ul>{CARD.format(LINE)}</ul>"),
        page_with(end=f"<div><p>{LINE}</p><h3><a href='/rain'>Rain is expected</a></h3></div>"),
        page_with(after=f"<a href='/rain'><div>Rain is expected</div><div>{LINE}</div></a>"),
        page_with(after=f"<h2>More news</h2><p>{LINE}</p>"),
        page_with(after=f"<div class='related-stories'><p>{LINE}</p></div>"),
        # What the article itself speaks of.
        page_with(within="<p>The timetable was last updated on 14 November 2026 by the harbour master.</p>"),
        page_with(end="<p>The rules, which had been updated on 14 November 2026, forbid this.</p>"),
        page_with(end="<p>See our User Agreement (updated 14 November 2026) and Privacy Policy.</p>"),
        page_with(beside="<p>Reviewed on 14 November 2026</p>"),
        page_with(beside="<p>Last reviewed: 14 November 2026</p>"),
        page_with(beside="<p>Published 14 November 2026</p>"),
        page_with(beside="<p>Updated 7 days a week, 365 days a year</p>"),
        page_with(beside="<p>Updated 16M ago</p>"),
        page_with(beside="<p>Updated 04/05/2026</p>"),  # April or May
        page_with(beside="<p>Not updated since. Published 14 November 2026</p>"),
    ],
)
def test_nothing_else_states_a_change(markup: str) -> None:
    assert told(markup) == []


def test_of_a_page_without_the_article_nothing_is_told() -> None:
    assert told(page_with(beside=f"<p>{LINE}</p>"), text="") == []


@pytest.mark.parametrize(
    "hostile",
    [
        f"<p>{'<time datetime=2026-11-14>x</time>' * 40_000}</p>",
        f"{'<div>' * 900}{'<p>Updated 14 November 2026</p><h3><a href=/x>y</a></h3>' * 2_000}",
        f"<p>{'updated on ' * 20_000}</p>",
    ],
    ids=["times", "deep cards", "words"],
)
def test_whatever_stands_there_is_read_in_time(hostile: str) -> None:
    for markup in (page_with(beside=hostile), page_with(after=hostile)):
        page = parse_page(RawPage(url="https://post.example/ferry", body=markup.encode()))
        assert isinstance(page, ParsedPage)
        before = time.process_time()
        told_edits(page, "The ferry sails again", "\n\n".join(TEXT))
        assert time.process_time() - before < 2
