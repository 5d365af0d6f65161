"""The frame of every HTML page that we write: it loads nothing, runs nothing and names its reader nowhere."""

from __future__ import annotations

import re
from html import escape

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
# What no document of XML may have, however it is written.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# For screens of any size, by day and by night.
STYLE = """
:root { color-scheme: light dark; --ink: #1d1f21; --soft: #5c6166; --line: #d5d8db; --paper: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --soft: #a3a8ad; --line: #3a3f45;
  --paper: #16181b; } }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; font: 1rem/1.6 system-ui, sans-serif;
  color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
summary { cursor: pointer; margin: .5rem 0; }
.soft { color: var(--soft); }
"""


def html_page(
    title: str, body: str, *, style: str = STYLE, language: str = "en", has_images: bool = False
) -> str:
    """A whole document around markup; title and language are text. Images are those that it holds itself."""
    policy = f"{_POLICY}; img-src data:" if has_images else _POLICY
    lang = f' lang="{safe(language)}"' if language else ""
    fields = "".join(map(_element, head_fields(policy)))
    return (
        f'<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml"{lang}><head>'
        f"{fields}<title>{safe(title)}</title><style>{style}</style></head>\n"
        f"<body>{body}</body></html>\n"
    )


def _element(field: dict[str, str]) -> str:
    return "<meta " + " ".join(f'{name}="{safe(value)}"' for name, value in field.items()) + "/>\n"


def head_fields(policy: str = _POLICY) -> tuple[dict[str, str], ...]:
    """The attributes of the `meta` elements that a page begins with."""
    return (
        {"charset": "utf-8"},
        {"http-equiv": "Content-Security-Policy", "content": policy},
        {"name": "referrer", "content": "no-referrer"},
        {"name": "viewport", "content": "width=device-width, initial-scale=1"},
    )


def plain(text: str) -> str:
    """Text that may stand in any document."""
    return _NOT_XML.sub("\ufffd", text)


def safe(text: str) -> str:
    """The same as markup."""
    return escape(plain(text))
