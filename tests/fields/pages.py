"""Made-up pages and wrappers, as values."""

from __future__ import annotations

from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.expressions.parsing import parse
from archiver.documents.pages.dom import parse_markup
from archiver.fields.model import Field, FieldRule, FieldScope, FieldWrapper, Take

BOOK = "https://books.example/book/1"


def page(markup: str, url: str = BOOK) -> VirtualDocument:
    tree = parse_markup(markup)
    assert tree is not None
    return VirtualDocument(tree=tree, url=url)


def rule(path: str, take: Take | None = None) -> FieldRule:
    return FieldRule(path=parse(path), take=take)


def wrapper(*fields: Field, name: str = "bookshop", **scope: str) -> FieldWrapper:
    return FieldWrapper(wrapper=name, scope=FieldScope(**(scope or {"site": "books.example"})), fields=fields)
