"""Rules for the fields of a wrapper, induced from values on archived pages and from pages like them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from archiver.articles.methods.article.memory import ALIKE, likeness, signature_of
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.dom import cleaned
from archiver.fields.induction.inducing import MOST_OTHERS, induce
from archiver.fields.induction.model import ExamplePage
from archiver.fields.model import Field, FieldExample, FieldScope, FieldWrapper
from archiver.fields.scopes import common_form
from archiver.inspection.fields.testing import captures_in_scope, document_of
from archiver.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.documents.expressions.document import VirtualDocument
    from archiver.fields.induction.model import Induced

# Captures of the scope that are looked at for pages of the same template.
_MOST_CAPTURES = 200
_MOST_EXAMPLES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedExample:
    """A value that a person found on an archived page."""

    field: str
    value: str
    document: VirtualDocument
    capture: str = ""

    @property
    def kept(self) -> FieldExample:
        return FieldExample(url=self.document.url, value=self.value, capture=self.capture)


def scope_of(urls: Sequence[str]) -> FieldScope:
    """Pages of the site whose addresses have the form of these: `/book/*` for `/book/1`."""
    parts = urlsplit(urls[0])
    site = f"{host_of(urls[0])}:{parts.port}" if parts.port else host_of(urls[0])
    return FieldScope(site=site, url=common_form(urls))


def pages_alike(
    state: Connection, withheld: Withheld, warcs: Path, scope: FieldScope, examples: Sequence[ArchivedExample]
) -> list[VirtualDocument]:
    """Archived pages of the scope that have the template of an example."""
    used = {one.document.url for one in examples}
    wanted = [signature_of(outline_of(cleaned(one.document.tree))) for one in examples]
    probe = FieldWrapper(wrapper="probe", scope=scope, fields=())
    found: list[VirtualDocument] = []
    for capture in captures_in_scope(state, probe, withheld, most=_MOST_CAPTURES):
        document = document_of(warcs, capture) if capture.url not in used else None
        if document is None:
            continue
        signature = signature_of(outline_of(cleaned(document.tree)))
        if any(likeness(signature, one) >= ALIKE for one in wanted):
            found.append(document)
        if len(found) == MOST_OTHERS:
            break
    return found


def induced_fields(
    examples: Sequence[ArchivedExample],
    others: Sequence[VirtualDocument],
    fields: Mapping[str, Field],
    said: frozenset[str],
) -> list[Induced]:
    """The rules of each field that has examples; types that were `said` are not guessed."""
    found = []
    for name in dict.fromkeys(one.field for one in examples):
        given = [one for one in examples if one.field == name]
        induced = induce(fields[name], _pages(given), others, guess=name not in said)
        kept = tuple(dict.fromkeys(one.kept for one in given))
        found.append(replace(induced, field=msgspec.structs.replace(induced.field, examples=kept)))
    return found


def _pages(given: Sequence[ArchivedExample]) -> list[ExamplePage]:
    """One example for each page, with all values that were found there."""
    documents = {one.document.url: one.document for one in given}
    return [
        ExamplePage(document=document, values=tuple(one.value for one in given if one.document.url == url))
        for url, document in list(documents.items())[:_MOST_EXAMPLES]
    ]


def with_fields(
    known: FieldWrapper | None, name: str, scope: FieldScope, induced: Sequence[Induced]
) -> FieldWrapper:
    """The wrapper with these fields in place of those of their names, and new ones behind the others."""
    made = {one.field.field: one.field for one in induced}
    if known is None:
        return FieldWrapper(wrapper=name, scope=scope, objects=True, fields=tuple(made.values()))
    kept = [made.pop(one.field, one) for one in known.fields]
    return msgspec.structs.replace(known, fields=(*kept, *made.values()))
