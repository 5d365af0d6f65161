"""Marks of people: examples of field wrappers that name the text of an article."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from archiver.fields.model import FieldWrapper

# Names under which people mark the text of an article as a field.
ARTICLE_FIELDS = frozenset({"article", "body", "content", "text"})


def marks_on(url: str, wrappers: Iterable[FieldWrapper]) -> tuple[str, ...]:
    """The texts that were marked as the article on this page."""
    key = same_page_key(url)
    return tuple(
        example.value
        for wrapper in wrappers
        for field in wrapper.fields
        if field.field.lower() in ARTICLE_FIELDS and field.type in ("text", "html")
        for example in field.examples
        if same_page_key(example.url) == key
    )
