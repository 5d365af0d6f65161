"""Name resolution that keeps the crawl on the public Web."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.resolver import CachingHostnameResolver, HostResolution

from archiver.addresses import is_special

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler
    from twisted.internet.address import IPv4Address, IPv6Address
    from twisted.internet.base import ReactorBase
    from twisted.internet.interfaces import IAddress, IHostResolution, IResolutionReceiver

# Hosts that resolved, but to no address that we may visit. Bounded by how many hosts a run meets.
refused_hosts: set[str] = set()


class PublicResolver(CachingHostnameResolver):
    """Leaves out loopback, private and other special addresses, for names and literal addresses alike.

    Every connection resolves its host here, also behind a redirect, and connects to what was resolved:
    a name cannot point elsewhere in between.
    """

    def __init__(self, reactor: ReactorBase, cache_size: int, *, allow_private: bool) -> None:
        super().__init__(reactor, cache_size)
        self._allow_private = allow_private

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: ReactorBase) -> PublicResolver:
        settings = crawler.settings
        cache_size = settings.getint("DNSCACHE_SIZE") if settings.getbool("DNSCACHE_ENABLED") else 0
        return cls(reactor, cache_size, allow_private=settings.getbool("ALLOW_PRIVATE_ADDRESSES"))

    def resolveHostName(  # noqa: N802 - Twisted's name
        self,
        resolutionReceiver: IResolutionReceiver,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> IHostResolution:
        if not _can_be_asked(hostName):
            return _nowhere(resolutionReceiver, hostName)
        receiver = resolutionReceiver if self._allow_private else _PublicOnly(resolutionReceiver, hostName)
        return super().resolveHostName(receiver, hostName, portNumber, addressTypes, transportSemantics)  # type: ignore[arg-type]


def _can_be_asked(host: str) -> bool:
    """Twisted's resolver never answers for a name that cannot be encoded, such as `a..b` or one too long."""
    try:
        host.encode("idna")
    except UnicodeError:
        return False
    return True


def _nowhere(receiver: Any, host: str) -> IHostResolution:  # noqa: ANN401 - zope's interfaces confuse mypy
    resolution: Any = HostResolution(host)
    receiver.resolutionBegan(resolution)
    receiver.resolutionComplete()
    return resolution  # type: ignore[no-any-return]


class _PublicOnly:
    """Passes on public addresses only."""

    def __init__(self, receiver: Any, host: str) -> None:  # noqa: ANN401 - zope's interfaces confuse mypy
        self._receiver = receiver
        self._host = host

    def resolutionBegan(self, resolution: IHostResolution) -> None:  # noqa: N802 - Twisted's name
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: IPv4Address | IPv6Address) -> None:  # noqa: N802 - Twisted's name
        if is_special(address.host):
            refused_hosts.add(self._host)
        else:
            self._receiver.addressResolved(address)

    def resolutionComplete(self) -> None:  # noqa: N802 - Twisted's name
        self._receiver.resolutionComplete()
