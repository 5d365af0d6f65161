"""Which addresses are of the public Web, and which lead home."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.addresses import is_special

SPECIAL = [
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.0.9",
    "192.0.0.170",
    "192.0.2.1",
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.1",
    "192.175.48.1",
    "198.51.100.7",
    "203.0.113.7",
    "::ffff:192.0.0.8",
    "2002:c000:8::1",
    "64:ff9b::192.88.99.1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:1::1",
    "2001:2::1",
    "2001:20::1",
    "2001:1ff:ffff::1",
    "2620:4f:8000::1",
    "3fff::1",
    "3fff:fff::1",
    "5f00::1",
    "100:0:0:1::1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::192.168.0.1",
    "64:ff9b:1::808:808",
    "100::1",
    "2001:db8::1",
    "2001::1",
    "2002:7f00:1::",
    "2002:a00:1::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
    "4000::1",
]
PUBLIC = [
    "1.1.1.1",
    "93.184.216.34",
    "172.32.0.1",
    "192.169.0.1",
    "2606:4700:4700::1111",
    "::ffff:1.1.1.1",
    "64:ff9b::1.1.1.1",
    "2002:101:101::1",
]


@pytest.mark.parametrize("host", SPECIAL)
def test_special_addresses_are_told(host: str) -> None:
    assert is_special(host)


@pytest.mark.parametrize("host", PUBLIC)
def test_public_addresses_are_let_through(host: str) -> None:
    assert not is_special(host)


@given(st.ip_addresses(v=4))
def test_an_address_hidden_in_another_one_is_found(address: IPv4Address) -> None:
    six_to_four = IPv6Address((0x2002 << 112) | (int(address) << 80) | 1)
    nat64 = IPv6Address((0x0064FF9B << 96) | int(address))
    for hidden in (f"::ffff:{address}", str(six_to_four), str(nat64)):
        assert is_special(hidden) == is_special(str(address))


def test_a_name_is_no_address() -> None:
    with pytest.raises(ValueError, match="localhost"):
        is_special("localhost")
