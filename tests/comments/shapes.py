"""Pages with comments in the shapes in which programs for blogs and forums write them, small."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "pages"
# A comment as it is read: key, author, date, parent, text.
Shown = tuple[str, str, str, str | None, str]


def part(name: str) -> str:
    """A part of a page."""
    return (FOLDER / f"{name}.html").read_text("utf-8")


def page(*parts: str) -> bytes:
    body = "".join(parts)
    return f"<html><head><title>On weaving</title></head><body><main>{body}</main></body></html>".encode()


def _shown(prefix: str, first: str, second: str, *, threaded: bool) -> list[Shown]:
    parent = f"{prefix}12" if threaded else None
    return [
        (f"{prefix}12", "Bo", first, None, "I have one at home.\n\nIt squeaks."),
        (f"{prefix}13", "Ada", second, parent, "Oil it."),
    ]


_STATED = ("2026-03-02T07:00:00+01:00", "2026-03-02T08:00:00+01:00")
_IN_UTC = ("2026-03-02T06:00:00Z", "2026-03-02T07:00:00Z")
# What each of them shows.
SHAPES: dict[str, list[Shown]] = {
    "classic": _shown("comment-", *_STATED, threaded=True),
    "blocks": _shown("comment-", *_STATED, threaded=True),
    "definitions": _shown("c", "March 2, 2026 7:00 AM", "March 2, 2026 8:00 AM", threaded=False),
    "flat": _shown("c", "March 2, 2026 07:00 AM", "March 2, 2026 08:00 AM", threaded=False),
    "indented": _shown("comment-", "2026-03-02 07:00", "2026-03-02 08:00", threaded=True),
    "marked": _shown("note-", *_IN_UTC, threaded=True),
    "linked": _shown("note-", *_IN_UTC, threaded=True),
}
