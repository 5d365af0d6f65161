"""Sites made by a program, with every trap for crawlers: what has content is known, and what is a trap.

    site = GeneratedSite("blog", seed=3, items=300)
    site.answer("/page/2/")

Each of them has a calendar, facets, orders, session ids, relative links that miss a stroke, its own host name
in paths, addresses that grow, soft 404s, lists and "next" links that never end, print views, near-duplicates,
and many addresses of nothing at one depth. Its seed decides how these are written.
"""

from __future__ import annotations

import hashlib
import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS = ("blog", "forum", "news", "docs", "shop")
_ONSETS = ("b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "st", "tr", "pl", "gr", "ch")
_RESTS = ("an", "el", "or", "is", "um", "ata", "eno", "ira", "osa", "une", "ard", "est", "ill", "ond", "ave")
_FACETS = {
    "color": ("red", "blue", "green", "grey"),
    "size": ("s", "m", "l", "xl"),
    "brand": ("arvo", "belo", "cind", "dora"),
    "stock": ("yes", "no"),
}
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_ON_A_PAGE = 10
_SECTIONS = ("coast", "town", "trade")
_FIRST_YEAR, _FIRST_MONTH = 2025, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    body: str
    status: int = 200
    # Content that it is; a trap, or the same as something that was asked for before.
    content: str = ""
    is_trap: bool = False
    kind: str = ""
    content_type: str = "text/html; charset=utf-8"
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    number: int
    path: str
    title: str
    paragraphs: tuple[str, ...]

    @property
    def teaser(self) -> str:
        return " ".join(self.paragraphs[0].split()[:14]) + " …"


class GeneratedSite:
    """A site of one kind; the seed decides on how its traps are written."""

    def __init__(self, kind: str, seed: int, items: int = 300, host: str = "127.0.0.1") -> None:
        self.kind, self.seed, self.host = kind, seed, host
        self.name = f"{kind} {seed}"
        self._chance = random.Random(self.name)
        self._words = sorted({self._word() for _ in range(900)})
        self.items = [self._item(number) for number in range(items)]
        self._by_path = {one.path: one for one in self.items}
        # Of twelve months, where the calendar is one of events.
        self.events = [self._event(number) for number in range(24)] if seed % 2 else []
        self._events_by_path = {one.path: one for one in self.events}
        self._sessions = 0
        # A word for near-duplicates that says what they are, or does not.
        self._fast = ("amp", "swift", "lite", "read")[seed // 20 % 4]
        self._asked: set[str] = set()

    # ── What is there ────────────────────────────────────────────────────────────────────────────────────

    @property
    def content(self) -> set[str]:
        return {one.path for one in (*self.items, *self.events)}

    def _word(self) -> str:
        return "".join(
            self._chance.choice(_ONSETS) + self._chance.choice(_RESTS)
            for _ in range(self._chance.randint(1, 2))
        )

    def _prose(self, least: int, most: int) -> str:
        words = self._chance.choices(self._words, k=self._chance.randint(least, most))
        return f"{' '.join(words).capitalize()}."

    def _item(self, number: int) -> Item:
        title = " ".join(self._chance.choices(self._words, k=4)).capitalize()
        slug = f"{title.lower().replace(' ', '-')}-{number}"
        short = self.kind == "shop"
        paragraphs = tuple(
            self._prose(12, 25) if short else self._prose(30, 70) for _ in range(1 if short else 3)
        )
        path = {
            "blog": f"/20{10 + number % 9:02}/{1 + number % 12:02}/{slug}/",
            "forum": f"/viewtopic.php?t={number + 1}",
            "news": f"/{_SECTIONS[number % 3]}/{slug}.html",
            "docs": f"/docs/{self._words[number % 40]}/{slug.replace('-', '_')}.html",
            "shop": f"/product/{number + 1}",
        }[self.kind]
        return Item(number=number, path=path, title=title, paragraphs=paragraphs)

    def _event(self, number: int) -> Item:
        title = " ".join(self._chance.choices(self._words, k=3)).capitalize()
        return Item(
            number=number, path=f"/event/{number + 1}/", title=title, paragraphs=(self._prose(15, 40),)
        )

    # ── Answers ──────────────────────────────────────────────────────────────────────────────────────────

    def answer(self, target: str) -> Answer:
        """What a request for a path with its query is answered with."""
        bare = self._without_session(target)
        found = self._answer(bare)
        is_again = bare in self._asked and target != bare
        self._asked.add(bare)
        return Answer(
            body=found.body, status=found.status, content=found.content, is_trap=found.is_trap or is_again
        )

    def _without_session(self, target: str) -> str:
        target = re.sub(r"/~[0-9a-f]{24}(?=/)", "", target)
        target = re.sub(r"([?&])(?:visit|PHPSESSID)=[0-9a-f]{32}&?", r"\1", target)
        return target.rstrip("?&")

    def _answer(self, target: str) -> Answer:
        parts = urlsplit(target)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        whole = f"{parts.path}?{parts.query}" if self.kind == "forum" and "t" in query else parts.path
        item = self._by_path.get(f"/viewtopic.php?t={query['t']}" if "t" in query else whole)
        item = item or self._events_by_path.get(parts.path)
        if item is not None:
            return self._item_page(item, {name for name in query if name != "t"})
        for pattern, made in (
            (r"/", self._front),
            (r"/(?:list|page/(?P<page>\d+)/)", self._list),
            (r"/section/(?P<section>\w+)(?:/page/(?P<page>\d+))?/", self._list),
            (r"/(?:calendar/(?P<year>\d+)/(?P<month>\d+)/|calendar)", self._calendar),
            (r"/stream/(?P<page>\d+)/", self._stream),
            (r"/print/(?P<number>\d+)", self._print),
            (rf"/{self._fast}/(?P<number>\d+)/", self._near),
            (r"/topics/(?P<words>[\w-]+)/", self._topic),
            (r"/(?P<name>about|contact|imprint)/", self._plain_page),
        ):
            found = re.fullmatch(pattern, parts.path)
            if found:
                return made(query, **{name: value for name, value in found.groupdict().items() if value})
        # A server that goes by the end of a path alone.
        if tail := re.search(r"/(about|contact|imprint)/$", parts.path):
            return Answer(body=self._plain_page({}, name=tail[1]).body, is_trap=True)
        return self._nothing(target)

    def _front(self, _query: dict[str, str]) -> Answer:
        shown = self._teasers(self.items[:_ON_A_PAGE])
        return self._page("/", "All of it", shown + self._pager("", 1, len(self.items)))

    def _list(self, query: dict[str, str], section: str = "", page: str = "") -> Answer:
        number = int(page or query.pop("page", "1") or 1)
        items = [one for one in self.items if not section or _SECTIONS[one.number % 3] == section]
        chosen = {name: value for name, value in query.items() if name in _FACETS}
        others = set(query) - set(chosen)
        if chosen:
            items = [one for one in items if self._has(one, chosen)]
        last = max(1, -(-len(items) // _ON_A_PAGE))
        at = min(number, last) if self.seed % 3 else number
        shown = items[(at - 1) * _ON_A_PAGE : at * _ON_A_PAGE]
        if "sort" in query:
            shown = sorted(shown, key=lambda one: one.title, reverse=query.get("dir") == "desc")
        body = self._teasers(shown) or "<p>There is nothing more in this list.</p>"
        body += self._pager(section, number, len(items), chosen)
        if self.kind in {"shop", "forum"} or section:
            body += self._looks(section, chosen)
        title = f"{section.capitalize() or 'All'} {' '.join(chosen.values())} page {number}"
        is_trap = bool(chosen or others) or number > last
        return Answer(body=self._page("", title, body).body, is_trap=is_trap)

    def _has(self, item: Item, chosen: dict[str, str]) -> bool:
        return all(
            values[(item.number // (3 * len(_FACETS[name]) ** at)) % len(values)] == chosen[name]
            for at, (name, values) in enumerate(_FACETS.items())
            if name in chosen
        )

    def _calendar(self, query: dict[str, str], year: str = "", month: str = "") -> Answer:
        told = query.get("month") or f"{year or _FIRST_YEAR}-{month or _FIRST_MONTH}"
        at = int(told.split("-")[0]) * 12 + int(told.split("-")[1]) - 1
        place = at - (_FIRST_YEAR * 12 + _FIRST_MONTH - 1)
        events = self.events[2 * place : 2 * place + 2] if 0 <= place < 12 else []
        days = "".join(f"<td>{day}</td>" for day in range(1, 29))
        links = "".join(
            f'<a href="{self._month_path(at + step)}">{"later" if step > 0 else "earlier"}</a> '
            for step in (-1, 1)
        )
        shown = (
            self._teasers(events) or f"<p>No events are planned for {_MONTHS[at % 12]} {at // 12} so far.</p>"
        )
        body = f"<table><tr>{days}</tr></table>{shown}<p>{links}</p>"
        is_trap = not events and not (self.events and place in {-1, 12})
        return Answer(
            body=self._page("", f"Events in {_MONTHS[at % 12]} {at // 12}", body).body, is_trap=is_trap
        )

    def _month_path(self, at: int) -> str:
        if self.seed % 4 < 2:
            return f"/calendar/{at // 12}/{at % 12 + 1:02}/"
        return f"/calendar?month={at // 12}-{at % 12 + 1:02}"

    def _stream(self, _query: dict[str, str], page: str) -> Answer:
        start = int(page) * 7 % len(self.items)
        body = self._teasers(self.items[start : start + 5])
        body += f'<p><a href="/stream/{int(page) + 1}/">Next</a></p>'
        return Answer(body=self._page("", "Stream", body).body, is_trap=True)

    def _print(self, _query: dict[str, str], number: str) -> Answer:
        item = self.items[int(number) % len(self.items)]
        text = "".join(f"<p>{one}</p>" for one in item.paragraphs)
        return Answer(body=f"<html><body><h1>{item.title}</h1>{text}</body></html>", is_trap=True)

    def _near(self, _query: dict[str, str], number: str) -> Answer:
        """The same article with two words changed, and a frame of its own."""
        item = self.items[int(number) % len(self.items)]
        text = "".join(f"<p>{one}</p>" for one in item.paragraphs)
        body = f"<h1>{item.title}</h1>{text}<p>Fast view {number}.</p>"
        return Answer(body=f"<html><body>{body}</body></html>", is_trap=True)

    def _topic(self, _query: dict[str, str], words: str) -> Answer:
        at = int(hashlib.sha256(words.encode()).hexdigest(), 16) % len(self.items)
        body = self._teasers(self.items[at : at + 3]) + f"<p>{self._topics(at)}</p>"
        return Answer(body=self._page("", words.replace("-", " ").capitalize(), body).body, is_trap=True)

    def _topics(self, at: int) -> str:
        pairs = ((self._words[(at + step) % 60], self._words[(at * step + 7) % 60]) for step in range(1, 7))
        return " ".join(f'<a href="/topics/{a}-{b}/">{a} {b}</a>' for a, b in pairs)

    def _plain_page(self, _query: dict[str, str], name: str) -> Answer:
        told = random.Random(f"{self.name} {name}").choices(self._words, k=40)
        return self._page(f"/{name}/", name.capitalize(), f"<p>{' '.join(told)}.</p>")

    def _nothing(self, target: str) -> Answer:
        """A soft 404: of some sites the front page, of others one that quotes what was asked for."""
        if self.seed % 2:
            return Answer(body=self._front({}).body, is_trap=True)
        told = f"<h1>Sorry</h1><p>We looked for {target} and could not find such a page on this server.</p>"
        return Answer(body=self._page("", "Sorry", told).body, is_trap=True)

    def _item_page(self, item: Item, looks: set[str]) -> Answer:
        text = "".join(f"<p>{one}</p>" for one in item.paragraphs)
        beside = item.number % len(self.items)
        near = "".join(
            f'<li><a href="{one.path}">{one.title}</a></li>' for one in self.items[beside + 1 : beside + 3]
        )
        mark = "&" if "?" in item.path else "?"
        links = f'<a href="{item.path}{mark}replytocom={item.number}">Reply</a> '
        is_path = self.seed % 2
        links += f'<a href="{f"/print/{item.number}" if is_path else f"{item.path}{mark}print=1"}">Print</a> '
        links += f'<a href="/{self._fast}/{item.number}/">Fast view</a> '
        if item.number % 25 == 0:
            links += (
                f'<a href="/old/{"-".join(item.title.lower().split()[:2])}-{item.number}/">An older one</a> '
            )
            links += f'<a href="/x{"/y" * 30}/{item.number}">deep</a> <a href="/{"z" * 2100}">long</a> '
        body = f"<article><h1>{item.title}</h1>{text}</article><ul>{near}</ul><p>{links}</p>"
        found = self._page(item.path, item.title, body)
        return Answer(body=found.body, content="" if looks else item.path, is_trap=bool(looks))

    # ── Pieces of pages ──────────────────────────────────────────────────────────────────────────────────

    def _teasers(self, items: Sequence[Item]) -> str:
        return "".join(
            f'<div class="teaser"><h2><a href="{one.path}">{one.title}</a></h2><p>{one.teaser}</p></div>'
            for one in items
        )

    def _pager(self, section: str, number: int, total: int, chosen: dict[str, str] | None = None) -> str:
        """Links to further pages; of most sites, for ever."""
        last = max(1, -(-total // _ON_A_PAGE))
        following = [number + 1, number + 2] if number < last or self.seed % 5 else []
        return (
            "<p>"
            + " ".join(
                f'<a href="{self._list_path(section, one, chosen or {})}">{one}</a>' for one in following
            )
            + "</p>"
        )

    def _list_path(self, section: str, number: int, chosen: dict[str, str]) -> str:
        in_path = f"/section/{section}/" if section else ""
        if self.seed % 2 and not chosen:
            return f"{in_path}page/{number}/" if section else f"/page/{number}/"
        return f"{in_path or '/list'}?{urlencode({**chosen, 'page': number})}"

    def _looks(self, section: str, chosen: dict[str, str]) -> str:
        path = f"/section/{section}/" if section else "/list"
        facets = [
            f'<a href="{path}?{urlencode(dict(sorted({**chosen, name: value}.items())))}">{value}</a>'
            for name, values in _FACETS.items()
            for value in values
            if name not in chosen
        ]
        orders = [
            f'<a href="{path}?{urlencode({**chosen, "sort": sort, "dir": way})}">{sort} {way}</a>'
            for sort in ("price", "name", "date")
            for way in ("asc", "desc")
        ]
        return f"<p>{' '.join(facets)}</p><p>{' '.join(orders)}</p>"

    def _page(self, path: str, title: str, body: str) -> Answer:
        canonical = '<link rel="canonical" href="/">' if self.seed % 7 == 3 else ""
        return Answer(
            body=f"<!doctype html><html><head><title>{title} – {self.name}</title>{canonical}</head><body>"
            f"{self._menu(path)}<main>{body}</main>{self._side()}</body></html>"
        )

    def _menu(self, path: str) -> str:
        session = self._session()
        names = ("about", "contact", "imprint")
        # A stroke is missing, on some pages.
        broken = "".join(f'<a href="{name}/">{name}</a> ' for name in names) if path.startswith("/a") else ""
        links = "".join(f'<a href="{session(f"/{name}/")}">{name}</a> ' for name in names)
        sections = "".join(f'<a href="{session(f"/section/{one}/")}">{one}</a> ' for one in _SECTIONS)
        return f'<nav><a href="{session("/")}">Home</a> {links}{sections}{broken}</nav>'

    def _session(self):  # noqa: ANN202 - a function of a path
        """How links carry a session: by a parameter, known or not, or in the path; new on each page."""
        self._sessions += 1
        number = hashlib.sha256(f"{self.name} {self._sessions}".encode()).hexdigest()
        return {
            0: lambda path: f"{path}?PHPSESSID={number[:32]}",
            1: lambda path: f"{path}?visit={number[:32]}",
            2: lambda path: f"/~{number[:24]}{path}",
            3: lambda path: path,
        }[self.seed % 4]

    def _side(self) -> str:
        month = self._month_path(_FIRST_YEAR * 12 + _FIRST_MONTH - 1)
        return (
            f'<aside><a href="{month}">Calendar</a> <a href="/stream/1/">Stream</a> '
            f'<a href="/list">List</a> '
            f'{self._topics(len(self.name))} <a href="{self.host}/about/">Us</a></aside>'
            f"<footer><p>All rights of {self.name} are with those who wrote it, with no others.</p></footer>"
        )


def generated_sites(items: int = 300, first: int = 0) -> list[GeneratedSite]:
    """Twenty sites: four of each kind, with seeds from `first` on."""
    return [
        GeneratedSite(kind, seed, items)
        for at, kind in enumerate(KINDS)
        for seed in range(first + at * 4, first + at * 4 + 4)
    ]
