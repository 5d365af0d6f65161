"""Traps of generated sites: pages without end, and other looks at what was seen."""

from __future__ import annotations

import hashlib
import random
import re
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tests.sites.computed.served import Served
from tests.sites.computed.texts import vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sites.computed.form import SiteLists
    from tests.sites.computed.pages import Pages
    from tests.sites.computed.site import ComputedSite

_FACETS = {
    "color": ("red", "blue", "green"),
    "size": ("s", "m", "l"),
    "stock": ("yes", "no"),
    "state": ("open", "solved"),
}
_SORTS = ("price", "name", "date")
_LOOKS = re.compile(r"[?&](color|size|stock|state|sort|dir|print|replytocom|version)=([\w-]+)")
_SESSION = re.compile(r"([?&])(?:visit|PHPSESSID)=[0-9a-f]{32}&?")
_FIRST = 2025 * 12


class Traps:
    def __init__(self, site: ComputedSite, pages: Pages) -> None:
        self._site, self._pages, self._has = site, pages, site.form.traps
        self._sessions = 0

    # ── Addresses ────────────────────────────────────────────────────────────────────────────────────────

    def without_session(self, target: str) -> str:
        return _SESSION.sub(r"\1", target).rstrip("?&") if "=" in target else target

    def without_looks(self, target: str) -> tuple[str, dict[str, str]]:
        """An address without what only changes the look of a page, and that."""
        looks = dict(_LOOKS.findall(target))
        if not looks:
            return target, looks
        path, _, query = target.partition("?")
        rest = "&".join(one for one in query.split("&") if one.partition("=")[0] not in looks)
        return f"{path}?{rest}" if rest else path, looks

    def session(self) -> Callable[[str], str]:
        """How links of the menu carry a session; new on each page."""
        if "sessions" not in self._has:
            return lambda url: url
        self._sessions += 1
        number = hashlib.sha256(f"{self._site.name} {self._sessions}".encode()).hexdigest()[:32]
        name = "PHPSESSID" if self._site.seed % 2 else "visit"
        return lambda url: f"{url}{'&' if '?' in url else '?'}{name}={number}"

    # ── Links ────────────────────────────────────────────────────────────────────────────────────────────

    def head(self) -> str:
        return '<link rel="canonical" href="/">' if "canonical" in self._has else ""

    def beside(self, address: str) -> str:
        links = []
        if "calendar" in self._has:
            links.append((self._month(_FIRST), "Calendar"))
        if "stream" in self._has:
            links.append(("/stream/1/", "Stream"))
        if "topics" in self._has:
            links += self._topics(len(address))
        if "search" in self._has:
            chance = random.Random(address)
            links += [(f"/search?q={word}", f"Find {word}") for word in chance.sample(vocabulary()[:3000], 3)]
        return self._pages.widget("more", "More", links) if links else ""

    def foot(self, address: str) -> str:
        made = f'<a href="/login?{urlencode({"next": address})}">Log in</a> ' if "login" in self._has else ""
        if "relative" in self._has and len(address) % 5 == 0:
            made += '<a href="about/">About</a> <a href="contact/">Contact</a> '
        return made + (f'<a href="{self._site.host}/about/">Us</a>' if "host" in self._has else "")

    def tools(self, number: int, page: int) -> str:
        """What can be done with an item."""
        url = self._site.addresses.item(number, page)
        mark = "&" if "?" in url else "?"
        links = []
        if "print" in self._has:
            links.append((f"{url}{mark}print=1" if self._site.seed % 2 else f"/print/{number + 1}", "Print"))
        if "near" in self._has:
            links.append((f"/amp/{number + 1}/", "Fast view"))
        if "carts" in self._has:
            links += [(f"/cart?add={number + 1}", "Buy"), (f"/compare/{number + 1}", "Compare")]
        if "edits" in self._has:
            links.append((f"/edit?page={number + 1}", "Edit"))
        if "versions" in self._has:
            links += [(f"{url}{mark}version=v{one}", f"Version {one}") for one in (1, 2)]
        if "missing" in self._has and number % 25 == 0:
            links.append((f"/old/{self._site.addresses.slug(number)[:12]}-{number}/", "An older one"))
        if "deep" in self._has and number % 25 == 1:
            links += [(f"/x{'/y' * 30}/{number}", "Deep"), (f"/{'z' * 2100}", "Long")]
        return " ".join(f'<a href="{one}">{text}</a>' for one, text in links)

    def reply(self, number: int, page: int, at: int) -> str:
        if "reply" not in self._has:
            return ""
        url = self._site.addresses.item(number, page)
        mark = "&" if "?" in url else "?"
        return f'<a href="{url}{mark}replytocom={number * 100 + page * 10 + at}" rel="nofollow">Reply</a>'

    def looks(self, lists: SiteLists, group: int, chosen: dict[str, str]) -> str:
        """Facets and orders of a list."""
        url = self._site.addresses.list(lists, group)
        mark = "&" if "?" in url else "?"
        facets = [
            {**chosen, name: value}
            for name, values in _FACETS.items()
            for value in values
            if name not in chosen
        ]
        orders = [{**chosen, "sort": one, "dir": way} for one in _SORTS for way in ("asc", "desc")]
        made = (facets if "facets" in self._has else []) + (orders if "sorts" in self._has else [])
        links = [(f"{url}{mark}{urlencode(sorted(one.items()))}", "/".join(one.values())) for one in made]
        return self._pages.widget("filter", "Filter", links) if links else ""

    # ── Pages ────────────────────────────────────────────────────────────────────────────────────────────

    def answer(self, target: str) -> Served | None:
        for name, pattern, made in (
            ("calendar", r"/calendar(?:/(\d+)/(\d+)/|\?month=(\d+)-(\d+))", self._calendar),
            ("stream", r"/stream/(\d+)/", self._stream),
            ("print", r"/print/(\d+)", self._print),
            ("near", r"/amp/(\d+)/", self._near),
            ("topics", r"/topics/([a-z]+-[a-z]+)/", self._topic),
            ("search", r"/search\?q=(\w+)", self._topic),
            ("login", r"/(?:login\?next=.*|edit\?page=\d+)", self._login),
            ("carts", r"/(?:cart\?add|compare/)=?(\d+)", self._login),
            ("relative", r".+/(about|contact|imprint)/", self._tail),
        ):
            if found := re.fullmatch(pattern, target):
                return self._trap(name, made(*(one for one in found.groups() if one)))
        return None

    def _trap(self, kind: str, page: str) -> Served:
        return Served(body=page, kind=kind, is_trap=True)

    def _calendar(self, year: str, month: str) -> str:
        at = int(year) * 12 + int(month) - 1
        links = [(self._month(at - 1), "Earlier"), (self._month(at + 1), "Later")]
        days = "".join(f"<td>{day}</td>" for day in range(1, 29))
        body = f"<table><tr>{days}</tr></table><p>No events in {at // 12}-{at % 12 + 1:02} so far.</p>"
        return self._pages.framed(
            "/calendar", "Calendar", body + self._pages.widget("months", "Months", links)
        )

    def _month(self, at: int) -> str:
        if self._site.seed % 2:
            return f"/calendar/{at // 12}/{at % 12 + 1:02}/"
        return f"/calendar?month={at // 12}-{at % 12 + 1:02}"

    def _stream(self, page: str) -> str:
        start = int(page) * 7 % max(1, self._site.total - 5)
        body = self._pages.teasers(range(start, start + 5))
        return self._pages.framed(
            "/stream", "Stream", f'{body}<p><a href="/stream/{int(page) + 1}/">Next</a></p>'
        )

    def _print(self, number: str) -> str:
        item = (int(number) - 1) % self._site.total
        text = "".join(f"<p>{one}</p>" for one in self._pages.paragraphs(item))
        return f"<html><body><h1>{self._pages.title(item)}</h1>{text}</body></html>"

    def _near(self, number: str) -> str:
        """The same article with two words changed, and a frame of its own."""
        return self._print(number).replace("</body>", f"<p>Fast view {number}.</p></body>")

    def _topic(self, words: str) -> str:
        at = int(hashlib.sha256(words.encode()).hexdigest(), 16) % max(1, self._site.total - 3)
        links = self._topics(at) if "-" in words else []
        body = self._pages.teasers(range(at, at + 3)) + (
            self._pages.widget("topics", "Topics", links) if links else ""
        )
        return self._pages.framed("/topics", words, body)

    def _topics(self, at: int) -> list[tuple[str, str]]:
        words = vocabulary()[2000:2060]
        pairs = ((words[(at + step) % 60], words[(at * step + 7) % 60]) for step in range(1, 7))
        return [(f"/topics/{a}-{b}/", f"{a} {b}") for a, b in pairs]

    def _login(self, *_: str) -> str:
        form = "<form><input name=user><input name=password type=password></form>"
        return self._pages.framed("/login", "Log in", f"<h1>Log in</h1><p>Members log in here.</p>{form}")

    def _tail(self, name: str) -> str:
        return self._pages.plain_page(name).body

    def nothing(self, target: str) -> Served:
        """A page that is not there: said with its status, or on a page like any other."""
        told = f"<h1>Sorry</h1><p>We looked for {target[:80]} and could not find such a page.</p>"
        body = self._pages.framed("/sorry", "Sorry", told)
        is_soft = "missing" in self._has
        return Served(body=body, kind="missing", status=200 if is_soft else 404, is_trap=True)
