"""A made-up shop whose pages are redesigned: the same books, in another template."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.crawl.documents import Entry, rss
from tests.crawl.site import html

if TYPE_CHECKING:
    from tests.crawl.site import Answer, Site

WRAPPER = """\
wrapper: bookshop
scope: {site: 127.0.0.1, url: '/book/*'}
objects: true
fields:
  - field: name
    required: true
    rules: [h1.name]
  - field: price
    type: price
    rules: ["td.price"]
  - {field: note, rules: [p.note]}
"""
_NAMES = ("The harbour", "Salt", "A year of rain", "Lamps", "North", "The long wall", "Bread", "Under glass")


def path_of(number: int) -> str:
    return f"/book/{number}.html"


def name_of(number: int) -> str:
    return f"{_NAMES[number % len(_NAMES)]}, volume {number}"


def price_of(number: int) -> str:
    return f"{7 + number}.{10 + number:02}"


def note_of(number: int) -> str:
    return '=HYPERLINK("http://evil.example")' if number == 2 else f"-10 % on volume {number}"


def old(number: int) -> str:
    return f"""<div id="product"><h1 class="name">{name_of(number)}</h1>
    <table><tr><th>Price</th><td class="price">£{price_of(number)}</td></tr>
    <tr><th>Pages</th><td class="pages">{100 + number}</td></tr></table>
    <p class="note">{note_of(number)}</p></div>"""


def new(number: int) -> str:
    return f"""<main><h1 class="name">{name_of(number)}</h1>
    <section class="buy"><span class="label">Our price</span> <span class="now">£{price_of(number)}</span>
    <button>Add to basket</button></section><p class="note">{note_of(number)}</p>
    <p class="facts">{100 + number} pages</p></main>"""


def page(body: str, number: int) -> Answer:
    head = f"<title>{name_of(number)}</title>"
    return html(f"<html><head>{head}</head><body><p><a href='/'>Shop</a></p>{body}</body></html>")


def open_shop(site: Site, template: object, numbers: range) -> str:
    """Have the shop show these books; the address of its feed."""
    assert callable(template)
    for number in numbers:
        site.add(path_of(number), page(template(number), number))
    return site.add("/feed.xml", rss([Entry(link=path_of(one), title=None, id=str(one)) for one in numbers]))
