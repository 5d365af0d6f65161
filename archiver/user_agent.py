"""Who we say we are to sites."""

from __future__ import annotations

from archiver import __version__


def user_agent(contact: str) -> str:
    """`archiver/1.0 (+https://example.org/about)`; without a contact, the program alone."""
    return f"archiver/{__version__} (+{contact})" if contact else f"archiver/{__version__}"
