"""URLs: which two are the same page, what may be requested, and what must never be shown."""

from __future__ import annotations

import base64
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from w3lib.url import safe_url_string

from archiver.urls import (
    HIDDEN,
    authorization,
    differ_in_session,
    host_of,
    is_web,
    redact,
    request_url,
    same_page_key,
    with_credentials_of,
    without_credentials,
)

HOSTS = st.sampled_from(
    [
        "example.org",
        "EXAMPLE.org:80",
        "[::1]:8080",
        "exa mple.org",
        "münchen.example",
        "a" * 70 + ".example",
        "..",
        "example.org:99999",
        "example.org:port",
        "example.org:",
        "%41.example",
        "xn--a",
        "user:p@ss@example.org",
        "[::1",
    ]
)
ANY_URL = st.builds("http://{}/{}".format, HOSTS, st.text(max_size=20)) | st.builds(
    "http://{}".format, st.text(max_size=15)
)
# Long enough not to stand in a URL by chance, and of what a URL may hold unescaped.
SECRETS = st.text("abcXYZ019.~!$'*,+:@;", min_size=6, max_size=20).filter(lambda text: text.strip("*"))


@pytest.mark.parametrize(
    "url",
    ["http://example.org", "HTTPS://Example.org/a b", "http://[::1]:8080/", " https://example.org/é\n"],
)
def test_web_addresses_are_recognised(url: str) -> None:
    assert is_web(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org/feed",
        "//example.org/feed",
        "http:///feed",
        "https://?q",
        "ftp://example.org/",
        "file:///etc/passwd",
        "data:text/html,x",
        "javascript:alert(1)",
        "mailto:a@example.org",
        "urn:uuid:1",
        "http://[::1",
        "http://example.org:99999/",
        "http://example.org:0/",
        "http://example.org:port/",
    ],
)
def test_what_cannot_be_requested_is_no_web_address(url: str) -> None:
    assert not is_web(url)


@given(ANY_URL)
def test_every_web_address_has_a_key_and_can_be_requested(url: str) -> None:
    """A link in a feed must not be able to end a crawl."""
    assume(is_web(url))
    requested = request_url(url)
    assert requested.isascii()
    assert "#" not in requested
    assert host_of(requested)
    key = same_page_key(url)
    assert same_page_key(key) == key
    assert same_page_key(requested) == key
    authorization(url)


@pytest.mark.parametrize(
    "other",
    [
        "http://example.org/a?x=1&y=2#part",
        "http://EXAMPLE.org:80/a?y=2&x=1",
        "http://example.org/a?x=1&y=2&utm_source=feed&utm_medium=rss",
        "http://example.org/a?UTM_Campaign=x&x=1&y=2&fbclid=abc",
        "http://user:secret@example.org/a?x=1&y=2",
        " http://example.org/a?x=1&y=2 ",
    ],
)
def test_ways_to_write_one_page_have_one_key(other: str) -> None:
    assert same_page_key(other) == same_page_key("http://example.org/a?x=1&y=2")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://example.org/a", "http://example.org/A"),
        ("http://example.org/a", "http://example.org/a/"),
        ("http://example.org/a", "https://example.org/a"),
        ("http://example.org/", "http://example.org:8080/"),
        ("http://example.org/?id=1", "http://example.org/?id=2"),
        ("http://example.org/a%2Fb", "http://example.org/a/b"),
        # Not UTF-8: undecodable characters are not all the same one.
        ("http://example.org/?q=caf%E9", "http://example.org/?q=caf%E8"),
        ("http://example.org/?title=a%26b", "http://example.org/?title=a&b"),
        ("http://example.org/?u=http://a:b@x/", "http://example.org/?u=http://x/"),
    ],
)
def test_different_pages_have_different_keys(one: str, other: str) -> None:
    assert same_page_key(one) != same_page_key(other)


@pytest.mark.parametrize(
    "other",
    [
        "http://example.org/a?PHPSESSID=0a1b2c&x=1",
        "http://example.org/a?x=1&session_id=7",
        "http://example.org/a?x=1&ASP.NET_SessionId=abc",
        "http://example.org/a?x=1&sid=0123456789abcdef0123",
        "http://example.org/a;jsessionid=0A1B.node1?x=1",
        "http://example.org/(S(abc123))/a?x=1",
    ],
)
def test_a_session_id_makes_no_other_page(other: str) -> None:
    assert same_page_key(other) == same_page_key("http://example.org/a?x=1")


def test_a_short_sid_is_the_number_of_a_story() -> None:
    assert same_page_key("http://example.org/?sid=1204") != same_page_key("http://example.org/?sid=1205")


RANDOM = "8f3a00c0ffee0000"


@pytest.mark.parametrize(
    ("one", "other", "is_session"),
    [
        (f"/a?visit={RANDOM}1&page=2", f"/a?visit={RANDOM}2&page=2", True),
        ("/a?PHPSESSID=1", "/a?PHPSESSID=2", True),
        (f"/a?visit={RANDOM}1&page=2", f"/a?visit={RANDOM}2&page=3", False),
        # Written by a person or an editorial system: short, of letters alone, of digits alone.
        ("/a?visit=8f3a", "/a?visit=8f3b", False),
        ("/a?title=the-harbour-at-night", "/a?title=the-harbour-by-day", False),
        ("/a?id=20260302070000001", "/a?id=20260302070000002", False),
        (f"/a?visit={RANDOM}1", f"/b?visit={RANDOM}1", False),
    ],
)
def test_links_that_differ_in_a_random_value_alone_differ_in_a_session(
    one: str, other: str, *, is_session: bool
) -> None:
    base = "http://example.org"
    assert differ_in_session(base + one, base + other) is is_session


def test_the_key_of_a_long_address_fits_an_index_and_is_its_own() -> None:
    long = f"http://example.org/?q={'x' * 60_000}"
    assert len(same_page_key(long)) <= 600
    assert same_page_key(long) != same_page_key(f"{long}y")


def test_a_page_without_path_is_the_root() -> None:
    assert same_page_key("http://example.org") == same_page_key("http://example.org/")


def test_requests_carry_no_fragment_and_no_password() -> None:
    assert request_url(" http://me:se@cret@example.org/ä?q=ü#top ") == "http://example.org/%C3%A4?q=%C3%BC"


def test_an_address_within_an_address_is_left_alone() -> None:
    url = "http://example.org/web/http://user:secret@example.net/"
    assert request_url(url) == url
    assert without_credentials(url) == url


@pytest.mark.parametrize(
    "url", ["http://u@example.org/", "http://u:p@example.org/", "http://:p@@example.org/"]
)
def test_credentials_are_taken_off(url: str) -> None:
    assert without_credentials(url) == "http://example.org/"


def test_credentials_are_kept_within_a_host_and_shown_to_no_other() -> None:
    old = "https://me:p@ss@example.org/feed"
    assert with_credentials_of("https://EXAMPLE.org/a", old) == "https://me:p@ss@EXAMPLE.org/a"
    for url in ("https://example.net/a", "http://example.org/a", "https://example.org:8443/a"):
        assert with_credentials_of(url, old) == url
    assert with_credentials_of("https://example.org/a", "https://example.org/") == "https://example.org/a"


def test_a_url_without_user_needs_no_authorization() -> None:
    assert authorization("http://example.org/") is None


@given(
    st.text(min_size=1, max_size=10).filter(lambda user: ":" not in user and user.isprintable()),
    st.text(max_size=10).filter(str.isprintable),
)
def test_credentials_arrive_as_they_were_escaped(user: str, password: str) -> None:
    header = authorization(f"http://{quote(user, safe='')}:{quote(password, safe='')}@example.org/")
    assert header is not None
    assert base64.b64decode(header.removeprefix("Basic ")).decode() == f"{user}:{password}"


@given(st.text("ab@:!$&'()*+,;=%~.-", min_size=1, max_size=20))
def test_no_part_of_a_password_is_shown(userinfo: str) -> None:
    url = f"https://{userinfo}@example.org/feed"
    assume(urlsplit(url).hostname == "example.org")
    assert redact(f"Polled {url} now") == f"Polled https://{HIDDEN}@example.org/feed now"


@given(
    st.sampled_from(
        [
            "token",
            "access_token",
            "api_key",
            "api-key",
            "apikey",
            "key",
            "sig",
            "X-Amz-Signature",
            "auth",
            "Authorization",
            "password",
            "pass",
            "PHPSESSION",
            "sid",
            "jwt",
            "feedkey",
        ]
    ),
    st.sampled_from(["?", "?a=1&", "?a=1;", "#", "?a=1&amp;"]),
    SECRETS,
)
def test_no_part_of_a_token_is_shown(name: str, before: str, secret: str) -> None:
    url = f"https://example.org/feed{before}{name}={secret}&page=2"
    shown = redact(f"Got <{url}> twice: {url}")
    assert secret not in shown
    assert shown.count(f"{name}={HIDDEN}&page=2") == 2


@pytest.mark.parametrize(
    "name",
    [
        "access%5Ftoken",
        "%74oken",
        "%2574oken",
        "API.Key",
        "apiKey",
        "X-Amz-Security-Token",
        "PHPSESSID",
        "jsessionid",
        "ASP.NET_SessionId",
        "sessid",
        "licence_key",
        "member-key",
        "pin",
        "hmac",
        "user[auth]",
        "Key-Pair-Id",
        "oauth_signature",
        "passphrase",
    ],
)
def test_more_names_of_secrets_are_known_however_they_are_written(name: str) -> None:
    for before in ("/feed?", "/feed?page=2&", "/feed?page=2;", "/feed;", "/feed#"):
        assert "abc123" not in redact(f"https://example.org{before}{name}=abc123")
    assert "abc123" not in redact(f"GET /feed?a=b&{name}=abc123 HTTP/1.1")


def test_secrets_of_an_address_within_an_address_are_hidden() -> None:
    inner = "https%3A%2F%2Fme%3Apw%40example.org%2Ffeed%3Faccess_token%3Dabc123%26page%3D2"
    shown = redact(f"https://proxy.example/?url={inner}&size=3")
    assert "abc123" not in shown
    assert "pw" not in shown
    assert "example.org%2Ffeed" in shown
    assert shown.endswith("page%3D2&size=3")
    plain = "https://proxy.example/?url=https%3A%2F%2Fexample.org%2Ffeed%3Fpage%3D2"
    assert redact(plain) == plain


def test_nothing_that_is_shown_gives_orders_to_a_terminal() -> None:
    text = "a\x1b[31mb\rc\x07d\x9be\u202ef\u2066g\u200fh\x7fi\ud800"
    assert redact(text) == "a�[31mb�c�d�e�f�g�h�i�"
    assert redact("two lines\n\tof a traceback") == "two lines\n\tof a traceback"
    assert redact("Ölförderung in 東京, é and עברית") == "Ölförderung in 東京, é and עברית"


@given(st.text(max_size=80))
def test_hiding_twice_is_hiding_once(text: str) -> None:
    hidden = redact(f"https://{text}")
    assert redact(hidden) == hidden


@pytest.mark.parametrize(
    "text",
    [
        "token=abc is not part of an address",
        "https://example.org/?author=Jane&authors=2&page=3",
        "https://example.org/tokens/auth?q=secret",
        "https://example.org/@jane/a-post",
        "mail me@example.org or see https://example.org/a",
        "https://example.org/?monkey=1&assign=2&side=3",
    ],
)
def test_what_is_no_secret_is_shown(text: str) -> None:
    assert redact(text) == text


def test_a_password_is_hidden_in_a_database_url() -> None:
    assert redact("postgresql+psycopg://me:pw@db/x") == f"postgresql+psycopg://{HIDDEN}@db/x"


@given(
    st.sampled_from(["example.org", "a-b.example:8080", "a_b.example", "-a.example", "a..b", "10.0.0.1"]),
    st.text("aZ0/._~%+,=:@!&()*'$;?#- \\ä[]", max_size=20),
)
def test_plain_address_is_read_as_any_other(host: str, rest: str) -> None:
    url = f"https://{host}/{rest}"
    try:
        escaped = without_credentials(safe_url_string(url.strip())).split("#", 1)[0]
    except ValueError:
        assert not is_web(url)
        return
    assert request_url(url) == escaped
    # With white space around it no address is plain.
    assert is_web(url) == is_web(f" {url} ")
