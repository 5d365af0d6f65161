"""Pages of a bookshop that the tests write themselves: a template, and what differs from book to book."""

from __future__ import annotations

from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.pages.dom import parse_markup

BOOKS = (
    ("The Night Ferry", "Ann Harbour", "£12.50", "9780306406157", "3 May 2024", "240"),
    ("Moorings", "Bert Quay", "£8.99", "9783161484100", "17 June 2023", "96"),
    ("A Crane for Boats", "Carla Pier", "£21.00", "9781861972712", "1 March 2025", "412"),
    ("Lighthouse Keeping", "Dora Reef", "£5.25", "9780140449136", "22 August 2022", "58"),
    ("Storm Season", "Emil Strand", "£17.75", "9780262033848", "9 January 2026", "301"),
    ("Twelve Tonnes", "Fay Buoy", "£10.10", "9780131103627", "30 November 2021", "188"),
)


def markup(number: int, *, row: str = "") -> str:
    title, author, price, isbn, day, pages = BOOKS[number]
    return f"""<html><head><title>{title} | Harbour Books</title>
<script type="application/ld+json">{{"@type": "Book", "isbn": "{isbn}", "name": "{title}"}}</script></head>
<body><div id="menu"><a href="/">Home</a><a href="/ann">Ann Harbour</a><span class="price">£3.00</span></div>
<div class="book"><h1>{title}</h1><p class="by">by <a href="/authors/{number}">{author}</a></p>
<dl><dt>Price</dt><dd class="css-1x{number}">{price}</dd>{row}<dt>Published</dt><dd>{day}</dd></dl>
<p class="facts"><b>ISBN:</b> {isbn}<br><b>Pages:</b> {pages}<br></p>
<p class="offer">Our price: {price} (with post)</p></div>
<div id="imprint">Harbour Books, 12 Quay Street</div></body></html>"""


def book(number: int, *, row: str = "") -> VirtualDocument:
    tree = parse_markup(markup(number, row=row))
    assert tree is not None
    return VirtualDocument(tree=tree, url=f"https://books.example/book/{number}")
