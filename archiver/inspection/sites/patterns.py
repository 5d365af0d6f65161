"""The patterns that were learned on a site: told, and as a file for sites of the same template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from archiver.acquisition.sites.learning.pattern_files import (
    FORMAT,
    FilePattern,
    PatternFile,
    PatternOrigin,
    write_patterns,
)
from archiver.acquisition.sites.learning.patterns import read_pattern
from archiver.acquisition.sites.learning.told import learned_patterns
from archiver.inspection.sites.model import PatternNote, SitePatterns
from archiver.store.whole_sites.label_notes import label_notes, wrappers_by_shape
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Row

    from archiver.inspection.sites.details import SitePlaces


def read_patterns(places: SitePlaces, site: Row[Any]) -> SitePatterns:
    """Raises WithheldError where the site is withheld."""
    places.withheld.refuse(site.url)
    return SitePatterns(
        number=site.id,
        url=redact(site.url),
        requests=site.requests,
        seed=site.seed,
        patterns=tuple(pattern_notes(places, site)),
    )


def pattern_notes(places: SitePlaces, site: Row[Any]) -> Iterator[PatternNote]:
    found = learned_patterns(label_notes(places.state, site.id))
    wrappers = wrappers_by_shape(places.state, site.url) if found else {}
    for one in found:
        last = one.pattern.steps[-1]
        yield PatternNote(
            pattern=str(one.pattern),
            links=last.path,
            addresses=f"/{last.shape or ''}",
            role=one.role,
            state=one.state,
            gain=round(one.gain, 1),
            pages=one.pages,
            waiting=one.waiting,
            example="" if places.withheld.hides(one.example) else redact(one.example),
            wrapper=wrappers.get(last.shape or ""),
        )


def patterns_file(found: SitePatterns, on: str) -> tuple[str, int]:
    """The text of a file, and how many patterns it has: those that were tried, as far as they can be read."""
    tried = [one for one in found.patterns if one.pages]
    file = PatternFile(
        format=FORMAT,
        site=found.url,
        learned=PatternOrigin(on=on, requests=found.requests, seed=found.seed),
        patterns=tuple(map(_in_file, tried)),
    )
    return write_patterns(file)


def _in_file(one: PatternNote) -> FilePattern:
    return FilePattern(
        path=read_pattern(one.pattern),
        role=one.role.value,  # type: ignore[arg-type] # tried patterns have one of the three
        gain=one.gain,
        pages=one.pages,
        state=one.state.value,  # type: ignore[arg-type] # likewise
        example=one.example,
        wrapper=one.wrapper,
    )
