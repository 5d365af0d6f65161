"""Answers as servers really send them, legal and not, each with what the archive is to hold of it."""

from __future__ import annotations

import gzip
import random
import zlib
from dataclasses import dataclass, field
from typing import Literal

import brotli
import zstandard

from tests.crawl.wire_server import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What one channel's server sends."""

    name: str
    script: dict[str, tuple[Reply, ...]]
    # What the archive holds, where that is not what was sent: by path.
    kept: dict[str, bytes] = field(default_factory=dict)
    interim: tuple[bytes, ...] = ()
    truncated: str | None = None
    # Only so much of what was sent was waited for: no less than this, and nothing else.
    at_least: int | None = None
    stale: bool = False
    outcome: str = "not_a_feed"

    @property
    def path(self) -> str:
        """Where the channel is."""
        return next(iter(self.script))


def case(
    name: str,
    *pieces: bytes,
    end: Literal["keep", "close", "reset"] = "close",
    kept: bytes | None = None,
    **other: object,
) -> Case:
    """A case of one reply."""
    path = f"/{name}"
    script = {path: (Reply(pieces=pieces, end=end),)}
    return Case(name=name, script=script, kept={} if kept is None else {path: kept}, **other)  # type: ignore[arg-type] # by name


def _noise(seed: int, size: int) -> bytes:
    return random.Random(seed).randbytes(size)


TEXT = b"Plain words, and no feed at all.\n"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
LENGTH = b"Content-Length: %d\r\n\r\n" % len(TEXT)
CHUNKED = b"Transfer-Encoding: chunked\r\n"
FEED = (
    b'<?xml version="1.0"?><rss version="2.0"><channel><title>Wire</title><link>/</link>'
    b"<description>%s</description></channel></rss>\n" % (b"Nothing new. " * 100)
)
FEED_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nContent-Length: %d\r\n" % len(FEED)


def chunks(*parts: bytes, extension: bytes = b"", trailers: bytes = b"") -> bytes:
    lines = [b"%x%s\r\n%s\r\n" % (len(part), extension, part) for part in parts]
    return b"".join([*lines, b"0", extension, b"\r\n", trailers, b"\r\n"])


def coded(name: bytes, body: bytes) -> bytes:
    return OK + b"Content-Encoding: %s\r\nContent-Length: %d\r\n\r\n" % (name, len(body)) + body


_ODD_HEADERS = (
    b"HTTP/1.1 200   Quite  fine \r\n"
    b"x-ODD-case: 1\r\n"
    b"server:no-space\r\n"
    b"X-Space \t:  around  \r\n"
    b"X-Folded: one\r\n two\r\n\tthree\r\n"
    b"Set-Cookie: a=1\r\nX-Between: x\r\nset-cookie: b=2\r\nSET-COOKIE: a=1\r\n"
    b"X-Latin: caf\xe9 \xe0 la carte\r\n"
    b"X-Utf8: \xc3\x85rhus \xe2\x80\xa8\r\n"
    b"X-Empty:\r\n"
    b"Content-Length: %d\r\n\r\n" % len(TEXT)
)
_HINTS = b"HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n"
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
# DOWNLOAD_MAXSIZE, and a body just below it.
MOST = 1 << 20
_LARGE = _noise(1, MOST)
_LARGE_HEAD = OK + b"".join(b"X-%d: %s\r\n" % (n, b"v" * 90) for n in range(2000))
_ENDLESS_HEAD = OK + b"".join(b"X-%d: %s\r\n" % (n, b"v" * 90) for n in range(30_000))
_LONG_LINE = OK + b"X-Long: " + b"v" * 2_000_000 + b"\r\n"

LEGAL = (
    case("plain", OK + LENGTH + TEXT, end="keep"),
    case("closing", OK + b"Connection: close\r\n" + LENGTH + TEXT),
    case("odd-headers", _ODD_HEADERS + TEXT, end="keep"),
    case("all-bytes", OK + b"Content-Length: 512\r\n\r\n" + bytes(range(256)) * 2, end="keep"),
    case("large", OK + b"Content-Length: %d\r\n\r\n" % len(_LARGE) + _LARGE, end="keep"),
    case("large-head", _LARGE_HEAD + LENGTH + TEXT, end="keep"),
    case("long-line", OK + b"Link: %s\r\n" % (b"x" * 60_000) + LENGTH + TEXT, end="keep"),
    case("chunked", OK + CHUNKED + b"\r\n" + chunks(b"One. ", b"Two."), kept=OK + b"\r\nOne. Two."),
    case(
        "chunked-trailers",
        OK
        + b"Trailer: X-Sum\r\ntransfer-ENCODING :\tchunked\r\n\r\n"
        + chunks(TEXT, trailers=b"X-Sum: 1\r\n"),
        kept=OK + b"Trailer: X-Sum\r\n\r\n" + TEXT,
        end="keep",
    ),
    case(
        "chunk-extensions",
        OK + CHUNKED + b"X-After: 1\r\n\r\n" + chunks(b"One. ", b"Two.", extension=b';a="b";c'),
        kept=OK + b"X-After: 1\r\n\r\nOne. Two.",
    ),
    # As browsers take it: spaces around the sizes, semicolons in quotes, no carriage returns.
    case(
        "chunked-with-spaces",
        OK + CHUNKED + b"\r\n 5 \r\nOne. \r\n\t4\t;a=b\r\nTwo.\r\n 0 \r\n\r\n",
        kept=OK + b"\r\nOne. Two.",
        end="keep",
    ),
    case(
        "chunked-quoted-extensions",
        OK + CHUNKED + b"\r\n" + chunks(b"One. ", b"Two.", extension=b';a="b;c\\"\xe9";\td = "e"'),
        kept=OK + b"\r\nOne. Two.",
        end="keep",
    ),
    case(
        "chunked-line-feeds",
        OK + CHUNKED + b"\r\n" + chunks(b"One. ", b"Two.", trailers=b"X: y\r\n").replace(b"\r", b""),
        kept=OK + b"\r\nOne. Two.",
        end="keep",
    ),
    case(
        "chunked-and-identity",
        OK + b"Transfer-Encoding: identity\r\n" + CHUNKED + b"\r\n" + chunks(TEXT),
        kept=OK + b"\r\n" + TEXT,
        end="keep",
    ),
    case(
        "chunked-large",
        OK + CHUNKED + b"\r\n" + chunks(*[_noise(number, 5000) for number in range(3, 203)]),
        kept=OK + b"\r\n" + b"".join(_noise(number, 5000) for number in range(3, 203)),
        end="keep",
    ),
    case("identity", OK + b"Transfer-Encoding: identity\r\n" + LENGTH + TEXT, end="keep"),
    case("transfer-gzip", OK + b"Transfer-Encoding: gzip\r\n\r\n" + gzip.compress(TEXT, mtime=0)),
    case(
        "transfer-gzip-chunked",
        OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + chunks(gzip.compress(TEXT, mtime=0)),
        end="keep",
    ),
    case("two-members", coded(b"gzip", gzip.compress(TEXT, mtime=0) * 2), end="keep"),
    case("two-frames", coded(b"zstd", zstandard.compress(TEXT) * 2), end="keep"),
    case(
        "two-codings",
        coded(b"deflate\r\ncontent-encoding: gzip", gzip.compress(zlib.compress(TEXT), mtime=0)),
        end="keep",
    ),
    case("chunked-empty", OK + CHUNKED + b"\r\n" + chunks(), kept=OK + b"\r\n"),
    case("gzip", coded(b"gzip", gzip.compress(TEXT * 9, mtime=0)), end="keep"),
    case("brotli", coded(b"br", brotli.compress(TEXT * 9)), end="keep"),
    case("zstd", coded(b"zstd", zstandard.compress(TEXT * 9)), end="keep"),
    case(
        "gzip-chunked",
        OK + b"Content-Encoding: gzip\r\n" + CHUNKED + b"\r\n" + chunks(gzip.compress(TEXT, mtime=0)),
        kept=OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(TEXT, mtime=0),
    ),
    case("not-modified", b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n", end="keep", outcome="unasked"),
    case("empty", OK + b"Content-Length: 0\r\n\r\n", end="keep"),
    case("no-content", b"HTTP/1.1 204 No Content\r\nX: y\r\n\r\n", end="keep"),
    case("no-length", OK + b"\r\n" + TEXT),
    case("old", b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n" + TEXT),
    case("no-reason", b"HTTP/1.1 200 \r\n" + LENGTH + TEXT),
    case("no-reason-nor-space", b"HTTP/1.1 200\r\n" + LENGTH + TEXT),
    case("unknown-status", b"HTTP/1.1 299 Odd\r\n" + LENGTH + TEXT),
    case("gone", b"HTTP/1.1 410 Gone\r\n" + LENGTH + TEXT, outcome="gone"),
    case("continue", _CONTINUE + OK + LENGTH + TEXT, kept=OK + LENGTH + TEXT, interim=(_CONTINUE,)),
    case(
        "early-hints",
        _HINTS,
        b"HTTP/1.1 102 Processing\r\n\r\n",
        OK + LENGTH + TEXT,
        kept=OK + LENGTH + TEXT,
        interim=(_HINTS, b"HTTP/1.1 102 Processing\r\n\r\n"),
    ),
    case("in-pieces", OK[:5], OK[5:] + LENGTH[:-1], LENGTH[-1:], TEXT[:1], TEXT[1:], end="keep"),
    Case(
        name="redirects",
        script={
            "/redirects": (Reply(pieces=(b"HTTP/1.1 302 Found\r\nLocation: /second\r\n" + LENGTH + TEXT,)),),
            "/second": (Reply(pieces=(b"HTTP/1.1 301\r\nlocation:third\r\nContent-Length: 0\r\n\r\n",)),),
            "/third": (Reply(pieces=(OK + LENGTH + TEXT,)),),
        },
    ),
    # The connection that brought robots.txt is closed when the next request has been sent: Twisted sends
    # it again on another.
    case("stale", OK + LENGTH + TEXT, stale=True, end="keep"),
    case("stale-for-good", end="close", stale=True, outcome="connection"),
)

BROKEN = (
    case("short", OK + b"Content-Length: 999\r\n\r\n" + TEXT, truncated="disconnect", outcome="truncated"),
    case(
        "short-chunk",
        OK + CHUNKED + b"\r\n5\r\nwords\r\n64\r\nand no",
        kept=OK + b"\r\nwordsand no",
        truncated="disconnect",
        outcome="truncated",
    ),
    case(
        "short-of-last-chunk",
        OK + CHUNKED + b"\r\n5\r\nwords\r\n",
        kept=OK + b"\r\nwords",
        truncated="disconnect",
        outcome="truncated",
    ),
    case(
        "huge-chunk",
        OK + CHUNKED + b"\r\n7fffffffffffff\r\n" + TEXT,
        kept=OK + b"\r\n" + TEXT,
        truncated="disconnect",
        outcome="truncated",
    ),
    case(
        "impossible-chunk",
        OK + CHUNKED + b"\r\n" + b"f" * 40 + b"\r\n" + TEXT,
        truncated="unspecified",
        outcome="truncated",
    ),
    case(
        "chunk-of-nonsense",
        OK + CHUNKED + b"\r\n5\r\nwords\r\nxyz\r\n" + TEXT,
        truncated="unspecified",
        outcome="truncated",
    ),
    case("not-chunked-at-all", OK + CHUNKED + b"\r\n" + TEXT, truncated="unspecified", outcome="truncated"),
    case("unknown-transfer-coding", OK + b"Transfer-Encoding: rot13\r\n\r\n" + TEXT),
    case(
        "large-then-nonsense",
        OK + CHUNKED + b"\r\n" + chunks(_noise(3, 900_000))[:-5] + b"xyz\r\n",
        truncated="unspecified",
        outcome="truncated",
    ),
    case(
        "large-then-cut",
        OK + CHUNKED + b"\r\n" + chunks(_noise(4, 700_000), _noise(5, 90_000))[:-40_000],
        kept=OK + b"\r\n" + _noise(4, 700_000) + _noise(5, 90_000)[: 90_000 + 2 + 5 - 40_000],
        truncated="disconnect",
        outcome="truncated",
    ),
    case(
        "large-and-late",
        OK + b"Content-Length: 999999\r\n\r\n" + _noise(6, 600_000),
        _noise(7, 300_000),
        truncated="disconnect",
        outcome="truncated",
    ),
    case(
        "larger-than-allowed",
        OK + b"\r\n" + _noise(8, 3 * MOST),
        truncated="length",
        at_least=MOST,
        outcome="too_large",
    ),
    # A body of a few kilobytes in chunks that are megabytes.
    case(
        "more-chunk-than-content",
        OK + CHUNKED + b"\r\n" + chunks(*[b"x"] * 4000, extension=b";" + b"e" * 1000),
        kept=OK + b"\r\n" + b"x" * 4000,
        truncated="length",
        at_least=2000,
        outcome="truncated",
    ),
    case("long", OK + b"Content-Length: 5\r\n\r\n" + TEXT, end="keep"),
    case("long-where-empty", OK + b"Content-Length: 0\r\n\r\n" + TEXT, end="keep"),
    case("no-content-but-some", b"HTTP/1.1 204 No Content\r\n\r\n" + TEXT, end="keep"),
    case(
        "not-modified-but-some",
        b"HTTP/1.1 304 Not Modified\r\n\r\n" + TEXT,
        end="keep",
        outcome="unasked",
    ),
    case(
        "two-lengths",
        OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n" + TEXT,
        truncated="unspecified",
        outcome="connection",
    ),
    case(
        "negative-length",
        OK + b"Content-Length: -5\r\n\r\n" + TEXT,
        truncated="unspecified",
        outcome="connection",
    ),
    case("nuls", b"HTTP/1.1 200 O\0K\r\nX-\0: a\0b\r\n" + LENGTH + TEXT[:-1] + b"\0", end="keep"),
    case("bare-line-feeds", OK.replace(b"\r", b"") + LENGTH.replace(b"\r", b"") + TEXT),
    case("mixed-line-ends", OK + b"A: b\n" + LENGTH[:-2] + b"\n" + TEXT),
    case(
        "bare-carriage-returns",
        (OK + LENGTH).replace(b"\n", b"") + TEXT,
        truncated="disconnect",
        outcome="connection",
    ),
    case("no-colon", OK + b"here is no colon\r\n:\r\n" + LENGTH + TEXT, end="keep"),
    case("blank-looking-line", OK + b" \t\r\nA: b\r\n" + LENGTH + TEXT),
    case("blank-first", b"\r\n" + OK + LENGTH + TEXT, truncated="unspecified", outcome="connection"),
    case("not-http", b"SSH-2.0-OpenSSH_9.6\r\n", truncated="unspecified", outcome="connection"),
    case("noise", b"\x00\xff\r\n\r\n" + _noise(2, 500), truncated="unspecified", outcome="connection"),
    case("http-0.9", b"<p>" + TEXT, truncated="unspecified", outcome="connection"),
    case("icy", b"ICY 200 OK\r\n\r\n" + TEXT, truncated="unspecified", outcome="connection"),
    case(
        "status-of-four-digits", b"HTTP/1.1 1000 Odd\r\n" + LENGTH + TEXT, end="keep", outcome="server_error"
    ),
    case(
        "status-like-interim", b"HTTP/1.1 1030 Hints\r\n" + LENGTH + TEXT, end="keep", outcome="server_error"
    ),
    case("status-like-success", b"HTTP/1.1 0200 OK\r\n" + LENGTH + TEXT, end="keep", outcome="server_error"),
    case("status-of-two-digits", b"HTTP/1.1 20 OK\r\n" + LENGTH + TEXT, end="keep", outcome="server_error"),
    case("status-zero", b"HTTP/1.1 000 OK\r\n" + LENGTH + TEXT, end="keep", outcome="server_error"),
    case("status-999", b"HTTP/1.1 999 Denied\r\n" + LENGTH + TEXT, end="keep", outcome="server_error"),
    case(
        "status-without-end",
        b"HTTP/1.1 " + b"2" * 9000 + b" OK\r\n" + LENGTH + TEXT,
        end="keep",
        outcome="server_error",
    ),
    case(
        "status-with-sign", b"HTTP/1.1 +200 OK\r\n\r\n" + TEXT, truncated="unspecified", outcome="connection"
    ),
    case("no-status", b"HTTP/1.1 OK\r\n\r\n" + TEXT, truncated="unspecified", outcome="connection"),
    case(
        "upgrade",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n\x81\x05hello",
        truncated="disconnect",
        outcome="connection",
    ),
    case(
        "head-without-end",
        _ENDLESS_HEAD + LENGTH + TEXT,
        truncated="length",
        at_least=256 * 1024,
        outcome="connection",
    ),
    case(
        "line-without-end",
        _LONG_LINE + LENGTH + TEXT,
        truncated="length",
        at_least=256 * 1024,
        outcome="connection",
    ),
    case("reset-at-once", end="reset", outcome="connection"),
    case("closed-at-once", end="close", outcome="connection"),
    case("reset-in-status", b"HTTP/1.1 20", end="reset", truncated="disconnect", outcome="connection"),
    case("reset-in-head", OK + b"X-Half: ", end="reset", truncated="disconnect", outcome="connection"),
    case("closed-in-head", OK + b"X-Half: ", truncated="disconnect", outcome="connection"),
    case(
        "reset-in-body",
        OK + b"Content-Length: 999\r\n\r\n" + TEXT,
        end="reset",
        truncated="disconnect",
        outcome="truncated",
    ),
    case(
        "reset-in-chunk",
        OK + CHUNKED + b"\r\n64\r\n" + TEXT,
        kept=OK + b"\r\n" + TEXT,
        end="reset",
        truncated="disconnect",
        outcome="truncated",
    ),
    case(
        "reset-after-hints",
        _CONTINUE + _HINTS,
        end="reset",
        kept=_HINTS,
        interim=(_CONTINUE,),
        truncated="disconnect",
        outcome="connection",
    ),
)

# Polled twice, in two crawls: the second answer depends on what is known from the first.
_NEW = FEED_HEAD + b'ETag: "1"\r\n\r\n'
_SAME = FEED_HEAD.replace(b"200 OK", b"200  Again") + b"X-Run: 2\r\n\r\n"
_NOT_MODIFIED = b'HTTP/1.1 304  Still The Same\r\netag:"1"\r\nX-Latin: \xe9\r\n\r\n'
_BUSY = b"HTTP/1.1 503 Busy\r\nRetry-After: 60\r\n" + LENGTH + TEXT


def _twice(name: str, first: bytes, second: bytes, outcome: str) -> Case:
    replies = (Reply(pieces=(first,), end="keep"), Reply(pieces=(second,), end="keep"))
    return Case(name=name, script={f"/{name}": replies}, outcome=outcome)


def _feed_of_its_own(name: bytes) -> bytes:
    """As long as the others, and another payload."""
    return FEED.replace(b"Wire", name)


TWICE = (
    _twice("feed-not-modified", _NEW + _feed_of_its_own(b"1111"), _NOT_MODIFIED, "not_modified"),
    _twice("feed-the-same", _NEW + _feed_of_its_own(b"2222"), _SAME + _feed_of_its_own(b"2222"), "unchanged"),
    _twice("busy-at-first", _BUSY, _NEW + _feed_of_its_own(b"3333"), "unchanged"),
)
# Asked again in the second crawl, in which even chunks are kept.
CHUNKED_CASES = tuple(
    one for one in (*LEGAL, *BROKEN) if any(CHUNKED in reply.sent for reply in one.script[one.path])
)
