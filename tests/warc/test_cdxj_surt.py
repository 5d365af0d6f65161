"""Sort keys: the same as those of the `surt` package, for every URL that an archive may hold."""

from __future__ import annotations

import socket
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.archive.cdxj.surt import surt_key
from tests.warc.cdxj_samples import reference_key

ID_32, ID_24 = "0123456789abcdef" * 2, "abcdefghijklmnopqrstuvwx"

URLS = [
    "http://example.org",
    "http://example.org/",
    "https://example.org/?",
    "https://example.org/#fragment",
    "http://example.org/a/",
    "http://example.org/a//b///c",
    "http://example.org/a/./b/../c",
    "http://example.org/../../up",
    "http://example.org/a/..",
    "http://example.org/CamelCase/Path?Query=Value",
    "HTTP://EXAMPLE.ORG/",
    # hosts
    "http://www.example.org/",
    "http://www2.example.org/",
    "http://WWW13.Example.co.uk/",
    "http://wwwx.example.org/",
    "http://www.www.example.org/",
    "http://www.",
    "http://www/",
    "http://example.org./",
    "http://example..org/",
    "http://.example.org/",
    "http://./",
    "http://localhost/",
    "http://a_b.example.org/",
    "http://bücher.example/straße",
    "http://BÜCHER.example/",
    "http://b%C3%BCcher.example/",
    "http://xn--bcher-kva.example/",
    "http://例え.テスト/パス?キー=値",
    "http://例え。テスト/",
    "http://ex%41mple.org/",
    "http://" + "ä" * 70 + ".example/",
    "http://exa\u200dmple.org/",
    # ports and users
    "http://example.org:80/",
    "http://example.org:443/",
    "https://example.org:443/",
    "https://example.org:80/",
    "http://example.org:8080/a",
    "http://example.org:/a",
    "http://example.org:0/a",
    "http://example.org:00080/a",
    "http://example.org:99999/a",
    "http://example.org:http/a",
    "http://user@example.org/",
    "http://user:pass@example.org:8080/",
    "http://user:p@ss@example.org/",
    "http://user%40host:p%3Ass@example.org/",
    # addresses
    "http://127.0.0.1/",
    "http://127.0.0.1:8000/a?b",
    "http://127.1/",
    "http://10.1.258/",
    "http://0177.0.0.1/",
    "http://2130706433/",
    "http://99999999999/",
    "http://0/",
    "http://1.2.3.4.5/",
    "http://[::1]/",
    "http://[2001:DB8::1]:8080/a",
    # escapes
    "http://example.org/a%20b",
    "http://example.org/a b",
    "http://example.org/%7Euser/%61%62",
    "http://example.org/%2525252541",
    "http://example.org/%25",
    "http://example.org/100%",
    "http://example.org/%zz%4",
    "http://example.org/%2F%2f/a",
    "http://example.org/a%3Fb%23c",
    "http://example.org/%E4%F6",
    "http://example.org/%C3%A9t%C3%A9",
    "http://example.org/été",
    "http://example.org/a?q=%C3%A9&q=%26%3D",
    "http://example.org/a%00b%0A%0D%09",
    "http://example.org/a\tb\nc\rd",
    "http://example.org/\x7f\x01",
    "http://example.org/😀?😀=😀",
    "http://example.org/!\"$&'()*+,-.:;<=>@[\\]^_`{|}~",
    " http://example.org/padded ",
    # queries
    "http://example.org/?b=2&a=1",
    "http://example.org/?b&a=1&a&a=",
    "http://example.org/?a=b=c&a=b",
    "http://example.org/?&&a&",
    "http://example.org/?&",
    "http://example.org/?=",
    "http://example.org?query",
    "http://example.org/a?b?c?",
    "http://example.org/a?b/../c",
    "http://example.org/a?B=X&a=Y",
    "http://example.org/a;jsessionid=" + ID_32,
    "http://example.org/a?jsessionid=" + ID_32,
    "http://example.org/a?x=1&JSESSIONID=" + ID_32 + "&y=2",
    "http://example.org/a?PHPSESSID=" + ID_32 + "&a=1",
    "http://example.org/a?sid=" + ID_32,
    "http://example.org/a?sid=" + ID_32 + "x",
    "http://example.org/a?wsid=" + ID_32 + "&sid=" + ID_32,
    "http://example.org/a?ASPSESSIONIDABCDEFGH=" + ID_24 + "&a=1",
    "http://example.org/a?cfid=1&cftoken=2&a=3",
    "http://example.org/a?z=1&CFID=1&CFTOKEN=2",
    f"http://example.org/({ID_24})/page.aspx",
    f"http://example.org/(a({ID_24})b({ID_24}))/dir/page.aspx?q",
    f"http://example.org/({ID_24})/page.html",
    # hardly URLs
    "http:///example.org/a",
    "http:////example.org",
    "http://",
    "http:",
    "http://?q",
    "http://http://example.org/",
    "https://http://https://example.org/",
    "http://https/example.org",
    "example.org/a",
    "example.org:80/a",
    "//example.org/a",
    "/a",
    "",
    "  ",
    "urn:uuid:1234",
    "urn:X?Y",
    "dns:www.example.org",
    "ftp://ftp.example.org:21/A",
    "mailto:A@example.org",
    "data:text/html,<P>",
    "metadata://example.org/a",
    "9http://example.org/",
]

PIECES = [*"/.?&=#;+@:()~\\|% \tAb1é日", "//", "..", "/../", "/./", "x.aspx", "http://", "cfid=1&cftoken=2"]
PIECES += ["%25", "%2541", "%41", "%2f", "%3F", "%23", "%c3%a9", "%E9"]
PIECES += [f"sid={ID_32}", f"jsessionid={ID_32}&", f"({ID_24})/"]
pieces = st.sampled_from(PIECES) | st.text(max_size=4)
labels = st.sampled_from(
    ["www", "www3", "example", "EX", "b-c", "a_b", "bücher", "例え", "%41b", "", "x1", "xn--a"]
)
# Not quite addresses would make surt ask the resolver.
names = st.builds(
    lambda parts, top: ".".join([*parts, top]), st.lists(labels, max_size=3), st.sampled_from(["org", "ORG."])
)
hosts = names | st.sampled_from(["127.0.0.1", "10.1", "3232235777", "[::1]"])
ports = st.sampled_from(["", ":", ":80", ":443", ":8080", ":99999", ":x"])
users = st.sampled_from(["", "u@", "u:p@", "u:p@q@", "%40@"])
schemes = st.sampled_from(["http://", "https://", "HTTP://", "http://http://", "http:/"])


@pytest.mark.parametrize("url", URLS)
def test_a_key_is_what_surt_makes(url: str) -> None:
    assert surt_key(url) == reference_key(url)


@given(schemes, users, hosts, ports, st.lists(pieces, max_size=8).map("".join))
def test_any_url_has_the_key_that_surt_makes(scheme: str, user: str, host: str, port: str, rest: str) -> None:
    for url in (f"{scheme}{user}{host}{port}/{rest}", f"{scheme}{user}{host}{port}?{rest}"):
        assert surt_key(url) == reference_key(url)


def test_keys_of_a_host_stand_together() -> None:
    assert surt_key("https://www.news.example.org:8080/A?b=2&a=1") == "org,example,news:8080)/a?a=1&b=2"


def test_a_key_of_no_url_is_the_text_itself() -> None:
    assert surt_key("http://example.org:port/A b") == "http://example.org:port/A b"
    assert surt_key("") == "-"
    assert surt_key("http://\ud800/") == "http://\ud800/"


def test_no_host_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("the resolver was asked")

    for name in ("gethostbyname", "gethostbyname_ex", "getaddrinfo"):
        monkeypatch.setattr(socket, name, fail)
    assert surt_key("http://300.1.2.3/") == "3,2,1,300)/"
    assert surt_key("http://0999.1/") == "1,0999)/"


def test_escapes_within_escapes_take_no_quadratic_time() -> None:
    started = time.process_time()
    assert surt_key("http://example.org/%" + "25" * 500_000 + "41") == "org,example)/a"
    assert time.process_time() - started < 1
