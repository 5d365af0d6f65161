"""Which extraction methods there are, and what is known of each without importing it.

A package adds one by an entry point of the group `archiver.methods`: the name of the method, and where its
MethodFacts are. That module should import little, since commands read it. Only workers import the method.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pkgutil import resolve_name
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from archiver.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.metadata import EntryPoint
    from pathlib import Path

    from archiver.articles.model import Found, ParsedPage, Wrapper

GROUP = "archiver.methods"
DEFAULT = "article"
# Not to be chosen: what a feed carried is the article itself, and so is the part of a page that a link names;
# a page without an article may have fields.
FEED, FRAGMENT, FIELDS = "feed", "fragment", "fields"
# The folder of an archive in which methods find what was trained on it.
MODELS = "models"
# Objects have names as `NAME/VERSION`, for which the state store has so much room.
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{,23}")


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodFacts:
    """What is known of a method without importing it."""

    # `package.module:NAME` of the method, or of a class that makes one without arguments.
    path: str
    # How it finds the article, for people.
    about: str
    # Counts up when the method comes to find other articles on the same pages.
    version: int = 1
    # Whether what it finds on a page depends on the pages beside it, and on what was learned.
    sees_siblings: bool = False
    # Whether it learns wrappers.
    learns: bool = False
    # Packages that it imports and that archiver does not install.
    needs: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        return self.path.partition(":")[0]


class Method(Protocol):
    """A way to find articles. It sees sibling pages together, because some methods learn from them."""

    def find(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found:
        """One answer for each page, in their order."""
        ...

    def find_known(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found | None:
        """The same by what was learned before alone; None where that does not do for all of the pages."""
        ...


@runtime_checkable
class UsesModels(Protocol):
    """A method that reads what was trained on an archive, where it has trained anything."""

    def use(self, models: Path) -> None: ...


_REFERENCE = "archiver.articles.methods.reference"
OURS: Mapping[str, MethodFacts] = MappingProxyType(
    {
        "article": MethodFacts(
            path="archiver.articles.methods.article.method:ArticleMethod",
            about="all evidence of a page, its siblings and its feed entry, weighed together",
            version=3,
            sees_siblings=True,
            learns=True,
        ),
        "visual": MethodFacts(
            path="archiver.articles.methods.visual.method:VisualMethod",
            about="blocks that look like an article, and like what links to the page say",
            sees_siblings=True,
        ),
        "sigfeed": MethodFacts(
            path=f"{_REFERENCE}.sigfeed:SIGFEED",
            about="the block where the words of the feed entry are densest, widened, as in the paper of 2010",
        ),
        "sigfeed-2012": MethodFacts(
            path=f"{_REFERENCE}.sigfeed:SIGFEED_2012",
            about="the densest block itself, as in the thesis of 2012",
        ),
        "sigfeed-guarded": MethodFacts(
            path=f"{_REFERENCE}.sigfeed:SIGFEED_GUARDED",
            about="sigfeed, widened until it is more than the announcement repeated",
        ),
        "forest-tfidf": MethodFacts(
            path=f"{_REFERENCE}.forest:FOREST_TFIDF",
            about="the pattern of sibling pages that holds the terms which set each page apart",
            sees_siblings=True,
        ),
        "forest-feeds": MethodFacts(
            path=f"{_REFERENCE}.forest:FOREST_FEEDS",
            about="the same with terms of the feed entry",
            version=2,
            sees_siblings=True,
        ),
        "coverage": MethodFacts(
            path=f"{_REFERENCE}.forest:COVERAGE",
            about="the pattern of sibling pages that holds most of these terms",
            sees_siblings=True,
        ),
        "description": MethodFacts(
            path=f"{_REFERENCE}.description:Description",
            about="title and description of the feed entry, without the page",
        ),
    }
)


def method_names() -> list[str]:
    """Every method that can be chosen: ours, then those of other packages."""
    return [*OURS, *(name for name in _others() if name not in OURS)]


def facts_of(name: str) -> MethodFacts:
    """What is known of a method; raises ConfigurationError where it cannot be used."""
    return OURS[name] if name in OURS else _facts_from_outside(name)


def is_usable(name: str) -> bool:
    try:
        facts_of(name)
    except ConfigurationError:
        return False
    return True


def usable_methods() -> dict[str, MethodFacts]:
    """What is known of every method that can be used, by name."""
    return {name: facts_of(name) for name in method_names() if is_usable(name)}


def extractor_of(method: str) -> str:
    """The method and its version, to tell what it makes from what a better one will: `sigfeed/1`."""
    return f"{method}/{facts_of(method).version}"


@cache
def method_of(name: str) -> Method:
    """The method itself, which may take long to import."""
    found = resolve_name(facts_of(name).path)
    method: Method = found() if isinstance(found, type) else found
    return method


@cache
def _others() -> Mapping[str, Sequence[EntryPoint]]:
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        found.setdefault(point.name, []).append(point)
    return found


@cache
def _facts_from_outside(name: str) -> MethodFacts:
    points = _others().get(name, ())
    places = sorted({point.value for point in points})
    if not places:
        raise ConfigurationError(f"method {name} is not known: choose from {', '.join(method_names())}")
    if len(places) > 1:
        raise ConfigurationError(
            f"method {name} is in {' and in '.join(places)}: uninstall all but one of these packages"
        )
    if not _NAME.fullmatch(name) or name in (FEED, FRAGMENT, FIELDS):
        why = "it is taken, too long (24), or not of a-z 0-9 . _ -"
        raise ConfigurationError(f"method {name} of {places[0]} cannot have this name: {why}")
    return _checked(name, points[0])


def _checked(name: str, point: EntryPoint) -> MethodFacts:
    try:
        facts = point.load()
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        raise ConfigurationError(f"method {name} cannot be used, {point.value} fails: {told}") from error
    if not isinstance(facts, MethodFacts):
        raise ConfigurationError(f"method {name} cannot be used: {point.value} is not a MethodFacts")
    if missing := [module for module in facts.needs if not find_spec(module.partition(".")[0])]:
        raise ConfigurationError(f"method {name} needs {', '.join(missing)}: install it first")
    return facts
