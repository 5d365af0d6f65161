"""Which IP addresses belong to the public Web."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

# NAT64 and 6to4 carry an IPv4 address inside: what counts is where they lead.
_NAT64_PREFIX = 0x0064FF9B << 96
# The only part of IPv6 from which public addresses are given out.
_GLOBAL_UNICAST = IPv6Network("2000::/3")


def is_special(host: str) -> bool:
    """True for loopback, private, link-local, multicast and other addresses that no public site has."""
    address = _embedded(ip_address(host.split("%", 1)[0]))
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST:
        return True
    return not address.is_global or address.is_multicast


def _embedded(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if int(address) >> 32 == _NAT64_PREFIX >> 32:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address
