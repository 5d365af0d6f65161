"""The stage: a page of ours at the origin of frames, which holds an archived page and points into it.

The archived page runs nothing: its frame is sandboxed, its policy forbids it, and what would run was taken
out. The script of the stage can look into it, since both have one origin; the browser knows it by its digest,
and lets it ask for nothing. All that it tells the application is a number, a name and a text.
"""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from html import escape
from pathlib import Path

_FOLDER = Path(__file__).parent
_POLICY = (
    "default-src 'none'; script-src {script}; style-src {style}; frame-src 'self'; form-action 'none'; "
    "base-uri 'none'; frame-ancestors {{pages}}"
)


@lru_cache(maxsize=3)
def _part(name: str) -> str:
    return (_FOLDER / f"stage.{name}").read_text("utf-8")


def _digest(text: str) -> str:
    found = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{found}'"


def stage_policy() -> str:
    """What browsers let the stage do; with a place for the origin of the application."""
    return _POLICY.format(script=_digest(_part("js")), style=_digest(_part("css")))


def stage_page(page: str, application: str) -> str:
    """The stage for the archived page at a path, which speaks to the application at an origin."""
    given = {"style": _part("css"), "script": _part("js")}
    return _part("html").format(page=escape(page), application=escape(application), **given)
