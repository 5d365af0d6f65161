"""How the shop shows books: a design for each of its searches."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sample.shop.books import Book


def _link(root: str, book: Book) -> str:
    return f'<a href="{root}/book/{book.number}">{escape(book.title)}</a>'


def _authors(book: Book, element: str = "span") -> str:
    return ", ".join(f'<{element} class="author">{escape(one)}</{element}>' for one in book.authors)


def _marked(writer: str) -> str:
    return f'<span itemprop="author">{escape(writer)}</span>'


def _item(writer: str) -> str:
    return f"<li>{escape(writer)}</li>"


def as_list(root: str, books: Sequence[Book]) -> str:
    rows = "".join(
        f'<li class="hit"><h3>{_link(root, book)}</h3><p class="by">by {_authors(book)}</p>'
        f'<p class="facts"><span class="publisher">{escape(book.publisher)}</span>'
        f' <span class="year">{book.year}</span> <em class="category">{book.category}</em></p>'
        f'<p class="buy"><span class="isbn">ISBN: {book.isbn}</span>'
        f' <strong class="price">€ {book.price}</strong></p></li>'
        for book in books
    )
    return f'<ul class="results">{rows}</ul>'


def as_table(root: str, books: Sequence[Book]) -> str:
    head = "".join(
        f"<th>{one}</th>" for one in ("Title", "Author", "Publisher", "Year", "Category", "ISBN", "Price")
    )
    rows = "".join(
        f"<tr><td>{_link(root, book)}</td><td>{_authors(book)}</td><td>{escape(book.publisher)}</td>"
        f"<td>{book.year}</td><td>{book.category}</td><td>{book.isbn}</td><td>{book.price} EUR</td></tr>"
        for book in books
    )
    return f'<table class="hits"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def as_definitions(root: str, books: Sequence[Book]) -> str:
    rows = "".join(
        f'<dt>{_link(root, book)}</dt><dd class="who">{_authors(book)}</dd>'
        f'<dd class="facts"><i>Publisher:</i> <span>{escape(book.publisher)}</span>'
        f" <i>Year:</i> <span>{book.year}</span> <i>Category:</i> <span>{book.category}</span>"
        f" <i>ISBN:</i> <span>{book.isbn}</span> <i>Price:</i> <span>{book.price} EUR</span></dd>"
        for book in books
    )
    return f'<dl class="books">{rows}</dl>'


def as_cards(root: str, books: Sequence[Book]) -> str:
    rows = "".join(
        f'<div class="card"><div class="cover"><img src="/img/cover-{book.number}.png" alt=""></div>'
        f'<div class="text"><div class="title">{_link(root, book)}</div>'
        f'<ul class="people">{"".join(map(_item, book.authors))}</ul>'
        f'<div class="more"><div class="house"><b>Publisher</b> <span>{escape(book.publisher)}</span></div>'
        f'<div class="when"><b>Year</b> <span>{book.year}</span></div>'
        f'<div class="shelf"><b>Category</b> <span>{book.category}</span></div>'
        f'<div class="number"><b>ISBN</b> <span>{book.isbn}</span></div></div></div>'
        f'<div class="buy"><span class="price">{book.price} EUR</span></div></div>'
        for book in books
    )
    return f'<div class="cards">{rows}</div>'


def as_articles(root: str, books: Sequence[Book]) -> str:
    rows = "".join(
        f'<article itemscope itemtype="https://schema.org/Book"><h2 itemprop="name">{_link(root, book)}</h2>'
        f"<p>{', '.join(map(_marked, book.authors))}</p>"
        f'<p><span itemprop="publisher">{escape(book.publisher)}</span>,'
        f' <span itemprop="datePublished">{book.year}</span>'
        f' <span itemprop="genre">{book.category}</span></p><p>ISBN <span itemprop="isbn">{book.isbn}</span>'
        f' <span itemprop="price">{book.price} EUR</span></p></article>'
        for book in books
    )
    return f"<section>{rows}</section>"


def as_rows(root: str, books: Sequence[Book]) -> str:
    rows = "".join(
        f'<div class="row"><p class="title">{_link(root, book)}</p>'
        f'<p class="author">Author: {_authors(book, "b")}</p>'
        f'<p class="publisher">Publisher: <b>{escape(book.publisher)}</b></p>'
        f'<p class="year">Year: <b>{book.year}</b></p>'
        f'<p class="category">Category: <b>{book.category}</b></p>'
        f'<p class="isbn">ISBN: <b>{book.isbn}</b></p>'
        f'<p class="price">Price: <b>{book.price} EUR</b></p></div>'
        for book in books
    )
    return f'<div id="found">{rows}</div>'


def book_page(book: Book) -> str:
    facts = {
        "Author": ", ".join(book.authors),
        "Publisher": book.publisher,
        "Year": str(book.year),
        "Category": book.category,
        "ISBN": book.isbn,
        "Pages": str(book.pages),
        "Language": book.language,
        "Price": f"{book.price} EUR",
    }
    rows = "".join(f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in facts.items())
    return f'<h1>{escape(book.title)}</h1><table class="facts">{rows}</table>'


DESIGNS: dict[str, Callable[[str, Sequence[Book]], str]] = {
    "list": as_list,
    "table": as_table,
    "dl": as_definitions,
    "nested": as_cards,
    "mute": as_articles,
    "leap": as_rows,
}
