"""Which addresses have one owner: those of one registered domain, by the list of public suffixes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.urls import host_of

if TYPE_CHECKING:
    from tldextract import TLDExtract

_DEFAULT_PORTS = (None, 80, 443)


def same_owner(one: str, other: str) -> bool:
    """Whether two URLs belong to one registered domain; without one, whether they name one server."""
    domains = [registered_domain(host_of(url)) for url in (one, other)]
    if domains[0] or domains[1]:
        return domains[0] == domains[1]
    return _server(one) == _server(other)


@lru_cache(maxsize=1024)
def registered_domain(host: str) -> str:
    """`example.co.uk` for `blog.example.co.uk`; empty for an IP address and a name such as `localhost`.

    Names under which a company lets others publish, such as `github.io`, count as suffixes.
    """
    return _extractor().extract_str(host).top_domain_under_public_suffix.lower()


def is_public_suffix(host: str) -> bool:
    """Whether names below this one have owners of their own: `com`, `co.uk`, `github.io`."""
    return _extractor().extract_str(host).suffix.lower() == host.lower()


@lru_cache(maxsize=1)
def _extractor() -> TLDExtract:
    # It loads an HTTP client, and most runs compare no domains. The package's own list: nothing is fetched.
    from tldextract import TLDExtract  # noqa: PLC0415

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


def _server(url: str) -> tuple[str, int | None]:
    """Another port of a bare address may be another's server, unless it is that of HTTP or HTTPS."""
    port = urlsplit(url).port
    return host_of(url), None if port in _DEFAULT_PORTS else port
