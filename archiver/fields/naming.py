"""How wrappers are named: by what they are called, and by a digest of all that decides what they read."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from archiver.fields.plain import plain_wrapper

if TYPE_CHECKING:
    from archiver.fields.model import FieldWrapper

_DIGEST_LENGTH = 16


@lru_cache(maxsize=256)
def wrapper_digest(wrapper: FieldWrapper) -> str:
    """Equal for wrappers that read the same, whatever their comments, their layout and their examples are."""
    said = msgspec.json.encode(plain_wrapper(wrapper, examples=False))
    return hashlib.sha256(said).hexdigest()[:_DIGEST_LENGTH]


def label_of(wrapper: FieldWrapper) -> str:
    """As objects have it: `bookshop/9c1f2b…`."""
    return f"{wrapper.wrapper}/{wrapper_digest(wrapper)}"


def name_in(label: str) -> str:
    """The name of the wrapper that an object names."""
    return label.partition("/")[0]
