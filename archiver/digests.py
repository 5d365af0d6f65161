"""Digests, each written with the name of its algorithm so that a later one can stand beside it."""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from hashlib import _Hash as Hash

_SPACE = re.compile(r"\s+")
# Changes when `folded` does: digests of different versions are never compared.
TEXT_VERSION = "t2"
# The older way, by `normalised` alone: objects that carry it are still checked, and entries of feeds
# keep it, which would all look edited otherwise.
FIRST_VERSION = "t1"

# What is written one way or another at the whim of a program: kinds of quotation marks, apostrophes, dashes
# and dots, and what is not seen at all.
_TYPOGRAPHY = (
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\u0060\u2039\u203a", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | {"\u2026": "..."}
    | dict.fromkeys(
        "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff",
        "",
    )
)
# Searched for: in three times the time, `translate` looks each character up.
_TYPOGRAPHIC = re.compile(f"[{''.join(_TYPOGRAPHY)}]")
_HYPHENS = re.compile("-{2,3}")


def warc_digest(data: bytes) -> str:
    """`sha1:BASE32`: the form that every WARC validator and CDX index expects."""
    return warc_digest_of((data,))


def warc_digest_of(pieces: Iterable[bytes]) -> str:
    """The same, of data that come in pieces."""
    # SHA-1 identifies payloads here, as the WARC ecosystem agreed; it protects nothing.
    return digests_of(pieces, hashlib.sha1(usedforsecurity=False))[0]


def digests_of(pieces: Iterable[bytes], *made: Hash) -> list[str]:
    """As WARC headers have them, of data that come in pieces."""
    for piece in pieces:
        for one in made:
            one.update(piece)
    return [base32_digest(one.name, one.digest()) for one in made]


def base32_digest(algorithm: str, digest: bytes) -> str:
    """As WARC headers have it."""
    return f"{algorithm}:{base64.b32encode(digest).decode('ascii').rstrip('=')}"


def sha256_digest(data: bytes) -> str:
    """`sha256:BASE32`: what decides whether two payloads are one. SHA-1 can be made to collide."""
    return base32_digest("sha256", hashlib.sha256(data).digest())


def payload_digests(pieces: Iterable[bytes]) -> tuple[str, str]:
    """Both, of a payload that comes in pieces: SHA-1 and SHA-256."""
    sha1, sha256 = digests_of(pieces, hashlib.sha1(usedforsecurity=False), hashlib.sha256())
    return sha1, sha256


# Names as WARC headers have them; anything else cannot be checked.
_ALGORITHMS = {
    "md5": "md5",
    "sha1": "sha1",
    "sha-1": "sha1",
    "sha256": "sha256",
    "sha-256": "sha256",
    "sha384": "sha384",
    "sha512": "sha512",
}
# From the digits of base 32 to those that `int` knows.
_TO_PYTHON = str.maketrans("abcdefghijklmnopqrstuvwxyz234567", "0123456789abcdefghijklmnopqrstuv", "0189")


class StatedDigest:
    """`sha1:BASE32`, or another algorithm, or in hexadecimal digits: other writers have their ways."""

    def __init__(self, stated: str) -> None:
        self.stated = stated
        name, _, self._value = stated.partition(":")
        known = _ALGORITHMS.get(name.strip().lower())
        self._hash = hashlib.new(known, usedforsecurity=False) if known else None

    def update(self, data: bytes) -> None:
        if self._hash is not None:
            self._hash.update(data)

    def is_right(self) -> bool:
        """True also for an algorithm that is not known here."""
        if self._hash is None:
            return True
        stated = self._value.strip().rstrip("=").lower()
        if len(stated) == 2 * self._hash.digest_size:
            return stated == self._hash.hexdigest()
        return _is_base32(stated, self._hash.digest())


def _is_base32(text: str, digest: bytes) -> bool:
    """Whether the text is the digest; some ten times as fast as `base64`."""
    try:
        number = int(text.translate(_TO_PYTHON), 32)
    except ValueError:
        return False
    spare_bits = 5 * len(text) - 8 * len(digest)
    return 0 <= spare_bits < 5 and number == int.from_bytes(digest, "big") << spare_bits


def normalised(text: str) -> str:
    """The words without what readers don't see: form of characters and amount of white space."""
    # Not NFKC: 10² is not 102, and Chinese commas are not ours.
    return _SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip()


def folded(text: str) -> str:
    """The words without what is only encoding or typography: to compare texts by, not to show."""
    if text.isascii():
        return _SPACE.sub(" ", _HYPHENS.sub("-", text)).strip()
    plain = _TYPOGRAPHIC.sub(lambda found: _TYPOGRAPHY[found[0]], unicodedata.normalize("NFC", text))
    # Again: what was not seen may have stood between a letter and its accent.
    return normalised(_HYPHENS.sub("-", plain))


def text_digest(text: str) -> str:
    """`t2:HEX`: equal for texts that a reader would call the same."""
    return folded_digest(folded(text))


def folded_digest(text: str) -> str:
    """The same of a text that is folded."""
    return f"{TEXT_VERSION}:{_sha256(text)}"


def first_digest(text: str) -> str:
    """`t1:HEX`: the digest of the first version."""
    return f"{FIRST_VERSION}:{_sha256(normalised(text))}"


def is_digest_of(digest: str, text: str) -> bool | None:
    """Whether a text has this digest; None where the digest is of a version that is not known here."""
    makers = {TEXT_VERSION: text_digest, FIRST_VERSION: first_digest}
    make = makers.get(digest.partition(":")[0])
    return None if make is None else make(text) == digest


def are_comparable(one: str, other: str) -> bool:
    """Whether two digests were made in the same way: else they say nothing of each other."""
    return one.partition(":")[0] == other.partition(":")[0]


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


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
