"""Answer pages made for tests: the designs of the sample shop, without its server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.pages.dom import parse_markup
from archiver.records.model import AnswerPage
from sample.shop.books import make_books
from sample.shop.designs import DESIGNS, book_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sample.shop.books import Book

HOST = "https://shop.example"
BOOKS = make_books(300)


def page_of(content: str, url: str = f"{HOST}/list", words: Sequence[str] = ()) -> AnswerPage:
    tree = parse_markup(f"<!doctype html><html lang=en><body>{content}</body></html>")
    assert tree is not None
    return AnswerPage(url=url, tree=tree, words=tuple(words))


def answer(design: str, books: Sequence[Book], word: str = "") -> AnswerPage:
    """A page of results, with a menu and a list of bestsellers that are the same on each."""
    best = "".join(f"<li><a href='/{design}/book/{one.number}'>{one.title}</a></li>" for one in BOOKS[:4])
    listed = DESIGNS[design](f"/{design}", books)
    content = (
        "<nav><ul><li>Home<li>Books<li>About us<li>Contact</ul></nav>"
        f"<main><p class='total'>{len(books)} books</p>{listed}</main><aside><ul>{best}</ul></aside>"
    )
    return page_of(content, f"{HOST}/{design}/search?q={word}", [word] if word else [])


def with_word(word: str) -> list[Book]:
    return [book for book in BOOKS if word in book.title.lower()][:20]


def answers(design: str, *words: str) -> list[AnswerPage]:
    return [answer(design, with_word(word), word) for word in words]


def detail(book: Book, design: str = "list") -> AnswerPage:
    return page_of(f"<main>{book_page(book)}</main>", f"{HOST}/{design}/book/{book.number}")
