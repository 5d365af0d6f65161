"""The names of nodes: made from what an object says, the same whenever it is read."""

from __future__ import annotations

from functools import lru_cache

from archiver.digests import name_digest, normalised
from archiver.urls import host_of

_NODE = "urn:archiver:"
VERSION = f"{_NODE}version:"


def article_node(name: str) -> str:
    return f"{_NODE}article:{name}"


def contribution_node(name: str) -> str:
    return f"{_NODE}contribution:{name}"


def version_node(name: str, number: int) -> str:
    """One version of an article or a contribution; numbers are the archive's own."""
    return f"{VERSION}{name}:{number}"


@lru_cache(maxsize=10_000)
def account_node(host: str, name: str) -> str:
    """A name as it is signed with on this host: the same name elsewhere may be another person's."""
    signed = f"{host}\n{normalised(name)}"
    return f"{_NODE}account:{name_digest(signed)}"


def record_node(record_id: str) -> str:
    """`urn:uuid:…`, as WARC has it in brackets."""
    return record_id.strip("<>")


def site_of(url: str) -> str:
    try:
        return host_of(url)
    except ValueError:
        return ""
