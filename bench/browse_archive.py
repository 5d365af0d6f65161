"""An archive of a million articles, without a crawl: state store, objects and index lines as a crawl leaves
them.

Texts are put together from sentences that were made before: to choose each word would take most of the time.
"""

from __future__ import annotations

import random
import sqlite3
import uuid
from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from archiver.archive.cdxj.files import write_lines
from archiver.archive.cdxj.tiers import merge_tiers
from archiver.archive.objects.kinds import WarcPointer
from archiver.archive.warc.records import Capture
from archiver.articles.objects.model import SCHEMA, ArchivedObject, LeadPointer, article_id
from archiver.articles.versions.model import Change
from archiver.digests import sha256_digest
from archiver.documents.feeds.model import FeedEntry
from archiver.store.database import Database
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

END = datetime(2026, 3, 2, tzinfo=UTC)
SPAN = timedelta(days=3 * 365)
WORDS = 300
CAPTURES = 3  # of each page: the first one, and two looks that found it unchanged
EDITED = 20  # of so many articles one is edited, two days later
GONE = 100  # of so many articles one is gone
CHINESE = 50  # of so many channels one is in Chinese
LABELS = ("news", "science", "islands", "harbours")
_EDIT_AFTER = timedelta(days=2)
_WARCS = 24
_SENTENCES, _WORDS_EACH = 200_000, 12
_AT_ONCE = 2000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_COMMON = [
    "the", "of", "and", "to", "in", "is", "that", "it", "was", "for", "on", "are", "with", "as", "at", "be",
    "this", "have", "from", "or", "had", "by", "not", "but", "some", "what", "there", "we", "can", "out",
]  # fmt: skip
_SYLLABLES = [
    first + last for first in "bdfgklmnprstvz" for last in ("a", "e", "i", "o", "u", "an", "er", "is")
]


class Prose:
    """Texts of words as frequent as words are: the first one in every text, most in hardly any."""

    def __init__(self, seed: int = 1, vocabulary: int = 60_000) -> None:
        self._random = random.Random(seed)
        made = (self._word(number) for number in range(len(_COMMON), vocabulary))
        self.words = [*_COMMON, *made]
        self._weights = list(accumulate(1 / rank**1.05 for rank in range(1, vocabulary + 1)))
        self.characters = [chr(0x4E00 + 7 * number) for number in range(2500)]
        self._strokes = list(accumulate(1 / rank for rank in range(1, 2501)))
        self._sentences = [self._sentence() for _ in range(_SENTENCES)]

    def _word(self, number: int) -> str:
        found = ""
        while number:
            number, rest = divmod(number, len(_SYLLABLES))
            found += _SYLLABLES[rest]
        return found

    def _sentence(self) -> str:
        return " ".join(self._random.choices(self.words, cum_weights=self._weights, k=_WORDS_EACH)) + "."

    def english(self) -> str:
        sentences = self._random.choices(self._sentences, k=WORDS // _WORDS_EACH)
        return "\n\n".join(" ".join(sentences[start : start + 5]) for start in range(0, len(sentences), 5))

    def chinese(self) -> str:
        strokes = self._random.choices(self.characters, cum_weights=self._strokes, k=2 * WORDS)
        return "。".join("".join(strokes[start : start + 20]) for start in range(0, len(strokes), 20))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    articles: int
    channels: int


def tick(moment: datetime) -> int:
    """As the store keeps moments."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def channel_url(number: int) -> str:
    return f"https://www.site{number}.example/feed.xml"


class Generator:
    """Writes an archive, the oldest article first."""

    def __init__(self, folder: Path, sizes: Sizes) -> None:
        self._folder = folder
        self._sizes = sizes
        self._prose = Prose()
        for name in ("warc", "objects", "index", "runs"):
            (folder / name).mkdir(parents=True)
        Database(f"sqlite:///{folder / 'state.sqlite'}").close()
        self._state = sqlite3.connect(folder / "state.sqlite", isolation_level=None)
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -100000"):
            self._state.execute(f"PRAGMA {pragma}")
        self._rows: dict[str, list[dict[str, object]]] = {}
        self._file: tuple[str, BinaryIO] | None = None
        self._lengths: dict[str, int] = {}
        self._lines: list[str] = []
        self._edits: deque[tuple[datetime, int]] = deque()

    def write(self, show: Callable[[int, int], None]) -> None:
        if same_page_key(example := f"{channel_url(0).removesuffix('feed.xml')}2025/03/story-1") != example:
            raise SystemExit("the bench makes other keys than the archiver")
        self._channels()
        self._put("runs", id=1, started=tick(END - SPAN), ended=tick(END))
        step = SPAN / self._sizes.articles
        for number in range(self._sizes.articles):
            at = END - SPAN + number * step
            while self._edits and self._edits[0][0] <= at:
                self._edit(*self._edits.popleft())
            self._article(number, at)
            if number % _AT_ONCE == 0:
                self._flush()
                show(number, self._sizes.articles)
        self._finish()

    def _channels(self) -> None:
        for number in range(self._sizes.channels):
            url = channel_url(number)
            labels = msgspec.json.encode([LABELS[number % len(LABELS)]]).decode()
            self._put(
                "channels", id=number + 1, seed_url=url, url=url, host=f"www.site{number}.example",
                kind="feed", status="active", labels=labels, added=tick(END - SPAN), next_poll=tick(END),
                title=f"Site {number}", language=self._language(number), last_poll=tick(END),
                last_success=tick(END), outcome="new_entries", polls=10_000, why="every hour",
                entries=self._sizes.articles // self._sizes.channels,
            )  # fmt: skip
            self._put("listings", channel_id=number + 1, source="/bench.txt")

    def _language(self, channel: int) -> str:
        return "zh" if channel % CHINESE == 0 else "en"

    def _article(self, number: int, at: datetime) -> None:
        channel = number % self._sizes.channels
        url = f"https://www.site{channel}.example/{at:%Y/%m}/story-{number * 7919 % 99999989:08d}"
        # These addresses are their own keys, which is looked at once.
        key, capture = url, self._capture(number, url, at)
        is_edited = number % EDITED == EDITED - 1
        self._put(
            "articles", id=number + 1, key=key, url=url, first_seen=tick(at), last_captured=tick(at),
            version=1,
        )  # fmt: skip
        self._put(
            "pages", id=number + 1, key=key, url=url, host=f"www.site{channel}.example", state="settled",
            next_try=tick(at), article_id=number + 1, captured=tick(at), size=40_000, scope_id=channel + 1,
            born=tick(at), first_look=tick(at), looked=tick(at), looks=CAPTURES - 1,
        )  # fmt: skip
        title = self._version(number, url, key, at, capture, 1)
        said = msgspec.json.encode(FeedEntry(id=url, link=url, title=title)).decode()
        self._put(
            "entries", id=number + 1, channel_id=channel + 1, key=url, link_key=key, page_id=number + 1,
            entry=said, digest=f"{number:032x}", first_seen=tick(at), pending=0, outcome="new",
            settled=tick(at),
        )  # fmt: skip
        for later in range(CAPTURES):
            self._line(url, at + later * timedelta(days=1), capture, is_first=not later)
        if is_edited:
            self._edits.append((at + _EDIT_AFTER, number))
        if number % GONE == GONE - 1:
            gone = tick(at + timedelta(days=9))
            self._put(
                "absences", article_id=number + 1, gone=gone, after=gone - 1, how="not_found", noted=gone
            )

    def _edit(self, at: datetime, number: int) -> None:
        self._flush()
        query = "SELECT key, url FROM articles WHERE id = ?"
        key, url = self._state.execute(query, (number + 1,)).fetchone()
        self._version(number, url, key, at, self._capture(number, url, at), 2)
        query = "UPDATE articles SET version = 2, last_captured = ? WHERE id = ?"
        self._state.execute(query, (tick(at), number + 1))

    def _capture(self, number: int, url: str, at: datetime) -> Capture:
        warc = number * _WARCS // self._sizes.articles
        return Capture(
            url=url,
            file=f"archiver-{20230101000000000 + warc}-00001-bench.warc.gz",
            offset=number * 12_000,
            record_id=f"<urn:uuid:{uuid.UUID(int=number)}>",
            date=at,
            digest=f"sha1:{number:032d}",
        )

    def _version(self, number: int, url: str, key: str, at: datetime, capture: Capture, version: int) -> str:
        """Write a version; its title."""
        channel = number % self._sizes.channels
        language = self._language(channel)
        text = self._prose.chinese() if language == "zh" else self._prose.english()
        title = text[:60].strip()
        change = Change(kinds=("new",)) if version == 1 else Change(kinds=("text",), similarity=0.9, added=9)
        line = msgspec.json.encode(
            ArchivedObject(
                schema=SCHEMA, id=article_id(key), url=url, canonical_url=None, entry_id=url, title=title,
                lead=LeadPointer(source="channels", via=channel_url(channel)), channel=channel_url(channel),
                channel_title=f"Site {channel}", authors=(f"Author {number % 5000}",), language=language,
                categories=(f"Category {channel % 40}",), published=at - timedelta(minutes=9), updated=None,
                first_seen=at, captured=at, version=version, change=change, text=text,
                html="".join(f"<p>{part}</p>" for part in text.split("\n\n")), links=(), images=(),
                summary=None, comments=None, digest=f"t2:{number:064x}", method="article",
                confidence=0.5 + number % 50 / 100, extractor="article/3",
                warc=WarcPointer(
                    file=capture.file, offset=capture.offset, record_id=capture.record_id,
                    capture_id=capture.record_id,
                ),
            )
        ) + b"\n"  # fmt: skip
        name = f"articles-{at:%Y-%m-%d}-bench.jsonl"
        offset = self._append(name, line)
        self._put(
            "versions", article_id=number + 1, version=version, captured=tick(at), digest=f"t2:{number:064x}",
            title_digest=f"t2:{number:032x}", text_digest=f"t2:{number + version:032x}", method="article",
            capture=msgspec.json.encode(capture).decode(), object_file=name, object_offset=offset,
            object_digest=sha256_digest(line), extractor="article/3", title=title,
            kinds=",".join(change.kinds), similarity=change.similarity, added=change.added,
            channel_id=channel + 1, published=tick(at),
        )  # fmt: skip
        return title

    def _append(self, name: str, line: bytes) -> int:
        if self._file is None or self._file[0] != name:
            if self._file is not None:
                self._file[1].close()
            self._file = (name, (self._folder / "objects" / name).open("ab", buffering=1 << 20))
        self._file[1].write(line)
        offset = self._lengths.get(name, 0)
        self._lengths[name] = offset + len(line)
        return offset

    def _line(self, url: str, at: datetime, capture: Capture, *, is_first: bool) -> None:
        # Not through line_for: sort keys of millions of URLs would take minutes.
        host, path = url.removeprefix("https://www.").split("/", 1)
        site = host.removesuffix(".example")
        mime = "text/html" if is_first else "warc/revisit"
        self._lines.append(
            f'example,{site})/{path} {at:%Y%m%d%H%M%S} {{"url": "{url}", "mime": "{mime}", "status": "200",'
            f' "digest": "{capture.digest}", "length": "12000", "offset": "{capture.offset}",'
            f' "filename": "{capture.file}"}}'
        )
        if len(self._lines) >= CAPTURES * self._sizes.articles // _WARCS and not is_first:
            self._write_index(capture.file)

    def _write_index(self, warc: str) -> None:
        write_lines(self._folder / "index", warc, self._lines)
        self._lines = []

    def _put(self, table: str, **row: object) -> None:
        self._rows.setdefault(table, []).append(row)

    def _flush(self) -> None:
        self._state.execute("BEGIN")
        for table, rows in self._rows.items():
            names = list(rows[0])
            places = ", ".join("?" * len(names))
            query = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})"
            self._state.executemany(query, [tuple(row.values()) for row in rows])
        self._state.execute("COMMIT")
        self._rows = {}

    def _finish(self) -> None:
        while self._edits:
            self._edit(*self._edits.popleft())
        if self._lines:
            self._write_index(f"archiver-{20230101000000000 + _WARCS}-00001-bench.warc.gz")
        for name, length in self._lengths.items():
            self._put("object_files", file=name, length=length)
        self._flush()
        self._state.execute("ANALYZE")
        self._state.close()
        if self._file is not None:
            self._file[1].close()
        # As a run leaves it: readers beside it need the log.
        with sqlite3.connect(self._folder / "state.sqlite") as state:
            state.execute("PRAGMA journal_mode = WAL")
        merge_tiers(self._folder / "index")


def sizes_of(folder: Path) -> Iterator[tuple[str, int]]:
    """What each part of an archive takes, in bytes."""
    for name in ("objects", "index", "state.sqlite", "search.sqlite"):
        path = folder / name
        files = path.iterdir() if path.is_dir() else [path]
        yield name, sum(file.stat().st_size for file in files if file.exists())
