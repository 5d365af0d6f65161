"""Hosts whose robots.txt is hostile, broken, or written with care by people who meant well."""

from __future__ import annotations

import gzip

from tests.crawl.site import Answer, status, text
from tests.zoo.base import HostileSite

_RULES = "User-agent: *\nDisallow: /private\n"


class AgentsTimesRules(HostileSite):
    """Names thousands of agents in one group and gives them all thousands of rules."""

    def misbehave(self) -> None:
        agents = "".join(f"User-agent: bot{number}\n" for number in range(2500))
        rules = "".join(f"Disallow: /p{number}\n" for number in range(2500))
        self.add("/robots.txt", text(f"{agents}User-agent: *\n{rules}Disallow: /private\n"))


class EndlessRobots(HostileSite):
    """Sends rules without end as its robots.txt."""

    def misbehave(self) -> None:
        head = f"HTTP/1.1 200 OK\r\n\r\n{_RULES}".encode()
        self.add("/robots.txt", Answer(raw=head, endless=b"Disallow: /fog\n" * 512))


class RobotsBomb(HostileSite):
    """Compresses 300 MB of spaces into its robots.txt, after two honest lines."""

    def misbehave(self) -> None:
        body = gzip.compress(_RULES.encode() + b" " * (300 << 20), 1)
        self.add("/robots.txt", Answer(headers=(("Content-Encoding", "gzip"),), body=body))


class WildcardRobots(HostileSite):
    """Has patterns with thousands of wildcards, which a naive matcher tries in every combination."""

    def misbehave(self) -> None:
        pattern = "*a" * 1000 + "*b$"
        rules = "".join(f"Disallow: /{number}{pattern}\n" for number in range(20))
        self.add("/robots.txt", text(f"{_RULES}Disallow: /{pattern}\n{rules}"))


class MarkedRobots(HostileSite):
    """Begins its robots.txt with a byte order mark, as some editors do."""

    def misbehave(self) -> None:
        self.add("/robots.txt", text("\ufeff" + _RULES))


class TornRobots(HostileSite):
    """Hangs up in the middle of its robots.txt, before the rules that matter; the second time it is whole."""

    def misbehave(self) -> None:
        self.add("/robots.txt", text(_RULES).but(cut=20), text(_RULES))


class LockedRobots(HostileSite):
    """Refuses its robots.txt with 403 the first time; the second time it forbids everything."""

    def misbehave(self) -> None:
        self.add("/robots.txt", status(403), text("User-agent: *\nDisallow: /\n"))


class VersionedRobots(HostileSite):
    """Names us with a version, as some people write it: `User-agent: archiver/1.0`."""

    def misbehave(self) -> None:
        self.add(
            "/robots.txt", text("User-agent: *\nAllow: /\n\nUser-agent: archiver/1.0\nDisallow: /private\n")
        )
