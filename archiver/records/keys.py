"""What makes two records one: the address of their own page, columns that tell all apart, or all they say."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from itertools import chain, combinations, pairwise
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from archiver.documents.pages.dom import absolute_url
from archiver.documents.pages.forms.description import DETAIL_URL
from archiver.lexicon.elements import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from archiver.records.columns import Column, Grid
    from archiver.records.leaves import Leaf
    from archiver.records.model import RecordValue

    Row = Mapping[str, Sequence[str]]

DETAIL = DETAIL_URL
_LENGTH = 16  # of a key, in hexadecimal digits
_SURE = 0.95
_MOST_FILLED = 0.6
_HEADS = frozenset({*HEADINGS, "dt"})
_IDENTIFIERS = ("isbn", "doi", "ean", "issn")
# Records that several pages show, from which it is taken what differs between these.
_FEWEST_AGAIN = 3
_PROSE = 6  # words of a text: what has fewer may be an identifier


def detail_columns(grid: Grid, pages: Sequence[range]) -> list[Column]:
    """The column whose links lead to the records' own pages, and others whose links lead to the same."""
    rated = {column: _rate(grid, column, pages) for column in grid.columns}
    best = max(rated, key=lambda column: rated[column], default=None)
    if best is None or not rated[best][0]:
        return []
    alike = [
        column
        for column in grid.columns
        if column != best and rated[column][1] and _lead_alike(grid, best, column)
    ]
    return [best, *alike]


def _rate(grid: Grid, column: Column, pages: Sequence[range]) -> tuple[bool, float, float, float]:
    links = [[_link(grid.rows[place].get(column)) for place in page] for page in pages]
    number = sum(map(len, links))
    given = [[one for one in of_page if one] for of_page in links]
    total = sum(map(len, given))
    unique = sum(len(set(of_page)) for of_page in given)
    is_good = total >= _MOST_FILLED * number and unique >= _SURE * total and len(set(chain(*given))) > 1
    heads = sum(_is_heading(leaf) for leaf in grid.leaves(column)) / max(1, total)
    length = sum(len(leaf.text) for leaf in grid.leaves(column)) / max(1, total)
    return is_good, unique / max(1, number), heads, length


def _link(leaves: Sequence[Leaf] | None) -> str:
    href = next((leaf.href for leaf in leaves or () if leaf.href), "")
    return "" if href.startswith(("#", "javascript:", "mailto:")) else href


def _is_heading(leaf: Leaf) -> bool:
    return any(
        one.tag in ("h1", "h2", "h3", "h4", "h5", "dt")
        for one in (leaf.element, *leaf.element.iterancestors())
    )


def _lead_alike(grid: Grid, one: Column, other: Column) -> bool:
    pairs = [(_link(row.get(one)), _link(row.get(other))) for row in grid.rows]
    both = [a == b for a, b in pairs if a and b]
    return bool(both) and sum(both) >= _SURE * len(both)


def address_of(leaves: Sequence[Leaf], base: str) -> str:
    href = _link(leaves)
    return (absolute_url(base, href) or "") if href else ""


def steady_address(url: str, volatile: Collection[str], words: Collection[str]) -> str:
    """The address without parameters that depend on the query or repeat what was asked."""
    parts = urlsplit(url)
    asked = {word.casefold() for word in words}
    pairs = [
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if name not in volatile and value.casefold() not in asked
    ]
    return urlunsplit(parts._replace(query=urlencode(pairs), fragment=""))


def volatile_parameters(addresses: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Parameters that differ between addresses of records that say the same."""
    by_text: defaultdict[str, set[str]] = defaultdict(set)
    for said, url in addresses:
        by_text[said].add(url)
    found: Counter[str] = Counter()
    for urls in by_text.values():
        for one, other in combinations(sorted(urls)[:5], 2):
            found.update(_differences(one, other))
    return tuple(sorted(found))


def _differences(one: str, other: str) -> set[str]:
    a, b = urlsplit(one), urlsplit(other)
    if a[:3] != b[:3]:
        return set()
    return {name for name, _ in {*parse_qsl(a.query)} ^ {*parse_qsl(b.query)}}


def key_columns(
    rows: Sequence[Row], types: Mapping[str, str], pages: Sequence[range] = ()
) -> tuple[str, ...]:
    """Names of columns that tell all different records apart: an identifier, one column, or two.

    What differs from page to page in its number there alone, or in a text around words, is one record.
    """
    # A head of a table has names alone, and no values.
    different = list({repr(sorted(row.items())): row for row in rows if any(row.values())}.values())
    names = sorted(types, key=lambda name: types[name] not in _IDENTIFIERS)
    sure = [name for name in names if _tells_apart(different, (name,))]
    shown = [[rows[place] for place in page if any(rows[place].values())] for page in pages]
    for name in names:
        other = _only_difference(shown, name, names)
        if other and (_is_number_there(shown, other) or _is_prose(rows, other)):
            return (name,)
    pairs = (pair for pair in combinations(names[:8], 2) if _tells_apart(different, pair))
    return (sure[0],) if sure else next(pairs, ())


def _tells_apart(rows: Sequence[Row], columns: Sequence[str]) -> bool:
    told = [tuple(tuple(row.get(name, ())) for name in columns) for row in rows]
    return all(all(part) for part in told) and len(set(told)) == len(told) > 1


def _only_difference(pages: Sequence[Sequence[Row]], name: str, names: Sequence[str]) -> str:
    """The one column that differs where several pages have one value here; empty where it is not one."""
    first: dict[tuple[str, ...], Row] = {}
    again, differing = 0, set[str]()
    for page in pages:
        told = [tuple(row.get(name, ())) for row in page]
        if not all(told) or len(set(told)) < len(told):
            return ""
        for value, row in zip(told, page, strict=True):
            before = first.setdefault(value, row)
            again += before is not row
            differing.update(one for one in names if list(before.get(one, ())) != list(row.get(one, ())))
    is_one = again >= _FEWEST_AGAIN and len(differing) == 1 and len(names) > len(differing) + 1
    return differing.pop() if is_one else ""


def _is_number_there(pages: Sequence[Sequence[Row]], name: str) -> bool:
    """True for a column that counts the records of each page."""
    for page in pages:
        told = ["".join(row.get(name, ())).rstrip(".") for row in page]
        if any(not one.isdecimal() for one in told) or any(int(b) != int(a) + 1 for a, b in pairwise(told)):
            return False
    return any(len(page) > 1 for page in pages)


def _is_prose(rows: Sequence[Row], name: str) -> bool:
    texts = [text for row in rows for text in row.get(name, ())]
    return sum(len(text.split()) for text in texts) >= _PROSE * len(texts)


def key_of(attributes: Mapping[str, Sequence[RecordValue]], names: Sequence[str], address: str) -> str:
    """The key of one record."""
    if DETAIL in names and address:
        return digest(address)
    chosen = [name for name in names if name in attributes] or sorted(attributes)
    told = [f"{name}={value.value}" for name in chosen for value in attributes[name]]
    return digest("\n".join(told))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_LENGTH]
