"""Errors of ours as HTTP has them."""

from __future__ import annotations

from archiver.errors import (
    ArchiveError,
    BusyError,
    ConfigurationError,
    ExtractionError,
    ReadingFault,
    StateLost,
    WithheldError,
)

# The first that fits holds. 451: unavailable for legal reasons (RFC 7725).
_STATUS = {
    ConfigurationError: 400,
    WithheldError: 451,
    StateLost: 503,
    BusyError: 503,
    # A page that takes longer, or more memory, than one may.
    ExtractionError: 503,
    ReadingFault: 503,
    ArchiveError: 404,
}


def status_of(error: Exception) -> int:
    return next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 500)
