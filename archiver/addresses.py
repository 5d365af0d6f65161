"""Which IP addresses belong to the public Web."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

# NAT64 and 6to4 carry an IPv4 address inside: what counts is where they lead.
_NAT64_PREFIX = 0x0064FF9B << 96
# The only part of IPv6 from which public addresses are given out.
_GLOBAL_UNICAST = IPv6Network("2000::/3")
# From IANA's registries of special-purpose addresses: what Python 3.11 does not know, or takes for public.
_NO_SITES = (
    IPv4Network("192.0.0.0/24"),  # protocol assignments (RFC 6890), such as 192.0.0.8
    IPv4Network("192.31.196.0/24"),  # AS112: answers to reverse look-ups of private addresses (RFC 7535)
    IPv4Network("192.52.193.0/24"),  # multicast relays (RFC 7450)
    IPv4Network("192.88.99.0/24"),  # relays of 6to4, given up (RFC 7526)
    IPv4Network("192.175.48.0/24"),  # AS112 (RFC 7534)
    IPv6Network("2001::/23"),  # protocol assignments, with Teredo, ORCHID and benchmarking (RFC 2928)
    IPv6Network("2001:db8::/32"),  # documentation (RFC 3849)
    IPv6Network("2620:4f:8000::/48"),  # AS112 (RFC 7534)
    IPv6Network("3fff::/20"),  # documentation (RFC 9637)
)


def is_special(host: str) -> bool:
    """True for loopback, private, link-local, multicast and other addresses that no public site has."""
    address = _embedded(ip_address(host.split("%", 1)[0]))
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST:
        return True
    if any(address.version == known.version and address in known for known in _NO_SITES):
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
