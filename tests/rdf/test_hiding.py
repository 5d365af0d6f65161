"""Addresses that are withheld are found as they are by `Withheld` itself, whatever they look like."""

from __future__ import annotations

import pytest

from archiver.archive.withheld import NOTHING_WITHHELD
from archiver.inspection.rdf.hiding import hidden_by
from tests.rdf.made import withheld

ADDRESSES = [
    f"{scheme}://{host}{path}"
    for scheme in ("http", "https", "HTTP", "ftp", "feed")
    for host in (
        "a.example",
        "www.a.example",
        "sub.a.example",
        "A.example:8080",
        "127.0.0.1:8931",
        "u:p@a.example",
    )
    for path in ("", "/", "/x", "/x/y?z=1#f", "/x//y")
] + [
    "",
    "a.example",
    "//a.example/x",
    "http:/a.example",
    "http://[::1/",
    "mailto:a@a.example",
    "http://a.example?x",
]


@pytest.mark.parametrize(
    "named",
    [
        "a.example", "a.example:8080", "a.example:443", "http://a.example/x", "https://www.a.example/x/*",
        "127.0.0.1:8931",
    ],
)  # fmt: skip
def test_both_ways_tell_the_same(named: str) -> None:
    orders = withheld(named)
    hides = hidden_by(orders)
    assert hides is not None
    assert [url for url in ADDRESSES if hides(url)] == [url for url in ADDRESSES if orders.hides(url)]
    assert any(map(hides, ADDRESSES))


def test_without_orders_nothing_is_looked_at() -> None:
    assert hidden_by(NOTHING_WITHHELD) is None
