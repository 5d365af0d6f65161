"""What must hold in the knowledge base beyond its schema."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.acquisition.sites.knowledge.anchors import SHORTEST, anchors_of
from archiver.acquisition.sites.knowledge.dates import form_flaw
from archiver.acquisition.sites.knowledge.hierarchy import ancestry, inherited, parent_of
from archiver.acquisition.sites.knowledge.model import FORMAT
from archiver.documents.nearest import did_you_mean
from archiver.documents.patterns import pattern_flaw
from archiver.documents.yaml_values.nodes import FileFlaw

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import msgspec

    from archiver.acquisition.sites.knowledge.model import ExtractAction, Level, ListSource, SiteType
    from archiver.documents.yaml_values.structs import YamlRead

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")


class Checker:
    """Finds what is wrong with one file, given all the others."""

    def __init__(self, read: YamlRead[SiteType], types: Mapping[str, SiteType]) -> None:
        self._read = read
        self._own = read.value
        self._types = types

    def flaws(self) -> Iterator[FileFlaw]:
        own = self._own
        if own.format != FORMAT:
            yield self._flaw(own, "format", f"Format {own.format} is not known: this version reads {FORMAT}")
        yield from self._named(own, "type", own.type)
        yield from self._hierarchy()
        yield from self._anchors()
        yield from self._patterns()
        yield from self._sites()
        for source in own.lists:
            yield from self._list(source)
        names = [level.name for level in own.levels]
        for number, level in enumerate(own.levels):
            if level.name in names[:number]:
                yield self._flaw(level, "name", f"Duplicate level {level.name}")
            yield from self._named(level, "name", level.name)
            yield from self._level(level)

    def _named(self, struct: msgspec.Struct, key: str, name: str) -> Iterator[FileFlaw]:
        """Files and rows are named by these."""
        if not _NAME.fullmatch(name):
            message = f"{name or 'Nothing'} is not a valid name: use lower-case letters, digits, - and _"
            yield self._flaw(struct, key, message)

    def _hierarchy(self) -> Iterator[FileFlaw]:
        own = self._own
        above = parent_of(own, self._types)
        if above and above not in self._types:
            advice = did_you_mean(above, self._types)
            yield self._flaw(own, "parent", f"There is no type {above}", advice)
        line = ancestry(own.type, self._types)
        top = self._types[line[-1]]
        if parent_of(top, self._types) in line:
            circle = " → ".join([*line, parent_of(top, self._types)])
            yield self._flaw(own, "parent", f"Circular parents: {circle}")
        elif not inherited(own.type, self._types).category:
            yield self._flaw(own, "type", "The type has no category", "add category: blog")

    def _anchors(self) -> Iterator[FileFlaw]:
        """A type is found by a literal: without any, its patterns would be tried on every page."""
        for pattern in self._own.detect:
            if not anchors_of(pattern):
                yield self._flaw(
                    pattern,
                    "all",
                    f"A type needs an attribute of a named element, with at least {SHORTEST} characters",
                    "write link[contains(@href,'/wp-content/')], body.name or http/header[@name='x-name']",
                )

    def _patterns(self) -> Iterator[FileFlaw]:
        for rule in self._own.avoid:
            yield from self._regular(rule, "shape", rule.shape)
        for source in self._own.lists:
            if source.sitemap is not None:
                yield from self._regular(source.sitemap, "only", [source.sitemap.only])

    def _regular(self, struct: msgspec.Struct, key: str, patterns: Iterable[str]) -> Iterator[FileFlaw]:
        for pattern in patterns:
            if reason := pattern_flaw(pattern):
                yield self._flaw(struct, key, reason)

    def _sites(self) -> Iterator[FileFlaw]:
        for site in self._own.site:
            parts = urlsplit(site if "//" in site else f"//{site}")
            if not parts.hostname or parts.scheme not in ("", "http", "https"):
                yield self._flaw(self._own, "site", f"{site} is neither a host nor a URL")

    def _list(self, source: ListSource) -> Iterator[FileFlaw]:
        given = [one for one in (source.sitemap, source.feed, source.api, source.page) if one is not None]
        if len(given) != 1:
            yield self._flaw(source, "", "A list needs exactly one of sitemap, feed, api and page")
        yield from self._target(source, source.to)

    def _level(self, level: Level) -> Iterator[FileFlaw]:
        for action in level.follow:
            yield from self._named(action, "id", action.id)
            yield from self._target(action, action.to, needed=True)
        yield from self._twice(level, "follow", [action.id for action in level.follow])
        yield from self._twice(level, "extract", [action.key for action in level.extract])
        yield from self._twice(level, "parts", [part.name for part in level.parts])
        for extraction in (*level.extract, *(one for part in level.parts for one in part.extract)):
            yield from self._forms(extraction)
        for part in level.parts:
            yield from self._twice(part, "extract", [action.key for action in part.extract])
        whole = inherited(self._own.type, self._types).level(level.name)
        if whole is not None and whole.kind is None:
            yield self._flaw(
                level, "", f"The level {level.name} has no kind", "add kind: intermediate or terminal"
            )

    def _forms(self, action: ExtractAction) -> Iterator[FileFlaw]:
        for form in action.form:
            if reason := form_flaw(form):
                yield self._flaw(action, "form", reason)

    def _target(self, struct: msgspec.Struct, to: str, *, needed: bool = False) -> Iterator[FileFlaw]:
        known = [level.name for level in inherited(self._own.type, self._types).levels]
        if to not in known and (to or needed):
            advice = did_you_mean(to, known) or f"levels are {', '.join(known) or 'missing'}"
            yield self._flaw(struct, "to", f"There is no level {to}", advice)

    def _twice(self, struct: msgspec.Struct, key: str, names: list[str]) -> Iterator[FileFlaw]:
        for name in sorted({one for one in names if names.count(one) > 1}):
            yield self._flaw(struct, key, f"Duplicate {name} in {key}", "give each an id of its own")

    def _flaw(self, struct: msgspec.Struct, key: str, message: str, suggestion: str = "") -> FileFlaw:
        return FileFlaw(place=self._read.place(struct, key), message=message, suggestion=suggestion)
