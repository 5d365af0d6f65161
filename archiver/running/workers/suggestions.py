"""The tasks that read descriptions of search, and words that a search suggests."""
# ruff: noqa: PLC0415 - what performs them is imported by workers alone

from __future__ import annotations

import msgspec

from archiver.running.workers import DocumentTask


class SuggestedTexts(msgspec.Struct, frozen=True, kw_only=True):
    """What such a document says: a template, or texts."""

    texts: tuple[str, ...] = ()
    problem: str = ""


class ReadDescription(DocumentTask[SuggestedTexts], frozen=True, kw_only=True):
    """Read the address at which a description has words completed."""

    def perform(self) -> SuggestedTexts:
        from archiver.documents.pages.forms.opensearch import suggestion_template

        found = suggestion_template(self.stored().content, self.url)
        return SuggestedTexts(texts=(found,) if found else ())


class ReadSuggestions(DocumentTask[SuggestedTexts], frozen=True, kw_only=True):
    """Read the texts that were suggested."""

    def perform(self) -> SuggestedTexts:
        from archiver.documents.pages.forms.opensearch import suggested

        return SuggestedTexts(texts=suggested(self.stored().content))
