"""A digest as a header states it, held against the bytes that pass."""

from __future__ import annotations

import hashlib

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
