"""Which wrapper a page is read by: the one with the most specific scope."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from archiver.documents.patterns import compiled
from archiver.urls import host_of, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from archiver.fields.model import FieldScope, FieldWrapper

MOST_GLOB = 500
_SITE = re.compile(r"[\w.-]{1,253}(?::\d{1,5})?")
_ANY, _ANYTHING = "*", "**"


def scope_flaw(scope: FieldScope) -> Iterator[tuple[str, str]]:
    """The keys of a scope that cannot be used, each with the reason."""
    if not (scope.channel or scope.site or scope.url):
        yield "", "A scope names a channel, a site or a form of addresses"
    if scope.site and not _SITE.fullmatch(scope.site):
        yield "site", f"{scope.site} is not the name of a site, as in books.example"
    if scope.url and not (scope.url.startswith(("/", "*")) and len(scope.url) <= MOST_GLOB):
        yield "url", f"{scope.url[:40]} is not a form of paths, as in /book/*"


def is_in_scope(scope: FieldScope, url: str, channels: AbstractSet[str] = frozenset()) -> bool:
    """Whether a page is all that a scope says; `channels` are the addresses of the feeds that led to it."""
    if scope.channel and same_page_key(scope.channel) not in {same_page_key(one) for one in channels}:
        return False
    if scope.site and not _is_of_site(url, scope.site.lower()):
        return False
    return not scope.url or _has_form(url, scope.url)


def _is_of_site(url: str, site: str) -> bool:
    host = host_of(url)
    if ":" in site:
        host = f"{host}:{urlsplit(url).port or ''}"
    return host == site or host.endswith(f".{site}")


def _has_form(url: str, form: str) -> bool:
    parts = urlsplit(url)
    address = unquote(parts.path) or "/"
    if "?" in form and parts.query:
        address = f"{address}?{unquote(parts.query)}"
    return _pattern(form).fullmatch(address) is not None


@lru_cache(maxsize=1000)
def _pattern(form: str) -> Any:  # noqa: ANN401 - re2 ships no types
    pieces = [
        {_ANYTHING: ".*", _ANY: "[^/?]*"}.get(piece) or re.escape(piece) for piece in re.split(r"(\*+)", form)
    ]
    return compiled(f"(?s){''.join(pieces)}")


def wrappers_for(
    wrappers: Sequence[FieldWrapper], url: str, channels: AbstractSet[str] = frozenset()
) -> list[FieldWrapper]:
    """Those whose scope a page is in, the most specific first; of equal ones, by name."""
    fitting = [one for one in wrappers if is_in_scope(one.scope, url, channels)]
    return sorted(fitting, key=lambda one: (*_vagueness(one.scope), one.wrapper))


def are_tied(one: FieldWrapper, other: FieldWrapper) -> bool:
    """Whether only their names decide which of two wrappers is taken."""
    return _vagueness(one.scope) == _vagueness(other.scope)


def _vagueness(scope: FieldScope) -> tuple[bool, bool, bool]:
    return not scope.url, not scope.channel, not scope.site


def common_form(urls: Sequence[str]) -> str:
    """The form of the paths of some addresses: `/book/*` for `/book/1` and `/book/2`; empty: any."""
    form = _common_form(list(dict.fromkeys(urls)))
    return "" if form in {"/", "/**"} else form


def _common_form(urls: Sequence[str]) -> str:
    paths = [[_literal(step) for step in unquote(urlsplit(url).path or "/").split("/")] for url in urls]
    length = min(map(len, paths))
    steps = [_common({path[place] for path in paths}) for place in range(length)]
    if len({len(path) for path in paths}) == 1:
        # One page alone says nothing of the others: what is last in its address names it.
        return "/".join([*steps[:-1], _ANY] if len(urls) == 1 else steps)
    same = next((place for place, step in enumerate(steps) if _ANY in step), length)
    return "/".join([*steps[: min(same, length - 1)], _ANYTHING])


def _literal(step: str) -> str:
    # An asterisk stands for anything, also for itself; another number is another day, or another page.
    return _ANY if _ANY in step or step.isdecimal() else step


def _common(steps: set[str]) -> str:
    if len(steps) == 1:
        return next(iter(steps))
    endings = {step.rpartition(".")[2] if "." in step else "" for step in steps}
    ending = next(iter(endings)) if len(endings) == 1 else ""
    return f"{_ANY}.{ending}" if ending else _ANY
