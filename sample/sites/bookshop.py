"""The bookshop: 5,000 books that no link leads to, behind six search forms."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import parse_qs, urlencode

from sample import messages
from sample.shop.books import BOOKS, make_books
from sample.shop.catalogue import TEXTS, Catalogue, Query
from sample.shop.designs import DESIGNS, book_page
from sample.shop.habits import HABITS, Habits
from sample.shop.names import CATEGORIES
from sample.site import Seed, Site

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sample.messages import Request, Response
    from sample.model import TrueEntry
    from sample.shop.books import Book

_SIZES = (10, 20, 50)
_SORTS = ("relevance", "title", "newest")
_RANGES = {"year": 1, "price": 100}
_BASKET = """<form action="/cart" method="post"><input type="hidden" name="add" value="1">
<input type="submit" value="Add to cart"></form>"""
_LOGIN = """<form action="/login" method="post"><input name="user"><input type="password" name="password">
<input type="submit" value="Log in"></form>"""


class Bookshop(Site):
    name = "bookshop"
    host = "127.0.0.12"
    seeds: ClassVar[tuple[Seed, ...]] = ()
    is_extra = True
    robots = "User-agent: *\nDisallow: /cart\nDisallow: /login\nDisallow: /list/private\n"

    def __init__(
        self, bases: Mapping[str, str], count: int = BOOKS, seed: int = 1, habits: Sequence[Habits] = HABITS
    ) -> None:
        super().__init__(bases)
        self._made_of = count, seed
        self.habits = {one.name: one for one in habits}
        self._catalogues: dict[str, Catalogue] = {}

    @cached_property
    def books(self) -> tuple[Book, ...]:
        return make_books(*self._made_of)

    def truth(self, day: int) -> list[TrueEntry]:  # noqa: ARG002 - it has no feed
        return []

    def home(self, request: Request) -> Response:  # noqa: ARG002 - always the same
        links = "".join(f'<li><a href="/{name}/">{name}</a></li>' for name in self.habits)
        return _page("Bookshop", f"<p>Search our books:</p><ul>{links}</ul>")

    def route(self, request: Request) -> Response | None:
        name, _, rest = request.path.removeprefix("/").partition("/")
        habits = self.habits.get(name)
        if habits is None:
            return None
        if not rest:
            return self._front(habits)
        if rest == "search":
            return self._answer(habits, request)
        number = rest.removeprefix("book/")
        if rest.startswith("book/") and number.isdecimal() and 0 < int(number) <= len(self.books):
            book = self.books[int(number) - 1]
            return _page(book.title, book_page(book) + _BASKET)
        return None

    def _front(self, habits: Habits) -> Response:
        return _page(
            "Search our books", f"<h1>Find a book</h1>{_form(habits, {})}{self._bestsellers(habits)}"
        )

    def _answer(self, habits: Habits, request: Request) -> Response:
        sent = request.body.decode() if request.method == "POST" else ""
        pairs = parse_qs(request.query) | parse_qs(sent)
        asked = {name: values[-1].strip() for name, values in pairs.items()}
        query = _query(asked)
        found = [] if query.is_empty and not habits.answers_empty else self._catalogue(habits).find(query)
        if habits.leaps and len(found) == 1:
            place = f"{self.base}/{habits.name}/book/{found[0].number}"
            return messages.Response(status=302, headers={"Location": place})
        return _page("Our books", self._found(habits, asked, found))

    def _found(self, habits: Habits, asked: Mapping[str, str], found: Sequence[Book]) -> str:
        told = " ".join(asked.get(name, "") for name in ("q", *TEXTS)).strip()
        said = f" for <b>{escape(told)}</b>" if habits.echoes and told else ""
        form = _form(habits, asked if habits.echoes else {})
        if not found:
            none = f'<p class="notice">Sorry, no books were found{said}.</p>'
            return f"{form}{none}{self._bestsellers(habits)}"
        size = int(asked["per_page"]) if asked.get("per_page", "") in map(str, _SIZES) else habits.page_size
        number = int(asked["page"]) if asked.get("page", "").isdecimal() else 1
        start = size * (max(1, number) - 1)
        shown = _ordered(found, asked.get("sort", ""))[: habits.cut][start : start + size]
        total = (
            f'<p class="total">{len(found)} books{said}</p>' if habits.tells_total else f"<p>Books{said}</p>"
        )
        listed = DESIGNS[habits.design or habits.name](f"/{habits.name}", shown)
        is_more = start + size < min(len(found), habits.cut)
        pager = _pager(habits, asked, max(1, number), is_more=is_more)
        return f"{form}{total}{listed}{pager}{self._bestsellers(habits)}"

    def _catalogue(self, habits: Habits) -> Catalogue:
        if habits.name not in self._catalogues:
            self._catalogues[habits.name] = Catalogue(self.books, habits.semantics, habits.stop)
        return self._catalogues[habits.name]

    def _bestsellers(self, habits: Habits) -> str:
        links = (
            f'<li><a href="/{habits.name}/book/{one.number}">{escape(one.title)}</a></li>'
            for one in self.books[:4]
        )
        return f"<aside><h4>Bestsellers</h4><ul>{''.join(links)}</ul></aside>"


def _query(asked: Mapping[str, str]) -> Query:
    ends: dict[str, tuple[int | None, int | None]] = {}
    for name, unit in _RANGES.items():
        low, high = (_number(asked.get(f"{name}_{end}", "")) for end in ("from", "to"))
        # A whole number of euros has all its cents in it.
        ends[name] = (low and low * unit, high and high * unit + unit - 1)
    return Query(
        q=asked.get("q", ""),
        texts={name: asked.get(name, "") for name in TEXTS},
        category=asked.get("category", ""),
        years=ends["year"],
        prices=ends["price"],
    )


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() else None


def _ordered(found: Sequence[Book], sort: str) -> Sequence[Book]:
    if sort == "title":
        return sorted(found, key=lambda book: book.title)
    return sorted(found, key=lambda book: -book.year) if sort == "newest" else found


def _form(habits: Habits, asked: Mapping[str, str]) -> str:
    def line(name: str, label: str) -> str:
        value = escape(asked.get(name, ""))
        return f'<p><label for="{name}">{label}</label> <input id="{name}" name="{name}" value="{value}"></p>'

    shelves = "".join(f'<option value="{one}">{one}</option>' for one in CATEGORIES)
    sizes = "".join(
        f"<option{' selected' if one == habits.page_size else ''}>{one}</option>" for one in _SIZES
    )
    sorts = "".join(f"<option>{one}</option>" for one in _SORTS)
    texts = "".join(line(name, name.title() if name != "isbn" else "ISBN") for name in TEXTS)
    ranges = "".join(
        f"{line(f'{name}_from', f'{name.title()} from')}{line(f'{name}_to', f'{name.title()} to')}"
        for name in _RANGES
    )
    return (
        f'<form action="/{habits.name}/search" method="{habits.method}" role="search">'
        f"{line('q', 'Keyword')}{texts}"
        f'<p><label for="category">Category</label> <select id="category" name="category">'
        f'<option value="">All</option>{shelves}</select></p>{ranges}'
        f'<p><select name="per_page" aria-label="Per page">{sizes}</select>'
        f' <select name="sort" aria-label="Sort by">{sorts}</select>'
        f' <input type="submit" value="Search"></p></form>'
    )


def _pager(habits: Habits, asked: Mapping[str, str], number: int, *, is_more: bool) -> str:
    def link(to: int, text: str, more: str = "") -> str:
        query = urlencode({**asked, "page": str(to)})
        return f'<a href="/{habits.name}/search?{escape(query)}"{more}>{text}</a>'

    before = link(number - 1, "Previous") if number > 1 else ""
    after = link(number + 1, "Next", ' rel="next"') if is_more else ""
    return f'<nav class="pages">{before} <span>Page {number}</span> {after}</nav>'


def _page(title: str, content: str) -> Response:
    return messages.page(
        f"<!doctype html><html lang=en><head><title>{escape(title)}</title></head><body>"
        f"<header><p>Bookshop</p>{_LOGIN}</header><main>{content}</main>"
        "<footer>Free delivery</footer></body></html>"
    )
