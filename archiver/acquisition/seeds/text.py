"""Seeds as plain text: a URL a line, with options after it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archiver.acquisition.seeds.address import shown, url_flaw, web_address
from archiver.acquisition.seeds.labels import split_labels
from archiver.acquisition.seeds.model import Flaw, Row

if TYPE_CHECKING:
    from collections.abc import Iterator

# Lines as an editor counts them; str.splitlines would also split at form feeds and U+2028.
_NEWLINE = re.compile(r"\r\n|\r|\n")
_WORD = re.compile(r'(?:"[^"]*"|[^\s"])+')


def read_text(text: str) -> Iterator[Row | Flaw]:
    for number, line in enumerate(_NEWLINE.split(text), start=1):
        url, _, rest = line.strip().replace("\t", " ").partition(" ")
        if url and not url.startswith("#"):
            # The address first: a blank inside one makes its tail look like an option.
            reason = url_flaw(web_address(url))
            text = line.strip()
            yield Flaw(line=number, reason=reason, text=text) if reason else _read_line(number, url, rest)


def _read_line(number: int, url: str, rest: str) -> Row | Flaw:
    try:
        options = list(_options(rest))
    except ValueError as error:
        return Flaw(line=number, reason=str(error), text=f"{url} {rest}")
    labels = [label for key, value in options if key == "label" for label in split_labels(value)]
    every = [value for key, value in options if key == "every"]
    if len(every) > 1:
        return Flaw(line=number, reason="every= is given twice", text=f"{url} {rest}")
    return Row(line=number, url=url, labels=tuple(labels), every=every[0] if every else None)


def _options(rest: str) -> Iterator[tuple[str, str]]:
    position = 0
    while (rest := rest[position:].lstrip()) and not rest.startswith("#"):
        word = _WORD.match(rest)
        # A quote that is never closed ends the word early, or lets none begin.
        if word is None or rest[word.end() :].startswith('"'):
            raise ValueError('a quote (") is not closed')
        yield _option(word[0])
        position = word.end()


def _option(word: str) -> tuple[str, str]:
    key, equals, value = word.partition("=")
    if not equals or key not in ("label", "every"):
        raise ValueError(f"unknown option {shown(word)}: after the URL come label=… and every=…")
    if not value.strip('", '):
        raise ValueError(f"{key}= has no value")
    return key, value if key == "label" else value.strip('"')
