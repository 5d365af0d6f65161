"""What is rendered, by which rules, and what came of it, as it travels between the crawl and the browser."""

from __future__ import annotations

import re
import struct
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from asyncio import StreamReader

# Length prefix of a message.
_LENGTH = struct.Struct("!I")
_HALF = re.compile("[\ud800-\udfff]")
_ENCODER = msgspec.msgpack.Encoder()


class RenderRules(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator set."""

    browser: str = "/usr/bin/chromium"
    user: str = "nobody"  # whose rights the browser has where the crawl runs as root
    sandbox: bool = True
    # Of processor time, for one page.
    seconds: float = 15.0
    memory_mb: int = 1024
    screens: int = 20
    requests: int = 100

    @property
    def patience(self) -> float:
        """Seconds for a page by the wall clock, without those in which it waits for us.

        A machine with other things to do is slow: only a page that hangs is ended by it.
        """
        return 4 * self.seconds


class PageProblem(StrEnum):
    """Why a page was ended."""

    LOOP = "loop"
    MEMORY = "memory"
    WINDOW = "window"
    DOWNLOAD = "download"
    CRASH = "crash"
    WAITED = "waited"
    NOT_SHOWN = "not_shown"


PROBLEMS = {
    PageProblem.LOOP: "its scripts did not come to rest",
    PageProblem.MEMORY: "it needed too much memory",
    PageProblem.WINDOW: "it opened windows",
    PageProblem.DOWNLOAD: "it began downloads",
    PageProblem.CRASH: "the browser crashed on it",
    PageProblem.WAITED: "what it asked for did not come in time",
    PageProblem.NOT_SHOWN: "the browser did not show it",
}


class ResourcePlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where a response is kept that a page is answered with."""

    file: str
    offset: int


class RenderJob(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A page to render: its response is in the archive."""

    url: str
    place: ResourcePlace
    at: float  # the time that its scripts are told, in seconds since 1970: that of its capture
    has_scripts: bool = True
    has_boxes: bool = False  # whether the boxes of its elements are wanted
    # Shown in place of what the record has, where it is given.
    content: bytes = b""


class ResourceAnswer(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """To a request of the page: where its response is, or why there is none."""

    number: int
    place: ResourcePlace | None = None


class BeginBrowser(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Said first."""

    rules: RenderRules
    folder: str  # of the WARC files


class BrowserReady(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The browser runs: which, and what keeps it from the network."""

    browser: str
    isolation: str


class BrowserRefused(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The browser does not run: why, and what to do about it."""

    reason: str


class ResourceWanted(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A request of the page."""

    number: int
    url: str
    kind: str  # as the browser calls it: script, stylesheet, image, fetch, xhr …


class RenderedBox(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """Where an element stands on the page, in CSS pixels, and how its text looks."""

    # Of the element in the document as the browser has it: /html[1]/body[1]/div[2]/p[1]. An HTML parser that
    # follows the standard has the same; `text` and `tag` tell where another one differs.
    path: str
    tag: str
    # Its place among the elements of the served page as our parser has them, in their order; -1
    # where the browser made it.
    node: int = -1
    x: float = 0.0
    y: float = 0.0
    w: float = 0.0
    h: float = 0.0
    size: float = 0.0  # of its font, in CSS pixels
    weight: int = 400
    style: str = "normal"  # of its font: normal, italic, oblique
    is_struck: bool = False
    is_shown: bool = True
    colour: str = ""  # as the browser computes it: rgb(0, 0, 0)
    display: str = ""
    text: str = ""  # its own, without that of its children


class RenderedPage(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What became of a page."""

    html: str = ""
    # Why the page was ended before it was whole: nothing of it is kept.
    problem: PageProblem | None = None
    # Requests that were not answered: (why, address).
    refused: tuple[tuple[str, str], ...] = ()
    screens: int = 0
    # Of the whole page, where boxes were asked for.
    width: float = 0.0
    height: float = 0.0
    boxes: tuple[RenderedBox, ...] = ()


ToChild = BeginBrowser | RenderJob | ResourceAnswer
FromChild = BrowserReady | BrowserRefused | ResourceWanted | RenderedPage


def well_formed(text: str) -> str:
    """A text without halves of characters, which scripts leave behind and no encoding has."""
    return _HALF.sub("\ufffd", text)


def framed(message: ToChild | FromChild) -> bytes:
    data = _ENCODER.encode(message)
    return _LENGTH.pack(len(data)) + data


async def read_message(source: StreamReader) -> bytes:
    """Return the next message; raises IncompleteReadError at the end."""
    (length,) = _LENGTH.unpack(await source.readexactly(_LENGTH.size))
    return await source.readexactly(length)
