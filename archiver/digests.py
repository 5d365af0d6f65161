"""Digests, each written with the name of its algorithm so that a later one can stand beside it."""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata

_SPACE = re.compile(r"\s+")
# Changes when `normalised` does: digests of different versions are never compared.
TEXT_VERSION = "t1"


def warc_digest(data: bytes) -> str:
    """`sha1:BASE32`: the form that every WARC validator and CDX index expects."""
    # SHA-1 identifies payloads here, as the WARC ecosystem agreed; it protects nothing.
    digest = hashlib.sha1(data, usedforsecurity=False).digest()
    return "sha1:" + base64.b32encode(digest).decode("ascii")


def normalised(text: str) -> str:
    """The words without what readers don't see: form of characters and amount of white space."""
    # Not NFKC: 10² is not 102, and Chinese commas are not ours.
    return _SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip()


def text_digest(text: str) -> str:
    """`t1:HEX`: equal for texts that a reader would call the same."""
    return f"{TEXT_VERSION}:{hashlib.sha256(normalised(text).encode('utf-8', 'replace')).hexdigest()}"


def name_digest(name: str, length: int = 24) -> str:
    """A short stable identifier made from a name, such as an article's URL."""
    digest = hashlib.sha256(name.encode("utf-8", "replace")).digest()
    return base64.b32encode(digest).decode("ascii").lower()[:length]


# An index of PostgreSQL takes 2,700 bytes, and a character up to four.
_LONGEST_KEY = 600


def short_key(key: str) -> str:
    """The key itself, or, where a database could not index it, its beginning and a digest of all of it."""
    key = key.replace("\0", "\ufffd")  # as the store would
    return key if len(key) <= _LONGEST_KEY else f"{key[:500]}…{name_digest(key, 52)}"


def fraction_of(name: str) -> float:
    """A number in [0, 1) that only depends on the name: jitter without chance."""
    return int.from_bytes(hashlib.sha256(name.encode("utf-8", "replace")).digest()[:8], "big") / 2**64
