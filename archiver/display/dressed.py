"""The style of a note of ours above an archived page, whose own styles stand below it and cannot reach it.

The page's styles are in a layer behind ours: what is important in the first layer is stronger than anything
in the next. The note is placed by the window and not by the page's boxes, and lies above all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# In pixels: a page may change every other unit. As high as the longest note in a window of a usual width.
_NOTE_HEIGHT = 100
NOTE = "archiver-banner"
_STYLE = f"""
html {{ margin: 0 !important; padding: {_NOTE_HEIGHT}px 0 0 !important; height: auto !important; }}
html, body {{ position: static !important; float: none !important; visibility: visible !important;
  opacity: 1 !important; overflow: visible !important; max-height: none !important;
  animation: none !important; transform: none !important; translate: none !important;
  rotate: none !important; scale: none !important; zoom: 1 !important; filter: none !important;
  backdrop-filter: none !important; clip-path: none !important; mask: none !important;
  perspective: none !important; contain: none !important; will-change: auto !important;
  content-visibility: visible !important; container-type: normal !important; z-index: auto !important; }}
html::before, html::after {{ content: none !important; }}
.{NOTE}, .{NOTE} * {{ all: initial !important; font: 14px/1.5 system-ui, sans-serif !important;
  color: #222 !important; }}
.{NOTE} {{ position: absolute !important; z-index: 2147483647 !important; display: block !important;
  top: 0 !important; left: 0 !important; right: 0 !important; height: {_NOTE_HEIGHT}px !important;
  box-sizing: border-box !important; padding: 9px 16px !important; overflow: auto !important;
  background: #fffbe6 !important; border-bottom: 3px double #8a6d00 !important; }}
.{NOTE} b {{ font-weight: bold !important; }}
.{NOTE}::before, .{NOTE}::after, .{NOTE} ::before, .{NOTE} ::after {{ display: none !important; }}
.{NOTE}::first-line, .{NOTE}::first-letter {{ color: #222 !important; background: none !important;
  font-size: 14px !important; }}
.{NOTE} mark {{ padding: 0 .3em !important; }}
"""


def layered_styles(page: Iterable[str], own: str) -> list[str]:
    """The style elements of a file: ours, then those of the page, each of which is balanced by itself."""
    ours = f"@layer archiver, page;\n@layer archiver {{{_STYLE}{own}}}"
    return [ours, *(f"@layer page {{\n{sheet}\n}}" for sheet in page)]
