"""Addresses of generated sites, and what each of them stands for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tests.sites.computed.texts import number_of, title_of, vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.sites.computed.form import SiteForm, SiteLists

_FIRST_YEAR = 2019
_FIELDS = {
    "{slug}": r"(?P<slug>[a-z]+(?:-[a-z]+){2,6})",
    "{id}": r"(?P<id>\d+)",
    "{group}": r"(?P<group>[a-z]+)",
    "{gid}": r"(?P<gid>\d+)",
    "{section}": r"(?P<section>[a-z]+)",
    "{year}": r"(?P<year>\d{4})",
    "{month:02}": r"(?P<month>\d{2})",
    "{day:02}": r"(?P<day>\d{2})",
}
# Between the names of groupings, so that none has that of another.
_STRIDE = 1000
_POSTS = 10  # on a further page of an item


@dataclass(frozen=True, slots=True)
class Place:
    """What an address stands for: a page of an item, or a page of a list."""

    number: int  # of an item, or of a group
    page: int = 1
    lists: SiteLists | None = None


class Addresses:
    def __init__(self, name: str, form: SiteForm) -> None:
        self._name, self._form = name, form

    # ── Written ──────────────────────────────────────────────────────────────────────────────────────────

    def item(self, number: int, page: int = 1) -> str:
        year, month, day = self.date(number)
        main = self._form.main
        (group,) = main.grouping.of(number)
        path = self._form.item.format(
            id=number + 1, slug=self.slug(number), year=year, month=month, day=day,
            section=self.group_name(main, group),
        )  # fmt: skip
        return path if page == 1 else self._further(path, page, _POSTS)

    def slug(self, number: int) -> str:
        return title_of(self._name, number).lower().replace(" ", "-")

    def date(self, number: int) -> tuple[int, int, int]:
        month, rest = divmod(number, self._form.month)
        return _FIRST_YEAR + month // 12, month % 12 + 1, 1 + rest * 28 // self._form.month

    def list(self, lists: SiteLists, group: int, page: int = 1) -> str:
        path = lists.path.format(
            group=self.group_name(lists, group), gid=group + 1,
            year=_FIRST_YEAR + group // 12, month=group % 12 + 1,
        )  # fmt: skip
        return path if page == 1 else self._further(path, page, self._form.per_page)

    def group_name(self, lists: SiteLists, group: int) -> str:
        place = _STRIDE * (1 + self._form.lists.index(lists))
        return vocabulary()[place + group % _STRIDE] + ("" if group < _STRIDE else _letters(group // _STRIDE))

    def _further(self, path: str, page: int, per: int) -> str:
        mark = "&" if "?" in path else "?"
        if self._form.paging == "start":
            return f"{path}{mark}start={(page - 1) * per}"
        if self._form.paging == "page" or "?" in path:
            return f"{path}{mark}page={page}"
        if path.endswith(".html"):
            return f"{path[:-5]}-{page}.html"
        return f"{path}page/{page}/" if path.endswith("/") else f"{path}/page/{page}"

    # ── Read ─────────────────────────────────────────────────────────────────────────────────────────────

    def place(self, target: str) -> Place | None:
        """What a target stands for; None: nothing is written like this."""
        for path, page in self._ways(target):
            for pattern, lists in self._patterns:
                if found := pattern.fullmatch(path):
                    place = self._read(found.groupdict(), page, lists)
                    if place is not None and self._written(place) == target:
                        return place
        return None

    def _written(self, place: Place) -> str:
        if place.lists is None:
            return self.item(place.number, place.page)
        return self.list(place.lists, place.number, place.page)

    def _ways(self, target: str) -> Iterator[tuple[str, int]]:
        yield target, 1
        for pattern in (r"/?page/(\d+)/?$", r"[?&]page=(\d+)$", r"-(\d+)(?=\.html$)"):
            if found := re.search(pattern, target):
                page = int(found[1])
                yield target[: found.start()] + target[found.end() :], page
                yield f"{target[: found.start()]}/", page
        if found := re.search(r"[?&]start=(\d+)$", target):
            for per in (self._form.per_page, _POSTS):
                yield target[: found.start()], int(found[1]) // per + 1

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], SiteLists | None]]:
        made = [(_pattern(self._form.item), None)]
        return made + [(_pattern(one.path), one) for one in self._form.lists]

    def _read(self, found: dict[str, str | None], page: int, lists: SiteLists | None) -> Place | None:
        if lists is None:
            number = int(found["id"]) - 1 if found.get("id") else number_of(found.get("slug") or "")
        else:
            number = self._group(found, lists)
        return None if number is None or number < 0 or page < 1 else Place(number, page, lists)

    def _group(self, found: dict[str, str | None], lists: SiteLists) -> int | None:
        if found.get("gid"):
            return int(found["gid"] or 0) - 1
        if found.get("year"):
            return (int(found["year"] or 0) - _FIRST_YEAR) * 12 + int(found["month"] or 0) - 1
        if found.get("group"):
            return self._names.get((self._form.lists.index(lists), found["group"] or ""))
        return 0

    @cached_property
    def _names(self) -> dict[tuple[int, str], int]:
        return {
            (at, self.group_name(lists, group)): group
            for at, lists in enumerate(self._form.lists)
            if "{group}" in lists.path
            for group in range(min(4 * _STRIDE, lists.grouping.count(_STRIDE * 100)))
        }


def _pattern(path: str) -> re.Pattern[str]:
    written = re.escape(path)
    for name, pattern in _FIELDS.items():
        written = written.replace(re.escape(name), pattern)
    return re.compile(written)


def _letters(number: int) -> str:
    return "abcdefghij"[number % 10] * (1 + number // 10)
