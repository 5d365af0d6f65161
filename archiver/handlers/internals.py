"""Private names of Scrapy and Twisted: the one module that uses them. A crawl checks them when it starts.

Scrapy and Twisted may change these in any release, which is why pyproject.toml pins both. Other modules use
what is defined here; tests/test_internals.py holds that.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from archiver.errors import ConfigurationError

_ADVICE = "Install the versions that requirements.lock names"


def _misfit(what: str) -> ConfigurationError:
    installed = f"Scrapy {version('scrapy')} and Twisted {version('twisted')}"
    return ConfigurationError(f"The archiver does not work with {installed}: {what}. {_ADVICE}")


try:
    from scrapy.core.downloader import Downloader
    from scrapy.core.downloader.contextfactory import _ScrapyClientContextFactory
    from scrapy.core.downloader.handlers.http11 import (
        HTTP11DownloadHandler,
        _LenientHTTP11ClientFactory,
        _LenientHTTP11ClientProtocol,
        _LenientHTTPClientParser,
        _ResponseReader,
    )
    from scrapy.core.downloader.tls import _ScrapyClientTLSOptions26
    from scrapy.core.engine import ExecutionEngine
    from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
    from scrapy.utils._download_handlers import make_response
    from scrapy.utils.defer import _schedule_coro as schedule
    from twisted.internet.ssl import CertificateOptions
    from twisted.web._newclient import HEADER, STATUS, HTTPClientParser, ParseError, Response
    from twisted.web._newclient import Request as WireRequest
    from twisted.web.client import HTTPConnectionPool
    from twisted.web.http import _DataLoss as DataLoss
except ImportError as error:
    raise _misfit(str(error).partition(" (")[0]) from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scrapy import Request
    from scrapy.core.downloader import Slot
    from scrapy.crawler import Crawler
    from scrapy.http import Response as ScrapyResponse
    from twisted.python.failure import Failure

__all__ = (
    "HEADER",
    "STATUS",
    "CertificatePolicy",
    "ClientFactory",
    "ClientParser",
    "ClientProtocol",
    "DataLoss",
    "HttpHandler",
    "ParseError",
    "Redirects",
    "TLSOptions",
    "WireRequest",
    "abort",
    "check_shapes",
    "is_closing",
    "keep_body_in",
    "make_response",
    "process_queue",
    "schedule",
    "slot_of",
)


# ── Shapes ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ExpectedName:
    """A name that is expected of a class; with the parameters that it is called with, if it is called."""

    owner: type
    name: str
    parameters: tuple[str, ...] | None = None

    def __str__(self) -> str:
        return f"{self.owner.__module__}.{self.owner.__qualname__}.{self.name}"

    def fits(self) -> bool:
        if self.parameters is None:
            return hasattr(self.owner, self.name) or self._is_used()
        method = getattr(self.owner, self.name, None)
        return callable(method) and set(self.parameters) <= set(inspect.signature(method).parameters)

    def _is_used(self) -> bool:
        """An attribute of its instances is named in the code of its methods."""
        functions = (one for kind in self.owner.__mro__ for one in vars(kind).values())
        return any(self.name in one.__code__.co_names for one in functions if inspect.isfunction(one))


SHAPES = (
    ExpectedName(Downloader, "_get_slot", ("request",)),
    ExpectedName(Downloader, "_process_queue", ("slot",)),
    ExpectedName(ExecutionEngine, "_slot"),
    ExpectedName(RedirectMiddleware, "_build_redirect_request", ("source_request", "response", "url")),
    ExpectedName(HTTP11DownloadHandler, "_pool"),
    ExpectedName(HTTP11DownloadHandler, "_contextFactory"),
    ExpectedName(HTTPConnectionPool, "_factory"),
    ExpectedName(_LenientHTTP11ClientFactory, "_quiescentCallback"),
    ExpectedName(_LenientHTTP11ClientProtocol, "_parser"),
    ExpectedName(_LenientHTTP11ClientProtocol, "_giveUp", ("reason",)),
    ExpectedName(HTTPClientParser, "_transferDecoders"),
    ExpectedName(_ResponseReader, "_bodybuf"),
    ExpectedName(Response, "_transport"),
    ExpectedName(_ScrapyClientContextFactory, "_get_cert_options", ()),
    ExpectedName(_ScrapyClientContextFactory, "_get_cert_options_kwargs", ()),
    ExpectedName(CertificateOptions, "_makeTLSConnection"),
    ExpectedName(_ScrapyClientTLSOptions26, "_hostnameASCII"),
    ExpectedName(_ScrapyClientTLSOptions26, "_hostnameIsDnsName"),
)


def check_shapes() -> None:
    """Raise ConfigurationError where Scrapy or Twisted is not as this module expects.

    Some of it is only assigned to: without the check, a name that is gone would be noticed by nothing but
    missing records.
    """
    wrong = [str(shape) for shape in _differing()]
    if wrong:
        raise _misfit(f"{', '.join(wrong)} changed")


def _differing() -> Iterator[ExpectedName]:
    return (shape for shape in SHAPES if not shape.fits())


# ── The engine and the downloader ────────────────────────────────────────────────────────────────────────


def is_closing(crawler: Crawler) -> bool | None:
    """Whether the end of the run has begun, which no signal tells; None where there is no spider at all."""
    slot = crawler.engine._slot if crawler.engine is not None else None  # noqa: SLF001
    return None if slot is None else slot.closing is not None


def slot_of(downloader: Downloader, request: Request) -> Slot:
    """The queue of the request's host."""
    return downloader._get_slot(request)[1]  # noqa: SLF001


def process_queue(downloader: Downloader, slot: Slot) -> None:
    """Send what waits in a queue, as far as its delay allows."""
    downloader._process_queue(slot)  # noqa: SLF001


class Redirects(RedirectMiddleware):
    """Scrapy's redirects, with a say in where they lead."""

    def redirect_url(self, url: str) -> str:
        return url

    def is_followed(self, request: Request, url: str) -> bool:  # noqa: ARG002 - for others
        """Whether a redirect to an address is."""
        return True

    def _build_redirect_request(
        self,
        source_request: Request,
        response: ScrapyResponse,
        *,
        url: str,
        **kwargs: Any,  # noqa: ANN401 - Scrapy's interface
    ) -> Request:
        url = self.redirect_url(url)
        if not self.is_followed(source_request, url):
            source_request.meta["redirect_ttl"] = 0
        return super()._build_redirect_request(source_request, response, url=url, **kwargs)


# ── The HTTP client ──────────────────────────────────────────────────────────────────────────────────────


class HttpHandler(HTTP11DownloadHandler):
    """Scrapy's HTTP/1.1 handler, whose protocols and certificates can be chosen."""

    def use_protocols(self, make_factory: Callable[..., ClientFactory]) -> None:
        pool: Any = self._pool
        pool._factory = make_factory  # noqa: SLF001

    def use_certificates(self, policy: Any) -> None:  # noqa: ANN401 - Twisted's interface
        self._contextFactory = policy


class ClientParser(_LenientHTTPClientParser):
    """Scrapy's parser of responses, with transfer decoders of one's own."""

    def __init_subclass__(cls, decoders: Mapping[bytes, type]) -> None:
        cls._transferDecoders = dict(decoders)  # type: ignore[arg-type] # Twisted names its own class


class ClientProtocol(_LenientHTTP11ClientProtocol):
    """Scrapy's HTTP client protocol, with what it keeps to itself."""

    @property
    def parser(self) -> Any:  # noqa: ANN401 - Twisted has no types here
        """The parser of the response that is coming in, if one is."""
        return self._parser

    def gives_up(self, reason: Failure) -> None:
        """Called before the connection is given up, or ended."""

    def _giveUp(self, reason: Failure) -> None:  # noqa: N802 - Twisted's name
        self.gives_up(reason)
        super()._giveUp(reason)  # type: ignore[no-untyped-call]


class ClientFactory(_LenientHTTP11ClientFactory):
    """Makes protocols for the connection pool."""

    @property
    def quiescent(self) -> Callable[[Any], None]:
        """What a protocol calls when its connection can be used again."""
        callback: Callable[[Any], None] = self._quiescentCallback
        return callback


def keep_body_in(reader: Any, buffer: object) -> None:  # noqa: ANN401 - Scrapy's _ResponseReader
    """Have Scrapy write a body into this."""
    reader._bodybuf = buffer  # noqa: SLF001


def abort(response: Any) -> None:  # noqa: ANN401 - Twisted's response
    """Close the connection of a response, as Twisted's readBody does."""
    response._transport.abortConnection()  # noqa: SLF001


# ── TLS ──────────────────────────────────────────────────────────────────────────────────────────────────


class CertificatePolicy(_ScrapyClientContextFactory):
    """Scrapy's TLS settings, with further options."""

    def further_options(self) -> dict[str, Any]:
        return {}

    def connection_maker(self) -> Any:  # noqa: ANN401 - Twisted's, a private type
        """What makes a TLS connection with these options."""
        return self._get_cert_options()._makeTLSConnection  # noqa: SLF001

    def _get_cert_options_kwargs(self) -> dict[str, Any]:
        return super()._get_cert_options_kwargs() | self.further_options()


class TLSOptions(_ScrapyClientTLSOptions26):
    """Scrapy's TLS options of one connection."""

    @property
    def host(self) -> str:
        return self._hostnameASCII

    @property
    def is_named(self) -> bool:
        """By a name, not by an IP address."""
        return self._hostnameIsDnsName
