"""robots.txt is read as RFC 9309 has it, as Protego does where that is silent, and in bounded time."""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from protego import Protego

from archiver.documents.robots import MOST_BYTES, forbidding_line, product_token, read_robots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HOST = "https://example.org"


def allowed(rules: str, path: str, agent: str = "archiver") -> bool:
    return read_robots(rules.encode(), agent).allows(HOST + path)


# ── RFC 9309 ─────────────────────────────────────────────────────────────────────────────────────────────

# Section 5.1.
SIMPLE = """
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot

EOF
"""


@pytest.mark.parametrize(
    ("agent", "path", "expected"),
    [
        ("archiver", "/a.gif", False),
        ("archiver", "/a.gif?x", True),
        ("archiver", "/example/", False),
        ("archiver", "/publications/a", True),
        ("foobot", "/", False),
        ("foobot", "/publications/", False),
        ("foobot", "/example/page.html", True),
        ("FooBot", "/example/allowed.gif", True),
        ("barbot", "/example/page.html", False),
        ("barbot", "/a.gif", True),
        ("bazbot", "/example/page.html", False),
        ("quxbot", "/example/", True),
        ("quxbot", "/a.gif", True),
    ],
)
def test_the_example_of_rfc_9309(agent: str, path: str, expected: bool) -> None:
    assert allowed(SIMPLE, path, agent) is expected


def test_the_longest_match_of_rfc_9309_counts() -> None:
    rules = "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n"
    assert not allowed(rules, "/example/page/disallowed.gif", "foobot")
    assert allowed(rules, "/example/page/", "foobot")


# Section 2.2.2: what robots.txt says, and the address that it is about.
@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
        ("/foo/bar?baz=http://foo.bar", "/foo/bar?baz=http://foo.bar"),
        ("/foo/bar?baz=http%3A//foo.bar", "/foo/bar?baz=http://foo.bar"),
        ("/foo/bar/\u30c4", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%E3%83%84", "/foo/bar/\u30c4"),
        ("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84"),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
        ("/foo/bar/baz", "/foo/bar/%62%61%7a"),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html"),
        ("/path/foo-%24", "/path/foo-$"),
    ],
)
def test_one_way_to_write_every_octet(pattern: str, path: str) -> None:
    rules = f"User-agent: *\nDisallow: {pattern}\n"
    assert not allowed(rules, path)
    assert allowed(rules, path[:-1])


def test_an_escaped_slash_is_not_a_slash() -> None:
    rules = "User-agent: *\nDisallow: /a%2fb\n"
    assert not allowed(rules, "/a%2Fb")
    assert allowed(rules, "/a/b")


@pytest.mark.parametrize(
    ("pattern", "fits", "fits_not"),
    [
        ("/*", ["/", "/a"], []),
        ("*", ["/", "/a"], []),
        ("/fish", ["/fish", "/fish.html", "/fishheads/yum"], ["/Fish.asp", "/catfish", "/?id=fish"]),
        ("/fish*", ["/fish", "/fishheads"], ["/catfish"]),
        ("/*.php", ["/index.php", "/a/index.php?x", "/windows.php/"], ["/", "/windows.PHP"]),
        ("/*.php$", ["/filename.php", "/a.php/b.php"], ["/filename.php?parameters", "/filename.php5"]),
        ("/fish*.php", ["/fish.php", "/fishheads/catfish.php?x"], ["/Fish.PHP"]),
        ("/$", ["/"], ["/a", "/?"]),
        ("/a$b", ["/a$b", "/a%24bc"], ["/a"]),
        ("/a*a*$", ["/aa", "/aba"], ["/a"]),
        ("/a*ab$", ["/aab", "/aabab"], ["/ab", "/aaba"]),
    ],
)
def test_wildcards_and_the_end_of_the_path(pattern: str, fits: list[str], fits_not: list[str]) -> None:
    rules = f"User-agent: *\nDisallow: {pattern}\n"
    assert [allowed(rules, path) for path in fits] == [False] * len(fits)
    assert [allowed(rules, path) for path in fits_not] == [True] * len(fits_not)


@pytest.mark.parametrize(
    "rules", ["Allow: /a\nDisallow: /a", "Disallow: /a\nAllow: /a", "Disallow: /a*\nAllow: /*a"]
)
def test_of_two_that_are_equally_long_the_one_that_allows_counts(rules: str) -> None:
    assert allowed(f"User-agent: *\n{rules}\n", "/a")


def test_groups_for_one_agent_are_one_group() -> None:
    ours = "User-agent: archiver\nDisallow: {}\n\n"
    rules = f"{ours.format('/a')}User-agent: other\nDisallow: /\n\n{ours.format('/b')}"
    assert [allowed(rules, path) for path in ("/a", "/b", "/c")] == [False, False, True]


def test_lines_that_we_do_not_know_do_not_end_a_group() -> None:
    rules = "User-agent: archiver\nSitemap: /map.xml\nColour: green\nUser-agent: other\nDisallow: /a\n"
    assert not allowed(rules, "/a")


def test_robots_txt_itself_may_always_be_read() -> None:
    assert allowed("User-agent: *\nDisallow: /\n", "/robots.txt")
    assert not allowed("User-agent: *\nDisallow: /\n", "/robots.txt?a")


# ── Who we are ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "name", ["archiver", "Archiver", "archiver/1.0", "archiver/*", "archiver (the one)", "ARCHIVER *"]
)
def test_a_version_or_a_comment_is_not_part_of_our_name(name: str) -> None:
    rules = f"User-agent: *\nAllow: /\n\nUser-agent: {name}\nDisallow: /a\n"
    assert not allowed(rules, "/a")
    assert not allowed(rules, "/a", "archiver/2.1 (+https://archive.invalid/)")


@pytest.mark.parametrize("name", ["arch", "archiver2", "archiver-news", "my-archiver", "a*", "/archiver", ""])
def test_a_name_that_only_resembles_ours_is_another(name: str) -> None:
    assert allowed(f"User-agent: {name}\nDisallow: /a\n", "/a")


def test_the_product_token() -> None:
    names = ["archiver/1.0", " Foo-Bot_2 x", "*", "* all", "", "(x)"]
    assert [product_token(name) for name in names] == ["archiver", "foo-bot_2", "*", "*", "", "("]


# ── As people write it ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "rules",
    [
        "User-agent: *\rDisallow: /a\r",
        "User-agent: *\r\nDisallow: /a # not this\r\n",
        "\t user-AGENT :*\n DISALLOW :/a",
        "useragent: *\ndissallow: /a",
        "User agent *\nDisallow /a",
        "\ufeffUser-agent: *\nDisallow: /a",
        "<html>\nUser-agent: *\n<p>\nDisallow: /a\n",
        "User-agent: *\n\nDisallow: /a",
    ],
)
def test_what_people_write_is_understood(rules: str) -> None:
    assert not allowed(rules, "/a")


@pytest.mark.parametrize("coding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_a_byte_order_mark_is_skipped(coding: str) -> None:
    mark = "\ufeff" if coding == "utf-16-be" else ""
    content = f"{mark}User-agent: *\nDisallow: /a\n".encode(coding)
    assert not read_robots(content, "archiver").allows(f"{HOST}/a")


def test_octets_that_are_not_utf_8_are_octets() -> None:
    robots = read_robots(b"User-agent: *\nDisallow: /caf\xe9\n", "archiver")
    assert not robots.allows(f"{HOST}/caf%E9")
    assert robots.allows(f"{HOST}/caf%C3%A9")


@pytest.mark.parametrize(
    ("line", "delay"),
    [
        ("1", 1),
        ("0.5", 0.5),
        (".5", 0.5),
        ("10", 10),
        ("-1", None),
        ("nan", None),
        ("soon", None),
        ("1_0", None),
    ],
)
def test_crawl_delay(line: str, delay: float | None) -> None:
    assert read_robots(f"User-agent: *\nCrawl-delay: {line}\n".encode(), "archiver").crawl_delay == delay


def test_the_crawl_delay_of_others_is_not_ours() -> None:
    rules = b"User-agent: *\nCrawl-delay: 9\n\nUser-agent: archiver\nDisallow: /a\n"
    assert read_robots(rules, "archiver").crawl_delay is None


# ── Beside Protego ───────────────────────────────────────────────────────────────────────────────────────

# Deliberately different, and left out below:
# - `User-agent: arch` is us for Protego, which takes any beginning of our name; RFC 9309 has the whole of it.
# - Several groups that name us are one (RFC 9309), also where one has a version; Protego takes the closest.
# - A `$` at the end is the end of the path; Protego tries it as a dollar sign too.
# - Lines with a field that we do not know do not end the agents of a group (RFC 9309); for Protego they do.
# - Lines end with CR and LF; for Protego with whatever Unicode has.
# - Octets that are not UTF-8 are compared as they are; Protego makes U+FFFD of all of them.
# - A pattern that begins with http:// fits nothing; Protego takes it for a path.
# - Crawl-delay is a decimal number; Protego also takes 1e3 and 1_0.

_PATH = st.text("ab/*.%?=é&", max_size=8)
_PATTERN = st.one_of(
    _PATH.map("/{}".format), _PATH, st.sampled_from(["/index.html", "/a/index.html", "*", "/"])
)
_AGENT = st.sampled_from(["*", "archiver", "Archiver", "otherbot", "x-archiver"])
_LINE = st.one_of(
    st.tuples(st.sampled_from(["User-agent", "User-Agent", "useragent"]), _AGENT),
    st.tuples(st.sampled_from(["Disallow", "Allow", "disalow", "ALLOW"]), _PATTERN),
    st.tuples(st.just("Crawl-delay"), st.sampled_from(["1", "0.5", "x", ""])),
    st.tuples(st.just("Sitemap"), _PATTERN),
)


@settings(max_examples=200)
@given(
    lines=st.lists(_LINE, max_size=10).map(lambda lines: [("User-agent", "*"), *lines]),
    separator=st.sampled_from([": ", ":", " : "]),
    end=st.sampled_from(["\n", "\r\n", "  # a comment\n", "\n\n"]),
    paths=st.lists(_PATH.map("/{}".format), min_size=1, max_size=6),
)
def test_the_verdicts_are_those_of_protego(
    lines: list[tuple[str, str]], separator: str, end: str, paths: list[str]
) -> None:
    text = "".join(f"{name}{separator}{value}{end}" for name, value in lines)
    protego, ours = Protego.parse(text), read_robots(text.encode(), "archiver")
    for path in paths:
        # Protego takes what follows for a host.
        assume(not path.startswith("//"))
        assert ours.allows(HOST + path) is protego.can_fetch(HOST + path, "archiver"), path
    assert ours.crawl_delay == protego.crawl_delay("archiver")


# ── Bounds ───────────────────────────────────────────────────────────────────────────────────────────────


def repeated(head: str, line: str) -> bytes:
    """As much of a file as is read, with a number in each line."""
    count = MOST_BYTES // len(line.format(0)) + 1
    return (head + "".join(line.format(f"{number:x}") for number in range(count))).encode()[:MOST_BYTES]


AGENTS = "".join(f"User-agent: b{number}\n" for number in range(20_000))
ALL = "User-agent: *\n"
WORST = {
    "agents times rules": repeated(AGENTS + ALL, "Disallow: /{}\n"),
    "agents": repeated("", "User-agent: b{}\nUser-agent: *\nUser-agent: archiver\n"),
    "groups": repeated("", "User-agent: *\nAllow:/{}\n"),
    "prefixes": repeated(ALL, "allow:/{}\n"),
    "lengths": b"User-agent: *\n" + b"".join(b"allow:/%s\n" % (b"a" * number) for number in range(1000)),
    "wildcards": repeated(ALL, "disallow:/*{}z\n"),
    "many wildcards each": repeated(ALL, "disallow:/" + "*a" * 100 + "{}z\n"),
    "one of wildcards": (ALL + "disallow:/" + "*a" * MOST_BYTES).encode()[: MOST_BYTES - 1] + b"\n",
    "long parts": (ALL + "".join(f"disallow:/*{'a' * n}z\n" for n in range(1000))).encode(),
    "escapes": (ALL + "disallow:/" + "%41é" * MOST_BYTES).encode()[: MOST_BYTES - 1] + b"\n",
    "spaces": b"disallow" + b" " * MOST_BYTES,
    "blank lines": b"\n" * MOST_BYTES,
    "indented": b" \t" * MOST_BYTES,
    "colons": b"allow:" * MOST_BYTES,
    "empty rules": b"User-agent: *\n" + b"allow:\n" * MOST_BYTES,
    "comments": b"#" * MOST_BYTES,
    "zeros": bytes(MOST_BYTES),
}
LONG = f"{HOST}/{'a' * 60_000}"


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Interrupt what takes more CPU time than this: without bounds, some of these files take minutes."""

    def interrupt(*_: object) -> None:
        pytest.fail(f"More than {seconds} s of CPU time", pytrace=False)

    before = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def takes_less_than(seconds: float, work: Callable[[], object]) -> bool:
    """By one of three measurements: where processors are shared, a single one may be of the neighbours."""
    return any(cpu_seconds(work) < seconds for _ in range(3))


def cpu_seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    with at_most(5):
        work()
    return time.process_time() - started


@pytest.mark.parametrize("kind", WORST)
def test_the_worst_file_costs_a_fraction_of_a_second(kind: str) -> None:
    assert takes_less_than(0.5, lambda: read_robots(WORST[kind], "archiver"))


@pytest.mark.parametrize("kind", WORST)
def test_the_worst_file_costs_little_for_each_address(kind: str) -> None:
    with at_most(5):
        robots = read_robots(WORST[kind], "archiver")
    assert takes_less_than(0.1, lambda: robots.allows(f"{HOST}/2026/10/a-story-of-the-harbour?page=2"))
    assert takes_less_than(0.15, lambda: robots.allows(LONG))


def test_a_file_made_to_cost_time_forbids_too_much_rather_than_too_little() -> None:
    lines = "".join(f"Disallow: /x*{number}z\nAllow: /x*{number}zz\n" for number in range(8_000))
    robots = read_robots(f"{ALL}{lines}".encode(), "archiver")
    assert robots.allows(f"{HOST}/x/a")
    assert not robots.allows(f"{HOST}/x/77z")
    assert robots.allows(f"{HOST}/x/77zz")
    # So long that not all patterns can be tried.
    assert not robots.allows(f"{HOST}/x{'a' * 60_000}")
    assert robots.allows(f"{HOST}/w{'a' * 60_000}")


def test_no_more_than_500_kib_is_read_and_no_half_line() -> None:
    filling = "#" + "x" * (MOST_BYTES - 40) + "\n"
    robots = read_robots(
        f"{ALL}{filling}Disallow: /a\nDisallow: /private\nDisallow: /b\n".encode(), "archiver"
    )
    assert [robots.allows(HOST + path) for path in ("/a", "/p", "/private", "/b")] == [
        False,
        True,
        True,
        True,
    ]


def test_what_is_kept_does_not_grow_with_the_agents() -> None:
    with at_most(5):
        assert read_robots(WORST["agents times rules"], "archiver").size < 40_000
    assert read_robots(AGENTS.encode() + b"Disallow: /a\n", "archiver").size == 0


# ── The line ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("path", "number", "text"),
    [
        ("/search?q=word", 6, "Disallow: /search"),
        ("/search/free?q=1", None, None),
        ("/a/search?q=word", 8, "Disallow: /*/search?q="),
        ("/private", None, None),
    ],
)
def test_the_line_that_forbids_is_the_longest_that_fits(
    path: str, number: int | None, text: str | None, end: str
) -> None:
    rules = (
        "User-agent: *\nDisallow: /private\n\nUser-agent: archiver\nDisallow: /sea\n"
        " Disallow:   /search # no\nAllow: /search/free\nDisallow: /*/search?q=\n"
    ).replace("\n", end)
    found = forbidding_line(rules.encode(), "archiver/1.0", HOST + path)
    assert (found is None) == (number is None)
    if found is not None:
        assert (found.number, found.text.partition(" #")[0]) == (number, text)
