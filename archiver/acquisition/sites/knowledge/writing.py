"""Entries of the knowledge base as YAML, for a person to take over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import yaml

from archiver.documents.expressions.model import Expression

if TYPE_CHECKING:
    from archiver.acquisition.sites.knowledge.model import SiteType

_WIDTH = 110


def yaml_of(kind: SiteType) -> str:
    """The file that says what a type says, without what goes without saying."""
    return str(yaml.safe_dump(_plain(kind), sort_keys=False, allow_unicode=True, width=_WIDTH))


def _plain(value: object) -> object:
    """Values as they are written: without those that are as by default; a list of one text is that text."""
    if isinstance(value, Expression):
        return str(value)
    if isinstance(value, msgspec.Struct):
        return {
            field.encode_name: _plain(own)
            for field in msgspec.structs.fields(value)
            if (own := getattr(value, field.name)) != field.default or field.required
        }
    if isinstance(value, tuple):
        found = [_plain(one) for one in value]
        return found[0] if len(found) == 1 and isinstance(found[0], str) else found
    return value
