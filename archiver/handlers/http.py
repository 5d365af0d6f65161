"""Downloads over HTTP, each in the archive before it is read."""

from __future__ import annotations

import asyncio
import itertools
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from OpenSSL import SSL
from scrapy.exceptions import DownloadCancelledError, DownloadTimeoutError
from scrapy.utils.misc import build_from_crawler
from service_identity import VerificationError
from service_identity.exceptions import CertificateError
from service_identity.hazmat import DNS_ID, IPAddress_ID, verify_service_identity
from service_identity.pyopenssl import extract_patterns
from twisted.internet.ssl import platformTrust

from archiver.archive.warc.records import RECEIVED_BYTES, Exchange
from archiver.errors import ArchiveError
from archiver.extensions.archive import ArchiveExtension
from archiver.handlers.downloader import delay_from_answer
from archiver.handlers.internals import CertificatePolicy, HttpHandler, TLSOptions
from archiver.handlers.recording import MARKER, Recording, RecordingFactory
from archiver.urls import request_url

if TYPE_CHECKING:
    from collections.abc import Callable

    from OpenSSL.crypto import X509
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.protocols.tls import TLSMemoryBIOProtocol

    from archiver.archive.warc.records import Capture
    from archiver.handlers.recording import Attempt

# Of a request with a token: docs/apis.md says that this header is not kept as it was sent.
_TOKEN = re.compile(rb"(?im)^(Authorization:[ \t]*)[^\r\n]*")
# The codes that are met in practice, as OpenSSL numbers them.
_PROBLEMS = {
    9: "not valid yet",
    10: "expired",
    18: "self-signed",
    19: "self-signed certificate in the chain",
    20: "issuer not known",
    21: "issuer not known",
    23: "revoked",
}


class RecordingContextFactory(CertificatePolicy):
    """Checks certificates against the platform's authorities, and connects whatever comes of it."""

    def further_options(self) -> dict[str, Any]:
        # Without authorities to check against, every certificate would look self-made.
        return {"trustRoot": platformTrust()}  # type: ignore[no-untyped-call]

    def creatorForNetloc(self, hostname: bytes, port: int) -> Any:  # noqa: ANN401, ARG002, N802 - Twisted's interface
        return _RecordingTLSOptions(self.connection_maker(), hostname.decode("ascii"))


class _RecordingTLSOptions(TLSOptions):
    """Notes problems on the TLS protocol, which is the transport of what runs over it."""

    def clientConnectionForTLS(self, tlsProtocol: TLSMemoryBIOProtocol) -> SSL.Connection:  # noqa: N802, N803 - Twisted's interface
        connection = super().clientConnectionForTLS(tlsProtocol)
        problems: list[str] = []
        tlsProtocol.archiver_certificate_problems = problems  # type: ignore[attr-defined] # ours
        check = _checker(problems, self.host, is_name=self.is_named)
        connection.set_verify(SSL.VERIFY_PEER, check)
        return connection


class ArchivingHandler(HttpHandler):
    """Scrapy's HTTP/1.1 handler, whose every exchange is written to WARC before it returns."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._crawling = crawler
        extension = ArchiveExtension.of(crawler)
        self._session = extension.session
        self._recordings: dict[bytes, Recording] = {}
        self._flow = extension.bodies
        self._numbers = itertools.count()
        if not crawler.settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES"):
            self.use_certificates(build_from_crawler(RecordingContextFactory, crawler))
        make_factory = partial(
            RecordingFactory,
            recordings=self._recordings,
            flow=self._flow,
            # Chunks may be small; at twice the size, something else is meant by them.
            longest=2 * crawler.settings.getint("DOWNLOAD_MAXSIZE"),
        )
        self.use_protocols(make_factory)

    async def download_request(self, request: Request) -> Response:
        """Download and answer, with a promise to keep it; what came of a failed download is kept first."""
        marker = b"%d" % next(self._numbers)
        recording = self._recordings[marker] = Recording()
        request.headers[MARKER] = marker
        request.meta.pop("capture", None)
        try:
            with delay_from_answer(self._crawling.engine.downloader, request):
                response = await super().download_request(request)
        except Exception as error:
            await self._keep(request, recording, _why_truncated(error))
            raise
        except BaseException:  # cancelled: the run ends
            self._forget(recording)
            raise
        finally:
            del self._recordings[marker]
            request.headers.pop(MARKER, None)
        truncated = "disconnect" if "dataloss" in response.flags else None
        # What reads the response waits for this first; the connection need not.
        keeping = asyncio.ensure_future(self._keep(request, recording, truncated))
        keeping.add_done_callback(_retrieve)
        request.meta["capture"] = keeping
        request.meta["body_size"] = recording.body.size
        return response

    async def _keep(self, request: Request, recording: Recording, truncated: str | None) -> Capture | None:
        attempts = [attempt for attempt in recording.attempts if attempt.sent and attempt.is_open]
        exchanges = [
            # Only the last attempt is the one that Scrapy tells of: those before were cut off.
            _exchange(request, attempt, truncated if attempt is attempts[-1] else "disconnect")
            for attempt in attempts
        ]
        if not exchanges:
            return None
        size = sum(attempt.size for attempt in attempts)
        self._session.archive.report.bytes_received += size
        if self._session.campaign_run is not None:
            self._session.campaign_run.receive(request.meta.get("campaign"), size)
        try:
            captures = await self._write(attempts, exchanges)
        except (ArchiveError, OSError) as error:
            self._session.fatal(error)
            raise ArchiveError(f"The exchange could not be kept: {error}") from error
        return captures[-1]

    async def _write(self, attempts: list[Attempt], exchanges: list[Exchange]) -> list[Capture | None]:
        for attempt in attempts:
            attempt.is_kept = True
            attempt.received.clear()
        try:
            return await self._session.archive.writer.write(exchanges)
        finally:
            # Only now is its room free: before, it was still on its way.
            for attempt in attempts:
                if attempt.stream is not None:
                    self._flow.end(attempt.stream)

    def _forget(self, recording: Recording) -> None:
        for attempt in recording.attempts:
            attempt.is_kept = True
            if attempt.stream is not None:
                self._flow.drop(attempt.stream)


def _retrieve(keeping: asyncio.Future[Capture | None]) -> None:
    """A failure has ended the run already, also where the response is not read, as with a redirect."""
    if not keeping.cancelled():
        keeping.exception()


def _why_truncated(error: Exception) -> str:
    """The reason as WARC-Truncated has it."""
    if isinstance(error, DownloadTimeoutError):
        return "time"
    if isinstance(error, DownloadCancelledError):
        return "length"
    return "disconnect"


def _exchange(request: Request, attempt: Attempt, truncated: str | None) -> Exchange:
    version = attempt.version.lower()
    protocols = (version.decode("ascii"),) if version in {b"http/1.0", b"http/1.1"} else ()
    return Exchange(
        url=request_url(request.url),
        started=attempt.started,
        sent=_without_token(request, bytes(attempt.sent)),
        received=bytes(attempt.received),
        stream=attempt.stream,
        connection=replace(attempt.connection, protocols=protocols + attempt.connection.protocols),
        seconds=(attempt.ended - attempt.started).total_seconds() if attempt.ended else None,
        truncated=attempt.given_up or truncated if truncated else None,
        original=request.meta.get("original"),
        context=_context(request, attempt),
    )


def _context(request: Request, attempt: Attempt) -> tuple[tuple[str, str], ...]:
    """Why it was asked; for a campaign also how many bytes came, which its budget counts."""
    context: tuple[tuple[str, str], ...] = tuple(request.meta.get("context", ()))
    return (*context, (RECEIVED_BYTES, str(attempt.size))) if "campaign" in request.meta else context


def _without_token(request: Request, sent: bytes) -> bytes:
    """The request as it was sent, without what readers of the archive must not know."""
    return _TOKEN.sub(rb"\1***", sent, count=1) if request.meta.get("has_token") else sent


def _checker(
    problems: list[str], host: str, *, is_name: bool
) -> Callable[[SSL.Connection, X509, int, int, int], bool]:
    wanted = DNS_ID(host) if is_name else IPAddress_ID(host)

    def check(_connection: SSL.Connection, certificate: X509, error: int, depth: int, _ok: int) -> bool:
        if error:
            problems.append(_words(error))
        if depth == 0:
            try:
                verify_service_identity(extract_patterns(certificate), [wanted], [])
            except (CertificateError, VerificationError):
                problems.append(f"not valid for {host}")
        return True

    return check


def _words(error: int) -> str:
    return _PROBLEMS.get(error, f"verification error {error}")
