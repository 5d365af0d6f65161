"""robots.txt as RFC 9309 has it, read in one pass: only what concerns us is kept, whatever else it says."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# RFC 9309, 2.5: at least 500 kibibytes are read.
MOST_BYTES = 500 * 1024
# What one verdict may cost: about ten milliseconds. A step is a character that is compared; to look for a
# part of a pattern costs as much as a hundred of them.
_MOST_STEPS = 10_000_000
_STEPS_PER_PART = 100

_USER_AGENT = {"user-agent", "useragent", "user agent"}
_ALLOW = {"allow"}
# As people write it.
_DISALLOW = {"disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"}
_CRAWL_DELAY = {"crawl-delay", "crawl delay"}
_FIELDS = _USER_AGENT | _ALLOW | _DISALLOW | _CRAWL_DELAY

# Lines that may be of interest: to look at the others one by one would take most of the time.
_LINE = re.compile(r"^[ \t]*((?:user|allow|di|crawl)[^\n#]*)", re.IGNORECASE | re.MULTILINE)
# RFC 9309, 2.2.1, and digits: a bot that is called archiver2 is not archiver.
_TOKEN = re.compile(r"[a-z0-9_-]+")
_SECONDS = re.compile(r"\d+\.?\d*|\.\d+", re.ASCII)
_ORIGIN = re.compile(r"[^:/?#]*://[^/?#]*")
# An escape, or an octet that has to be one.
_OCTET = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9_.~/=%-]")
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.~=-")
# The one way to write each octet (RFC 9309, 2.2.2), by whichever way it may be written.
_HEXADECIMAL = "0123456789abcdefABCDEF"
_NORMAL_OCTETS = {chr(octet): f"%{octet:02X}" for octet in range(256)} | {
    f"%{high}{low}": octet if (octet := chr(int(high + low, 16))) in _PLAIN else f"%{high}{low}".upper()
    for high in _HEXADECIMAL
    for low in _HEXADECIMAL
}
_INDEX_PAGE = "/index.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wildcard:
    """A pattern with a `*`: what stands before, between and after the wildcards."""

    length: int
    is_allowed: bool
    head: str
    parts: tuple[str, ...]
    # After the last wildcard, where the pattern ends in `$`.
    tail: str | None

    def matches(self, path: str) -> bool:
        """True where the rest of a path that begins with `head` fits."""
        # The first place of each part leaves the most for those after it: no other needs to be tried.
        place = len(self.head)
        for part in self.parts:
            found = path.find(part, place)
            if found < 0:
                return False
            place = found + len(part)
        return self.tail is None or (len(path) - len(self.tail) >= place and path.endswith(self.tail))

    def steps(self, path: str) -> int:
        """About what `matches` costs."""
        return len(path) + _STEPS_PER_PART * (3 + len(self.parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Robots:
    """What a robots.txt says to us. Without rules, everything is allowed."""

    # Pattern → whether it allows: as a beginning of the path, and (with a `$`) as the whole of it.
    prefixes: dict[str, bool] = field(default_factory=dict)
    wholes: dict[str, bool] = field(default_factory=dict)
    # The longest first, and of two alike the one that allows.
    wildcards: tuple[_Wildcard, ...] = ()
    crawl_delay: float | None = None
    # Of `prefixes`, the longest first.
    lengths: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """About how many strings this keeps in memory."""
        return len(self.prefixes) + len(self.wholes) + sum(4 + len(rule.parts) for rule in self.wildcards)

    def allows(self, url: str) -> bool:
        """True where the longest pattern that fits allows it, or none fits (RFC 9309, 2.2.2)."""
        path = _path_of(url)
        if path == "/robots.txt":
            return True
        best = self._prefix(path)
        if path in self.wholes:
            best = max(best, (len(path) + 1, self.wholes[path]))
        return max(best, self._wildcard(path, best[0]))[1]

    def _prefix(self, path: str) -> tuple[int, bool]:
        for length in self.lengths:
            if length <= len(path) and path[:length] in self.prefixes:
                return length, self.prefixes[path[:length]]
        return 0, True

    def _wildcard(self, path: str, longer_than: int) -> tuple[int, bool]:
        """The longest pattern with wildcards that fits.

        A file made to cost time gets what it may cost, which is far more than any honest one needs. Beyond
        it a `Disallow` forbids whatever begins as it does, and an `Allow` allows nothing: too much is left
        alone, never too little.
        """
        left = _MOST_STEPS
        for rule in self.wildcards:
            if rule.length < longer_than:
                break
            if not path.startswith(rule.head):
                continue
            left -= rule.steps(path)
            if rule.matches(path) if left > 0 else not rule.is_allowed:
                return rule.length, rule.is_allowed
        return 0, True


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsLine:
    """A line of a robots.txt, by its number from 1 on."""

    number: int
    text: str


def is_unavailable(status: int) -> bool:
    """True for an answer after which nothing is known of the rules (RFC 9309, 2.3.1.4)."""
    # A 304 was not asked for: whatever it is about was never seen. Of a 206, the rest did not come.
    return status in {206, 304, 429} or status >= 500


def has_rules(status: int) -> bool:
    """True for an answer that is a robots.txt; without one, everything is allowed (RFC 9309, 2.3.1.3)."""
    return 200 <= status < 300


def read_robots(content: bytes, agent: str) -> Robots:
    """The rules for the product token at the beginning of `agent`; those for `*` where none name it."""
    return _group_for(content, agent).robots()


def forbidding_line(content: bytes, agent: str, url: str) -> RobotsLine | None:
    """The line by which a robots.txt forbids an address; None where it is allowed."""
    group = _group_for(content, agent)
    if group.robots().allows(url):
        return None
    fitting = [one for one, is_allowed in group.rules.items() if not is_allowed and _forbids(one, url)]
    if not fitting:
        return None
    place, text = group.places[max(fitting, key=len)], _text(content)
    number = text.count("\n", 0, place) + 1
    return RobotsLine(number=number, text=" ".join(text.split("\n")[number - 1].split()))


def _forbids(pattern: str, url: str) -> bool:
    group = _Group(rules={pattern: False})
    return not group.robots().allows(url)


def _group_for(content: bytes, agent: str) -> _Group:
    us = product_token(agent)
    ours, everyone = _Group(), _Group()
    by_token = {us: ours, "*": everyone}
    current: set[_Group] = set()
    is_naming = False
    for place, name, value in _directives(content):
        if name in _USER_AGENT:
            # A group begins with one or more of these; the first that follows a rule begins another.
            named = {group for token, group in by_token.items() if token == product_token(value)}
            current = current | named if is_naming else named
            is_naming = True
            for group in named:
                group.is_named = True
        else:
            is_naming = False
            for group in current:
                group.add(name, value, place)
    return ours if ours.is_named else everyone


def product_token(agent: str) -> str:
    """The name in `archiver/1.0 (+https://…)`, by which robots.txt calls a crawler; `*` for all of them."""
    name = agent.strip().lower()
    token = _TOKEN.match(name)
    return token[0] if token else name[:1]


@dataclass(slots=True, eq=False)
class _Group:
    """The rules for one agent, from however many places of the file."""

    is_named: bool = False
    rules: dict[str, bool] = field(default_factory=dict)
    # Where each pattern stands in the text, as a count of characters.
    places: dict[str, int] = field(default_factory=dict)
    crawl_delay: float | None = None

    def add(self, name: str, value: str, place: int) -> None:
        if name in _CRAWL_DELAY:
            self.crawl_delay = float(value) if _SECONDS.fullmatch(value) else self.crawl_delay
            return
        pattern = _normal_pattern(value)
        # Whatever else stands there fits no path.
        if pattern.startswith(("/", "*")):
            self.places.setdefault(pattern, place)
            self._add_rule(pattern, is_allowed=name in _ALLOW)

    def _add_rule(self, pattern: str, *, is_allowed: bool) -> None:
        # Of two that are equally long, the one that allows counts.
        self.rules[pattern] = is_allowed or self.rules.get(pattern, False)
        if is_allowed and pattern.endswith(_INDEX_PAGE):
            self._add_rule(pattern.removesuffix("index.html") + "$", is_allowed=True)

    def robots(self) -> Robots:
        simple = {pattern: allowed for pattern, allowed in self.rules.items() if "*" not in pattern}
        prefixes = {pattern: allowed for pattern, allowed in simple.items() if not pattern.endswith("$")}
        return Robots(
            prefixes=prefixes,
            wholes={pattern[:-1]: allowed for pattern, allowed in simple.items() if pattern.endswith("$")},
            wildcards=_wildcards([(rule, allowed) for rule, allowed in self.rules.items() if "*" in rule]),
            crawl_delay=self.crawl_delay,
            lengths=tuple(sorted({len(pattern) for pattern in prefixes}, reverse=True)),
        )


def _wildcards(rules: Sequence[tuple[str, bool]]) -> tuple[_Wildcard, ...]:
    found = []
    for pattern, is_allowed in rules:
        head, *parts = pattern.removesuffix("$").split("*")
        tail = parts.pop() if pattern.endswith("$") else None
        found.append(
            _Wildcard(
                length=len(pattern),
                is_allowed=is_allowed,
                head=head,
                parts=tuple(part for part in parts if part),
                tail=tail,
            )
        )
    return tuple(sorted(found, key=lambda rule: (rule.length, rule.is_allowed), reverse=True))


def _directives(content: bytes) -> Iterator[tuple[int, str, str]]:
    """The lines that mean something to us: a place, a name in lower case, and a value, which may be empty."""
    for found in _LINE.finditer(_text(content)):
        name, colon, value = found[1].partition(":")
        name = name.strip().lower()
        if name not in _FIELDS and not (colon and value[:1] in {"", " ", "\t"}):
            name, value = _without_colon(found[1])
        if name in _FIELDS:
            yield found.start(1), name, value.strip()


def _without_colon(line: str) -> tuple[str, str]:
    """`Disallow /private`, as some people write it."""
    for count in (1, 2):
        words = line.split(None, count)
        name = " ".join(words[:count]).lower()
        if name in _FIELDS:
            return name, words[count] if len(words) > count else ""
    return "", ""


def _text(content: bytes) -> str:
    """One character for each octet, without a byte order mark; a line that is cut off is left out."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        content = content.decode("utf-16", "ignore").encode()
    content = content.removeprefix(codecs.BOM_UTF8)
    if len(content) > MOST_BYTES:
        # Half a rule would be about more than the whole one.
        end = max(content.rfind(b"\n", 0, MOST_BYTES), content.rfind(b"\r", 0, MOST_BYTES))
        content = content[: end + 1]
    return content.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n")


def _path_of(url: str) -> str:
    """Path and query of an address, in the form in which patterns are kept."""
    rest = url.partition("#")[0]
    origin = _ORIGIN.match(rest)
    path = rest[origin.end() :] if origin else rest
    return _normal(("" if path.startswith("/") else "/") + path)


def _normal(path: str) -> str:
    """Every octet in the one way to write it (RFC 9309, 2.2.2): unreserved plain, others escaped."""
    return _OCTET.sub(_normal_octet, path.encode("utf-8", "surrogatepass").decode("latin-1"))


def _normal_pattern(pattern: str) -> str:
    """A pattern in that form, its wildcards and its end apart."""
    end = "$" if pattern.endswith("$") else ""
    pieces = (_OCTET.sub(_normal_octet, piece) for piece in pattern.removesuffix("$").split("*"))
    return "*".join(pieces) + end


def _normal_octet(found: re.Match[str]) -> str:
    return _NORMAL_OCTETS[found[0]]
