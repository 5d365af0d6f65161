"""TLS that goes on past a bad certificate and remembers what was wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from OpenSSL import SSL
from scrapy.core.downloader.contextfactory import _ScrapyClientContextFactory
from scrapy.core.downloader.tls import _ScrapyClientTLSOptions26
from service_identity import VerificationError
from service_identity.exceptions import CertificateError
from service_identity.hazmat import DNS_ID, IPAddress_ID, verify_service_identity
from service_identity.pyopenssl import extract_patterns
from twisted.internet.ssl import platformTrust

if TYPE_CHECKING:
    from collections.abc import Callable

    from OpenSSL.crypto import X509
    from twisted.protocols.tls import TLSMemoryBIOProtocol


class RecordingContextFactory(_ScrapyClientContextFactory):
    """Checks certificates against the platform's authorities, and connects whatever comes of it."""

    def _get_cert_options_kwargs(self) -> dict[str, Any]:
        # Without authorities to check against, every certificate would look self-made.
        return super()._get_cert_options_kwargs() | {"trustRoot": platformTrust()}  # type: ignore[no-untyped-call]

    def creatorForNetloc(self, hostname: bytes, port: int) -> Any:  # noqa: ANN401, ARG002, N802 - Twisted's interface
        return _RecordingTLSOptions(self._get_cert_options()._makeTLSConnection, hostname.decode("ascii"))  # noqa: SLF001 - see recording.py


class _RecordingTLSOptions(_ScrapyClientTLSOptions26):
    """Notes problems on the TLS protocol, which is the transport of what runs over it."""

    def clientConnectionForTLS(self, tlsProtocol: TLSMemoryBIOProtocol) -> SSL.Connection:  # noqa: N802, N803 - Twisted's interface
        connection = super().clientConnectionForTLS(tlsProtocol)
        problems: list[str] = []
        tlsProtocol.archiver_certificate_problems = problems  # type: ignore[attr-defined] # ours
        check = _checker(problems, self._hostnameASCII, is_name=self._hostnameIsDnsName)
        connection.set_verify(SSL.VERIFY_PEER, check)
        return connection


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


def _words(error: int) -> str:
    return _PROBLEMS.get(error, f"verification error {error}")
