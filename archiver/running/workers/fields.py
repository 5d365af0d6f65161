"""Fields read in the worker process, from the tree that the article was found in: they never cost it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from archiver.articles.metadata.fields import metadata_of
from archiver.articles.methods.registry import FIELDS
from archiver.articles.model import Article, ParsedPage
from archiver.articles.versions.fingerprints import fingerprint
from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.pages.dom import base_url, parse_html
from archiver.errors import ExtractionError
from archiver.fields.execution import read_fields
from archiver.fields.files import read_wrapper
from archiver.fields.model import FieldsRead
from archiver.fields.naming import label_of
from archiver.fields.objects import changed_fields, has_required, object_fields

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.articles.model import NoArticle
    from archiver.documents.pages.model import RawPage
    from archiver.fields.model import FieldWrapper
    from archiver.fields.objects import ObjectFields
    from archiver.running.workers.page_tasks import PageRead

# Counts up when other objects come to be made of pages without an article.
EXTRACTOR = f"{FIELDS}/1"
# A page that shows no words may still state them for machines.
_UNSHOWN = "empty"


def with_fields(read: PageRead, text: str, page: RawPage, parsed: ParsedPage | NoArticle) -> PageRead:
    """What was read, with what the wrapper of this text reads; of a part of a page, nothing is its own."""
    if not text or read.part:
        return read
    wrapper = wrapper_in(text)
    known = parsed if isinstance(parsed, ParsedPage) else _unshown(page, parsed)
    if known is None:
        return read
    found = fields_on(known.tree, page.url, wrapper)
    if not found.readings:
        return msgspec.structs.replace(read, fields=found)
    return _joined(read, found, object_fields(found, wrapper), wrapper, known)


@lru_cache(maxsize=256)
def wrapper_in(text: str) -> FieldWrapper:
    """The wrapper of a text, which was read before it was sent here."""
    return read_wrapper(text.encode(), "wrapper").value


def fields_on(tree: Element, url: str, wrapper: FieldWrapper) -> FieldsRead:
    """What a wrapper reads; a mistake of ours is told and no more."""
    try:
        return read_fields(VirtualDocument(tree=tree, url=url), wrapper)
    except MemoryError:
        raise  # the page is read again, by another worker
    except Exception as error:  # noqa: BLE001 - counted and told where it is settled; the article stays
        told = f"internal error: {type(error).__name__}: {error}"
        return FieldsRead(wrapper=label_of(wrapper), readings={}, trouble=told)


def _joined(
    read: PageRead, found: FieldsRead, fields: ObjectFields, wrapper: FieldWrapper, page: ParsedPage
) -> PageRead:
    if read.article is not None:
        return msgspec.structs.replace(
            read,
            fields=found,
            article=replace(read.article, fields=fields, field_wrapper=found.wrapper),
        )
    if not wrapper.objects or not has_required(fields, wrapper):
        return msgspec.structs.replace(read, fields=found)
    instead = _without_article(page, fields, found.wrapper)
    return msgspec.structs.replace(
        read,
        fields=found,
        instead=instead,
        fingerprint=fingerprint(instead),
        extractor=EXTRACTOR,
    )


def _without_article(page: ParsedPage, fields: ObjectFields, label: str) -> Article:
    """The object of a page that has fields and no article."""
    said = metadata_of(page)
    return Article(
        method=FIELDS,
        confidence=1.0,  # a person said so
        text="",
        html="",
        title=said.title,
        language=said.language,
        canonical_url=said.canonical_url,
        dated=said.dated,
        fields=fields,
        field_wrapper=label,
    )


def has_new_values(before: Article | None, now: Article, text: str) -> bool:
    """Whether a field that makes versions has a new value, both pages having been read by this wrapper."""
    if (
        not text
        or before is None
        or before.field_wrapper is None
        or before.field_wrapper != now.field_wrapper
    ):
        return False
    return bool(changed_fields(before.fields, now.fields, wrapper_in(text)))


def _unshown(page: RawPage, found: NoArticle) -> ParsedPage | None:
    """The tree of a page that shows no words, as one that a script fills."""
    if found.outcome != _UNSHOWN:
        return None
    try:
        tree = parse_html(page.body, page.content_type, page.url)
    except ExtractionError:
        return None
    return ParsedPage(url=page.url, base_url=base_url(tree, page.url), tree=tree, id=page.id)
