"""Addresses that the knowledge base tells to avoid, and those that are one page."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

import re2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.sites.knowledge.model import AvoidRule


def is_avoided(url: str, rules: Sequence[AvoidRule]) -> bool:
    """Whether one of the rules says that an address is never followed."""
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    given = {name for name, _ in pairs} | {f"{name}={value}" for name, value in pairs}
    path = unquote(parts.path)
    shape = f"{path}?{parts.query}" if parts.query else path
    return any(
        not given.isdisjoint(rule.query)
        or any(_is_path(path, one) for one in rule.path)
        or any(_pattern(one).search(shape) for one in rule.shape)
        for rule in rules
    )


def _is_path(path: str, pattern: str) -> bool:
    """With a star, a pattern is one of the whole path; without, of a part of it."""
    return fnmatchcase(path, pattern) if "*" in pattern else pattern in path


@lru_cache(maxsize=1000)
def _pattern(text: str) -> Any:  # noqa: ANN401 - re2 ships no types
    return re2.compile(text)


def without_parameters(url: str, names: Sequence[str]) -> str:
    """The address without parameters that change nothing."""
    parts = urlsplit(url)
    if not names or not parts.query:
        return url
    kept = [pair for pair in parts.query.split("&") if unquote(pair.partition("=")[0]) not in names]
    return urlunsplit(parts._replace(query="&".join(kept)))
