"""Settings that a failure may come from: where they changed since, a channel is asked again at once."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.acquisition.outcomes import Failure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

_PROXY = ("HTTPPROXY_ENABLED",)
_NAMES = ("TWISTED_DNS_RESOLVER", "DNS_TIMEOUT", "ALLOW_PRIVATE_ADDRESSES")
_SETTINGS: Mapping[Failure, tuple[str, ...]] = {
    Failure.ADDRESS: (*_NAMES, *_PROXY),
    Failure.DNS: (*_NAMES, *_PROXY),
    Failure.CONNECTION: (*_NAMES, *_PROXY),
    Failure.TIMEOUT: (*_NAMES, *_PROXY, "DOWNLOAD_TIMEOUT"),
    Failure.TOO_LARGE: ("DOWNLOAD_MAXSIZE",),
    Failure.REDIRECTS: ("REDIRECT_ENABLED", "REDIRECT_MAX_TIMES"),
    Failure.ROBOTS: ("ROBOTSTXT_OBEY", "ROBOTSTXT_USER_AGENT"),
}
# What Scrapy's proxies come from.
_ENVIRONMENT = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
# Which servers are asked for addresses is the machine's own setting.
_RESOLVERS = Path("/etc/resolv.conf")


def failure_causes(settings: BaseSettings) -> dict[str, str]:
    """For each kind of failure that a setting can cause, a digest of those settings as they are now."""
    return {
        failure.value: _digest([*(str(settings[name]) for name in names), *_surroundings(names)])
        for failure, names in _SETTINGS.items()
    }


def _surroundings(names: tuple[str, ...]) -> list[str]:
    if not set(_PROXY) <= set(names):
        return []
    proxies = [os.environ.get(name) or os.environ.get(name.upper()) or "" for name in _ENVIRONMENT]
    return [*proxies, _resolvers()]


def _resolvers() -> str:
    try:
        lines = _RESOLVERS.read_text("utf-8", "replace").splitlines()
    except OSError:  # another system keeps them elsewhere
        return ""
    return "\n".join(line for line in lines if line.startswith("nameserver"))


def _digest(values: list[str]) -> str:
    # A proxy's address may hold a password: what is kept tells nothing of it.
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]
