"""Which methods there are, for whoever only names one: the methods themselves take long to load."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT = "article"
# None to choose: what a feed carried is the article itself.
FEED = "feed"


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodFacts:
    """What is known of a method without loading it; tests hold it against the method."""

    version: int = 1
    sees_siblings: bool = False


CATALOGUE: Mapping[str, MethodFacts] = MappingProxyType(
    {
        "article": MethodFacts(version=2, sees_siblings=True),
        "sigfeed": MethodFacts(),
        "sigfeed-2012": MethodFacts(),
        "sigfeed-guarded": MethodFacts(),
        "forest-tfidf": MethodFacts(sees_siblings=True),
        "forest-feeds": MethodFacts(version=2, sees_siblings=True),
        "coverage": MethodFacts(sees_siblings=True),
        "description": MethodFacts(),
    }
)


def extractor_of(method: str) -> str:
    """The method and its version, to tell what it makes from what a better one will: `sigfeed/1`."""
    return f"{method}/{CATALOGUE[method].version}"
