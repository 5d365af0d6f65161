"""Pages written for the tests, and how to take an article from one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.methods.extraction import DEFAULT, extract
from archiver.articles.model import Article, NoArticle
from archiver.documents.pages.dom import cleaned, parse_markup
from archiver.documents.pages.model import Announcement, RawPage

if TYPE_CHECKING:
    from lxml import etree

URL = "https://news.example.org/2024/05/ferry.html"

TITLE = "Night ferry returns to the old harbour"
LEAD = "After nine years the night ferry between the islands sails again from the old harbour this Friday."
BODY = """
<p>After nine years the night ferry between the islands sails again from the old harbour this Friday. The
company bought a second-hand ship in Norway and repainted it over the winter.</p>
<p>Tickets cost less than the flight, the captain says, and <a href="/timetable">the timetable</a> follows the
last train. Cabins sleep four; dogs travel for nothing and cars pay by length.</p>
<p>Fishermen fear for their moorings. The council promised new ones behind the lighthouse before the autumn,
and a crane that lifts boats of up to twelve tonnes out of the water for the storms of the season.</p>
<p>Whether the line pays depends on the hotels, which open earlier than they ever did. Bookings for June are
already twice what they were when the ship last sailed.</p>
"""
ANNOUNCEMENT = Announcement(
    title=TITLE, summary=f"<p>{LEAD} <a href='{URL}'>Read more</a></p>", language="en"
)


def page(main: str, *, head: str = "", around: str = "") -> bytes:
    """A page with navigation, a main part, and whatever stands around it."""
    return f"""<!doctype html><html lang="en"><head><title>{TITLE} | Island Post</title>{head}</head><body>
    <div id="menu"><a href="/">Home</a> <a href="/sport">Sport</a> <a href="/harbour">Harbour</a></div>
    {main}{around}
    <div id="imprint">Island Post, 12 Quay Street. All rights reserved.</div></body></html>""".encode()


# Where the markup of `node` stands.
BASE = "https://example.org/a/b.html"


def node(markup: str) -> etree._Element:
    """A part of a page, as extraction sees it."""
    tree = parse_markup(f"<html><body><div>{markup}</div></body></html>")
    assert tree is not None
    return cleaned(tree).find("body/div")


def outcome_of(
    body: bytes,
    announcement: Announcement = ANNOUNCEMENT,
    content_type: str | None = "text/html; charset=utf-8",
    method: str = DEFAULT,
) -> Article | NoArticle:
    raw = RawPage(url=URL, body=body, content_type=content_type, announcement=announcement)
    (outcome,) = extract([raw], method)
    return outcome


def article_of(body: bytes, announcement: Announcement = ANNOUNCEMENT, method: str = DEFAULT) -> Article:
    outcome = outcome_of(body, announcement, method=method)
    assert isinstance(outcome, Article), outcome
    return outcome
