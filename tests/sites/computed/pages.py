"""Pages of generated sites: items, lists of them, and what stands around both."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING

from tests.sites.computed.served import Served
from tests.sites.computed.texts import prose, title_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tests.sites.computed.form import SiteLists
    from tests.sites.computed.site import ComputedSite

_IN_MENU, _BESIDE, _RECENT, _RELATED = 12, 20, 5, 4
_POSTS = 10
_NEAR_CHAPTERS = 5


class Pages:
    def __init__(self, site: ComputedSite) -> None:
        self._site, self._form, self._theme = site, site.form, site.form.theme
        self._key = site.name

    # ── Texts ────────────────────────────────────────────────────────────────────────────────────────────

    def title(self, number: int) -> str:
        return title_of(self._key, number)

    def paragraphs(self, number: int) -> list[str]:
        least, most = self._form.kind.words
        return [prose(f"{self._key} {number} {at}", least, most) for at in range(self._form.kind.paragraphs)]

    def comments(self, number: int, page: int = 1) -> list[str]:
        """Comments, or the posts of a thread: its pages are full but for the last one."""
        kind = self._form.kind
        is_full = page < self._site.pages_of(number)
        many = _POSTS if is_full else random.Random(f"{self._key} {number} {page}").randint(0, kind.comments)
        if page > 1:
            many = max(1, many)
        return [prose(f"{self._key} {number} {page} comment {at}", 6, 40) for at in range(many)]

    def texts(self, number: int, page: int) -> list[str]:
        """All that a page of an item says itself."""
        own = self.paragraphs(number) if page == 1 else []
        return [self.title(number), *own, *self.comments(number, page)]

    # ── Items ────────────────────────────────────────────────────────────────────────────────────────────

    def item(self, number: int, page: int, looks: dict[str, str]) -> Served:
        address = self._site.addresses.item(number, page)
        own = self.paragraphs(number) if page == 1 else []
        text = "".join(self._theme.prose.format(text=one) for one in own)
        if "print" in looks:
            body = f"<html><body><h1>{self.title(number)}</h1>{text}</body></html>"
            return Served(body=body, kind="item", content=address)
        after = self._groups(number, is_main=False) + self._site.traps.tools(number, page)
        main = self._theme.article.format(
            id=number + 1,
            title=self.title(number),
            said=self._groups(number, is_main=True),
            text=text,
            after=after,
        )
        main += self._comments(number, page) + self._turning(number, page) + self._related(number)
        return Served(
            body=self.framed(address, self.title(number), main, number), kind="item", content=address
        )

    def _groups(self, number: int, *, is_main: bool) -> str:
        """Where an item belongs: links to its lists."""
        return "".join(
            self._theme.said.format(
                name=lists.form.name,
                url=self._site.addresses.list(lists, group),
                text=self._group_text(lists, group),
            )
            for lists in self._form.lists
            for group in lists.grouping.of(number)
            if lists.form.name and (lists.form.each == 1) == is_main
        )

    def _group_text(self, lists: SiteLists, group: int) -> str:
        if lists.form.name == "month":
            year, month, _ = self._site.addresses.date(group * self._form.month)
            return f"{year}-{month:02}"
        return self._site.addresses.group_name(lists, group).capitalize()

    def _comments(self, number: int, page: int) -> str:
        made = []
        for at, text in enumerate(self.comments(number, page)):
            who = random.Random(f"{self._key} {number} {page} {at}").randrange(
                max(3, self._site.before // 12)
            )
            by = (
                f'<a href="http://people.example/{who}">Guest {who}</a>'
                if self._site.kind == "blog"
                else f'<a href="/profile/{who + 1}">Member {who}</a>'
            )
            reply = self._site.traps.reply(number, page, at)
            made.append(
                self._theme.comment.format(
                    id=number * 100 + page * 10 + at,
                    by=by,
                    text=self._theme.prose.format(text=text),
                    reply=reply,
                )
            )
        return self._theme.comments.format(comments="".join(made)) if made else ""

    def _turning(self, number: int, page: int) -> str:
        """Further pages of an item, and its neighbours."""
        url_of = partial(self._site.addresses.item, number)
        made = self.pager(url_of, self._site.pages_of(number), page)
        if self._site.kind in {"blog", "docs"}:
            near = [
                (one, rel)
                for one, rel in ((number - 1, "prev"), (number + 1, "next"))
                if 0 <= one < self._site.total
            ]
            made += "".join(
                f'<div><a href="{self._site.addresses.item(one)}" rel="{rel}">{self.title(one)}</a></div>'
                for one, rel in near
            )
        return made

    def _related(self, number: int) -> str:
        chance, near = random.Random(f"{self._key} {number} related"), self._form.related == "near"
        drawn = [chance.randrange(self._site.before) for _ in range(_RELATED)]
        others = range(max(0, number - 2), min(self._site.before, number + 3)) if near else sorted(set(drawn))
        links = [(self._site.addresses.item(one), self.title(one)) for one in others if one != number]
        return "" if self._form.related == "none" else self.widget("related", "See also", links)

    # ── Lists ────────────────────────────────────────────────────────────────────────────────────────────

    def home(self) -> Served:
        """The first page of a site: the newest items, and all groups that lead to the others."""
        main = self._form.main
        newest = range(self._site.total - 1, max(-1, self._site.total - 1 - self._form.per_page // 2), -1)
        groups = range(main.grouping.count(self._site.total))
        links = [(self._site.addresses.list(main, one), self._group_text(main, one)) for one in groups]
        body = self.widget("all", "Contents", links) + (
            self.teasers(newest) if self._site.kind != "docs" else ""
        )
        return Served(body=self.framed("/", "Welcome", body), kind="home")

    def list(self, lists: SiteLists, group: int, page: int, looks: dict[str, str]) -> Served:
        per, last = self._form.per_page, self._site.last_page(lists, group)
        numbers = lists.grouping.newest(group, self._site.total, (page - 1) * per, per)
        if looks:
            numbers = [one for one in numbers if one % 7 % (1 + len(looks)) == 0]
        body = self._intro(lists, group, page) + self.teasers(numbers)
        body = body if numbers else body + "<p>There is nothing more in this list.</p>"
        body += self._numbers(lists, group, page, last) + self._site.traps.looks(lists, group, looks)
        address = self._site.addresses.list(lists, group, page)
        title = f"{self._group_text(lists, group)} page {page}" if lists.form.name else f"Page {page}"
        is_content = self._site.kind == "docs" and lists.form.is_main and page == 1
        return Served(
            body=self.framed(address, title, body, numbers[0] if numbers else None),
            kind=f"list {lists.form.name}" if page <= last else "endless",
            content=address if is_content else "",
            is_trap=page > last,
        )

    def _intro(self, lists: SiteLists, group: int, page: int) -> str:
        if not lists.form.name:
            return ""
        text = (
            prose(f"{self._key} {lists.form.name} {group}", 20, 60)
            if self._site.kind == "docs" and page == 1
            else ""
        )
        return f"<h1>{self._group_text(lists, group)}</h1>{f'<p>{text}</p>' if text else ''}"

    def teasers(self, numbers: Iterable[int]) -> str:
        return "".join(map(self._teaser, numbers))

    def _teaser(self, number: int) -> str:
        kind, url, title = self._form.teaser, self._site.addresses.item(number), self.title(number)
        paragraphs = [] if kind == "title" else self.paragraphs(number)
        shown = (
            paragraphs if kind == "full" else [f"{' '.join(one.split()[:20])} …" for one in paragraphs[:1]]
        )
        said = (
            self._groups(number, is_main=True) + self._groups(number, is_main=False)
            if kind in {"rich", "full"}
            else ""
        )
        more = f'<p><a href="{url}">Read more</a></p>' if kind == "words" else ""
        text = "".join(self._theme.prose.format(text=one) for one in shown)
        return self._theme.teaser.format(id=number + 1, url=url, title=title, said=said, text=text, more=more)

    def _numbers(self, lists: SiteLists, group: int, page: int, last: int) -> str:
        """Links to further pages of a list; on some sites, for ever."""
        end = max(last, page + 1) if "endless" in self._form.traps and last > 1 else last
        url_of = partial(self._site.addresses.list, lists, group)
        return self.pager(url_of, end, page, self._form.pager)

    def pager(self, url_of: Callable[[int], str], last: int, page: int, make: str = "numbers") -> str:
        if last < 2:
            return ""
        following = range(page + 1, min(page + 1, last) + 1)
        if make == "numbers":
            near = sorted({1, last, *range(max(1, page - 2), min(last, page + 2) + 1)})
            made = "".join(
                self._number(url_of(one), str(one)) if one != page else self._theme.current.format(text=one)
                for one in near
            )
            made += "".join(self._number(url_of(one), "Next") for one in following)
        elif make == "pair":
            made = "".join(self._number(url_of(one), "Newer") for one in range(max(1, page - 1), page))
            made += "".join(self._number(url_of(one), "Older") for one in following)
        else:
            word, rel = ("Load more", "") if make == "more" else ("»", ' rel="next"')
            made = "".join(self._number(url_of(one), word, rel) for one in following)
        return self._theme.pager.format(numbers=made)

    def _number(self, url: str, text: str, rel: str = "") -> str:
        return self._theme.number.format(url=url, text=text, rel=rel)

    # ── Around ───────────────────────────────────────────────────────────────────────────────────────────

    def framed(self, address: str, title: str, main: str, near: int | None = None) -> str:
        traps = self._site.traps
        session = traps.session()
        plain = [(f"/{name}/", name.capitalize()) for name in ("about", "contact", "imprint")]
        groups = [(url, text) for url, text in self._main_groups() if url != "/"]
        menu = [("/", "Home"), *groups, *plain]
        return self._theme.page.format(
            title=f"{title} – {self._key}",
            site=self._key,
            head=traps.head(),
            menu=self._theme.menu.format(entries=self._entries((session(url), text) for url, text in menu)),
            main=main,
            side=self._side(near) + traps.beside(address),
            foot=f"<p>All rights of {self._key} are with those who wrote it. {traps.foot(address)}</p>",
        )

    def _main_groups(self) -> list[tuple[str, str]]:
        main = self._form.main
        shown = range(min(_IN_MENU, main.grouping.count(self._site.total)))
        return [(self._site.addresses.list(main, one), self._group_text(main, one)) for one in shown]

    def _side(self, near: int | None) -> str:
        total = self._site.total
        recent = range(total - 1, max(-1, total - 1 - _RECENT), -1)
        made = self.widget(
            "recent", "Newest", [(self._site.addresses.item(one), self.title(one)) for one in recent]
        )
        if self._site.kind == "docs":
            made = self._chapters(near or 0)
        for lists in self._form.lists:
            if not lists.form.is_main:
                count = lists.grouping.count(total)
                shown = range(count - 1, -1, -1) if lists.form.length else range(min(_BESIDE, count))
                made += self.widget(
                    lists.form.name,
                    lists.form.name.capitalize(),
                    [(self._site.addresses.list(lists, one), self._group_text(lists, one)) for one in shown],
                )
        return made

    def _chapters(self, near: int) -> str:
        """The table of contents around a page of documentation."""
        main, total = self._form.main, self._site.total
        (own,) = main.grouping.of(near)
        around = range(
            max(0, own - _NEAR_CHAPTERS), min(main.grouping.count(total), own + _NEAR_CHAPTERS + 1)
        )
        made = self.widget(
            "chapters",
            "Chapters",
            [(self._site.addresses.list(main, one), self._group_text(main, one)) for one in around],
        )
        inside = reversed(main.grouping.newest(own, total, 0, self._form.per_page))
        return made + self.widget(
            "inside", "In this chapter", [(self._site.addresses.item(one), self.title(one)) for one in inside]
        )

    def widget(self, name: str, title: str, links: Sequence[tuple[str, str]]) -> str:
        return self._theme.widget.format(name=name, title=title, entries=self._entries(links))

    def _entries(self, links: Iterable[tuple[str, str]]) -> str:
        return "".join(
            self._theme.entry.format(id=at, url=url, text=text) for at, (url, text) in enumerate(links)
        )

    # ── Beside the content ───────────────────────────────────────────────────────────────────────────────

    def plain_page(self, name: str) -> Served:
        text = prose(f"{self._key} {name}", 40, 80)
        return Served(
            body=self.framed(f"/{name}/", name.capitalize(), f"<h1>{name}</h1><p>{text}</p>"), kind="plain"
        )

    def profile(self, number: int) -> Served:
        chance = random.Random(f"{self._key} member {number}")
        shown = [chance.randrange(self._site.before) for _ in range(3)]
        told = f"Joined in {chance.randint(2015, 2024)}. Posts: {chance.randint(1, 900)}."
        body = f"<h1>Member {number}</h1><p>{told}</p>"
        body += self.widget(
            "of", "Latest", [(self._site.addresses.item(one), self.title(one)) for one in shown]
        )
        return Served(body=self.framed(f"/profile/{number}", f"Member {number}", body), kind="profile")

    def robots(self) -> Served:
        named = (
            f"Sitemap: http://{self._site.host}/sitemap.xml\n"
            if self._form.sitemap and self._form.named
            else ""
        )
        return Served(body=f"User-agent: *\nAllow: /\n{named}", kind="robots", content_type="text/plain")

    def sitemap(self, target: str) -> Served | None:
        """A sitemap of items; an index where there are several."""
        many, base = self._site.sitemaps, f"http://{self._site.host}"
        number = target.removeprefix("/sitemap-").removesuffix(".xml")
        if many and target == "/sitemap.xml" and many > 1:
            inside = "".join(
                f"<sitemap><loc>{base}/sitemap-{one + 1}.xml</loc></sitemap>" for one in range(many)
            )
            return Served(
                body=f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{inside}</sitemapindex>',
                kind="sitemap",
                content_type="application/xml",
            )
        at = 0 if target == "/sitemap.xml" else int(number) - 1 if number.isdecimal() else many
        if at >= many:
            return None
        numbers = range(at * self._form.sitemap, min(self._site.total, (at + 1) * self._form.sitemap))
        inside = "".join(
            f"<url><loc>{base}{self._site.addresses.item(one).replace('&', '&amp;')}</loc></url>"
            for one in numbers
        )
        return Served(
            body=f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{inside}</urlset>',
            kind="sitemap",
            content_type="application/xml",
        )
