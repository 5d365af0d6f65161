"""Formats of feeds under the names that people give them."""

from __future__ import annotations

# The study's types: whatever is Atom, whatever is RDF (RSS 0.90 and 1.0), and the versions of the other RSS.
_TYPES = {"atom": "Atom", "json": "JSON Feed", "rss090": "RDF", "rss10": "RDF", "rss": "RSS, unknown version"}


def type_of(feed_format: str) -> str:
    """`RSS 2.0` of `rss20`, `RDF` of `rss10`."""
    if feed_format.startswith(("atom", "json")):
        return _TYPES[feed_format[:4]]
    return _TYPES.get(feed_format) or dialect_of(feed_format)


def dialect_of(feed_format: str) -> str:
    """`Atom 1.0` of `atom10`, `RSS 0.91` of `rss091`."""
    family = feed_format.rstrip("0123456789")
    name = {"rss": "RSS", "atom": "Atom", "json": "JSON Feed"}.get(family, family)
    return f"{name} {_version(feed_format.removeprefix(family))}".rstrip()


def _version(digits: str) -> str:
    """`1.0` of `1` and of `10`, `0.91` of `091`."""
    return f"{digits[0]}.{digits[1:] or '0'}" if digits else ""
