"""What a request sends beside its address: with the address, it tells one page from another."""

from __future__ import annotations

from dataclasses import dataclass

from archiver.digests import sha256_digest
from archiver.urls import same_page_key

FORM = "application/x-www-form-urlencoded"
_PLAIN_METHODS = frozenset({b"GET", b"HEAD"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A form that is sent, or a query in a body: everything but the address."""

    method: str = "POST"
    body: bytes = b""
    content_type: str = FORM

    @property
    def identity(self) -> str:
        return f"{self.method} {sha256_digest(self.body)}"


def submission_of(sent: bytes) -> Submission | None:
    """What the bytes of a request submit; None where they only ask for an address."""
    head, _, body = sent.partition(b"\r\n\r\n")
    request_line, *lines = head.split(b"\r\n")
    method = request_line.partition(b" ")[0].upper()
    if method in _PLAIN_METHODS:
        return None
    pairs = (line.partition(b":")[::2] for line in lines)
    types = [value.strip().decode("latin-1") for name, value in pairs if name.lower() == b"content-type"]
    return Submission(method=method.decode("latin-1"), body=body, content_type=types[0] if types else "")


def request_key(url: str, identity: str = "") -> str:
    """The key of a page that answers to more than its address: `same_page_key`, behind what was submitted."""
    key = same_page_key(url)
    return f"{identity} {key}" if identity else key
