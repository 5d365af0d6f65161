"""One extractor in a process of its own: a channel a line comes in, its texts and their cost go out.

bench/extraction.py starts it, with the Python that has the extractor: `extraction_child.py KIND NAME`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_MB = 1_000_000
_SENTENCE = "The lighthouse keeper wrote down the wind and the weather every evening, and again at dawn. "
WARM_UP = {
    "url": "https://page.invalid/",
    "title": "The lighthouse keeper",
    "description": _SENTENCE,
    "html": f"<html lang='en'><body><article><h1>The lighthouse keeper</h1>{f'<p>{_SENTENCE * 4}</p>' * 8}"
    "</article></body></html>",
}


class Extractor(Protocol):
    """What is measured is `texts`; `prepared` brings a page into the form in which it would have come."""

    # What it raised, and on which page.
    failures: list[str]
    # How many pages of the last channel a learned wrapper served.
    by_wrapper: int

    def prepared(self, page: dict[str, str]) -> Any: ...

    def learn(self, pages: Sequence[Any]) -> None:
        """What would have been learned before; not measured."""

    def texts(self, pages: Sequence[Any]) -> Iterator[str]: ...


class Ours:
    """A method of ours, which is given a whole channel, as bytes from the network."""

    def __init__(self, method: str) -> None:
        # Not installed where the peers run.
        from archiver.articles import model  # noqa: PLC0415
        from archiver.articles.methods import extraction as methods  # noqa: PLC0415
        from archiver.articles.methods.registry import method_of  # noqa: PLC0415
        from archiver.documents.pages import model as page_model  # noqa: PLC0415

        # None: an error of ours ends the run.
        self.failures: list[str] = []
        self.by_wrapper = 0
        self._method = method
        self._found_by = method_of(method)
        self._methods = methods
        self._model = model
        self._page_model = page_model

    def prepared(self, page: dict[str, str]) -> Any:
        announcement = self._page_model.Announcement(
            title=page.get("title") or None, summary=page.get("description") or None
        )
        return self._page_model.RawPage(
            url=page["url"],
            body=page["html"].encode("utf-8", "replace"),
            content_type="text/html; charset=utf-8",
            announcement=announcement,
            id=page.get("id", ""),
        )

    def learn(self, pages: Sequence[Any]) -> None:
        """Nothing: each channel is new."""

    def texts(self, pages: Sequence[Any]) -> Iterator[str]:
        for found in self._methods.extract(pages, method=self._method):
            yield found.text if isinstance(found, self._model.Article) else ""


class Learning(Ours):
    """A method of ours on a new channel, for the text alone: what a page says of itself is not read."""

    def __init__(self, method: str) -> None:
        super().__init__(method)
        from archiver.documents.pages.text import text_of  # noqa: PLC0415 - not installed where the peers run

        self._text_of = text_of
        self._memory: Sequence[Any] = ()

    def texts(self, pages: Sequence[Any]) -> Iterator[str]:
        parsed = [self._methods.parse_page(page) for page in pages]
        usable = [page for page in parsed if isinstance(page, self._model.ParsedPage)]
        found = self._found_by.find(usable, self._memory)
        self.by_wrapper = sum(one is not None and one.wrapper is not None for one in found.selections)
        selections = iter(found.selections)
        for page in parsed:
            chosen = next(selections) if isinstance(page, self._model.ParsedPage) else None
            yield self._text_of(chosen.node, chosen.dropped.__contains__) if chosen else ""


class Learned(Learning):
    """The same on a channel that it knows."""

    def learn(self, pages: Sequence[Any]) -> None:
        self._memory = self._methods.extract_group(pages, self._method).learned


class Peer:
    """Somebody else's extractor, which takes one page at a time, decoded."""

    def __init__(self, name: str) -> None:
        from extraction_peers import PEERS  # noqa: PLC0415 - one way of loading an extractor beside the other

        self.failures: list[str] = []
        self.by_wrapper = 0
        self._text_of = PEERS[name]()

    def prepared(self, page: dict[str, str]) -> Any:
        return page["url"], page["html"]

    def learn(self, pages: Sequence[Any]) -> None:
        """Nothing: they take one page at a time."""

    def texts(self, pages: Sequence[Any]) -> Iterator[str]:
        for url, html in pages:
            try:
                yield self._text_of(url, html) or ""
            except Exception as error:  # noqa: BLE001 - it scores 0, and is told
                self.failures.append(f"{url}: {type(error).__name__}: {error}")
                yield ""


KINDS: dict[str, Callable[[str], Extractor]] = {
    "ours": Ours, "learning": Learning, "learned": Learned, "peer": Peer,
}  # fmt: skip


def measured(extractor: Extractor, pages: Sequence[dict[str, str]]) -> dict[str, Any]:
    prepared = [extractor.prepared(page) for page in pages]
    extractor.learn(prepared)
    begun = time.process_time()
    texts = list(extractor.texts(prepared))
    cpu = time.process_time() - begun
    told = {"failures": extractor.failures, "by_wrapper": extractor.by_wrapper, "peak_mb": peak_mb()}
    return {"texts": texts, "cpu": cpu, **told}


def peak_mb() -> float:
    """The most memory this process held. Not from getrusage, which begins with what its parent held."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 / _MB for line in lines if line.startswith("VmHWM"))


def answers() -> TextIO:
    """Our own way out, since an extractor may print: whatever it says goes to where errors go."""
    kept = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return kept


def refuse_network(event: str, _: object) -> None:
    """What is measured is extraction from what is there: no image, and no list of domains, is fetched."""
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise ConnectionRefusedError("a page is measured without the network")


def main(kind: str, name: str) -> None:
    sys.addaudithook(refuse_network)
    out = answers()
    extractor = KINDS[kind](name)
    measured(extractor, [WARM_UP])
    for line in sys.stdin.buffer:
        print(json.dumps(measured(extractor, json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
